#include "ordeal/scenario.h"
#include "protocols/hierarchical_consensus/hierarchical_consensus.h"

namespace ordeal::protocols::hierarchical_consensus {
namespace {

// [late-decision]
// Node 1 decides and crashes. Node 2 hears of the crash first, decides its own value and imposes it
// on node 3; only then what node 1 imposed arrives. It must not replace what came from node 2.
Scenario late_decision(const Arguments&) {
  Scenario scenario("late-decision");
  scenario.what("a crashed node's decision arrives after that of its successor")
      .faults(Scenario::Faults::kOnlyByFilters)
      .filter(when(is_send() && is_message<Decided>() && from(1)).then(hold("late")))
      .filter(when(decides() && at(1)).then(crash(1)))
      .filter(when(is_receive() && is_message<Decided>() && from(2)).then(release("late")))
      .machine(Machine("waiting")
                   .on("waiting", decides() && at(2), "imposed")
                   .on("imposed", decides() && at(3), Machine::kSuccess));
  return scenario;
}
// [/late-decision]

// Node 3 has the decision of node 2 before it hears that node 1 has crashed: two rounds are over at
// once.
Scenario decision_before_notice(const Arguments&) {
  Scenario scenario("decision-before-notice");
  scenario.what("the notice of a crash ends two rounds at once")
      .script({"crash 1"})
      .faults(Scenario::Faults::kOnlyByFilters)
      .filter(when(is_event(EventKind::kNotice) && at(3)).then(hold("notice")))
      .filter(when(is_receive() && is_message<Decided>() && to(3)).then(release("notice")))
      .machine(Machine("waiting").on("waiting", decides() && at(3), Machine::kSuccess));
  return scenario;
}

// What node 2 decided reaches node 3 while that still waits for round 1.
Scenario early_decision(const Arguments&) {
  Scenario scenario("early-decision");
  scenario.what("a decision that arrives before its round is kept for it")
      .filter(when(is_send() && is_message<Decided>() && from(1) && to(3)).then(hold("first")))
      .filter(when(is_receive() && is_message<Decided>() && from(2)).then(release("first")))
      .machine(Machine("waiting").on("waiting", decides() && at(3), Machine::kSuccess));
  return scenario;
}

// The good case: whatever is decided is known to all at once, and all three decide.
Scenario in_order(const Arguments&) {
  Scenario scenario("rounds-in-order");
  scenario.what("every decision is known to all before anything else happens")
      .filter(when(is_send() && is_message<Decided>()).then(deliver()))
      .machine(Machine("none")
                   .on("none", decides() && at(1), "first")
                   .on("first", decides() && at(2), "second")
                   .on("second", decides() && at(3), Machine::kSuccess));
  return scenario;
}

}  // namespace

std::vector<SuiteScenario> scenarios() {
  const std::string subject = "hierarchical-consensus";
  return {
      {"late-decision", subject, {{"crash", "1"}}, "any-proposer", late_decision},
      {"decision-before-notice", subject, {{"crash", "1"}}, "advance-once", decision_before_notice},
      {"early-decision", subject, {}, "forget-delivered", early_decision},
      {"rounds-in-order", subject, {}, "decide-own", in_order},
  };
}

}  // namespace ordeal::protocols::hierarchical_consensus
