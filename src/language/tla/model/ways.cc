#include "language/tla/model/ways.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/text.h"

namespace ordeal::tla {
namespace {

// What a name is bound by: a step of the way, and the how-manieth of what that binds.
struct Binder {
  int step = -1;
  int at = -1;
};

// The slots of a frame, as far as a way binds them.
struct SlotBinders {
  const SlotBinders* up = nullptr;
  std::vector<Binder> slots;
  Binder at(uint32_t hops, uint32_t slot) const {
    const SlotBinders* frame = this;
    while (hops-- > 0 && frame != nullptr) frame = frame->up;
    return frame != nullptr && slot < frame->slots.size() ? frame->slots[slot] : Binder{};
  }
};

struct NamedBinder {
  std::string name;
  Binder binder;
};

// Goes down from Next, with what has been bound so far.
class Descent {
 public:
  explicit Descent(const Part& next) : next_(next) {}
  virtual ~Descent() = default;

  void run() {
    SlotBinders frame;
    frame.slots.resize(next_.layout->slots);
    entered(nullptr, next_.name);
    down(*next_.node, frame);
    left();
  }

 protected:
  // A definition is entered, whose body is to be gone through, or not. null: Next itself.
  virtual bool entered(const Operator* op, const std::string& name) = 0;
  virtual void left() = 0;
  // `node` will not be taken apart. False from at(): it is not gone further down.
  virtual void leaf(const Node& node) = 0;
  virtual bool at(const Node& node) {
    (void)node;
    return true;
  }

  void down(const Node& node, SlotBinders& frame) {
    if (!at(node)) return;
    if (const auto* call = dynamic_cast<const CallNode*>(&node)) return down_call(*call, frame);
    if (const auto* list = dynamic_cast<const ListNode*>(&node)) {
      if (!list->is_and) {
        for (const NodeRef& item : list->items) down(*item, frame);
        return;
      }
      if (list->spine < 0) return leaf(node);
      const auto item = static_cast<uint32_t>(list->spine);
      return within({WayStep::Kind::kAll, &node, item, nullptr, {}}, *list->items[item], frame);
    }
    if (const auto* quantifier = dynamic_cast<const QuantifierNode*>(&node);
        quantifier != nullptr && quantifier->which == Quantifier::kExists) {
      return down_exists(*quantifier, frame);
    }
    if (const auto* test = dynamic_cast<const IfNode*>(&node)) {
      within({WayStep::Kind::kIf, &node, 0, nullptr, {}}, *test->then, frame);
      return within({WayStep::Kind::kIf, &node, 1, nullptr, {}}, *test->otherwise, frame);
    }
    if (const auto* cases = dynamic_cast<const CaseNode*>(&node)) {
      for (const auto& [condition, value] : cases->arms) {
        within({WayStep::Kind::kCase, &node, 0, value.get(), {}}, *value, frame);
      }
      if (cases->other) {
        within({WayStep::Kind::kCase, &node, 0, cases->other.get(), {}}, *cases->other, frame);
      }
      return;
    }
    if (const auto* let = dynamic_cast<const LetNode*>(&node)) {
      return within({WayStep::Kind::kLet, &node, 0, nullptr, {}}, *let->body, frame);
    }
    leaf(node);
  }

  Way way_;
  std::vector<NamedBinder> names_;  // the innermost last

 private:
  void within(WayStep step, const Node& child, SlotBinders& frame) {
    way_.push_back(std::move(step));
    down(child, frame);
    way_.pop_back();
  }

  void down_exists(const QuantifierNode& node, SlotBinders& frame) {
    const size_t before = names_.size();
    const auto step = static_cast<int>(way_.size());
    WayStep here{WayStep::Kind::kExists, &node, 0, nullptr, {}};
    for (const BoundSet& bound : node.bounds) {
      for (size_t i = 0; i < bound.slots.size(); ++i) {
        const Binder binder{step, static_cast<int>(here.given.size())};
        here.given.push_back(-1);
        if (bound.slots[i] < frame.slots.size()) frame.slots[bound.slots[i]] = binder;
        names_.push_back({bound.names[i], binder});
      }
    }
    within(std::move(here), *node.body, frame);
    names_.resize(before);
  }

  void down_call(const CallNode& call, SlotBinders& frame) {
    const Operator& op = *call.op;
    if (call.level != Level::kAction || op.body == nullptr ||
        std::find(entered_.begin(), entered_.end(), &op) != entered_.end()) {
      return leaf(call);
    }
    const size_t before = names_.size();
    const auto step = static_cast<int>(way_.size());
    std::vector<SlotBinders> around(call.instances.size());
    const SlotBinders* home = nullptr;
    if (call.has_home) {
      home = &frame;
      for (uint32_t i = 0; i < call.hops && home != nullptr; ++i) home = home->up;
    }
    for (SlotBinders& instance : around) {
      instance.up = home;
      home = &instance;
    }
    SlotBinders inner;
    inner.up = home;
    inner.slots.resize(op.layout.slots);
    WayStep here{WayStep::Kind::kCall, &call, 0, nullptr,
                 std::vector<int>(op.param_names.size(), -1)};
    for (uint32_t i = 0; i < op.param_names.size(); ++i) {
      if (op.param_arities[i] != 0) continue;
      Binder binder{step, static_cast<int>(i)};
      if (const auto* local = dynamic_cast<const LocalNode*>(call.arguments[i].node.get())) {
        const Binder passed = frame.at(local->hops, local->slot);
        if (passed.step >= 0) binder = passed;
      }
      inner.slots[i] = binder;
      names_.push_back({op.param_names[i], binder});
    }
    if (!entered(&op, op.name)) {
      left();
      names_.resize(before);
      return leaf(call);
    }
    entered_.push_back(&op);
    way_.push_back(std::move(here));
    down(*op.body, inner);
    way_.pop_back();
    entered_.pop_back();
    left();
    names_.resize(before);
  }

