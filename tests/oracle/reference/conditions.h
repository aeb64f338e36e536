// Conditions of filters and machines, a second time: ordeal/condition.h, word by word.
#pragma once

#include <algorithm>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "ordeal/scenario.h"
#include "tests/oracle/reference/memory.h"

namespace ordeal::reference {

// What a condition may ask about the system.
using Holds = std::function<bool(const std::string& property, bool over)>;

class Conditions {
 public:
  Conditions(const Scenario::Declaration& scenario, const OwnFunctions& own)
      : scenario_(scenario), own_(own) {
    for (const Filter& filter : scenario.filters) {
      find_onces(filter.condition);
      for (const Reaction& reaction : filter.reactions) find_onces(reaction);
    }
    for (const Machine& machine : scenario.machine) {
      for (const auto& transition : machine.transitions()) find_onces(transition.condition);
    }
  }

  // True of the event: then every `once` that made it so is spent.
  bool fires(const Condition& condition, const ordeal::Event& event, Memory& memory,
             const Holds& holds) const {
    std::vector<uint32_t> made_true;
    if (!is_true(condition, event, memory, holds, made_true)) return false;
    memory.spent.insert(made_true.begin(), made_true.end());
    return true;
  }

  // Whether this is the first time.
  bool first_time(const Reaction& once, Memory& memory) const {
    return memory.spent.insert(onces_.at(once.id())).second;
  }

 private:
  using Kind = Condition::Kind;

  void find_onces(const Condition& condition) {
    if (condition.node().kind == Kind::kOnce) onces_.emplace(condition.id(), onces_.size());
    for (const Condition& inner : condition.node().inner) find_onces(inner);
  }
  void find_onces(const Reaction& reaction) {
    if (reaction.node().kind == Reaction::Kind::kOnce) {
      onces_.emplace(reaction.id(), onces_.size());
    }
    for (const Reaction& inner : reaction.node().inner) find_onces(inner);
  }

  static NodeId who(const Who& who, const Memory& memory) {
    return who.is_drawn() ? memory.drawn(who.name()) : who.id();
  }

  static bool compare(int64_t a, Compare how, int64_t b) {
    const bool less = a < b;
    const bool equal = a == b;
    switch (how) {
      case Compare::kLess:
        return less;
      case Compare::kLessEqual:
        return less || equal;
      case Compare::kEqual:
        return equal;
      case Compare::kNotEqual:
        return !equal;
      case Compare::kGreaterEqual:
        return !less;
      default:
        return !less && !equal;
    }
  }

  // A value of that type, or of a type of that name, which the test accepts.
  static bool accepts(const Condition::Node& node, const value::Any& value) {
    if (value.empty()) return false;
    const bool same = node.type != nullptr ? value.type()->id().symbol() == node.type->id().symbol()
                                           : value.type_name() == node.name;
    return same && (!node.test || node.test(value.data()));
  }

  bool of_message(const Condition::Node& node, const ordeal::Event& event,
                  const Memory& memory) const {
    switch (node.kind) {
      case Kind::kMessageType:
        return accepts(node, event.payload);
      case Kind::kFrom:
        return event.from == who(node.who, memory);
      case Kind::kTo:
        return event.to == who(node.who, memory);
      case Kind::kBetween: {
        const std::set<int> ends = {who(node.who, memory).value, who(node.other, memory).value};
        return ends == std::set<int>{event.from.value, event.to.value};
      }
      case Kind::kInSet:
        return memory.in_set(node.name,
                             offer_of(ActionKind::kDeliver, event.to, event.from, event.payload));
      case Kind::kFromPart:
        return memory.part(node.name, event.from) == node.number;
      default: {
        const int from = memory.part(node.name, event.from);
        const int to = memory.part(node.name, event.to);
        if (from < 0 || to < 0) return false;
        return node.kind == Kind::kAcross ? from != to : from == to;
      }
    }
  }

  bool is_true(const Condition& condition, const ordeal::Event& event, const Memory& memory,
               const Holds& holds, std::vector<uint32_t>& made_true) const {
    const Condition::Node& node = condition.node();
    const auto inner = [&](size_t i, std::vector<uint32_t>& onces) {
      return is_true(node.inner[i], event, memory, holds, onces);
    };
    switch (node.kind) {
      case Kind::kAnything:
        return true;
      case Kind::kEventKind:
        return std::count(node.kinds.begin(), node.kinds.end(), event.kind) > 0;
      case Kind::kAt:
        return event.node >= 0 && event.node == who(node.who, memory);
      case Kind::kMessageType:
      case Kind::kFrom:
      case Kind::kTo:
      case Kind::kBetween:
      case Kind::kInSet:
      case Kind::kFromPart:
      case Kind::kAcross:
      case Kind::kWithin:
        return is_about_message(event.kind) && of_message(node, event, memory);
      case Kind::kPayloadType:
        return accepts(node, event.payload);
      case Kind::kText:
        return event.text == node.name;
      case Kind::kCounter:
        return compare(memory.counter(node.name), node.compare, node.number);
      case Kind::kSetSize:
        return compare(static_cast<int64_t>(memory.set_size(node.name)), node.compare, node.number);
      case Kind::kInState:
        return scenario_.machine[0].states()[memory.machine].name == node.name;
      case Kind::kState:
        return event.state != nullptr && accepts(node, *event.state);
      case Kind::kHolds:
        return holds(node.name, event.kind == EventKind::kEnd);
      case Kind::kCustom:
        return own_.conditions.at(condition.id())(event, memory);
      case Kind::kAnd: {
        std::vector<uint32_t> both;
        if (!inner(0, both) || !inner(1, both)) return false;
        made_true.insert(made_true.end(), both.begin(), both.end());
        return true;
      }
      case Kind::kOr:
        return inner(0, made_true) || inner(1, made_true);
      case Kind::kNot: {
        std::vector<uint32_t> nothing;
        return !inner(0, nothing);
      }
      default: {
        const uint32_t number = onces_.at(condition.id());
        if (memory.spent.count(number) > 0 || !inner(0, made_true)) return false;
        made_true.push_back(number);
        return true;
      }
    }
  }

  const Scenario::Declaration& scenario_;
  const OwnFunctions& own_;
  std::map<const void*, uint32_t> onces_;
};

}  // namespace ordeal::reference
