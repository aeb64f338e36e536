#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>

#include "base/text.h"
#include "ordeal/scenario.h"
#include "system/scenario/evaluator.h"
#include "system/scenario/satisfiable.h"
#include "system/scenario/script_line.h"
#include "system/scenario/validate_names.h"

namespace ordeal {
namespace {

using monitor::error_at;
using monitor::Kinds;
using monitor::Question;

// Says what becomes of something on its way; not what happens besides.
bool decides_fate(Reaction::Kind kind) {
  return kind == Reaction::Kind::kDeliver || kind == Reaction::Kind::kDrop ||
         kind == Reaction::Kind::kHold || kind == Reaction::Kind::kDelay;
}
bool is_about_way(Reaction::Kind kind) {
  return decides_fate(kind) || kind == Reaction::Kind::kDuplicate ||
         kind == Reaction::Kind::kMutate;
}

// The parts that are joined by &&.
void split(const Condition& condition, std::vector<Condition>& out) {
  const Condition::Node& node = condition.node();
  // A kind of event with a text was written as one: timer_fires("election").
  const bool is_pair =
      node.kind == Condition::Kind::kAnd && node.inner[1].node().kind == Condition::Kind::kText;
  if (node.kind != Condition::Kind::kAnd || is_pair) {
    out.push_back(condition);
    return;
  }
  for (const Condition& inner : node.inner) split(inner, out);
}

std::string show_all(const std::vector<Condition>& conditions) {
  std::string out;
  for (const Condition& condition : conditions) {
    const bool loose = condition.node().kind == Condition::Kind::kOr && conditions.size() > 1;
    out += (out.empty() ? "" : " && ") + (loose ? "(" + show(condition) + ")" : show(condition));
  }
  return out;
}

value::Any default_of(const value::Type& type) {
  const auto storage = std::make_unique<std::byte[]>(type.size() + type.align());
  void* at = storage.get();
  size_t space = type.size() + type.align();
  std::align(type.align(), type.size(), at, space);
  type.default_construct(at);
  value::Any out = type.copy_any(at);
  type.destroy(at);
  return out;
}

// Whether a path stays within records as far as a value without content tells: what is inside lists
// and optionals only shows in a message.
bool leads_into_content(const value::Any& value, const std::string& path) {
  const value::Tree whole = value.tree();
  const value::Tree* tree = &whole;
  size_t at = 0;
  while (at < path.size()) {
    if (tree->kind != value::Tree::Kind::kRecord) {
      return tree->kind == value::Tree::Kind::kNull || tree->kind == value::Tree::Kind::kList ||
             tree->kind == value::Tree::Kind::kTuple || tree->kind == value::Tree::Kind::kMap;
    }
    const size_t end = std::min(path.find_first_of(".[", at), path.size());
    tree = tree->find(path.substr(at, end - at));
    if (tree == nullptr) return false;
    at = end < path.size() && path[end] == '.' ? end + 1 : end;
  }
  return false;
}

class Validation {
 public:
  Validation(const Scenario::Declaration& scenario, const Checkable& subject)
      : scenario_(scenario),
        properties_(subject.properties()),
        cast_(subject.cast()),
        names_(scenario, cast_, properties_),
        possible_(scenario, cast_) {}

  Result<void> all() const {
    if (auto fine = expectation(); !fine) return fine;
    if (auto fine = names_.declared(); !fine) return fine;
    for (size_t i = 0; i < scenario_.filters.size(); ++i) {
      if (auto fine = filter(i); !fine) return fine;
    }
    for (const Machine& machine : scenario_.machine) {
      if (auto fine = states(machine); !fine) return fine;
      if (auto fine = transitions(machine); !fine) return fine;
      if (auto fine = reaches_success(machine); !fine) return fine;
    }
    for (const auto& [property, where] : scenario_.required) {
      if (auto fine = required(property, where); !fine) return fine;
    }
    for (const std::string& line : scenario_.script) {
      const Result<void> fine = monitor::check_script_line(line, cast_);
      if (fine) continue;
      return error_at(scenario_.script_where,
                      fmt::format("script: \"{}\": {}", line, fine.error().message));
    }
    return {};
  }

