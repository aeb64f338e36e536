// Scenarios that are there for planted bugs. Where one needs a Byzantine replica that does
// something in particular, it speaks for it: what the replica would say by itself is dropped, and
// what it shall say is injected with its signature.
#include "ordeal/scenario.h"
#include "protocols/pbft/pbft.h"
#include "protocols/pbft/scenario_parts.h"

namespace ordeal::protocols::pbft {
namespace {

const Condition kTimer = is_event(EventKind::kSetTimer) && timer_set("view change");

// The first thing that happens in every run: client 5 has sent its request.
Condition the_beginning(Where where = Where::current()) {
  return is_send(where) && is_message<Request>(where) && from(5, where) && to(1, where);
}

// Only replica 3 hears that all are prepared, and executes the request. Then the view changes.
Scenario prepared_is_proposed_again(const Arguments&) {
  Scenario scenario("pbft-prepared-is-proposed-again");
  scenario.what("what may have been executed in a view is proposed again in the next")
      .filter(when(sends<Commit>(0) && !to(3)).then(drop()))
      .filter(when(kTimer && in_state("view 0")).then(hold("timers")))
      .filter(when(executes() && at(3)).then(release("timers")))
      .machine(Machine("view 0")
                   .on("view 0", executes() && at(3), "executed by one")
                   .on("executed by one", executes_in_view(1) && at(2), Machine::kSuccess));
  return scenario;
}

// A proposal is changed on its way to all backups.
Scenario garbled_proposal(const Arguments&) {
  Scenario scenario("pbft-garbled-proposal");
  scenario.what("a proposal that was changed on its way is rejected")
      .filter(when(sends<PrePrepare>(0)).then(mutate<PrePrepare>([](PrePrepare& proposal) {
        proposal.request.amount = 7;
      })))
      .machine(Machine("view 0")
                   .on("view 0", executes_in_view(0), Machine::kFailure)
                   .on("view 0", executes_in_view(1), Machine::kSuccess));
  return scenario;
}

// The primary proposes one request to replicas 3 and 4 and another to replica 2, and helps replica
// 4 to execute the first. In the next view, replica 2 has nothing to show for the second.
Scenario equivocating_primary(const Arguments&) {
  Scenario scenario("pbft-equivocating-primary");
  scenario.what("one vote besides the proposal does not prepare a request")
      .filter(when(once(the_beginning()))
                  .then(drop(), proposes(1, 2, 6), proposes(1, 3, 5), proposes(1, 4, 5),
                        commits(1, 4, 5)))
      .filter(when(is_send() && from(1)).then(drop()))
      .filter(when(kTimer && in_state("view 0")).then(hold("timers")))
      .filter(when(executes() && at(4)).then(release("timers")))
      .machine(Machine("view 0")
                   .on("view 0", executes() && at(4), "executed by one")
                   .on("executed by one", executes_in_view(1) && at(2), Machine::kSuccess));
  return scenario;
}

// Only replica 3 is prepared, and only the Byzantine primary commits with it. In the view change
// the primary says that nothing was prepared, and replica 3 is not heard.
Scenario commit_of_two(const Arguments&) {
  Scenario scenario("pbft-commit-of-two");
  scenario.what("two commits are not enough to execute")
      .filter(when(once(the_beginning()))
                  .then(drop(), proposes(1, 2, 5), proposes(1, 3, 5), proposes(1, 4, 5),
                        commits(1, 3, 5), inject_signed(issue_key(1), 2, ViewChange{1, 0, {}, {}})))
      .filter(when(is_send() && from(1)).then(drop()))
      .filter(when(sends<Prepare>(0) && !to(3)).then(drop()))
      .filter(when(sends<ViewChange>(1) && from(3) && to(2)).then(drop()))
      .filter(when(kTimer && in_state("view 0")).then(hold("timers")))
      .filter(when(is_receive() && is_message<Commit>() && from(1)).then(release("timers")))
      .machine(Machine("view 0")
                   .on("view 0", is_receive() && is_message<Commit>() && from(1), "committed")
                   .on("committed", executes_in_view(1) && at(2), Machine::kSuccess));
  return scenario;
}

// Replica 2 knows nothing of what the others have executed, and the Byzantine primary of before
// tells it that there is nothing.
Scenario view_change_of_two(const Arguments&) {
  Scenario scenario("pbft-view-change-of-two");
  scenario.what("a view does not begin before a quorum has said what it has prepared")
      .filter(when(once(the_beginning()))
                  .then(drop(), proposes(1, 3, 5), proposes(1, 4, 5), commits(1, 3, 5)))
      .filter(when(is_send() && from(1)).then(drop()))
      .filter(when(kTimer && in_state("view 0")).then(hold("timers")))
      .filter(
          when(executes() && at(3))
              .then(inject_signed(issue_key(1), 2, ViewChange{1, 0, {}, {}}), release("timers")))
      .machine(Machine("view 0")
                   .on("view 0", executes_in_view(0) && at(3), "executed by one")
                   .on("executed by one", executes_in_view(1) && at(2), Machine::kSuccess));
  return scenario;
}

// Replica 2 hears of a second proposal when it has voted for the first. With its votes for both,
// replicas 3 and 4 would execute one each.
Scenario second_proposal(const Arguments&) {
  Scenario scenario("pbft-second-proposal");
  scenario.what("a second proposal for a sequence number gets no vote")
      .filter(when(once(the_beginning()))
                  .then(drop(), proposes(1, 2, 5), proposes(1, 3, 5), commits(1, 3, 5)))
      .filter(when(is_send() && from(1)).then(drop()))
      .filter(when(once(sends<Commit>(0) && from(2) && to(3)))
                  .then(proposes(1, 2, 6), proposes(1, 4, 6), commits(1, 4, 6)))
      .machine(Machine("voting").on("voting", executes() && at(3), Machine::kSuccess));
  return scenario;
}

// The primary of view 1 begins it with nothing, although a request has been executed.
Scenario empty_new_view(const Arguments&) {
  const NewView nothing{1, {}, {}};
  Scenario scenario("pbft-empty-new-view");
  scenario.what("a new view that leaves out what was prepared is not entered")
      .filter(when(is_send() && from(2)).then(drop()))
      .filter(when(kTimer && in_state("view 0")).then(hold("timers")))
      .filter(when(executes() && at(3))
                  .then(inject_signed(issue_key(2), 3, nothing),
                        inject_signed(issue_key(2), 4, nothing), release("timers")))
      .filter(when(sends<Commit>(0) && !to(3)).then(drop()))
      .machine(Machine("view 0")
                   .on("view 0", executes() && at(3), "executed by one")
                   .on("executed by one", executes_in_view(2) && at(4), Machine::kSuccess));
  return scenario;
}

// All votes of view 0 are late: they arrive when everybody has asked for view 1, and before it
// begins.
Scenario votes_of_the_view_before(const Arguments&) {
  Scenario scenario("pbft-votes-of-the-view-before");
  scenario.what("who has asked for a view takes no part in the one before")
      .filter(when(sends<Prepare>(0)).then(hold("votes")))
      .filter(when(sends<NewView>(1)).then(delay(1'000), release("votes")))
      .machine(Machine("view 0")
                   .on("view 0", executes_in_view(0), Machine::kFailure)
                   .on("view 0", executes_in_view(1), Machine::kSuccess));
  return scenario;
}

// Replica 4 alone has prepared the request of client 6 in view 0. Nobody hears of it in view 1,
// where replica 3 executes that of client 5. View 2 begins with what both say.
Scenario newest_certificate(const Arguments&) {
  Scenario scenario("pbft-newest-certificate");
  scenario.what("of two requests prepared for a sequence number, that of the later view counts")
      .filter(when(once(the_beginning())).then(drop(), inject(5, 2, request_of(5))))
      .filter(when(sends<Prepare>(0) && !to(4)).then(drop()))
      .filter(when(kTimer && !in_state("executed by one")).then(hold("timers")))
      .filter(when(sends<Commit>(0) && from(4)).then(drop(), release("timers")))
      .filter(when(sends<ViewChange>(1) && from(4)).then(drop()))
      .filter(when(is_send() && from(2) && to(4) && in_state("view 1")).then(drop()))
      .filter(when(sends<Commit>(1) && !to(3)).then(drop()))
      .filter(when(executes_in_view(1) && at(3)).then(release("timers")))
      .filter(when(sends<ViewChange>(2) && from(1) && to(3)).then(drop()))
      .machine(Machine("view 0")
                   .on("view 0", sends<Commit>(0) && from(4), "view 1")
                   .on("view 1", executes_in_view(1) && at(3), "executed by one")
                   .on("executed by one", executes_in_view(2) && at(4), Machine::kSuccess));
  return scenario;
}

// Replica 3 executes at 1 and 2, the others at 1 only. Then the checkpoint at 1 becomes stable, and
// the view changes.
Scenario above_the_checkpoint(const Arguments&) {
  Scenario scenario("pbft-above-the-checkpoint");
  scenario.what("a stable checkpoint leaves what is above it alone")
      .filter(when(is_send() && is_message<Checkpoint>() && in_state("view 0"))
                  .then(hold("checkpoints")))
      .filter(when(sends<Commit>(0, 2) && !to(3)).then(drop()))
      .filter(when(kTimer && in_state("view 0")).then(hold("timers")))
      .filter(when(executes(2) && at(3)).then(release("checkpoints"), release("timers")))
      .machine(Machine("view 0")
                   .on("view 0", executes(2) && at(3), "executed by one")
                   .on("executed by one", executes(2) && executes_in_view(1), Machine::kSuccess));
  return scenario;
}

// Replica 4 hears of no proposal. It takes over the state at the checkpoint, and takes part again.
Scenario lagging_replica(const Arguments&) {
  const auto second = [](const Checkpoint& checkpoint) { return checkpoint.sequence == 2; };
  const Condition restores = is_event(EventKind::kDecide) && carries<Restored>() && at(4);
  Scenario scenario("pbft-lagging-replica");
  scenario.what("a replica that missed everything before a checkpoint goes on from there")
      .filter(when(sends<PrePrepare>(0, 1) && to(4)).then(drop()))
      .filter(when(sends<PrePrepare>(0, 2) && in_state("lagging")).then(hold("second")))
      .filter(when(restores).then(release("second")))
      .filter(when(is_send() && is_message<Checkpoint>(second) && to(4)).then(drop()))
      .machine(Machine("lagging")
                   .on("lagging", executes(1) && at(4), Machine::kFailure)
                   .on("lagging", restores, "restored")
                   .on("restored", executes(2) && at(4), Machine::kSuccess));
  return scenario;
}

// The Byzantine primary proposes one request for two sequence numbers. Replica 4 has the state
// after the first from others, and must know from it that the request has been executed.
Scenario proposed_twice(const Arguments&) {
  const Key primary = issue_key(1);
  const Checkpoint first{1, digest_of(Service{1, {{5, {1, 1}}}})};
  const PrePrepare again{0, 2, request_of(5)};
  Scenario scenario("pbft-proposed-twice");
  scenario.what("a request that is proposed again is not executed again")
      .filter(when(once(the_beginning()))
                  .then(drop(), proposes(1, 2, 5), proposes(1, 3, 5), commits(1, 2, 5),
                        commits(1, 3, 5), inject_signed(primary, 4, first),
                        inject_signed(primary, 2, again), inject_signed(primary, 3, again),
                        inject_signed(primary, 4, again)))
      .filter(when(is_send() && from(1)).then(drop()))
      .machine(Machine("waiting").on("waiting", executes(2) && at(4), Machine::kSuccess));
  return scenario;
}

}  // namespace

std::vector<SuiteScenario> bug_scenarios() {
  using Given = std::map<std::string, std::string>;
  const std::string subject = "pbft";
  const Given two_views = {{"views", "2"}, {"retries", "1"}};
  const Given traitor = {{"views", "2"}, {"retries", "1"}, {"byzantine", "1"}};
  const Given equivocation = {{"views", "2"}, {"byzantine", "1"}, {"clients", "2"}};
  return {
      {"pbft-prepared-is-proposed-again", subject, two_views, "forgets-prepared",
       prepared_is_proposed_again},
      {"pbft-garbled-proposal",
       subject,
       {{"views", "2"}, {"retries", "1"}, {"time", "prompt"}},
       "unsigned",
       garbled_proposal},
      {"pbft-equivocating-primary", subject, equivocation, "small-prepare-quorum",
       equivocating_primary},
      {"pbft-commit-of-two", subject, traitor, "small-commit-quorum", commit_of_two},
      {"pbft-view-change-of-two", subject, traitor, "small-view-change-quorum", view_change_of_two},
      {"pbft-second-proposal",
       subject,
       {{"clients", "2"}, {"byzantine", "1"}},
       "two-proposals",
       second_proposal},
      {"pbft-empty-new-view",
       subject,
       {{"views", "3"}, {"retries", "1"}, {"byzantine", "2"}},
       "trusts-new-view",
       empty_new_view},
      {"pbft-votes-of-the-view-before", subject, two_views, "stays-in-view",
       votes_of_the_view_before},
      {"pbft-newest-certificate",
       subject,
       {{"views", "3"}, {"clients", "2"}},
       "oldest-certificate",
       newest_certificate},
      {"pbft-above-the-checkpoint",
       subject,
       {{"views", "2"}, {"clients", "2"}, {"checkpoint-interval", "1"}},
       "forgets-above-checkpoint",
       above_the_checkpoint},
      {"pbft-lagging-replica",
       subject,
       {{"requests", "2"}, {"checkpoint-interval", "1"}},
       "",
       lagging_replica},
      {"pbft-proposed-twice",
       subject,
       {{"byzantine", "1"}, {"checkpoint-interval", "1"}},
       "loses-replies",
       proposed_twice},
  };
}

}  // namespace ordeal::protocols::pbft
