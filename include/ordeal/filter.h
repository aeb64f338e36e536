// Filters: when(condition).then(reactions). The first filter whose condition is true of an event
// has it; what no filter has goes to the strategy.
//
//   Condition vote = is_message<Vote>();
//   Condition leads = state_is<Server>([](const Server& s) { return s.leads; });
//   scenario.filter(when(vote && from(4)).then(drop()))
//       .filter(when(is_send() && vote && counter("votes") < 2).then(count("votes"), deliver()))
//       .filter(when(is_message<Append>() && to(5)).then(hold("appends")))
//       .filter(when(leads).then(release("appends")))
//       .filter(when(vote && from(3)).then(mutate<Vote>([](Vote& v) { v.granted = true; })));
//
// Reactions to something on its way (a message that was sent, a request, a timer that was set) say
// what becomes of it. A filter that only counts or records says nothing of that: the strategy
// decides, but later filters do not see the event. What is changed, lost or invented is so when all
// events of the step have been seen: conditions ask about the state as the system left it.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "ordeal/condition.h"

namespace ordeal {

class Reaction {
 public:
  enum class Kind : uint8_t {
    kDeliver,
    kDrop,
    kHold,
    kDelay,
    kDuplicate,
    kRelease,
    kCount,
    kRecord,
    kResend,  // what was recorded, once more
    kMutate,
    kInject,
    kCrash,
    kRestart,
    kFire,
    kCustom,
    kOnce,  // the inner ones, the first time only
  };
  using Custom = std::function<void(const Event&, ScenarioContext&)>;

  struct Node {
    Kind kind = Kind::kDeliver;
    Where where;
    std::string name = {};  // set, counter, label, timer, custom
    uint32_t number = 1;    // copies, steps
    Who who = Who(NodeId(-1));
    Who to = Who(NodeId(-1));           // kInject
    const value::Type* type = nullptr;  // kMutate, kInject: the type of the message
    value::Any payload = {};            // kInject
    // kMutate by a field: where, and what comes there.
    std::string path = {};
    value::Tree tree = {};
    std::function<Custom()> make = {};  // kMutate by a function, kCustom
    bool is_value = true;
    std::vector<Reaction> inner = {};
  };

  explicit Reaction(Node node) : node_(std::make_shared<const Node>(std::move(node))) {}
  const Node& node() const { return *node_; }
  const void* id() const { return node_.get(); }

 private:
  std::shared_ptr<const Node> node_;
};

std::string show(const Reaction& reaction);  // as it would be written

struct Filter {
  Condition condition;
  std::vector<Reaction> reactions;
  Where where;
};

// "when(is_message<Vote> && from(4)).then(drop())"
std::string show(const Filter& filter);

class When {
 public:
  When(Condition condition, Where where) : condition_(std::move(condition)), where_(where) {}
  template <std::same_as<Reaction>... R>
  Filter then(R... reactions) const {
    static_assert(sizeof...(R) > 0, "say what shall be done: then(drop()), then(deliver()), …");
    return {condition_, {std::move(reactions)...}, where_};
  }

 private:
  Condition condition_;
  Where where_;
};

inline When when(Condition condition, Where where = Where::current()) {
  return {std::move(condition), where};
}

Reaction deliver(Where where = Where::current());
Reaction drop(Where where = Where::current());
Reaction hold(std::string set, Where where = Where::current());
Reaction delay(uint32_t steps, Where where = Where::current());
Reaction duplicate(uint32_t copies = 1, Where where = Where::current());
Reaction release(std::string set, Where where = Where::current());
Reaction count(std::string counter, Where where = Where::current());
Reaction record(std::string label, Where where = Where::current());
Reaction resend(std::string label, Where where = Where::current());
Reaction crash(Who node, Where where = Where::current());
Reaction restart(Who node, Where where = Where::current());
Reaction fire(Who node, std::string timer, Where where = Where::current());

// A message that nobody sent; a value::Any where its type comes at run time (ordeal/dynamic.h).
Reaction inject(const Who& from, const Who& to, value::Any message, Where where = Where::current());
template <Value M>
Reaction inject(const Who& from, const Who& to, M message, Where where = Where::current()) {
  return inject(from, to, value::Any::of(std::move(message)), where);
}

// Another content for the message: by a function of it, or by a field ("ballot.round") and what
// comes there. Several changes of one message add up.
template <Value M, class F>
Reaction mutate(F change, Where where = Where::current()) {
  static_assert(std::is_invocable_r_v<void, const F&, M&>,
                "a mutation is a const function void(M&) of the message");
  Reaction::Custom apply = [change = std::move(change)](const Event& event, ScenarioContext& ctx) {
    const M* message = event.payload.try_get<M>();
    if (message == nullptr) return;
    M changed = *message;
    change(changed);
    ctx.replace(value::Any::of(std::move(changed)));
  };
  return Reaction({.kind = Reaction::Kind::kMutate,
                   .where = where,
                   .name = std::string(value::type_of<M>().name()),
                   .type = &value::type_of<M>(),
                   .make = [apply = std::move(apply)] { return apply; }});
}
Reaction mutate_field(std::string path, value::Tree content, Where where = Where::current());
template <Value V>
Reaction mutate_field(std::string path, const V& content, Where where = Where::current()) {
  return mutate_field(std::move(path), value::tree(content), where);
}

Reaction once(Reaction reaction, Where where = Where::current());

// A function of (event, context) with a name for reports; of functions that are not const see
// condition().
template <class F>
Reaction reaction(const std::string& name, F function, Where where = Where::current()) {
  static_assert(std::is_invocable_r_v<void, F&, const Event&, ScenarioContext&>,
                "a reaction is a function void(const Event&, ScenarioContext&)");
  return Reaction(
      {.kind = Reaction::Kind::kCustom,
       .where = where,
       .name = name,
       .make = [function = std::move(function)] { return Reaction::Custom(function); },
       .is_value = std::is_invocable_r_v<void, const F&, const Event&, ScenarioContext&>});
}

}  // namespace ordeal