 private:
  Result<void> expectation() const {
    const Expect& expect = scenario_.expectation;
    if (scenario_.iterations == 0) {
      return error_at(scenario_.where, "iterations(0) runs nothing; ask for at least one run");
    }
    const bool at_least = expect.kind() == Expect::Kind::kAtLeast;
    if (at_least && expect.runs() > scenario_.iterations) {
      return error_at(scenario_.where,
                      fmt::format("{} of {} cannot be met; expect at most as many as there are "
                                  "iterations",
                                  show(expect), scenario_.iterations));
    }
    if (scenario_.machine.empty() && expect.kind() != Expect::Kind::kAlways) {
      return error_at(scenario_.where,
                      "the expectation is about runs that succeed, and only a "
                      "machine says which do; give the scenario one with "
                      "machine()");
    }
    if (expect.kind() != Expect::Kind::kAlways && !can_succeed()) {
      return error_at(scenario_.where,
                      "the expectation is about runs that succeed, but the machine has no success "
                      "state: none can; name one with success()");
    }
    return {};
  }

  bool can_succeed() const {
    const std::vector<Machine::State>& states = scenario_.machine[0].states();
    return std::any_of(states.begin(), states.end(), [](const Machine::State& state) {
      return state.kind == Machine::Kind::kSuccess;
    });
  }

  // --- Filters -----------------------------------------------------------------------------------

  Result<void> filter(size_t index) const {
    const Filter& filter = scenario_.filters[index];
    if (auto fine = names_.in(filter.condition); !fine) return fine;
    for (const Reaction& reaction : filter.reactions) {
      if (auto fine = names_.in(reaction); !fine) return fine;
    }
    if (auto fine = agrees_with_itself(filter); !fine) return fine;
    Question question;
    question.all = {filter.condition};
    if (possible_.never(question)) {
      return error_at(filter.where,
                      fmt::format("{} can never match: {}", show(filter), why_never(question)));
    }
    if (auto fine = is_not_shadowed(index); !fine) return fine;
    for (const Reaction& reaction : filter.reactions) {
      if (auto fine = fits(reaction, filter); !fine) return fine;
    }
    return {};
  }

  // The last fate counts. One that a later one always replaces was not meant so.
  static Result<void> agrees_with_itself(const Filter& filter) {
    const std::vector<Reaction>& list = filter.reactions;
    const auto inner = [](const Reaction& r) -> const Reaction& {
      const Reaction* at = &r;
      while (at->node().kind == Reaction::Kind::kOnce) at = &at->node().inner[0];
      return *at;
    };
    for (size_t j = 0; j < list.size(); ++j) {
      for (size_t i = 0; i < j; ++i) {
        const bool first_once = list[i].node().kind == Reaction::Kind::kOnce;
        const bool second_once = list[j].node().kind == Reaction::Kind::kOnce;
        const Reaction::Kind a = inner(list[i]).node().kind;
        const Reaction::Kind b = inner(list[j]).node().kind;
        const bool two_fates = decides_fate(a) && decides_fate(b) && (!second_once || first_once);
        const auto lost = [](Reaction::Kind x, Reaction::Kind y) {
          return x == Reaction::Kind::kDrop &&
                 (y == Reaction::Kind::kDuplicate || y == Reaction::Kind::kMutate);
        };
        const bool in_vain = first_once == second_once && (lost(a, b) || lost(b, a));
        if (!two_fates && !in_vain) continue;
        return error_at(list[j].node().where,
                        fmt::format("{} and {} contradict each other in one filter; keep one of "
                                    "them, or give each a filter of its own",
                                    show(list[i]), show(list[j])));
      }
    }
    return {};
  }

