#include "system/scenario/satisfiable.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <set>

#include "system/scenario/shapes.h"

namespace ordeal::monitor {
namespace {

using Kind = Condition::Kind;

// Beyond so many evaluations nothing is claimed.
constexpr uint64_t kMostEvaluations = 50'000;

bool has_text(EventKind kind) {
  switch (kind) {
    case EventKind::kNotice:
    case EventKind::kSetTimer:
    case EventKind::kTimer:
    case EventKind::kCancelTimer:
    case EventKind::kLog:
    case EventKind::kStep:
    case EventKind::kPartition:
      return true;
    default:
      return false;
  }
}

// The numbers that a counter may still have.
class Range {
 public:
  explicit Range(int64_t low) : low_(low) {}

  bool empty() const { return low_ > high_; }
  // Leaves what compares so.
  void keep(Compare compare, int64_t n) {
    switch (compare) {
      case Compare::kLess:
        if (n == kLeast) low_ = 1, high_ = 0;
        if (n != kLeast) high_ = std::min(high_, n - 1);
        break;
      case Compare::kLessEqual:
        high_ = std::min(high_, n);
        break;
      case Compare::kEqual:
        low_ = std::max(low_, n);
        high_ = std::min(high_, n);
        break;
      case Compare::kNotEqual:
        holes_.insert(n);
        break;
      case Compare::kGreaterEqual:
        low_ = std::max(low_, n);
        break;
      case Compare::kGreater:
        if (n == kMost) low_ = 1, high_ = 0;
        if (n != kMost) low_ = std::max(low_, n + 1);
        break;
    }
    while (!empty() && holes_.contains(low_)) ++low_;
    while (!empty() && holes_.contains(high_)) --high_;
  }
  static Compare opposite(Compare compare) {
    switch (compare) {
      case Compare::kLess:
        return Compare::kGreaterEqual;
      case Compare::kLessEqual:
        return Compare::kGreater;
      case Compare::kEqual:
        return Compare::kNotEqual;
      case Compare::kNotEqual:
        return Compare::kEqual;
      case Compare::kGreaterEqual:
        return Compare::kLess;
      case Compare::kGreater:
        return Compare::kLessEqual;
    }
    return compare;
  }

 private:
  static constexpr int64_t kLeast = std::numeric_limits<int64_t>::min();
  static constexpr int64_t kMost = std::numeric_limits<int64_t>::max();
  int64_t low_;
  int64_t high_ = kMost;
  std::set<int64_t> holes_;
};

// What has been decided of all that is open.
struct Valuation {
  std::map<std::string, NodeId> draws;  // -1: somebody who is not in the event
  std::map<std::pair<std::string, NodeId>, int> parts;
  std::map<std::string, Range> counters;
  std::map<std::string, Range> sizes;
  std::map<std::string, bool> in_sets;
  std::map<std::string, bool> properties;
  std::optional<std::string> text;
  std::set<std::string> other_texts;  // that it is not
  int machine_state = -1;
  std::map<const void*, bool>
      functions;  // what the user's functions say, and whether a once is left
};

enum class Truth : uint8_t { kFalse, kTrue, kOpen };
Truth of(bool value) { return value ? Truth::kTrue : Truth::kFalse; }
Truth operator!(Truth t) { return t == Truth::kOpen ? t : of(t == Truth::kFalse); }

// One event, and the search for a valuation that makes the question true of it.
class Search {
 public:
  Search(const Scenario::Declaration& scenario, const Cast& cast, const Question& question,
         int64_t least_count, uint64_t& left)
      : scenario_(scenario),
        cast_(cast),
        question_(question),
        least_count_(least_count),
        left_(left) {}

  // Also where there was too much to try.
  bool maybe(const Shape& shape) {
    shape_ = shape;
    Valuation start;
    start.machine_state = question_.machine_state;
    return maybe(start);
  }

 private:
  // What must be decided first: makes the valuations that differ in it.
  using Branch = std::function<std::vector<Valuation>(const Valuation&)>;