  const Part& next_;
  std::vector<const Operator*> entered_;
};

// Which actions there are.
class Listing final : public Descent {
 public:
  using Descent::Descent;
  std::vector<NamedAction> take() { return std::move(out_); }

 protected:
  bool entered(const Operator* op, const std::string& name) override {
    owners_.push_back({op, name, names_.size()});
    return true;
  }
  void left() override { owners_.pop_back(); }
  void leaf(const Node&) override {
    const Owner& owner = owners_.back();
    const auto known = std::find_if(out_.begin(), out_.end(),
                                    [&](const NamedAction& one) { return one.name == owner.name; });
    NamedAction& action = known == out_.end() ? out_.emplace_back() : *known;
    action.name = owner.name;
    if (owner.op != nullptr) action.parameters = owner.op->param_names;
    std::set<std::pair<int, int>> passed;  // to the parameters
    const size_t params = owner.op == nullptr ? 0 : owner.op->param_names.size();
    for (size_t i = owner.names - std::min(owner.names, params); i < owner.names; ++i) {
      passed.emplace(names_[i].binder.step, names_[i].binder.at);
    }
    for (const auto& [name, binder] : names_) {
      const bool is_witness = static_cast<size_t>(binder.step) < way_.size() &&
                              way_[static_cast<size_t>(binder.step)].kind == WayStep::Kind::kExists;
      if (!is_witness || passed.contains({binder.step, binder.at})) continue;
      const auto has = [&name = name](const std::vector<std::string>& names) {
        return std::find(names.begin(), names.end(), name) != names.end();
      };
      if (!has(action.parameters) && !has(action.witnesses)) action.witnesses.push_back(name);
    }
  }

 private:
  struct Owner {
    const Operator* op;
    std::string name;
    size_t names;  // that were bound when it was entered, its parameters among them
  };
  std::vector<Owner> owners_;
  std::vector<NamedAction> out_;
};

// The ways to one action.
class Search final : public Descent {
 public:
  Search(const Part& next, const std::string& action, const std::vector<std::string>& arguments)
      : Descent(next), action_(action), arguments_(arguments) {}
  std::vector<Way> ways;
  bool found = false;              // the action
  std::set<std::string> bound;     // names that the action has
  std::vector<std::string> known;  // the names of definitions

 protected:
  bool entered(const Operator* op, const std::string& name) override {
    names_of_owners_.push_back(name);
    if (std::find(known.begin(), known.end(), name) == known.end()) known.push_back(name);
    const bool here = name == action_;
    if (here) ++inside_;
    found = found || here;
    (void)op;
    return true;
  }
  void left() override {
    if (names_of_owners_.back() == action_) --inside_;
    names_of_owners_.pop_back();
  }
  bool at(const Node& node) override {
    if (inside_ == 0) return true;
    Way way = way_;
    if (!resolve(way)) return true;
    way.push_back({WayStep::Kind::kDo, &node, 0, nullptr, {}});
    ways.push_back(std::move(way));
    return false;
  }
  void leaf(const Node&) override {}

 private:
  // Whether everything that is given has its place by now.
  bool resolve(Way& way) {
    for (const auto& [name, binder] : names_) bound.insert(name);
    for (size_t i = 0; i < arguments_.size(); ++i) {
      const auto at = std::find_if(names_.rbegin(), names_.rend(), [&](const NamedBinder& one) {
        return one.name == arguments_[i];
      });
      if (at == names_.rend()) return false;
      int& given =
          way[static_cast<size_t>(at->binder.step)].given[static_cast<size_t>(at->binder.at)];
      if (given >= 0) return false;  // two names of one thing
      given = static_cast<int>(i);
    }
    return true;
  }

  const std::string& action_;
  const std::vector<std::string>& arguments_;
  std::vector<std::string> names_of_owners_;
  int inside_ = 0;
};

}  // namespace

Ways::Ways(const Part& next) : next_(next) {
  if (next.node == nullptr) return;
  Listing listing(next);
  listing.run();
  actions_ = listing.take();
}

Result<std::vector<Way>> Ways::find(const std::string& action,
                                    const std::vector<std::string>& arguments) const {
  if (next_.node == nullptr) return Error{"the specification has no next-state relation"};
  Search search(next_, action, arguments);
  search.run();
  if (!search.ways.empty()) return std::move(search.ways);
  if (!search.found) {
    std::vector<std::string> names;
    for (const NamedAction& one : actions_) names.push_back(one.name);
    return Error{fmt::format("there is no action '{}'{}; there are {}", one_line(action),
                             did_you_mean(action, search.known), enumeration(names))};
  }
  const std::vector<std::string> bound(search.bound.begin(), search.bound.end());
  for (const std::string& argument : arguments) {
    if (search.bound.contains(argument)) continue;
    return Error{fmt::format("action {} has no argument '{}'{}; {}", action, one_line(argument),
                             did_you_mean(argument, bound),
                             bound.empty() ? "it has none" : "it has " + enumeration(bound))};
  }
  return Error{fmt::format("action {} has no place where all of {} are bound at once", action,
                           enumeration(arguments))};
}

}  // namespace ordeal::tla