  // The parts of the condition that exclude each other, and a way out.
  std::string why_never(const Question& question) const {
    Question core = question;
    core.all.clear();
    split(question.all[0], core.all);
    for (size_t i = core.all.size(); i-- > 0 && core.all.size() > 1;) {
      Question less = core;
      less.all.erase(less.all.begin() + static_cast<std::ptrdiff_t>(i));
      if (possible_.never(less)) core = std::move(less);
    }
    std::string text = fmt::format("no event is {}; ", show_all(core.all));
    return text + way_out(core.all);
  }

  std::string way_out(const std::vector<Condition>& core) const {
    const Condition::Node* type = nullptr;
    for (const Condition& c : core) {
      if (c.node().kind == Condition::Kind::kMessageType) type = &c.node();
    }
    for (const Condition& c : core) {
      const Condition::Node& node = c.node();
      if (node.who.is_drawn()) continue;
      const Cast::Member* member = cast_.find(node.who.id());
      if (member == nullptr) continue;
      const bool place = node.kind == Condition::Kind::kFrom || node.kind == Condition::Kind::kTo ||
                         node.kind == Condition::Kind::kBetween;
      if (place && member->component) {
        return fmt::format(
            "{} is the component '{}': what nodes send to it is handled at once, "
            "and what it posts is no message but is_event(EventKind::kPost)",
            member->id.value, member->name);
      }
      if (node.kind == Condition::Kind::kTo && type != nullptr) {
        return fmt::format("node {} handles {}", member->id.value,
                           monitor::show_types(member->messages));
      }
    }
    if (cast_.is_model) return "a raw model has steps only: is_event(EventKind::kStep)";
    for (const Condition& c : core) {
      const Condition::Node& node = c.node();
      if (node.kind != Condition::Kind::kEventKind || node.kinds.size() != 1) continue;
      if (node.kinds[0] == EventKind::kEnd) return "only property machines see the end of a run";
      if (node.kinds[0] == EventKind::kCrash) return "say who may crash with System::crash()";
      if (node.kinds[0] == EventKind::kRecover) {
        return "let crashed nodes come back with System::recoveries()";
      }
    }
    return core.size() > 1 ? "write || where either will do, or leave one of them out"
                           : "leave it out";
  }

  Result<void> is_not_shadowed(size_t index) const {
    const Filter& filter = scenario_.filters[index];
    std::vector<size_t> earlier(index);
    for (size_t i = 0; i < index; ++i) earlier[i] = i;
    const auto never = [&](const std::vector<size_t>& without) {
      Question question;
      question.all = {filter.condition};
      for (size_t i : without) question.without.push_back(scenario_.filters[i].condition);
      return possible_.never(question);
    };
    if (index == 0 || !never(earlier)) return {};
    for (size_t i = earlier.size(); i-- > 0 && earlier.size() > 1;) {
      std::vector<size_t> less = earlier;
      less.erase(less.begin() + static_cast<std::ptrdiff_t>(i));
      if (never(less)) earlier = std::move(less);
    }
    std::string who;
    for (size_t i : earlier) {
      const Filter& has = scenario_.filters[i];
      who += fmt::format("{}{} (line {})", who.empty() ? "" : " and ", show(has.condition),
                         has.where.line());
    }
    return error_at(filter.where,
                    fmt::format("{} never has an event: the first filter that matches has it, and "
                                "all that this one matches {} before it; put it before {}, or let "
                                "{} match less",
                                show(filter), (earlier.size() > 1 ? "have " : "has ") + who,
                                earlier.size() > 1 ? "them" : "that one",
                                earlier.size() > 1 ? "them" : "that one"));
  }

