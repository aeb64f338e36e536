// Whether a condition can be true at all: what makes a filter dead before it ever ran.
//
// Events are abstracted to what the cast tells: kind, nodes, and type of content. For each, the
// condition is evaluated with everything else left open (counters, sets, the machine's state, who
// is drawn, what a function of the user's says), and what is open is decided step by step, as far
// as it must be. So "never" is certain; "maybe" is not, and is also the answer where the effort
// would be too large.
#pragma once

#include <bitset>
#include <cstdint>
#include <string>
#include <vector>

#include "ordeal/condition.h"
#include "ordeal/scenario.h"
#include "ordeal/world.h"

namespace ordeal::monitor {

using Kinds = std::bitset<kEventKinds>;

Kinds all_kinds();     // that filters see: without kEnd
Kinds kinds_on_way();  // something a reaction may decide about
Kinds kinds_of(EventKind kind);

struct Question {
  std::vector<Condition> all;         // these are true of one event
  std::vector<Condition> without;     // and none of these is
  Kinds kinds = all_kinds();          // of event
  int machine_state = -1;             // the property machine is there; -1: anywhere
  const value::Type* type = nullptr;  // what the event carries; null: anything
};

class Possibilities {
 public:
  // REQUIRES: both outlive it; nodes, draws and partitions that the questions name are declared.
  Possibilities(const Scenario::Declaration& scenario, const Cast& cast);

  // True: no event of any run makes it so.
  bool never(const Question& question) const;

 private:
  const Scenario::Declaration& scenario_;
  const Cast& cast_;
  bool anybody_sends_ = false;     // also components: messages may be invented
  bool counts_by_itself_ = false;  // reactions of the user's count, hold and record
};

// Calls `visit` with the condition and all inside it.
template <class F>
void for_each_inside(const Condition& condition, const F& visit) {
  visit(condition);
  for (const Condition& inner : condition.node().inner) for_each_inside(inner, visit);
}
template <class F>
void for_each_inside(const Reaction& reaction, const F& visit) {
  visit(reaction);
  for (const Reaction& inner : reaction.node().inner) for_each_inside(inner, visit);
}

}  // namespace ordeal::monitor
