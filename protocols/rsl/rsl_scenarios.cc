#include "ordeal/scenario.h"
#include "protocols/rsl/replica.h"
#include "protocols/rsl/rsl.h"

namespace ordeal::protocols::rsl {
namespace {

// Clients are quicker than clocks.
Filter requests_come_first(Where where = Where::current()) {
  return when(is_on_its_way(where) && carries<Submit>(where), where).then(deliver(where));
}

// This one misses its primary first of all.
Filter begins(int replica, Where where = Where::current()) {
  return when(once(timer_set("election", where) && at(replica, where), where), where)
      .then(deliver(where));
}
// Nobody else does, unless the scenario says so.
Filter clocks_stand(Where where = Where::current()) {
  return when(timer_set("election", where), where).then(hold("clocks", where));
}

// Most of these begin alike: replica 2 has heard that nobody is ahead of it and prepares ballot
// 1.2, but its Prepare is held back. Replica 1, which it does not hear, gets the promise of
// replica 3 for ballot 1.1.
Filter second_waits(Where where = Where::current()) {
  return when(is_send(where) && is_message<Prepare>(where) && from(2, where), where)
      .then(hold("second", where));
}
Filter first_stands(Where where = Where::current()) {
  return when(logs("prepares ballot 1.2", where), where).then(fire(1, "election", where));
}
Condition prepares_or_votes(int sender, int receiver, Where where = Where::current()) {
  return is_send(where) && from(sender, where) && to(receiver, where) &&
         (is_message<Prepare>(where) || is_message<Vote>(where));
}
Condition is_primary(const std::string& ballot, Where where = Where::current()) {
  return logs("primary in ballot " + ballot, where);
}

// Replicas 1 and 3 decide; replica 2, whose status round was before that, is promised by them.
Scenario freshest_vote(const Arguments&) {
  Scenario scenario("rsl-freshest-vote");
  scenario.what("a new primary proposes what its predecessor may have had decided")
      .filter(requests_come_first())
      .filter(begins(2))
      .filter(clocks_stand())
      .filter(second_waits())
      .filter(first_stands())
      .filter(when(prepares_or_votes(1, 2)).then(drop()))
      .filter(when(once(decides() && at(1))).then(release("second")))
      .machine(Machine("first primary")
                   .on("first primary", decides() && at(1), "decided")
                   .on("decided", decides() && at(2), Machine::kSuccess));
  return scenario;
}

// Replica 3 has promised ballot 1.2, and voted under it, when the vote of ballot 1.1 arrives.
Scenario late_vote(const Arguments&) {
  Scenario scenario("rsl-late-vote");
  scenario.what("who has promised a newer ballot does not accept a late vote")
      .filter(requests_come_first())
      .filter(begins(2))
      .filter(clocks_stand())
      .filter(when(prepares_or_votes(1, 2) || prepares_or_votes(2, 1)).then(drop()))
      .filter(second_waits())
      .filter(first_stands())
      .filter(when(is_send() && is_message<Vote>() && from(1)).then(hold("late")))
      .filter(when(is_primary("1.1")).then(release("second")))
      .filter(when(once(decides() && at(2))).then(release("late")))
      .machine(
          Machine("two primaries")
              .on("two primaries", decides() && at(2), "decided")
              .on("decided", is_send() && is_message<NotAccepted>() && from(3), Machine::kSuccess));
  return scenario;
}

// The vote for decree 1 never reaches replica 3; that for decree 2 says that it is decided.
Scenario lagging_replica(const Arguments&) {
  const auto is_first = [](const Vote& vote) { return vote.decree == 1; };
  Scenario scenario("rsl-lagging-replica");
  scenario.what("who has missed a vote fetches it, and does not guess")
      .filter(requests_come_first())
      .filter(when(is_send() && is_message<Vote>(is_first) && to(3)).then(drop()))
      .machine(Machine("behind")
                   .on("behind", is_send() && is_message<FetchVotes>() && from(3), "fetches")
                   .on("fetches", decides() && at(3), Machine::kSuccess));
  return scenario;
}

// As in the first one, but replica 3 goes down and comes back before replica 2 asks it, and hears
// from nobody but replica 2 then.
Scenario vote_survives_a_crash(const Arguments&) {
  Scenario scenario("rsl-vote-survives-a-crash");
  scenario.what("a vote that may have decided is known after a crash")
      .faults(Scenario::Faults::kOnlyByFilters)
      .filter(requests_come_first())
      .filter(begins(2))
      .filter(clocks_stand())
      .filter(when(prepares_or_votes(1, 2) || prepares_or_votes(2, 1)).then(drop()))
      .filter(second_waits())
      .filter(first_stands())
      .filter(when(once(decides() && at(1))).then(crash(3), restart(3)))
      .filter(when(is_send() && is_message<StatusResponse>() && from(1) && to(3)).then(drop()))
      .filter(when(is_receive() && is_message<StatusResponse>() && at(3)).then(release("second")))
      .machine(Machine("first primary")
                   .on("first primary", recovers() && at(3), "back")
                   .on("back", decides() && at(2), Machine::kSuccess));
  return scenario;
}

// Replica 3 has promised ballot 1.2 and goes down. It comes back, and the vote of ballot 1.1
// arrives before that of ballot 1.2.
Scenario promise_survives_a_crash(const Arguments&) {
  Scenario scenario("rsl-promise-survives-a-crash");
  scenario.what("a promise is kept after a crash")
      .faults(Scenario::Faults::kOnlyByFilters)
      .filter(requests_come_first())
      .filter(begins(2))
      .filter(clocks_stand())
      .filter(when(prepares_or_votes(1, 2) || prepares_or_votes(2, 1)).then(drop()))
      .filter(second_waits())
      .filter(first_stands())
      .filter(when(is_send() && is_message<Vote>() && from(1)).then(hold("late")))
      .filter(when(is_primary("1.1")).then(release("second")))
      .filter(when(is_send() && is_message<PrepareAccepted>() && to(2))
                  .then(hold("promise"), crash(3), restart(3)))
      .filter(when(is_send() && is_message<StatusResponse>() && from(1) && to(3)).then(drop()))
      .filter(when(is_receive() && is_message<StatusResponse>() && at(3)).then(release("late")))
      .filter(when(once(is_receive() && is_message<Vote>() && at(3))).then(release("promise")))
      .machine(Machine("promised")
                   .on("promised", recovers() && at(3), "back")
                   .on("back", decides() && at(2), Machine::kSuccess));
  return scenario;
}

// Replica 1 is alone with its vote when replica 3, which has promised ballot 1.2 meanwhile, comes
// back and fetches it. Replica 2 has another value decided.
Scenario fetched_is_not_decided(const Arguments&) {
  Scenario scenario("rsl-fetched-is-not-decided");
  scenario.what("the last vote that was fetched may not be decided")
      .faults(Scenario::Faults::kOnlyByFilters)
      .filter(requests_come_first())
      .filter(begins(2))
      .filter(clocks_stand())
      .filter(when(is_send() && is_message<Prepare>() && between(1, 2)).then(drop()))
      .filter(second_waits())
      .filter(first_stands())
      .filter(when(is_send() && is_message<Vote>() && from(1)).then(drop()))
      .filter(when(is_primary("1.1")).then(release("second")))
      .filter(when(is_send() && is_message<PrepareAccepted>() && to(2))
                  .then(hold("promise"), crash(3), restart(3)))
      .filter(when(is_send() && is_message<StatusResponse>() && from(2) && to(3)).then(drop()))
      .filter(when(is_receive() && is_message<FetchedVotes>() && at(3)).then(release("promise")))
      .machine(Machine("promised")
                   .on("promised", is_send() && is_message<FetchedVotes>(), "fetched")
                   .on("fetched", decides() && at(2), Machine::kSuccess));
  return scenario;
}

// Nobody's answer arrives, and there is more to propose.
Scenario primary_waits(const Arguments&) {
  const auto is_second = [](const Submit& submit) { return submit.value == 2; };
  Scenario scenario("rsl-primary-waits");
  scenario.what("a primary that hears nothing about a decree does not go on to the next")
      .filter(when(is_on_its_way() && carries<Submit>(is_second)).then(hold("more")))
      .filter(when(is_send() && is_message<VoteAccepted>()).then(drop(), release("more")))
      .machine(Machine("waiting")
                   .on("waiting", decides(), Machine::kFailure)
                   .on("waiting", ended(), Machine::kSuccess));
  return scenario;
}

}  // namespace

std::vector<SuiteScenario> scenarios() {
  const std::string subject = "rsl";
  const std::map<std::string, std::string> back = {
      {"crash", "3"}, {"recoveries", "1"}, {"network", "bag"}};
  const std::map<std::string, std::string> one = {{"candidates", "1"}};
  return {
      {"rsl-freshest-vote", subject, {}, "inconsistent-logs", freshest_vote},
      {"rsl-late-vote", subject, {}, "older-ballots", late_vote},
      {"rsl-lagging-replica", subject, one, "any-next-decree", lagging_replica},
      {"rsl-vote-survives-a-crash", subject, back, "vote-not-logged", vote_survives_a_crash},
      {"rsl-promise-survives-a-crash", subject, back, "prepare-not-logged",
       promise_survives_a_crash},
      {"rsl-fetched-is-not-decided", subject, back, "learns-undecided", fetched_is_not_decided},
      {"rsl-primary-waits", subject, one, "hasty-primary", primary_waits},
  };
}

}  // namespace ordeal::protocols::rsl
