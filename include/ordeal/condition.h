// Conditions: what filters and the transitions of property machines are labelled with.
//
//   Condition late = is_message<Vote>() && from(4);
//   Condition yes = is_send() && is_message<Vote>([](const Vote& v) { return v.granted; });
//   Condition few = counter("votes") < 2 && !in_state("elected");
//   Condition impatient = timer_fires("election") && at(3);
//   Condition agreed = holds("agreement");
//
// A condition is true or false of one event, in the context of its run: what was counted, held and
// recorded so far (ordeal/scenario_context.h). Conditions are values: they can be shown, compared
// with what the system can do, and refused where they can never be true. Where each was written is
// remembered, for error messages.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "ordeal/event.h"
#include "ordeal/node_id.h"
#include "ordeal/scenario_context.h"
#include "ordeal/value.h"
#include "ordeal/where.h"

namespace ordeal {

// A node that a scenario speaks of: one that is known, or one that is drawn anew for every run.
class Who {
 public:
  Who(int id) : id_(id) {}     // NOLINT: implicit on purpose
  Who(NodeId id) : id_(id) {}  // NOLINT: implicit on purpose
  static Who drawn(std::string name) {
    Who who(NodeId(-1));
    who.name_ = std::move(name);
    return who;
  }
  bool is_drawn() const { return !name_.empty(); }
  NodeId id() const { return id_; }                  // REQUIRES: !is_drawn()
  const std::string& name() const { return name_; }  // of what is drawn

 private:
  NodeId id_;
  std::string name_;
};

enum class Compare : uint8_t { kLess, kLessEqual, kEqual, kNotEqual, kGreaterEqual, kGreater };

class Condition {
 public:
  enum class Kind : uint8_t {
    kAnything,
    kEventKind,    // one of `kinds`
    kAt,           // event.node is `who`
    kMessageType,  // about a message of type `name` that `test` accepts
    kPayloadType,  // carries a value of type `name` that `test` accepts: requests, decisions, …
    kFrom,
    kTo,
    kBetween,   // `who` and `other`, either way
    kText,      // event.text is `name`
    kCounter,   // counter `name` compares with `number`
    kSetSize,   // the size of set `name` compares with `number`
    kInSet,     // the message of the event is in set `name`
    kInState,   // the property machine is in state `name`
    kFromPart,  // of partition `name`, part `number`
    kAcross,    // sender and receiver are in different parts of partition `name`
    kWithin,    // … in the same part
    kState,     // the node of the event is a `name` whose state `test` accepts
    kHolds,     // the system's property `name` holds in the state after the step
    kCustom,
    kAnd,
    kOr,
    kNot,
    kOnce,  // the inner one, until a filter or transition has fired because of it
  };
  // A function of the user's. `make` gives a new copy of it: what remembers things between calls
  // starts afresh in every run.
  using Custom = std::function<bool(const Event&, const ScenarioContext&)>;

  struct Node {
    Kind kind = Kind::kAnything;
    Where where;
    std::vector<EventKind> kinds = {};
    Who who = Who(NodeId(-1));
    Who other = Who(NodeId(-1));
    std::string name = {};              // short name of a type; of a counter, set, state, …
    const value::Type* type = nullptr;  // kMessageType, kPayloadType, kState: where it is known
    std::function<bool(const void*)> test = {};  // of the typed value; empty: accepts all
    Compare compare = Compare::kEqual;
    int64_t number = 0;
    std::function<Custom()> make = {};
    bool is_value = true;  // kCustom: the function is const
    std::vector<Condition> inner = {};
  };

  Condition() = default;  // of no use until assigned
  explicit Condition(Node node) : node_(std::make_shared<const Node>(std::move(node))) {}

  const Node& node() const { return *node_; }
  // Identity: a `once` remembers by it. Copies are the same condition.
  const void* id() const { return node_.get(); }

