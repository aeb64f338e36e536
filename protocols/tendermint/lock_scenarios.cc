// What locks are for. Rounds 0, 1, 2 are led by nodes 1, 2, 3; node 4 is mostly the one that is
// locked. Timeouts that would end a round too early are taken away.
#include "protocols/tendermint/scenario_words.h"

namespace ordeal::protocols::tendermint {
namespace {

// Node 4 alone locks value 1 in round 0. Value 2 gets a quorum in round 1, but node 4 hears of that
// only in round 2, where value 2 is proposed again. Byzantine: node 1, which votes as it is needed.
Scenario expect_unlock(const Arguments&) {
  Scenario scenario("tendermint-expect-unlock");
  scenario.what("a locked node votes for another value that a later quorum has prevoted")
      .filter(when(timer_set("propose")).then(drop()))
      .filter(when((sends_prevote(0) || sends_prevote(1)) && from(4)).then(drop()))
      .filter(when((sends_proposal(0) || sends_prevote(0)) && to(4)).then(deliver()))
      .filter(when(sends_prevote(0) && from(1)).then(prevote_for(1, kNil)))
      .filter(when(is_send() && is_message<Precommit>() && from(1)).then(precommit_for(1, kNil)))
      .filter(when(sends_prevote(1) && from(1) && to(4)).then(prevote_for(1, 2), hold("proof")))
      .filter(when(sends_prevote(1) && from(1)).then(prevote_for(1, 2)))
      .filter(when(sends_prevote(1) && to(4)).then(hold("proof")))
      .filter(when(once(at(4) && in_round(2))).then(release("proof")))
      .machine(Machine("round 0")
                   .on("round 0", precommits(0, 1) && from(4), "locked")
                   .on("locked", prevotes(2, 2) && from(4), Machine::kSuccess)
                   .on("locked", prevotes(2, kNil) && from(4), Machine::kFailure));
  return scenario;
}

// Node 4 locks value 1 in round 0 and value 2 in round 1. In round 2 value 1 is proposed, with the
// quorum of round 0 as a proof, which is older than the lock. Byzantine: node 3, which votes as it
// is needed.
Scenario old_value_again(std::string name, std::string what) {
  Scenario scenario(std::move(name));
  scenario.what(std::move(what))
      .filter(when(timer_set("propose")).then(drop()))
      .filter(when(timer_set("prevote") && at(4)).then(drop()))
      .filter(when((sends_prevote(0) || sends_prevote(1)) && from(4)).then(drop()))
      .filter(when(sends_prevote(1) && from(3) && to(4)).then(prevote_for(3, 2), deliver()))
      .filter(when(sends_proposal(0) || (sends_prevote(0) && (to(3) || to(4)))).then(deliver()))
      .filter(when((sends_proposal(1) || sends_prevote(1)) && to(4)).then(deliver()))
      .filter(when(sends_prevote(0) && from(3)).then(prevote_for(3, kNil)))
      .filter(when(sends_prevote(1) && from(3)).then(prevote_for(3, 2)))
      .filter(when(is_send() && is_message<Precommit>() && from(3)).then(precommit_for(3, kNil)))
      .filter(when(sends_precommit(1) && (from(4) || (from(1) && to(4)))).then(drop()))
      .machine(Machine("round 0")
                   .on("round 0", precommits(0, 1) && from(4), "locked")
                   .on("locked", precommits(1, 2) && from(4), "locked again")
                   .on("locked again", prevotes(2, kNil) && from(4), Machine::kSuccess)
                   .on("locked again", prevotes(2, 1) && from(4), Machine::kFailure));
  return scenario;
}
Scenario relocked(const Arguments&) {
  return old_value_again("tendermint-relocked",
                         "a node that has locked another value is no longer locked on the first");
}
Scenario old_proof(const Arguments&) {
  return old_value_again("tendermint-old-proof",
                         "a quorum from before the lock does not open the lock");
}

// Nodes 1, 2, 3 lock value 1 in round 0, and each misses one of the precommits. Round 1 is led by
// a node that knows what the others are locked on. Byzantine: node 4, which votes nil.
Scenario locked_commit(const Arguments&) {
  const Condition one_each = (from(1) && to(2)) || (from(2) && to(3)) || (from(3) && to(1));
  Scenario scenario("tendermint-locked-commit");
  scenario.what("nodes that are locked decide what they are locked on")
      .filter(when(timer_set("propose") || timer_set("prevote")).then(drop()))
      .filter(when((sends_proposal(0) || sends_prevote(0)) && to(4)).then(deliver()))
      .filter(when(is_send() && is_message<Prevote>() && from(4)).then(prevote_for(4, kNil)))
      .filter(when(is_send() && is_message<Precommit>() && from(4)).then(precommit_for(4, kNil)))
      .filter(when(sends_precommit(0) && (one_each || to(4))).then(drop()))
      .filter(when(sends_of_round(1) && to(4)).then(drop()))
      .machine(Machine("round 0")
                   .on("round 0", at(2) && in_round(1), "round 1")
                   .on("round 1", decides_value(1) && at(2), Machine::kSuccess));
  return scenario;
}

// What node 2, which is Byzantine, says in round 1, instead of what it would say.
Reaction offers_value_2(int to, Where where = Where::current()) {
  return inject_signed(issue_key(2), to, Proposal{1, 1, 2, kNever}, where);
}
Reaction prevotes_value_2(int to, Where where = Where::current()) {
  return inject_signed(issue_key(2), to, Prevote{1, 1, 2}, where);
}

// Node 4 could decide value 1 in round 0, but hears the votes too late. Nodes 1 and 3, locked on
// it, are offered another value in round 1. Byzantine: node 2, which votes for both.
Scenario different_decisions(const Arguments&) {
  Scenario scenario("tendermint-different-decisions");
  scenario.what("a value that somebody may have decided keeps others from deciding another")
      .filter(when(timer_set("propose") || timer_set("prevote")).then(drop()))
      .filter(when((sends_prevote(0) || sends_precommit(0)) && to(4)).then(hold("late votes")))
      .filter(when(sends_prevote(0) && from(4)).then(drop()))
      .filter(when(sends_precommit(0) && to(2)).then(drop()))
      .filter(when(sends_precommit(0) && from(2)).then(precommit_for(2, kNil)))
      .filter(
          when(once(at(3) && in_round(1)))
              .then(offers_value_2(1), offers_value_2(3), prevotes_value_2(1), prevotes_value_2(3)))
      .filter(when(prevotes(1, kNil) && from(3) && to(4)).then(drop(), release("late votes")))
      .filter(when(sends_prevote(1) && (to(2) || to(4))).then(drop()))
      .machine(Machine("round 0")
                   .on("round 0", precommits(0, 1) && from(3), "locked")
                   .on("locked", prevotes(1, 2) && from(3), Machine::kFailure)
                   .on("locked", prevotes(1, kNil) && from(3), "refused")
                   .on("refused", decides_value(1) && at(4), Machine::kSuccess));
  return scenario;
}

// Node 3 locks value 1 in round 0 and crashes. When it is back, another value is proposed, while
// node 4 may have decided the first. Byzantine: node 2.
Scenario lock_survives(const Arguments&) {
  Scenario scenario("tendermint-lock-survives-a-crash");
  scenario.what("a node that comes back is still locked")
      .faults(Scenario::Faults::kOnlyByFilters)
      .filter(when(timer_set("propose") || timer_set("prevote")).then(drop()))
      .filter(when(sends_precommit(0) && (from(4) || to(2))).then(drop()))
      .filter(when(sends_precommit(0) && from(2)).then(precommit_for(2, kNil)))
      .filter(when(once(precommits(0, 1) && from(3))).then(crash(3), restart(3)))
      .filter(when(once(at(1) && in_round(1))).then(offers_value_2(1), offers_value_2(3)))
      .filter(when(sends_prevote(1) && (to(2) || to(4))).then(drop()))
      .machine(Machine("round 0")
                   .on("round 0", recovers() && at(3), "back")
                   .on("back", prevotes(1, kNil) && from(3), Machine::kSuccess)
                   .on("back", prevotes(1, 2) && from(3), Machine::kFailure));
  return scenario;
}

std::map<std::string, std::string> with(const std::string& byzantine, const std::string& rounds) {
  return {{"byzantine", byzantine}, {"behaviour", "scripted"}, {"rounds", rounds}};
}

}  // namespace

std::vector<SuiteScenario> lock_scenarios() {
  const std::string subject = "tendermint";
  std::map<std::string, std::string> crash = with("2", "2");
  crash["crash"] = "3";
  crash["recoveries"] = "1";
  return {
      {"tendermint-expect-unlock", subject, with("1", "3"), "no-unlock", expect_unlock},
      {"tendermint-relocked", subject, with("3", "3"), "keep-old-lock", relocked},
      {"tendermint-old-proof", subject, with("3", "3"), "relock-older", old_proof},
      {"tendermint-locked-commit", subject, with("4", "2"), "forget-valid", locked_commit},
      {"tendermint-different-decisions", subject, with("2", "2"), "ignore-lock",
       different_decisions},
      {"tendermint-lock-survives-a-crash", subject, crash, "restart-forgets-lock", lock_survives},
  };
}

}  // namespace ordeal::protocols::tendermint
