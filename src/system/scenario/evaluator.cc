#include "system/scenario/evaluator.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/guard.h"
#include "base/mutant.h"
#include "base/text.h"
#include "system/scenario/cards.h"

namespace ordeal::monitor {
namespace {

using Kind = Condition::Kind;

NodeId who_is(const Who& who, const ScenarioContext& context) {
  return who.is_drawn() ? context.drawn(who.name()) : who.id();
}

bool compares(int64_t a, Compare compare, int64_t b) {
  switch (compare) {
    case Compare::kLess:
      return a < b;
    case Compare::kLessEqual:
      return a <= b;
    case Compare::kEqual:
      return a == b;
    case Compare::kNotEqual:
      return a != b;
    case Compare::kGreaterEqual:
      return a >= b;
    case Compare::kGreater:
      return a > b;
  }
  return false;
}

// Calls a function of the user's. What it does wrong is told with the place where it was written.
template <class F>
void call_own(const Where& where, const std::string& what, const F& f) {
  const std::string failure = guarded_call(f);
  if (failure.empty()) return;
  throw Failure(fmt::format("{} ({}:{}) fails: {}", what, short_path(where.file_name()),
                            where.line(), failure));
}

// A value of the type that the condition names, which its test accepts.
bool fits(const Condition::Node& node, const value::Any& value) {
  if (value.empty()) return false;
  const value::Type* type = value.type();
  const bool same = node.type == nullptr ? type->name() == node.name : type->same_as(*node.type);
  if (!same || !node.test) return same;
  bool accepted = false;
  call_own(node.where, fmt::format("the test of {}", node.name),
           [&] { accepted = node.test(value.data()); });
  return accepted;
}

Offer message_of(const Event& event) {
  return offer_of(ActionKind::kDeliver, event.to, event.from, event.payload);
}

}  // namespace

Lexicon::Lexicon(const Scenario::Declaration& scenario, const std::vector<Property>& properties) {
  for (const Filter& filter : scenario.filters) {
    learn(filter.condition, scenario, properties);
    for (const Reaction& reaction : filter.reactions) learn(reaction);
  }
  for (const Machine& machine : scenario.machine) {
    for (const Machine::Transition& transition : machine.transitions()) {
      learn(transition.condition, scenario, properties);
    }
  }
}

void Lexicon::learn(const Condition& condition, const Scenario::Declaration& scenario,
                    const std::vector<Property>& properties) {
  const Condition::Node& node = condition.node();
  switch (node.kind) {
    case Kind::kHolds:
      for (uint32_t i = 0; i < properties.size(); ++i) {
        if (properties[i].name == node.name) numbers_[condition.id()] = i;
      }
      break;
    case Kind::kInState:
      if (!scenario.machine.empty()) {
        numbers_[condition.id()] = static_cast<uint32_t>(scenario.machine[0].find(node.name));
      }
      break;
    case Kind::kOnce:
      if (numbers_.emplace(condition.id(), onces_).second) ++onces_;
      break;
    case Kind::kCustom:
      own_conditions_.push_back(condition);
      break;
    default:
      break;
  }
  for (const Condition& inner : node.inner) learn(inner, scenario, properties);
}

void Lexicon::learn(const Reaction& reaction) {
  if (reaction.node().make) own_reactions_.push_back(reaction);
  if (reaction.node().kind == Reaction::Kind::kOnce) {
    if (numbers_.emplace(reaction.id(), onces_).second) ++onces_;
  }
  for (const Reaction& inner : reaction.node().inner) learn(inner);
}

Evaluator::Evaluator(const Lexicon& lexicon) : lexicon_(lexicon) {
  for (const Condition& own : lexicon.own_conditions()) conditions_[own.id()] = own.node().make();
  for (const Reaction& own : lexicon.own_reactions()) reactions_[own.id()] = own.node().make();
}

void Evaluator::start_afresh() {
  for (const Condition& own : lexicon_.own_conditions()) {
    if (!own.node().is_value) conditions_[own.id()] = own.node().make();
  }
  for (const Reaction& own : lexicon_.own_reactions()) {
    if (!own.node().is_value) reactions_[own.id()] = own.node().make();
  }
}

bool Evaluator::is_spent(const ScenarioContext& context, uint32_t once) {
  return std::binary_search(context.spent_.begin(), context.spent_.end(), once);
}

void Evaluator::spend(ScenarioContext& context, uint32_t once) {
  const auto at = std::lower_bound(context.spent_.begin(), context.spent_.end(), once);
  if (at == context.spent_.end() || *at != once) context.spent_.insert(at, once);
}

bool Evaluator::fires(const Condition& condition, const Event& event, ScenarioContext& context,
                      Inside& inside) {
  spending_.clear();
  if (!is_true(condition, event, context, inside)) return false;
  for (uint32_t once : spending_) {
    if (!mutant(Mutant::kOnceIsAlways)) spend(context, once);
  }
  return true;
}

std::optional<size_t> Evaluator::leaves(const Machine& machine, uint32_t state, size_t first,
                                        const Event& event, ScenarioContext& context,
                                        Inside& inside) {
  const std::vector<Machine::Transition>& transitions = machine.transitions();
  for (size_t n = first; n < transitions.size(); ++n) {
    const size_t i = mutant(Mutant::kTransitionsLastFirst) ? transitions.size() - 1 - n : n;
    if (transitions[i].from != state) continue;
    try {
      if (fires(transitions[i].condition, event, context, inside)) return i;
    } catch (const Failure& failure) {
      throw Failure(fmt::format("the transition from \"{}\" to \"{}\" ({}:{}): {}",
                                machine.states()[transitions[i].from].name,
                                machine.states()[transitions[i].to].name,
                                short_path(transitions[i].where.file_name()),
                                transitions[i].where.line(), failure.what()));
    }
  }
  return std::nullopt;
}

bool Evaluator::is_true(const Condition& condition, const Event& event,
                        const ScenarioContext& context, Inside& inside) {
  const Condition::Node& node = condition.node();
  switch (node.kind) {
    case Kind::kAnything:
      return true;
    case Kind::kEventKind:
      return std::find(node.kinds.begin(), node.kinds.end(), event.kind) != node.kinds.end();
    case Kind::kAt:
      return event.node >= 0 && event.node == who_is(node.who, context);
    case Kind::kMessageType:
      return is_about_message(event.kind) && fits(node, event.payload);
    case Kind::kPayloadType:
      return fits(node, event.payload);
    case Kind::kFrom:
      return is_about_message(event.kind) && event.from == who_is(node.who, context);
    case Kind::kTo:
      return is_about_message(event.kind) && event.to == who_is(node.who, context);
    case Kind::kBetween: {
      if (!is_about_message(event.kind)) return false;
      const NodeId a = who_is(node.who, context);
      const NodeId b = who_is(node.other, context);
      return (event.from == a && event.to == b) || (event.from == b && event.to == a);
    }
    case Kind::kText:
      return event.text == node.name;
    case Kind::kCounter:
      return compares(context.counter(node.name), node.compare, node.number);
    case Kind::kSetSize:
      return compares(static_cast<int64_t>(context.set_size(node.name)), node.compare, node.number);
    case Kind::kInSet:
      return is_about_message(event.kind) && context.in_set(node.name, message_of(event));
    case Kind::kInState:
      return context.machine_state() == lexicon_.machine_state(condition);
    case Kind::kFromPart:
      return is_about_message(event.kind) && context.part(node.name, event.from) == node.number;
    case Kind::kAcross:
    case Kind::kWithin: {
      if (!is_about_message(event.kind)) return false;
      const int a = context.part(node.name, event.from);
      const int b = context.part(node.name, mutant(Mutant::kPartsSwapped) ? event.from : event.to);
      return a >= 0 && b >= 0 && (a == b) == (node.kind == Kind::kWithin);
    }
    case Kind::kState:
      return event.state != nullptr && fits(node, *event.state);
    case Kind::kHolds:
      return inside.holds(lexicon_.property(condition), event.kind == EventKind::kEnd);
    case Kind::kCustom:
      return own_condition(condition, event, context);
    case Kind::kAnd: {
      // Of two that are not both true, neither made anything true.
      const size_t before = spending_.size();
      const bool both = is_true(node.inner[0], event, context, inside) &&
                        is_true(node.inner[1], event, context, inside);
      if (!both && !mutant(Mutant::kOnceSpentInVain)) spending_.resize(before);
      return both;
    }
    case Kind::kOr:
      return is_true(node.inner[0], event, context, inside) ||
             is_true(node.inner[1], event, context, inside);
    case Kind::kNot: {
      const size_t before = spending_.size();
      const bool inner = is_true(node.inner[0], event, context, inside);
      spending_.resize(before);
      return !inner;
    }
    case Kind::kOnce: {
      const uint32_t number = lexicon_.once(condition.id());
      if (is_spent(context, number) || !is_true(node.inner[0], event, context, inside)) {
        return false;
      }
      spending_.push_back(number);
      return true;
    }
  }
  return false;
}

bool Evaluator::own_condition(const Condition& condition, const Event& event,
                              const ScenarioContext& context) {
  bool holds = false;
  call_own(condition.node().where, fmt::format("the condition \"{}\"", condition.node().name),
           [&] { holds = conditions_.at(condition.id())(event, context); });
  return holds;
}

void Evaluator::own_reaction(const Reaction& reaction, const Event& event,
                             ScenarioContext& context) {
  call_own(reaction.node().where, fmt::format("the reaction \"{}\"", reaction.node().name),
           [&] { reactions_.at(reaction.id())(event, context); });
}

void Evaluator::react(const Reaction& reaction, const Event& event, ScenarioContext& context) {
  const Reaction::Node& node = reaction.node();
  switch (node.kind) {
    case Reaction::Kind::kDeliver:
      context.deliver();
      break;
    case Reaction::Kind::kDrop:
      context.drop();
      break;
    case Reaction::Kind::kHold:
      context.hold(node.name);
      break;
    case Reaction::Kind::kDelay:
      context.delay(node.number);
      break;
    case Reaction::Kind::kDuplicate:
      context.duplicate(node.number);
      break;
    case Reaction::Kind::kRelease:
      context.release(node.name);
      break;
    case Reaction::Kind::kCount:
      context.count(node.name);
      break;
    case Reaction::Kind::kRecord:
      if (is_about_message(event.kind)) {
        context.record(node.name, {event.from, event.to, event.payload});
      }
      break;
    case Reaction::Kind::kResend:
      if (const Message* message = context.recorded(node.name)) context.inject(*message);
      break;
    case Reaction::Kind::kMutate: {
      // Several changes of one message add up.
      Event changed = event;
      if (!context.wish_.payload.empty() && !mutant(Mutant::kChangesReplace))
        changed.payload = context.wish_.payload;
      if (node.make) {
        own_reaction(reaction, changed, context);
      } else if (auto other = with_field(changed.payload, node.path, node.tree)) {
        context.replace(std::move(*other));
      }
      break;
    }
    case Reaction::Kind::kInject:
      context.inject({who_is(node.who, context), who_is(node.to, context), node.payload});
      break;
    case Reaction::Kind::kCrash:
      context.crash(who_is(node.who, context));
      break;
    case Reaction::Kind::kRestart:
      context.restart(who_is(node.who, context));
      break;
    case Reaction::Kind::kFire:
      context.fire(who_is(node.who, context), node.name);
      break;
    case Reaction::Kind::kCustom:
      own_reaction(reaction, event, context);
      break;
    case Reaction::Kind::kOnce: {
      const uint32_t number = lexicon_.once(reaction.id());
      if (is_spent(context, number)) break;
      if (!mutant(Mutant::kReactionsOnceAlways)) spend(context, number);
      react(node.inner[0], event, context);
      break;
    }
  }
}

namespace {

// The place that the path leads to, from `tree` on; null: there is none.
value::Tree* place(value::Tree& tree, std::string_view path) {
  if (path.empty()) return &tree;
  if (path[0] == '.') path.remove_prefix(1);
  if (path[0] == '[') {
    const size_t end = path.find(']');
    if (end == std::string_view::npos) return nullptr;
    size_t index = 0;
    for (char c : path.substr(1, end - 1)) {
      if (c < '0' || c > '9' || index > tree.items.size()) return nullptr;
      index = index * 10 + static_cast<size_t>(c - '0');
    }
    const bool has_places =
        tree.kind == value::Tree::Kind::kList || tree.kind == value::Tree::Kind::kTuple;
    if (!has_places || index >= tree.items.size()) return nullptr;
    return place(tree.items[index], path.substr(end + 1));
  }
  const size_t end = std::min(path.find('.'), path.find('['));
  const std::string_view field = path.substr(0, end);
  if (tree.kind != value::Tree::Kind::kRecord) return nullptr;
  for (size_t i = 0; i < tree.names.size(); ++i) {
    if (tree.names[i] != field) continue;
    return place(tree.items[i], end == std::string_view::npos ? "" : path.substr(end));
  }
  return nullptr;
}

}  // namespace

Result<value::Any> with_field(const value::Any& whole, const std::string& path,
                              const value::Tree& content) {
  if (whole.empty()) return Error{"there is no message to change"};
  value::Tree tree = whole.tree();
  value::Tree* at = place(tree, path);
  if (at == nullptr) {
    return Error{fmt::format("{} has no field \"{}\": it is {}", whole.type_name(), path,
                             value::show(whole.tree()))};
  }
  *at = content;
  return whole.type()->any_from_tree(tree);
}

}  // namespace ordeal::monitor