 private:
  std::shared_ptr<const Node> node_;
};

// "is_message<Vote> && from(4)": as it would be written.
std::string show(const Condition& condition);

Condition operator&&(const Condition& a, const Condition& b);
Condition operator||(const Condition& a, const Condition& b);
Condition operator!(const Condition& a);

// --- The kind of event, and where it happens ----------------------------------------------------
Condition anything(Where where = Where::current());
Condition is_event(EventKind kind, Where where = Where::current());
Condition is_send(Where where = Where::current());
Condition is_receive(Where where = Where::current());
Condition is_on_its_way(Where where = Where::current());  // anything a filter may decide about
Condition at(Who node, Where where = Where::current());
Condition ended(Where where = Where::current());  // for property machines: the run is over

// --- Messages: of kSend and kReceive (and of drops and duplicates) ------------------------------
Condition is_message(Where where = Where::current());
Condition is_message(const char* type, Where where = Where::current());
template <Value M>
Condition is_message(Where where = Where::current()) {
  return Condition({.kind = Condition::Kind::kMessageType,
                    .where = where,
                    .name = std::string(value::type_of<M>().name()),
                    .type = &value::type_of<M>()});
}
template <Value M, class F>
requires std::is_invocable_r_v<bool, F, const M&> Condition
is_message(F test, Where where = Where::current()) {
  return Condition({.kind = Condition::Kind::kMessageType,
                    .where = where,
                    .name = std::string(value::type_of<M>().name()),
                    .type = &value::type_of<M>(),
                    .test = [test = std::move(test)](const void* message) -> bool {
                      return test(*static_cast<const M*>(message));
                    }});
}
Condition from(Who node, Where where = Where::current());
Condition to(Who node, Where where = Where::current());
Condition between(Who a, Who b, Where where = Where::current());

// --- Requests, posted events, decisions, operations: what the event carries ---------------------
Condition carries(const char* type, Where where = Where::current());
template <Value V>
Condition carries(Where where = Where::current()) {
  return Condition({.kind = Condition::Kind::kPayloadType,
                    .where = where,
                    .name = std::string(value::type_of<V>().name()),
                    .type = &value::type_of<V>()});
}
template <Value V, class F>
requires std::is_invocable_r_v<bool, F, const V&> Condition
carries(F test, Where where = Where::current()) {
  return Condition({.kind = Condition::Kind::kPayloadType,
                    .where = where,
                    .name = std::string(value::type_of<V>().name()),
                    .type = &value::type_of<V>(),
                    .test = [test = std::move(test)](const void* payload) -> bool {
                      return test(*static_cast<const V*>(payload));
                    }});
}
Condition timer_set(std::string name, Where where = Where::current());
Condition timer_fires(std::string name, Where where = Where::current());
Condition logs(std::string line, Where where = Where::current());
Condition decides(Where where = Where::current());
Condition crashes(Where where = Where::current());
Condition recovers(Where where = Where::current());

// --- States -------------------------------------------------------------------------------------
// The node where the event happens is a T in such a state, after the step.
template <Value T, class F>
requires std::is_invocable_r_v<bool, F, const T&> Condition
state_is(F test, Where where = Where::current()) {
  return Condition({.kind = Condition::Kind::kState,
                    .where = where,
                    .name = std::string(value::type_of<T>().name()),
                    .type = &value::type_of<T>(),
                    .test = [test = std::move(test)](const void* state) -> bool {
                      return test(*static_cast<const T*>(state));
                    }});
}
// A property of the system, by its name: it holds in the state after the step. An `eventually` is
// looked at only when the run is over, and holds before that.
Condition holds(std::string property, Where where = Where::current());

// --- What the scenario remembers ----------------------------------------------------------------
class Counter {
 public:
  Counter(Condition::Kind kind, std::string name, Where where)
      : kind_(kind), name_(std::move(name)), where_(where) {}
  Condition operator<(int64_t n) const { return compare(Compare::kLess, n); }
  Condition operator<=(int64_t n) const { return compare(Compare::kLessEqual, n); }
  Condition operator==(int64_t n) const { return compare(Compare::kEqual, n); }
  Condition operator!=(int64_t n) const { return compare(Compare::kNotEqual, n); }
  Condition operator>=(int64_t n) const { return compare(Compare::kGreaterEqual, n); }
  Condition operator>(int64_t n) const { return compare(Compare::kGreater, n); }

 private:
  Condition compare(Compare how, int64_t n) const;
  Condition::Kind kind_;
  std::string name_;
  Where where_;
};
Counter counter(std::string name, Where where = Where::current());   // counter("votes") < 2
Counter set_size(std::string name, Where where = Where::current());  // set_size("votes") >= 3
Condition in_set(std::string name, Where where = Where::current());
Condition in_state(std::string state, Where where = Where::current());  // of the property machine
Condition once(Condition condition, Where where = Where::current());

// --- Your own -----------------------------------------------------------------------------------
// A function of (event, context) with a name for reports. A function that is not const (a `mutable`
// lambda) remembers something that is no part of the context: it starts afresh in every run, and
// the scenario cannot be searched exhaustively.
template <class F>
Condition condition(const std::string& name, F function, Where where = Where::current()) {
  static_assert(std::is_invocable_r_v<bool, F&, const Event&, const ScenarioContext&>,
                "a condition is a function bool(const Event&, const ScenarioContext&)");
  return Condition(
      {.kind = Condition::Kind::kCustom,
       .where = where,
       .name = name,
       .make = [function = std::move(function)] { return Condition::Custom(function); },
       .is_value = std::is_invocable_r_v<bool, const F&, const Event&, const ScenarioContext&>});
}

}  // namespace ordeal
