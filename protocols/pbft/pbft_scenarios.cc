// Eight unit tests that Netrix has for BFT-SMaRt, carried over to PBFT: a PROPOSE is a PrePrepare
// here, a WRITE a Prepare, an ACCEPT a Commit, a STOP a ViewChange, and an epoch a view. Replicas 0
// to 3 there are 1 to 4 here, so that the test's replica "3" is replica 4.
#include "ordeal/scenario.h"
#include "protocols/pbft/pbft.h"
#include "protocols/pbft/scenario_parts.h"

namespace ordeal::protocols::pbft {
namespace {

// DPropForP. Nobody prepares anything in view 0, and replica 4 gets the proposal of view 0 when
// view 1 is under way. (It ignores it, so that no step delivers it.)
Scenario delayed_proposal_for_one(const Arguments&) {
  Scenario scenario("pbft-delayed-proposal-for-one");
  scenario.what("a proposal that arrives when the next view is under way changes nothing")
      .filter(when(sends<Prepare>(0)).then(drop()))
      .filter(when(sends<PrePrepare>(0) && to(4)).then(hold("delayed")))
      .filter(when(is_receive() && is_message<NewView>() && to(4)).then(release("delayed")))
      .machine(Machine("view 0")
                   .on("view 0", is_receive() && is_message<NewView>() && to(4), "view 1")
                   .on("view 1", executes_in_view(1) && at(4), Machine::kSuccess));
  return scenario;
}

// DPropSame. Replica 4 gets the proposal when others have committed already.
Scenario delayed_proposal_same_view(const Arguments&) {
  Scenario scenario("pbft-delayed-proposal-same-view");
  scenario.what("a replica that gets the proposal after all votes executes it in the same view")
      .filter(when(sends<PrePrepare>(0) && to(4)).then(hold("delayed")))
      .filter(when(sends<Commit>(0) && from(3) && to(4)).then(release("delayed")))
      .machine(Machine("waiting").on("waiting", executes_in_view(0) && at(4), Machine::kSuccess));
  return scenario;
}

// DropWrite.
Scenario drop_prepares(const Arguments&) {
  Scenario scenario("pbft-drop-prepares");
  scenario.what("replicas whose votes get lost change the view")
      .filter(when(sends<Prepare>(0)).then(drop()))
      .machine(Machine("view 0")
                   .on("view 0", executes_in_view(0), Machine::kFailure)
                   .on("view 0", is_receive() && is_message<NewView>(), "view 1")
                   .on("view 1", executes_in_view(1), Machine::kSuccess));
  return scenario;
}

// DropWriteForP.
Scenario drop_prepares_for_one(const Arguments&) {
  Scenario scenario("pbft-drop-prepares-for-one");
  scenario.what("the others execute what one replica cannot prepare")
      .filter(when(is_send() && is_message<Prepare>() && to(4)).then(drop()))
      .machine(Machine("waiting")
                   .on("waiting", executes() && at(4), Machine::kFailure)
                   .on("waiting", executes() && !at(4), "executed by others")
                   .on("executed by others", executes() && at(4), Machine::kFailure)
                   .success("executed by others"));
  return scenario;
}

// ExpectNewEpoch.
Scenario expect_new_view(const Arguments&) {
  Scenario scenario("pbft-expect-new-view");
  scenario.what("replicas that know of a request and see no proposal change the view")
      .filter(when(sends<PrePrepare>(0)).then(drop()))
      .machine(Machine("view 0")
                   .on("view 0", is_receive() && is_message<NewView>(), "view 1")
                   .on("view 1", executes_in_view(1), Machine::kSuccess));
  return scenario;
}

// ExpectStop.
Scenario expect_view_change(const Arguments&) {
  Scenario scenario("pbft-expect-view-change");
  scenario.what("a replica that waits for commits in vain asks for the next view")
      .filter(when(sends<Commit>(0) && to(4)).then(drop()))
      .machine(
          Machine("waiting").on("waiting", sends<ViewChange>(1) && from(4), Machine::kSuccess));
  return scenario;
}

// ByzLeaderChange. Replica 2 is late with its votes in view 0, and somebody garbles those of
// replica 4. They do not count: their signatures are wrong.
Scenario byzantine_leader_change(const Arguments&) {
  const auto of_view_0 = [](const auto& vote) { return vote.view == 0; };
  const Condition votes =
      is_send() && (is_message<Prepare>(of_view_0) || is_message<Commit>(of_view_0));
  Scenario scenario("pbft-byzantine-leader-change");
  scenario.what("with one replica late and the votes of another garbled, the next one leads")
      .filter(when(votes && from(2)).then(hold("delayed")))
      .filter(when(is_receive() && is_message<NewView>()).then(release("delayed")))
      .filter(when(sends<Prepare>(0) && from(4)).then(mutate<Prepare>([](Prepare& prepare) {
        prepare.digest.amount = 7;
      })))
      .filter(when(timer_set("view change") && in_state("view 0")).then(delay(1'000)))
      .machine(Machine("view 0")
                   .on("view 0", executes_in_view(0), Machine::kFailure)
                   .on("view 0", is_receive() && is_message<NewView>(), "view 1")
                   .on("view 1", executes_in_view(1), Machine::kSuccess));
  return scenario;
}

// PrevEpochProposal. The proposals of view 0 come when view 1 has begun.
Scenario previous_view_proposal(const Arguments&) {
  Scenario scenario("pbft-previous-view-proposal");
  scenario.what("after a view change the proposals of the view before change nothing")
      .filter(when(sends<PrePrepare>(0)).then(hold("delayed")))
      .filter(when(is_receive() && is_message<NewView>()).then(release("delayed")))
      .machine(Machine("view 0")
                   .on("view 0", is_receive() && is_message<NewView>(), "view 1")
                   .on("view 1", executes_in_view(0), Machine::kFailure)
                   .on("view 1", executes_in_view(1), Machine::kSuccess));
  return scenario;
}

}  // namespace

std::vector<SuiteScenario> scenarios() {
  const std::string subject = "pbft";
  const std::map<std::string, std::string> one_view = {};
  const std::map<std::string, std::string> two_views = {{"views", "2"}, {"retries", "1"}};
  const std::map<std::string, std::string> patient = {
      {"views", "2"}, {"retries", "1"}, {"time", "prompt"}};
  std::vector<SuiteScenario> all = {
      {"pbft-delayed-proposal-for-one", subject, two_views, "old-proposals",
       delayed_proposal_for_one},
      {"pbft-delayed-proposal-same-view", subject, one_view, "", delayed_proposal_same_view},
      {"pbft-drop-prepares", subject, patient, "small-prepare-quorum", drop_prepares},
      {"pbft-drop-prepares-for-one", subject, one_view, "small-prepare-quorum",
       drop_prepares_for_one},
      {"pbft-expect-new-view", subject, patient, "waits-for-proposal", expect_new_view},
      {"pbft-expect-view-change", subject, patient, "content-when-prepared", expect_view_change},
      {"pbft-byzantine-leader-change", subject, two_views, "small-prepare-quorum",
       byzantine_leader_change},
      {"pbft-previous-view-proposal", subject, two_views, "old-proposals", previous_view_proposal},
  };
  for (SuiteScenario& scenario : bug_scenarios()) all.push_back(std::move(scenario));
  return all;
}

}  // namespace ordeal::protocols::pbft
