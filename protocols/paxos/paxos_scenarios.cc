#include "ordeal/scenario.h"
#include "protocols/paxos/node.h"
#include "protocols/paxos/paxos.h"
#include "protocols/paxos/register_server.h"

namespace ordeal::protocols::paxos {
namespace {

// Of detector events: it is about this node.
Condition about(int node, Where where = Where::current()) {
  return condition(
      "about " + std::to_string(node),
      [node](const Event& event, const ScenarioContext&) { return event.from == node; }, where);
}

// Nodes 1 and 3 accept what leader 3 proposes and node 1 learns it; node 2 knows nothing. The
// leader crashes, and node 2 takes over: it must propose what was chosen.
Scenario chosen_and_forgotten(const Arguments&) {
  Scenario scenario("leader-crashes-after-one-has-learned");
  scenario.what("a new leader that knows nothing proposes what was chosen")
      .faults(Scenario::Faults::kOnlyByFilters)
      .filter(when(is_send() && is_message<AcceptVote>() && from(3) && to(2)).then(drop()))
      .filter(when(is_send() && is_message<Learn>() && from(3) && !to(1)).then(drop()))
      .filter(when(once(decides())).then(crash(3)))
      .machine(Machine("chosen by nobody")
                   .on("chosen by nobody", decides() && at(1), "chosen")
                   .on("chosen", decides() && at(2), Machine::kSuccess));
  return scenario;
}

// The leader's proposals are held back until its successor has been promised that they will not be
// accepted any more.
Scenario late_accept(const Arguments&) {
  const auto of_old_round = [](const auto& message) { return message.round == 3; };
  Scenario scenario("late-proposals-of-the-old-leader");
  scenario.what("who has promised a higher round accepts no late proposal")
      .faults(Scenario::Faults::kOnlyByFilters)
      .filter(when(is_send() && is_message<AcceptVote>(of_old_round) && !to(3))
                  .then(hold("old proposals"), crash(3)))
      .filter(when(is_send() && is_message<AcceptVote>() && to(1)).then(release("old proposals")))
      .machine(Machine("waiting").on("waiting", decides(), Machine::kSuccess));
  return scenario;
}

// The leader is on its own: it must not decide.
Scenario lonely_leader(const Arguments&) {
  Scenario scenario("lonely-leader");
  const Partition split =
      scenario.partition("split", std::vector<std::vector<NodeId>>{{1, 2}, {3}});
  scenario.what("a leader that reaches nobody decides nothing")
      .filter(when(is_send() && split.across()).then(drop()))
      .machine(Machine("alone")
                   .on("alone", decides(), Machine::kFailure)
                   .on("alone", ended(), Machine::kSuccess));
  return scenario;
}

// [garbled]
// Somebody makes node 1 promise a round that nobody asked for. Nodes 2 and 3 are majority enough.
Scenario garbled_promise(const Arguments&) {
  Scenario scenario("garbled-promise");
  scenario.what("a promise for a round that nobody asked for counts for nothing")
      .filter(
          when(is_send() && is_message<Promise>() && from(1)).then(mutate<Promise>([](Promise& p) {
            p.round = 99;
            p.vote = Vote{99, 1};
          })))
      .filter(when(is_send() &&
                   is_message<AcceptVote>([](const AcceptVote& a) { return a.value != 3; }))
                  .then(count("wrong proposals")))
      .machine(Machine("preparing")
                   .on("preparing", counter("wrong proposals") > 0, Machine::kFailure)
                   .on("preparing", decides() && at(3), Machine::kSuccess));
  return scenario;
}
// [/garbled]

// Nodes 5 and 4 lead and crash, one after the other, and node 3 hears of it in the wrong order. Its
// round must be above that of node 4, which the others have promised to keep.
Scenario notices_in_the_wrong_order(const Arguments&) {
  Scenario scenario("notices-in-the-wrong-order");
  scenario.what("a leader's round is above those of all leaders before it")
      .script({"crash 5"})
      .faults(Scenario::Faults::kOnlyByFilters)
      .filter(when(is_event(EventKind::kNotice) && at(3) && about(5)).then(hold("crash of 5")))
      .filter(when(is_send() && is_message<Promise>() && to(4) && counter("promises") == 2)
                  .then(drop(), count("promises"), crash(4)))
      .filter(when(is_send() && is_message<Promise>() && to(4)).then(drop(), count("promises")))
      .filter(when(is_event(EventKind::kDetect) && at(3) && about(4)).then(release("crash of 5")))
      .machine(Machine("waiting").on("waiting", decides() && at(3), Machine::kSuccess));
  return scenario;
}

// Server 2 promises server 1 to accept nothing from server 0 any more, and crashes. When it comes
// back, the proposal of server 0 is there.
Scenario promise_survives(const Arguments&) {
  Scenario scenario("promise-survives-a-crash");
  scenario.what("a server that comes back keeps the promise that it made")
      .faults(Scenario::Faults::kOnlyByFilters)
      .filter(
          when(is_send() && is_message<Prepare>() && (from(0) || from(1)) && !to(2)).then(drop()))
      .filter(when(is_send() && is_message<Prepare>() && from(1) && counter("proposals") == 0)
                  .then(hold("second ballot")))
      .filter(when(is_send() && is_message<Accept>() && from(0) && to(1)).then(drop()))
      .filter(when(is_send() && is_message<Accept>() && from(0) && to(2))
                  .then(hold("first proposal"), count("proposals"), release("second ballot")))
      .filter(when(is_receive() && is_message<Prepare>() && from(1))
                  .then(crash(2), restart(2), release("first proposal")))
      .machine(Machine("waiting").on("waiting", is_send() && is_message<Decided>() && from(1),
                                     Machine::kSuccess));
  return scenario;
}

}  // namespace

std::vector<SuiteScenario> scenarios() {
  const std::map<std::string, std::string> leader_crashes = {{"nodes", "3"}, {"crash", "3"}};
  return {
      {"leader-crashes-after-one-has-learned", "paxos", leader_crashes, "ignore-accepted",
       chosen_and_forgotten},
      {"late-proposals-of-the-old-leader", "paxos", leader_crashes, "forget-promise", late_accept},
      {"lonely-leader", "paxos", {{"nodes", "3"}}, "small-quorum", lonely_leader},
      {"garbled-promise", "paxos", {{"nodes", "3"}}, "", garbled_promise},
      {"notices-in-the-wrong-order",
       "paxos",
       {{"nodes", "5"}, {"crash", "4,5"}},
       "stale-round",
       notices_in_the_wrong_order},
      {"promise-survives-a-crash",
       "paxos",
       {{"crash", "2"}, {"recoveries", "1"}},
       "volatile-promise",
       promise_survives},
  };
}

}  // namespace ordeal::protocols::paxos
