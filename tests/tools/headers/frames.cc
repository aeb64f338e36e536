// What stands around the examples in the comments of public headers, so that they compile:
// examples_test.cc puts the text of an example where its header is named, the first example of a
// header where it is named first.
#include <gtest/gtest.h>

#include <iostream>

#include "ordeal/detail/linear_core.h"
#include "ordeal/ordeal.h"
#include "ordeal/testing.h"

using namespace ordeal;  // NOLINT: as users do

namespace things {

struct Vote {
  bool granted = false;
};
struct Append {};
struct Server {
  using Messages = Types<Vote, Append>;
  int term = 0;
  int last = 0;
  bool leads = false;
  void on(Context&, NodeId, const Vote&) {}
  void on(Context&, NodeId, const Append&) {}
};

Condition elected();
Scenario late_vote();
System election(int nodes);
System forgetful(int nodes);

}  // namespace things

namespace for_steering {
using things::Server;
int highest_leading_term(const View& view);
//> ordeal/steering.h
}  // namespace for_steering

namespace for_check {
void example(const System& system) {
  //> ordeal/check.h
}
}  // namespace for_check

namespace for_compare {
Result<std::shared_ptr<const Checkable>> forgetful_paxos();
void example() {
  //> ordeal/compare.h
}
}  // namespace for_compare

namespace for_condition {
using namespace things;
void example() {
  //> ordeal/condition.h
}
}  // namespace for_condition

namespace for_context {
struct Ping {
  int number = 0;
};
struct Pong {
  int number = 0;
};
struct Player {
  using Messages = Types<Ping>;
  //> ordeal/context.h
};
void example(System& system) { system.add<Player>(2); }
}  // namespace for_context

namespace for_fair {
using things::Vote;
void example(System& system) {
  //> ordeal/fair.h
}
}  // namespace for_fair

namespace for_dynamic {
void example() {
  //> ordeal/dynamic.h
}
}  // namespace for_dynamic

namespace for_dynamic_node {
void example(System& system, const value::Type* state, const value::Any& ping) {
  //> ordeal/dynamic_node.h
}
}  // namespace for_dynamic_node

namespace for_filter {
using namespace things;
void example(Scenario& scenario) {
  //> ordeal/filter.h
}
}  // namespace for_filter

namespace for_history {
void example() {
  //> ordeal/history.h
}
}  // namespace for_history

namespace for_live {
void example(const System& system) {
  //> ordeal/live.h
}
}  // namespace for_live

namespace for_machine {
using namespace things;
void example() {
  //> ordeal/machine.h
}
}  // namespace for_machine

namespace for_model {
//> ordeal/model.h
void example() {
  //> ordeal/model.h
}
}  // namespace for_model

namespace for_name {
void example(System& system) {
  //> ordeal/name.h
}
}  // namespace for_name

namespace for_node {
struct Prepare {};
struct Accept {};
struct Propose {};
struct Ballot {};
//> ordeal/node.h
void example(System& system) { system.add<Server>(2).request(1, Propose{}); }
}  // namespace for_node

namespace for_predicate {
using namespace things;
void example(System& system) {
  //> ordeal/predicate.h
}
}  // namespace for_predicate

namespace for_property {
using namespace things;
void example(System& system) {
  //> ordeal/property.h
}
}  // namespace for_property

namespace for_result {
void use(const Trace& trace);
int example() {
  //> ordeal/result.h
  return 0;
}
}  // namespace for_result

namespace for_scenario {
using namespace things;
void example(const Machine& machine) {
  //> ordeal/scenario.h
}
}  // namespace for_scenario

namespace for_ablate {
void example(const Scenario& scenario, const System& system) {
  //> ordeal/ablate.h
}
}  // namespace for_ablate

namespace for_scenario_run {
void example(const Scenario& scenario, const System& system) {
  //> ordeal/scenario_run.h
}
}  // namespace for_scenario_run

namespace for_suite {
System ping_pong(int nodes);
//> ordeal/suite.h
}  // namespace for_suite

namespace for_system {
struct Propose {
  int value = 0;
};
struct Server {
  using Requests = Types<Propose>;
  void request(Context&, const Propose&) {}
};
void example() {
  //> ordeal/system.h
}
}  // namespace for_system

namespace for_testing {
using namespace things;
//> ordeal/testing.h
}  // namespace for_testing

namespace for_tla {
void example() {
  //> ordeal/tla.h
}
}  // namespace for_tla

namespace for_value {
//> ordeal/value.h
void example() {
  //> ordeal/value.h
}
}  // namespace for_value

namespace for_fields {
//> ordeal/detail/fields.h
}  // namespace for_fields

namespace for_linear_search {
struct Prospect {};
//> ordeal/detail/linear_search.h
}  // namespace for_linear_search

namespace for_object_specs {
void example() {
  //> ordeal/detail/object_specs.h
}
}  // namespace for_object_specs

namespace for_queue_specs {
void example() {
  //> ordeal/detail/queue_specs.h
}
}  // namespace for_queue_specs

namespace for_sequential_spec {
struct Add {
  int amount = 0;
};
struct Get {};
struct AddOk {
  bool operator==(const AddOk&) const = default;
};
struct GetOk {
  int value = 0;
  bool operator==(const GetOk&) const = default;
};
//> ordeal/detail/sequential_spec.h
bool example(const History& h) { return linearizable<CounterSpec>(h).ok; }
}  // namespace for_sequential_spec
