// Which votes count, and for what.
#include "protocols/tendermint/scenario_words.h"

namespace ordeal::protocols::tendermint {
namespace {

// Two prevotes arrive, three times each; all others are lost.
Scenario block_votes(const Arguments&) {
  Scenario scenario("tendermint-block-votes");
  scenario.what("two prevotes are no quorum, however often they arrive")
      .filter(when(is_send() && is_message<Prevote>() && counter("votes") < 2)
                  .then(count("votes"), duplicate(2), deliver()))
      .filter(when(is_send() && is_message<Prevote>()).then(drop()))
      .machine(Machine("voting")
                   .on("voting", is_send() && is_message<Precommit>(), Machine::kFailure)
                   .on("voting", ended(), Machine::kSuccess));
  return scenario;
}

// Nobody hears the proposal of round 0, and only node 1 that of round 1: two nodes prevote for it.
Scenario precommit_invariant(const Arguments&) {
  const Condition for_a_value = is_send() && is_message<Precommit>([](const Precommit& p) {
                                  return p.round < 2 && p.value != kNil;
                                });
  Scenario scenario("tendermint-precommit-invariant");
  scenario.what("nobody precommits a value for which no quorum has prevoted")
      .filter(when(sends_proposal(0) || (sends_proposal(1) && !to(1))).then(drop()))
      .machine(Machine("no quorum")
                   .on("no quorum", for_a_value, Machine::kFailure)
                   .on("no quorum", decides_value(3), Machine::kSuccess));
  return scenario;
}

// Nobody hears the proposal. A node that has seen a quorum prevote nil waits for no timeout.
Scenario nil_prevotes(const Arguments&) {
  Scenario scenario("tendermint-nil-prevotes");
  const Who somebody = scenario.draw("somebody");
  scenario.what("a quorum of prevotes for nil ends the round")
      .filter(when(sends_proposal(0)).then(drop()))
      .filter(when(timer_set("prevote")).then(drop()))
      .filter(when(is_send() && is_message<Precommit>()).then(drop()))
      .machine(Machine("voting")
                   .on("voting", precommits(0, 1), Machine::kFailure)
                   .on("voting", precommits(0, kNil) && from(somebody), Machine::kSuccess));
  return scenario;
}

// Node 3 misses the proposal, and its timeout comes right after the prevote of node 1.
Scenario proposal_nil_prevote(const Arguments&) {
  Scenario scenario("tendermint-proposal-nil-prevote");
  scenario.what("who has not heard the proposal prevotes nil")
      .filter(when(sends_proposal(0) && to(3)).then(drop()))
      .filter(when(timer_set("propose") && at(3)).then(hold("timeout")))
      .filter(when(sends_prevote(0) && from(1) && to(3)).then(deliver()))
      .filter(
          when(is_receive() && is_message<Prevote>() && from(1) && to(3)).then(release("timeout")))
      .filter(when(is_send() && is_message<Prevote>() && !to(3)).then(drop()))
      .machine(Machine("voting")
                   .on("voting", prevotes(0, 1) && from(3), Machine::kFailure)
                   .on("voting", prevotes(0, kNil) && from(3), Machine::kSuccess));
  return scenario;
}

// The votes of node 3 get lost, and node 4, which is Byzantine, votes nil: so precommit all.
Scenario not_nil_decide(const Arguments&) {
  Scenario scenario("tendermint-not-nil-decide");
  scenario.what("a quorum of precommits for nil decides nothing")
      .filter(when(is_send() && is_message<Prevote>() && from(4)).then(prevote_for(4, kNil)))
      .filter(when(is_send() && is_message<Precommit>() && from(4)).then(precommit_for(4, kNil)))
      .filter(when((sends_prevote(0) || sends_precommit(0)) && from(3)).then(drop()))
      .filter(when(sends_proposal(1)).then(drop()))
      .machine(Machine("voting")
                   .on("voting", decides_value(kNil), Machine::kFailure)
                   .on("voting", ended(), Machine::kSuccess));
  return scenario;
}

// What node 4 sends arrives garbled, and what node 3 sends comes late: until then there are two
// prevotes, whatever the garbled ones say.
Scenario garbled_message(const Arguments&) {
  const auto garble = [](auto& vote) { vote.signature.digest ^= 0xffu; };
  Scenario scenario("tendermint-garbled-message");
  scenario.what("a vote whose signature is wrong counts for nothing")
      .filter(when(is_send() && is_message<Prevote>() && from(4)).then(mutate<Prevote>(garble)))
      .filter(when(once(is_send() && is_message<Precommit>() && from(4) && to(1)))
                  .then(mutate<Precommit>(garble), release("late votes")))
      .filter(when(is_send() && is_message<Precommit>() && from(4)).then(mutate<Precommit>(garble)))
      .filter(when(sends_prevote(0) && from(3) && in_state("two votes")).then(hold("late votes")))
      .machine(
          Machine("two votes")
              .on("two votes", is_send() && is_message<Precommit>() && from(4), "three votes")
              .on("two votes", is_send() && is_message<Precommit>() && !from(3), Machine::kFailure)
              .on("three votes", decides_value(1) && at(1), Machine::kSuccess));
  return scenario;
}

// Node 4, which is Byzantine, proposes something in the round of node 1.
Scenario impostor(const Arguments&) {
  Scenario scenario("tendermint-impostor");
  scenario.what("only the proposer of a round proposes")
      .filter(when(once(sends_proposal(0) && to(2)))
                  .then(inject_signed(issue_key(4), 3, Proposal{1, 0, 4, kNever})))
      .filter(when(is_send() && is_message<Prevote>()).then(drop()))
      .machine(Machine("voting")
                   .on("voting", prevotes(0, 4) && from(3), Machine::kFailure)
                   .on("voting", prevotes(0, 1) && from(3), Machine::kSuccess));
  return scenario;
}

}  // namespace

std::vector<SuiteScenario> vote_scenarios() {
  const std::string subject = "tendermint";
  const auto with = [](const char* byzantine, const char* rounds) {
    return std::map<std::string, std::string>{
        {"byzantine", byzantine}, {"behaviour", "scripted"}, {"rounds", rounds}};
  };
  return {
      {"tendermint-block-votes", subject, with("0", "2"), "count-duplicates", block_votes},
      {"tendermint-precommit-invariant", subject, with("0", "3"), "precommit-on-third",
       precommit_invariant},
      {"tendermint-nil-prevotes", subject, with("0", "2"), "ignore-nil-quorum", nil_prevotes},
      {"tendermint-proposal-nil-prevote", subject, with("0", "2"), "follow-others",
       proposal_nil_prevote},
      {"tendermint-not-nil-decide", subject, with("4", "2"), "decide-nil", not_nil_decide},
      {"tendermint-garbled-message", subject, with("4", "1"), "unsigned", garbled_message},
      {"tendermint-impostor", subject, with("4", "1"), "any-proposer", impostor},
  };
}

}  // namespace ordeal::protocols::tendermint
