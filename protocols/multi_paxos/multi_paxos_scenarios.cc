#include "ordeal/scenario.h"
#include "protocols/multi_paxos/multi_paxos.h"

namespace ordeal::protocols::multi_paxos {
namespace {

// Node 1 has learned the value of slot 1 and node 2 knows nothing of it when the leader crashes.
Scenario learned_by_one(const Arguments&) {
  Scenario scenario("slot-learned-by-one");
  scenario.what("a new leader fills a slot with what may have been chosen for it")
      .faults(Scenario::Faults::kOnlyByFilters)
      .filter(when(is_send() && is_message<Accept>() && from(3) && to(2)).then(drop()))
      .filter(when(is_send() && is_message<Learn>() && to(2) && !in_state("second leader"))
                  .then(drop()))
      .filter(when(once(decides())).then(crash(3)))
      .machine(
          Machine("first leader")
              .on("first leader", is_send() && is_message<Prepare>() && from(2), "second leader")
              .on("second leader", decides() && at(2), Machine::kSuccess));
  return scenario;
}

// The leader crashes with the value that was handed to it, and nobody has seen it.
Scenario value_dies_with_leader(const Arguments&) {
  Scenario scenario("value-dies-with-the-leader");
  scenario.what("a value that the leader took to its grave is handed to the next one")
      .faults(Scenario::Faults::kOnlyByFilters)
      .filter(when(is_send() && is_message<Forward>() && to(3)).then(drop(), crash(3)))
      .machine(Machine("waiting").on("waiting", decides() && at(1), Machine::kSuccess));
  return scenario;
}

// Node 2 suspects the leader wrongly and leads too, with a round above that of node 3.
Scenario two_leaders(const Arguments&) {
  Scenario scenario("two-leaders");
  scenario.what("a leader that was suspected wrongly stops when it promises its successor to")
      .script({"suspect 3 wrongly at 2"})
      .faults(Scenario::Faults::kOnlyByFilters)
      .filter(when(is_send() && is_message<Prepare>() && from(2)).then(count("takeovers")))
      .machine(Machine("two leaders").on("two leaders", ended(), Machine::kSuccess))
      .iterations(1'000);
  return scenario;
}

}  // namespace

std::vector<SuiteScenario> scenarios() {
  const std::string subject = "multi-paxos";
  const std::map<std::string, std::string> one = {{"proposals", "1"}, {"crash", "3"}};
  return {
      {"slot-learned-by-one", subject, one, "lose-promised-values", learned_by_one},
      {"value-dies-with-the-leader", subject, one, "lose-submitted", value_dies_with_leader},
      {"two-leaders", subject, {{"detector", "eventually-perfect"}}, "lead-anyway", two_leaders},
  };
}

}  // namespace ordeal::protocols::multi_paxos
