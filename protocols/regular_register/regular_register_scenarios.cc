#include "ordeal/scenario.h"
#include "protocols/regular_register/regular_register.h"

namespace ordeal::protocols::regular_register {
namespace {

Condition is_write(int timestamp, Where where = Where::current()) {
  return is_message<Write>([timestamp](const Write& w) { return w.timestamp == timestamp; }, where);
}
Condition operation_returns(Where where = Where::current()) {
  return is_event(EventKind::kReturn, where);
}

// The first write reaches node 3 after the second one is done, and the second never reaches node 2.
// The read that follows hears from these two only.
Scenario old_write_late(const Arguments&) {
  Scenario scenario("old-write-arrives-late");
  scenario.what("a write that comes late does not undo a newer one")
      .filter(when(is_send() && is_write(1) && to(3)).then(hold("first write")))
      .filter(when(is_send() && is_write(2) && to(2)).then(drop()))
      .filter(when(is_event(EventKind::kSubmit) && carries<StartRead>()).then(hold("read")))
      .filter(when(operation_returns() && at(1) && counter("writes done") == 0)
                  .then(count("writes done")))
      .filter(when(operation_returns() && at(1)).then(release("first write"), release("read")))
      .filter(when(is_send() && is_message<Answer>() && from(1)).then(drop()))
      .machine(Machine("writing").on("writing", operation_returns() && at(2), Machine::kSuccess));
  return scenario;
}

// The writer reaches nobody but itself, and its own acknowledgement arrives twice.
Scenario acknowledged_twice(const Arguments&) {
  Scenario scenario("acknowledged-twice");
  scenario.what("one node that acknowledges twice is no majority")
      .filter(when(is_send() && is_message<Write>() && !to(1)).then(drop()))
      .filter(when(is_send() && is_message<Ack>()).then(duplicate()))
      .machine(Machine("writing")
                   .on("writing", operation_returns() && at(1), Machine::kFailure)
                   .on("writing", ended(), Machine::kSuccess));
  return scenario;
}

// [cut-off]
// A node is cut off from the other two, whoever it is: its operations do not return.
Scenario cut_off(const Arguments&) {
  Scenario scenario("cut-off-node");
  const Partition split = scenario.partition("split", std::vector<int>{2, 1});
  const Condition is_cut_off =
      condition("node is cut off", [](const Event& event, const ScenarioContext& ctx) {
        return ctx.part("split", event.node) == 1;
      });
  scenario.what("no operation returns at a node that reaches no majority")
      .filter(when(is_send() && split.across()).then(drop()))
      .machine(Machine("running")
                   .on("running", operation_returns() && is_cut_off, Machine::kFailure)
                   .on("running", ended(), Machine::kSuccess));
  return scenario;
}
// [/cut-off]

}  // namespace

std::vector<SuiteScenario> scenarios() {
  const std::string subject = "regular-register";
  return {
      {"old-write-arrives-late",
       subject,
       {{"writes", "2"}, {"reads", "1"}},
       "no-timestamp-check",
       old_write_late},
      {"acknowledged-twice", subject, {{"reads", "1"}}, "count-acks", acknowledged_twice},
      {"cut-off-node", subject, {}, "minority-read", cut_off},
  };
}

}  // namespace ordeal::protocols::regular_register