  bool maybe(const Valuation& valuation) {
    if (left_ == 0) return true;
    --left_;
    valuation_ = &valuation;
    branch_ = nullptr;
    const Truth truth = all();
    if (truth != Truth::kOpen) return truth == Truth::kTrue;
    const std::vector<Valuation> alternatives = branch_(valuation);
    return std::any_of(alternatives.begin(), alternatives.end(),
                       [&](const Valuation& next) { return maybe(next); });
  }

  Truth all() {
    Truth truth = Truth::kTrue;
    for (const Condition& condition : question_.all) {
      const Truth one = eval(condition);
      if (one == Truth::kFalse) return one;
      if (one == Truth::kOpen) truth = one;
    }
    for (const Condition& condition : question_.without) {
      const Truth one = !eval(condition);
      if (one == Truth::kFalse) return one;
      if (one == Truth::kOpen) truth = one;
    }
    return truth;
  }

  // The first thing that is found open is decided first.
  Truth open(Branch branch) {
    if (!branch_) branch_ = std::move(branch);
    return Truth::kOpen;
  }
  // Two ways: `set` makes the change for true and for false, and says whether that is possible.
  template <class F>
  Truth open_either(F set) {
    return open([set](const Valuation& before) {
      std::vector<Valuation> out;
      for (const bool value : {true, false}) {
        Valuation next = before;
        if (set(next, value)) out.push_back(std::move(next));
      }
      return out;
    });
  }
  Truth function(const void* id) {
    const auto known = valuation_->functions.find(id);
    if (known != valuation_->functions.end()) return of(known->second);
    return open_either([id](Valuation& v, bool value) {
      v.functions[id] = value;
      return true;
    });
  }

  Truth is(NodeId node, const Who& who) {
    if (!who.is_drawn()) return of(node == who.id());
    const auto known = valuation_->draws.find(who.name());
    if (known != valuation_->draws.end()) return of(known->second == node && node != -1);
    return open([this, name = who.name()](const Valuation& before) {
      std::vector<NodeId> among = cast_.nodes();
      for (const Scenario::Draw& draw : scenario_.draws) {
        if (draw.name == name && !draw.among.empty()) among = draw.among;
      }
      std::vector<Valuation> out;
      bool elsewhere = false;
      for (NodeId node : among) {
        const bool here = node == shape_.node || node == shape_.from || node == shape_.to;
        if (!here && elsewhere) continue;
        elsewhere = elsewhere || !here;
        out.push_back(before);
        out.back().draws[name] = here ? node : NodeId(-1);
      }
      return out;
    });
  }

  const Scenario::PartitionDeclaration* partition(const std::string& name) const {
    for (const auto& known : scenario_.partitions) {
      if (known.name == name) return &known;
    }
    return nullptr;
  }
  // The part that a node is in; none: it is in no part; open: not decided.
  Truth part_of(const std::string& name, NodeId node, int& part) {
    const Scenario::PartitionDeclaration* declared = partition(name);
    const Cast::Member* member = cast_.find(node);
    if (!about_message() || declared == nullptr || member == nullptr || member->component) {
      return Truth::kFalse;
    }
    for (size_t block = 0; block < declared->blocks.size(); ++block) {
      const std::vector<NodeId>& nodes = declared->blocks[block];
      if (std::find(nodes.begin(), nodes.end(), node) == nodes.end()) continue;
      part = static_cast<int>(block);
      return Truth::kTrue;
    }
    if (!declared->blocks.empty()) return Truth::kFalse;
    const auto known = valuation_->parts.find({name, node});
    if (known != valuation_->parts.end()) {
      part = known->second;
      return Truth::kTrue;
    }
    return open([declared, name, node](const Valuation& before) {
      std::vector<Valuation> out;
      for (size_t k = 0; k < declared->sizes.size(); ++k) {
        const int index = static_cast<int>(k);
        const auto taken = std::count_if(before.parts.begin(), before.parts.end(), [&](auto& p) {
          return p.first.first == name && p.second == index;
        });
        if (taken >= declared->sizes[k]) continue;
        out.push_back(before);
        out.back().parts[{name, node}] = index;
      }
      return out;
    });
  }
  Truth same_part(const std::string& name, bool want_same) {
    int a = -1;
    int b = -1;
    const Truth first = part_of(name, shape_.from, a);
    if (first != Truth::kTrue) return first;
    const Truth second = part_of(name, shape_.to, b);
    if (second != Truth::kTrue) return second;
    return of((a == b) == want_same);
  }