  // What the reaction does can be done to something that the filter matches.
  Result<void> fits(const Reaction& reaction, const Filter& filter) const {
    const Reaction::Node& node = reaction.node();
    if (node.kind == Reaction::Kind::kOnce) return fits(node.inner[0], filter);
    const auto never = [&](Kinds kinds) {
      Question question;
      question.all = {filter.condition};
      question.kinds = kinds;
      return possible_.never(question);
    };
    if (is_about_way(node.kind) && never(monitor::kinds_on_way())) {
      return error_at(node.where,
                      fmt::format("{} says what becomes of something on its way, but {} is only "
                                  "true of what has happened; use is_send(), timer_set() or "
                                  "is_on_its_way()",
                                  show(reaction), show(filter.condition)));
    }
    const Kinds messages =
        monitor::kinds_of(EventKind::kSend) | monitor::kinds_of(EventKind::kReceive) |
        monitor::kinds_of(EventKind::kDrop) | monitor::kinds_of(EventKind::kDuplicate);
    if (node.kind == Reaction::Kind::kRecord && never(messages)) {
      return error_at(node.where, fmt::format("{} records a message, but {} is true of none; use "
                                              "is_message()",
                                              show(reaction), show(filter.condition)));
    }
    const Kinds doubled = monitor::kinds_of(EventKind::kSend) | monitor::kinds_of(EventKind::kPost);
    if (node.kind == Reaction::Kind::kDuplicate && never(doubled)) {
      return error_at(node.where, fmt::format("{} doubles messages and posted events, "
                                              "but {} is true of none of them",
                                              show(reaction), show(filter.condition)));
    }
    const bool waits = node.kind == Reaction::Kind::kHold || node.kind == Reaction::Kind::kDelay;
    if (waits && cast_.timed && !never(monitor::kinds_of(EventKind::kSetTimer))) {
      return error_at(node.where,
                      fmt::format("{} would stop a timer of a timed system, where virtual time "
                                  "says when it fires; say is_message() to leave timers alone",
                                  show(reaction)));
    }
    if (waits && cast_.prompt) {
      return error_at(node.where,
                      fmt::format("{} would stop time: in a prompt system it passes only where "
                                  "nothing can be delivered, and what is held still could be; "
                                  "drop it, or leave prompt() out",
                                  show(reaction)));
    }
    return node.kind == Reaction::Kind::kMutate ? mutation(reaction, filter) : Result<void>();
  }

  Result<void> mutation(const Reaction& reaction, const Filter& filter) const {
    const Reaction::Node& node = reaction.node();
    std::vector<const value::Type*> through;
    const auto offer = [&](const value::Type* type) {
      Question question;
      question.all = {filter.condition};
      question.kinds = monitor::kinds_of(EventKind::kSend) | monitor::kinds_of(EventKind::kPost);
      question.type = type;
      const auto same = [&](const value::Type* t) { return t->same_as(*type); };
      if (std::none_of(through.begin(), through.end(), same) && !possible_.never(question)) {
        through.push_back(type);
      }
    };
    for (const Cast::Member& member : cast_.members) {
      for (const value::Type* type : member.messages) offer(type);
    }
    if (node.make) {
      const auto same = [&](const value::Type* t) { return t->same_as(*node.type); };
      if (std::any_of(through.begin(), through.end(), same)) return {};
      return error_at(
          node.where,
          fmt::format("{} never finds a {}: {} lets through {}", show(reaction), node.type->name(),
                      show(filter.condition), monitor::show_types(through)));
    }
    for (const value::Type* type : through) {
      const value::Any example = default_of(*type);
      const Result<value::Any> changed = monitor::with_field(example, node.path, node.tree);
      if (changed || leads_into_content(example, node.path)) continue;
      const std::string narrow =
          through.size() > 1 ? "; say which messages are meant with is_message<…>()" : "";
      return error_at(node.where, fmt::format("{} does not fit {}: {}{}", show(reaction),
                                              type->name(), changed.error().message, narrow));
    }
    if (!through.empty()) return {};
    return error_at(node.where, fmt::format("{} has nothing to change: {} is true of nothing that "
                                            "carries a message",
                                            show(reaction), show(filter.condition)));
  }

  // --- The machine -------------------------------------------------------------------------------

