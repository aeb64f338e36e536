#include "ordeal/scenario.h"
#include "protocols/two_phase_commit/nodes.h"
#include "protocols/two_phase_commit/two_phase_commit.h"

namespace ordeal::protocols::two_phase_commit {
namespace {

Condition commits(Where where = Where::current()) {
  return decides(where) &&
         carries<Decision>([](Decision d) { return d == Decision::kCommit; }, where);
}

// Each manager chooses, when its timer fires: 0 is to prepare.
std::vector<std::string> all_prepare() {
  return {"timer vote at 1 [choose 0]", "timer vote at 2 [choose 0]", "timer vote at 3 [choose 0]"};
}

// Managers 1 to 3 vote at the transaction manager, node 4. The vote of one of them, whoever it is,
// is lost.
Scenario missing_vote(const Arguments&) {
  Scenario scenario("missing-vote");
  const Who r = scenario.draw("r", {1, 2, 3});
  scenario.what("nobody commits while a vote is missing")
      .script(all_prepare())
      .filter(when(is_send() && is_message<Prepared>() && from(r)).then(drop()))
      .machine(Machine("voting")
                   .on("voting", commits(), Machine::kFailure)
                   .on("voting", ended(), Machine::kSuccess));
  return scenario;
}

// All are prepared, and manager 1 has committed. Manager 2 has waited long enough when it hears of
// it, and would love to give up.
Scenario impatient_manager(const Arguments&) {
  Scenario scenario("impatient-manager");
  scenario.what("a prepared manager waits for the decision, however long it takes")
      .script(all_prepare())
      .filter(when(is_send() && is_message<Commit>() && to(2)).then(hold("commit")))
      .filter(when(commits() && at(1)).then(fire(2, "vote"), release("commit")))
      .machine(Machine("voting")
                   .on("voting", is_send() && is_message<Commit>(), "committing")
                   .on("voting", ended(), Machine::kSuccess)
                   .on("committing", decides() && !commits(), Machine::kFailure)
                   .on("committing", ended(), Machine::kSuccess));
  return scenario;
}

}  // namespace

std::vector<SuiteScenario> scenarios() {
  const std::map<std::string, std::string> actors = {{"form", "actors"}};
  return {
      {"missing-vote", "two-phase-commit", actors, "commit-early", missing_vote},
      {"impatient-manager", "two-phase-commit", actors, "rm-changes-mind", impatient_manager},
  };
}

}  // namespace ordeal::protocols::two_phase_commit