  using Ranges = std::map<std::string, Range> Valuation::*;
  Truth number(Ranges ranges, const Condition::Node& node, int64_t least) {
    const auto known = (valuation_->*ranges).find(node.name);
    const Range range = known == (valuation_->*ranges).end() ? Range(least) : known->second;
    Range yes = range;
    yes.keep(node.compare, node.number);
    if (yes.empty()) return Truth::kFalse;
    Range no = range;
    no.keep(Range::opposite(node.compare), node.number);
    if (no.empty()) return Truth::kTrue;
    return open_either([ranges, name = node.name, yes, no](Valuation& v, bool value) {
      (v.*ranges).insert_or_assign(name, value ? yes : no);
      return true;
    });
  }

  Truth in_set(const std::string& name) {
    const auto known = valuation_->in_sets.find(name);
    if (known != valuation_->in_sets.end()) return of(known->second);
    return open_either([name](Valuation& v, bool value) {
      v.in_sets[name] = value;
      if (!value) return true;
      Range& size = v.sizes.try_emplace(name, Range(0)).first->second;
      size.keep(Compare::kGreaterEqual, 1);
      return !size.empty();
    });
  }

  Truth in_state(const std::string& name) {
    const int state = scenario_.machine.empty() ? -1 : scenario_.machine[0].find(name);
    if (state < 0) return Truth::kFalse;
    if (valuation_->machine_state >= 0) return of(valuation_->machine_state == state);
    return open([this](const Valuation& before) {
      std::vector<Valuation> out;
      for (size_t s = 0; s < scenario_.machine[0].states().size(); ++s) {
        out.push_back(before);
        out.back().machine_state = static_cast<int>(s);
      }
      return out;
    });
  }

  Truth text(const std::string& wanted) {
    if (!has_text(shape_.kind)) return of(wanted.empty());
    if (valuation_->text) return of(*valuation_->text == wanted);
    if (valuation_->other_texts.contains(wanted)) return Truth::kFalse;
    return open_either([wanted](Valuation& v, bool value) {
      if (value) v.text = wanted;
      if (!value) v.other_texts.insert(wanted);
      return true;
    });
  }

  bool about_message() const { return is_about_message(shape_.kind); }
  bool carries(const Condition::Node& node) const {
    const Content& content = shape_.content;
    if (content.name != node.name) return false;
    return node.type == nullptr || content.type == nullptr || content.type->same_as(*node.type);
  }
  Truth tested(const Condition& condition) {
    return condition.node().test ? function(condition.id()) : Truth::kTrue;
  }
  Truth state(const Condition& condition) {
    const Cast::Member* member = cast_.find(shape_.node);
    const value::Type* type = condition.node().type;
    if (member == nullptr || member->state == nullptr || type == nullptr ||
        !member->state->same_as(*type)) {
      return Truth::kFalse;
    }
    return tested(condition);
  }

  Truth both(Truth a, Truth b) const {
    if (a == Truth::kFalse || b == Truth::kFalse) return Truth::kFalse;
    return a == Truth::kOpen ? a : b;
  }

