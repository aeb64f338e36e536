// How nodes get from round to round. Rounds 0, 1, 2 are led by nodes 1, 2, 3.
#include "protocols/tendermint/scenario_words.h"

namespace ordeal::protocols::tendermint {
namespace {

// Node 4 hears nothing of round 0, in which the others get nowhere: node 3, which is Byzantine,
// votes nil. In round 1 they cannot decide without node 4.
Scenario left_behind(std::string name, std::string what) {
  Scenario scenario(std::move(name));
  scenario.what(std::move(what))
      .filter(when(sends_of_round(0) && to(4)).then(drop()))
      .filter(when(timer_set("propose") && at(4)).then(drop()))
      .filter(when(is_send() && is_message<Prevote>() && from(3)).then(prevote_for(3, kNil)))
      .filter(when(is_send() && is_message<Precommit>() && from(3)).then(precommit_for(3, kNil)));
  return scenario;
}

Scenario round_skip(const Arguments&) {
  Scenario scenario =
      left_behind("tendermint-round-skip", "a node follows f + 1 others to a higher round");
  const Condition skipped_round_0 = state_is<Node>([](const Node& node) {
    return node.journal.turn.round == 1 && !node.journal.prevotes.contains({1, 0});
  });
  scenario.machine(Machine("round 0")
                       .on("round 0", at(4) && skipped_round_0, Machine::kSuccess)
                       .on("round 0", decides(), Machine::kFailure));
  return scenario;
}

Scenario lagging_replica(const Arguments&) {
  Scenario scenario = left_behind("tendermint-lagging-replica",
                                  "a node that missed a round helps to decide in the next one");
  scenario.machine(Machine("round 0")
                       .on("round 0", decides(), Machine::kFailure)
                       .on("round 0", at(4) && in_round(1), "round 1")
                       .on("round 1", decides_value(2) && at(4), Machine::kSuccess));
  return scenario;
}

// Node 4 hears nothing of rounds 0 and 1, in which node 1, which is Byzantine, votes nil.
Scenario forever_lagging(const Arguments&) {
  Scenario scenario("tendermint-forever-lagging-replica");
  scenario.what("a node that is rounds behind catches up at once")
      .filter(when((sends_of_round(0) || sends_of_round(1)) && to(4)).then(drop()))
      .filter(when(timer_set("propose")).then(drop()))
      .filter(when(is_send() && is_message<Prevote>() && from(1)).then(prevote_for(1, kNil)))
      .filter(when(is_send() && is_message<Precommit>() && from(1)).then(precommit_for(1, kNil)))
      .machine(Machine("behind")
                   .on("behind", decides(), Machine::kFailure)
                   .on("behind", at(4) && in_round(2), "caught up")
                   .on("caught up", decides_value(3) && at(4), Machine::kSuccess));
  return scenario;
}

// Nodes 1 to 3 lock value 1 in round 0. The precommits of node 3, which is the first to decide,
// reach the others when these are in round 1, where prevotes get lost. Byzantine: node 4.
Scenario commit_after_round_skip(const Arguments&) {
  Scenario scenario("tendermint-commit-after-round-skip");
  scenario.what("precommits of a round that is over still decide")
      .filter(when(timer_set("propose") || timer_set("prevote")).then(drop()))
      .filter(when(sends_prevote(1)).then(drop()))
      .filter(when((sends_proposal(0) || sends_prevote(0)) && (to(3) || to(4)) && !from(4))
                  .then(deliver()))
      .filter(when(is_send() && is_message<Prevote>() && from(4)).then(prevote_for(4, kNil)))
      .filter(when(is_send() && is_message<Precommit>() && from(4)).then(precommit_for(4, kNil)))
      .filter(when(sends_precommit(0) && from(3)).then(hold("late precommits")))
      .filter(when(once(at(2) && in_round(1))).then(release("late precommits")))
      .machine(Machine("round 0")
                   .on("round 0", at(2) && in_round(1), "round 1")
                   .on("round 1", decides_value(1) && at(2), Machine::kSuccess));
  return scenario;
}

// The votes of node 4, which is Byzantine, are for two rounds later.
Scenario higher_round(const Arguments&) {
  const auto later = [](auto& vote) { vote.round += 2; };
  Scenario scenario("tendermint-higher-round");
  scenario.what("one node alone does not draw others to a higher round")
      .filter(when(timer_set("propose")).then(drop()))
      .filter(when(is_send() && is_message<Precommit>() && to(4)).then(drop()))
      .filter(when(is_send() && is_message<Prevote>() && from(4))
                  .then(mutate_signed<Prevote>(issue_key(4), later)))
      .filter(when(is_send() && is_message<Precommit>() && from(4))
                  .then(mutate_signed<Precommit>(issue_key(4), later)))
      .machine(Machine("round 0")
                   .on("round 0", in_round(2) && !at(4), Machine::kFailure)
                   .on("round 0", decides_value(1) && at(1), Machine::kSuccess));
  return scenario;
}

}  // namespace

std::vector<SuiteScenario> round_scenarios() {
  const std::string subject = "tendermint";
  const auto with = [](const char* byzantine, const char* rounds) {
    return std::map<std::string, std::string>{
        {"byzantine", byzantine}, {"behaviour", "scripted"}, {"rounds", rounds}};
  };
  return {
      {"tendermint-round-skip", subject, with("3", "2"), "no-round-skip", round_skip},
      {"tendermint-lagging-replica", subject, with("3", "2"), "forget-early-votes",
       lagging_replica},
      {"tendermint-forever-lagging-replica", subject, with("1", "3"), "skip-next-only",
       forever_lagging},
      {"tendermint-commit-after-round-skip", subject, with("4", "2"), "ignore-late-precommits",
       commit_after_round_skip},
      {"tendermint-higher-round", subject, with("4", "3"), "skip-on-one", higher_round},
  };
}

}  // namespace ordeal::protocols::tendermint