  static Result<void> states(const Machine& machine) {
    for (size_t i = 0; i < machine.states().size(); ++i) {
      const std::string& name = machine.states()[i].name;
      if (machine.find(name) == static_cast<int>(i)) continue;
      return error_at(machine.where(),
                      fmt::format("state '{}' of the machine means both success and failure; let "
                                  "it mean one of them",
                                  name));
    }
    if (machine.states()[0].kind == Machine::Kind::kFailure) {
      return error_at(machine.where(),
                      "the machine starts in a failure state: every run fails "
                      "before it begins; start in another");
    }
    return {};
  }

  static std::string show_transition(const Machine& machine, const Machine::Transition& t) {
    return fmt::format("the transition '{}' → '{}' on {}", machine.states()[t.from].name,
                       machine.states()[t.to].name, show(t.condition));
  }

  Result<void> transitions(const Machine& machine) const {
    for (size_t i = 0; i < machine.transitions().size(); ++i) {
      const Machine::Transition& t = machine.transitions()[i];
      if (auto fine = names_.in(t.condition); !fine) return fine;
      if (machine.states()[t.from].kind == Machine::Kind::kFailure) {
        return error_at(t.where,
                        fmt::format("{} can never be taken: a run ends in '{}'; leave it "
                                    "out",
                                    show_transition(machine, t), machine.states()[t.from].name));
      }
      Question question;
      question.all = {t.condition};
      question.kinds.set(static_cast<size_t>(EventKind::kEnd));
      question.machine_state = static_cast<int>(t.from);
      if (possible_.never(question)) {
        return error_at(t.where, fmt::format("{} can never be taken: {}",
                                             show_transition(machine, t), why_never(question)));
      }
      for (size_t k = 0; k < i; ++k) {
        const Machine::Transition& earlier = machine.transitions()[k];
        if (earlier.from == t.from) question.without.push_back(earlier.condition);
      }
      if (possible_.never(question)) {
        return error_at(t.where,
                        fmt::format("{} can never be taken: earlier transitions from '{}' "
                                    "have all such events; declare it before them",
                                    show_transition(machine, t), machine.states()[t.from].name));
      }
    }
    return {};
  }

  static Result<void> reaches_success(const Machine& machine) {
    std::vector<bool> reached(machine.states().size(), false);
    reached[0] = true;
    for (bool more = true; more;) {
      more = false;
      for (const Machine::Transition& t : machine.transitions()) {
        if (!reached[t.from] || reached[t.to]) continue;
        reached[t.to] = true;
        more = true;
      }
    }
    for (size_t s = 0; s < reached.size(); ++s) {
      if (reached[s]) continue;
      const Machine::State& state = machine.states()[s];
      return error_at(machine.where(),
                      fmt::format("state '{}' of the machine is never reached from '{}'{}; a "
                                  "transition into it is missing",
                                  state.name, machine.states()[0].name,
                                  state.kind == Machine::Kind::kSuccess
                                      ? ", so that success is never declared there"
                                      : ""));
    }
    return {};
  }

  Result<void> required(const std::string& name, const Where& where) const {
    if (auto fine = names_.property(name, where); !fine) return fine;
    for (const Property& property : properties_) {
      if (property.name != name || property.kind == PropertyKind::kEventually) continue;
      return error_at(
          where, fmt::format("require(\"{}\"): that is an `{}`; {}", name, to_string(property.kind),
                             property.kind == PropertyKind::kAlways
                                 ? "it is checked in every scenario, leave it out"
                                 : "require() is for an `eventually`"));
    }
    return {};
  }

  const Scenario::Declaration& scenario_;
  const std::vector<Property>& properties_;
  Cast cast_;
  monitor::Names names_;
  monitor::Possibilities possible_;
};

}  // namespace

Result<void> validate(const Scenario& scenario, const Checkable& subject) {
  return Validation(scenario.declaration(), subject).all();
}

}  // namespace ordeal