  Truth eval(const Condition& condition) {
    const Condition::Node& node = condition.node();
    switch (node.kind) {
      case Kind::kAnything:
        return Truth::kTrue;
      case Kind::kEventKind:
        return of(std::find(node.kinds.begin(), node.kinds.end(), shape_.kind) != node.kinds.end());
      case Kind::kAt:
        return is(shape_.node, node.who);
      case Kind::kMessageType:
        return about_message() && carries(node) ? tested(condition) : Truth::kFalse;
      case Kind::kPayloadType:
        return carries(node) ? tested(condition) : Truth::kFalse;
      case Kind::kFrom:
        return about_message() ? is(shape_.from, node.who) : Truth::kFalse;
      case Kind::kTo:
        return about_message() ? is(shape_.to, node.who) : Truth::kFalse;
      case Kind::kBetween: {
        if (!about_message()) return Truth::kFalse;
        const Truth there = both(is(shape_.from, node.who), is(shape_.to, node.other));
        const Truth back = both(is(shape_.from, node.other), is(shape_.to, node.who));
        return !both(!there, !back);
      }
      case Kind::kText:
        return text(node.name);
      case Kind::kCounter:
        return number(&Valuation::counters, node, least_count_);
      case Kind::kSetSize:
        return number(&Valuation::sizes, node, 0);
      case Kind::kInSet:
        return about_message() ? in_set(node.name) : Truth::kFalse;
      case Kind::kInState:
        return in_state(node.name);
      case Kind::kFromPart: {
        int part = -1;
        const Truth known = part_of(node.name, shape_.from, part);
        return known == Truth::kTrue ? of(part == node.number) : known;
      }
      case Kind::kAcross:
        return same_part(node.name, false);
      case Kind::kWithin:
        return same_part(node.name, true);
      case Kind::kState:
        return state(condition);
      case Kind::kHolds:
        return property(node.name);
      case Kind::kCustom:
        // One that remembers may answer differently wherever it is asked.
        return function(node.is_value ? condition.id() : &condition);
      case Kind::kAnd:
      case Kind::kOr:
        return several(node);
      case Kind::kNot:
        return !eval(node.inner[0]);
      case Kind::kOnce:
        return both(eval(node.inner[0]), function(condition.id()));
    }
    return Truth::kOpen;
  }

  Truth several(const Condition::Node& node) {
    const bool is_and = node.kind == Kind::kAnd;
    Truth truth = of(is_and);
    for (const Condition& inner : node.inner) {
      const Truth one = eval(inner);
      if (one == of(!is_and)) return one;
      if (one == Truth::kOpen) truth = one;
    }
    return truth;
  }

  Truth property(const std::string& name) {
    const auto known = valuation_->properties.find(name);
    if (known != valuation_->properties.end()) return of(known->second);
    return open_either([name](Valuation& v, bool value) {
      v.properties[name] = value;
      return true;
    });
  }

  const Scenario::Declaration& scenario_;
  const Cast& cast_;
  const Question& question_;
  int64_t least_count_;
  uint64_t& left_;
  Shape shape_;
  const Valuation* valuation_ = nullptr;
  Branch branch_;
};

}  // namespace

Kinds all_kinds() {
  Kinds kinds;
  kinds.set();
  kinds.reset(static_cast<size_t>(EventKind::kEnd));
  return kinds;
}

Kinds kinds_of(EventKind kind) {
  Kinds kinds;
  kinds.set(static_cast<size_t>(kind));
  return kinds;
}

Kinds kinds_on_way() {
  Kinds kinds;
  for (int k = 0; k < kEventKinds; ++k) {
    kinds.set(static_cast<size_t>(k), is_on_its_way(static_cast<EventKind>(k)));
  }
  return kinds;
}

Possibilities::Possibilities(const Scenario::Declaration& scenario, const Cast& cast)
    : scenario_(scenario), cast_(cast) {
  for (const Filter& filter : scenario.filters) {
    for (const Reaction& reaction : filter.reactions) {
      for_each_inside(reaction, [&](const Reaction& r) {
        const Reaction::Kind kind = r.node().kind;
        counts_by_itself_ = counts_by_itself_ || kind == Reaction::Kind::kCustom;
        anybody_sends_ = anybody_sends_ || kind == Reaction::Kind::kCustom ||
                         kind == Reaction::Kind::kInject || kind == Reaction::Kind::kResend;
      });
    }
  }
}

bool Possibilities::never(const Question& question) const {
  uint64_t left = kMostEvaluations;
  // A counter that only count() changes is never below zero.
  const int64_t least = counts_by_itself_ ? std::numeric_limits<int64_t>::min() : 0;
  Search search(scenario_, cast_, question, least, left);
  return !any_shape(question, scenario_, cast_, anybody_sends_,
                    [&](const Shape& shape) { return search.maybe(shape); });
}

}  // namespace ordeal::monitor
