// The eleven Raft unit tests of Netrix (table 3.3), in its setting: five servers, an election
// timeout of ten ticks, a heartbeat every tick. Where messages are only lost, time is prompt, as it
// is on a quick network; where votes are held back, timers fire whenever the strategy likes.
#include "protocols/raft/raft.h"
#include "protocols/raft/scenario_parts.h"
#include "protocols/raft/ticks.h"

namespace ordeal::protocols::raft {
namespace {

constexpr int kSteps = 400;        // of a run: a few dozen heartbeats
constexpr int kCalm = 60;          // messages of a leader that nobody disturbs
constexpr int kElections = 12;     // more of them without a leader are too many
constexpr int kLeaderChanges = 4;  // more of them are too many

// [drop-heartbeat]
// Server r is never elected. Once it has heard a leader, it hears no leader any more: it must stand
// for election itself.
Scenario drop_heartbeat(const Arguments&) {
  Scenario scenario("raft-drop-heartbeat");
  const Who r = scenario.draw("r");
  scenario.what("a follower that does not hear its leader any more stands for election")
      .filter(when(is_send() && is_message<Vote>() && to(r)).then(drop()))
      .filter(when(is_send() && is_message<Append>() && to(r) && in_state("deaf"))
                  .then(drop(), count("unheard")))
      .machine(Machine("waiting")
                   .on("waiting", is_receive() && is_message<Append>() && to(r), "deaf")
                   .on("deaf", stands() && at(r), Machine::kSuccess)
                   .on("deaf", counter("unheard") > kElectionTicks * 5 / 2, Machine::kFailure))
      .ends_after(kSteps);
  return scenario;
}
// [/drop-heartbeat]

Scenario drop_votes(const Arguments&) {
  Scenario scenario("raft-drop-votes");
  scenario.what("a leader is elected without the votes of server 4")
      .filter(when(is_send() && is_message<Vote>() && from(4)).then(drop()))
      .filter(when(stands()).then(count("elections")))
      .machine(Machine("waiting")
                   .on("waiting", leads(), Machine::kSuccess)
                   .on("waiting", counter("elections") > kElections, Machine::kFailure))
      .ends_after(kSteps);
  return scenario;
}

// The counter of votes for that candidate in that term.
std::string votes_of(const Event& event) {
  return "votes of term " + std::to_string(event.payload.try_get<Vote>()->term) + " for " +
         std::to_string(event.to.value);
}

Scenario drop_first_votes(const Arguments&) {
  Scenario scenario("raft-drop-f-votes");
  const Condition is_early =
      condition("among the first two", [](const Event& event, const ScenarioContext& context) {
        return context.counter(votes_of(event)) < 2;
      });
  scenario.what("a leader is elected although the first two votes for it get lost")
      .filter(when(is_send() && is_message<Vote>() && is_early)
                  .then(drop(), reaction("count it",
                                         [](const Event& event, ScenarioContext& ctx) {
                                           ctx.count(votes_of(event));
                                         })))
      .filter(when(stands()).then(count("elections")))
      .machine(Machine("waiting")
                   .on("waiting", leads(), Machine::kSuccess)
                   .on("waiting", counter("elections") > kElections, Machine::kFailure))
      .ends_after(kSteps);
  return scenario;
}

Scenario drop_append(const Arguments&) {
  Scenario scenario("raft-drop-append");
  const Condition to_the_same =
      condition("to the same server", [](const Event& event, const ScenarioContext& context) {
        return context.recorded("lost")->to == event.to;  // nothing arrives before it was lost
      });
  scenario.what("entries that got lost are sent again")
      .filter(when(once(is_send() && is_message<Append>(has_entries))).then(drop(), record("lost")))
      .filter(when(is_receive() && is_message<Append>()).then(count("messages")))
      .machine(Machine("waiting")
                   .on("waiting", is_receive() && is_message<Append>(has_entries) && to_the_same,
                       Machine::kSuccess)
                   .on("waiting", counter("messages") > kCalm, Machine::kFailure))
      .ends_after(kSteps);
  return scenario;
}

// Server 4's votes arrive when the leader has long been elected.
Scenario re_vote(const Arguments&) {
  Scenario scenario("raft-re-vote");
  scenario.what("a vote that comes after the election changes nothing")
      .filter(when(is_send() && is_message<Vote>() && from(4) && in_state("waiting"))
                  .then(hold("votes of 4")))
      .filter(when(once(leads())).then(release("votes of 4")))
      .machine(Machine("waiting")
                   .on("waiting", leads(), "led")
                   .on("led", is_receive() && is_message<Vote>() && from(4), "late vote")
                   .on("late vote", leads(), Machine::kFailure)
                   .on("late vote", ended(), Machine::kSuccess));
  return scenario;
}

Scenario many_re_vote(const Arguments&) {
  Scenario scenario("raft-many-re-vote");
  scenario.what("votes of a server that follows a leader by now change nothing")
      .filter(when(is_send() && is_message<Vote>() && from(4)).then(hold("votes of 4")))
      .filter(when(once(is_receive() && is_message<Append>() && at(4))).then(release("votes of 4")))
      .machine(Machine("waiting")
                   .on("waiting", leads(), "led")
                   .on("led", is_receive() && is_message<Append>() && at(4), "followed")
                   .on("followed", is_receive() && is_message<Vote>() && from(4), "late vote")
                   .on("late vote", leads(), Machine::kFailure)
                   .on("late vote", ended(), Machine::kSuccess));
  return scenario;
}

// Votes for server 1 in term 1 are held back over two elections. They reach it while it stands for
// term 2, which server 2 has won.
Scenario multi_re_vote(const Arguments&) {
  const auto of_term_1 = [](const Vote& vote) { return vote.term == 1; };
  const auto of_term_2 = [](const RequestVote& request) { return request.term == 2; };
  Scenario scenario("raft-multi-re-vote");
  scenario.what("votes of an earlier election do not count in a later one")
      .filter(begins(1))
      .filter(clocks_stand())
      .filter(
          when(is_send() && is_message<RequestVote>() && from(1) && to(2) && !in_state("second"))
              .then(deliver()))
      .filter(when(is_send() && is_message<Vote>(of_term_1) && counter("held") == 2)
                  .then(hold("old votes"), count("held"), fire(2, "election")))
      .filter(when(is_send() && is_message<Vote>(of_term_1)).then(hold("old votes"), count("held")))
      .filter(when(is_send() && is_message<RequestVote>(of_term_2) && from(2) && to(1))
                  .then(drop(), fire(1, "election")))
      .filter(when(is_send() && is_message<RequestVote>(of_term_2) && from(1)).then(drop()))
      .filter(when(is_send() && is_message<Append>() && to(1)).then(drop()))
      .filter(when(leads() && at(2)).then(release("old votes")))
      .machine(Machine("waiting")
                   .on("waiting", stands() && at(2), "second")
                   .on("second", leads() && at(2), "elected")
                   .on("elected", is_receive() && is_message<Vote>(of_term_1) && to(1), "late")
                   .on("late", leads(), Machine::kFailure)
                   .on("late", ended(), Machine::kSuccess));
  return scenario;
}

// A leader that nobody disturbs stays; four changes are allowed until one is found.
Machine calm_machine() {
  return Machine("waiting")
      .on("waiting", counter("leaders") > kLeaderChanges, Machine::kFailure)
      .on("waiting", counter("calm") > kCalm, Machine::kSuccess);
}

Scenario& count_leaders(Scenario& scenario) {
  return scenario
      .filter(when(leads()).then(count("leaders"), reaction("no calm",
                                                            [](const Event&, ScenarioContext& ctx) {
                                                              ctx.count("calm",
                                                                        -ctx.counter("calm"));
                                                            })))
      .filter(when(is_receive() && is_message<Append>()).then(count("calm")))
      .machine(calm_machine())
      .ends_after(2 * kSteps);
}

Scenario cut(const std::string& name, const std::string& what,
             const std::vector<std::pair<int, int>>& links) {
  Scenario scenario(name);
  scenario.what(what);
  for (const auto& [a, b] : links) {
    scenario.filter(when(is_send() && between(a, b)).then(drop()));
  }
  return count_leaders(scenario);
}

Scenario liveness(const Arguments&) {
  return cut("raft-liveness",
             "servers that do not reach the leader cannot depose it by their votes",
             {{4, 1}, {4, 3}, {4, 5}, {5, 1}, {5, 2}});
}

Scenario liveness_without_check_quorum(const Arguments&) {
  return cut("raft-liveness-no-cq", "servers that do not reach the leader win no pre-vote",
             {{4, 1}, {4, 3}, {5, 1}, {5, 2}});
}

// Server 4 leads, and is cut off from all but server 2, which goes on hearing it. Nobody else could
// be elected while it leads: it must notice that it has no quorum.
Scenario no_liveness(const Arguments&) {
  const auto asks = is_message<RequestVote>();
  Scenario scenario("raft-no-liveness");
  scenario.what("a leader that a quorum does not answer steps down")
      .isolate(5)
      .filter(when(is_send() && asks && !from(4)).then(drop()))
      .filter(when(is_send() && between(1, 4) && in_state("led")).then(drop()))
      .filter(when(is_send() && between(3, 4) && in_state("led")).then(drop()))
      .filter(when(is_send() && is_message<Append>() && between(2, 4) && in_state("led"))
                  .then(count("lonely messages")))
      .machine(Machine("waiting")
                   .on("waiting", leads() && at(4), "led")
                   .on("led", logs("steps down") && at(4), Machine::kSuccess)
                   .on("led", counter("lonely messages") > kCalm, Machine::kFailure))
      .ends_after(kSteps);
  return scenario;
}

// The operator's change reaches a leader right after its election, before anybody has its entry.
Scenario conf_change_bug(const Arguments&) {
  const auto is_too_early = [](const Server& server) {
    return server.commit < server.first_of_term();
  };
  Scenario scenario("raft-conf-change-bug");
  scenario.what("a new leader changes no members before its first entry is committed")
      .filter(when(once(is_send() && is_message<Submit>())).then(hold("change")))
      .filter(when(leads()).then(release("change")))
      .machine(
          Machine("waiting")
              .on("waiting",
                  is_send() && is_message<Append>(has_config) && state_is<Server>(is_too_early),
                  Machine::kFailure)
              .on("waiting", decides() && at(1), "committed")
              .on("committed", ended(), Machine::kSuccess));
  return scenario;
}

}  // namespace

std::vector<SuiteScenario> published_scenarios() {
  const Parameters prompt = {{"servers", "5"}, {"candidates", "0"},   {"terms", "0"},
                             {"clients", "0"}, {"heartbeats", "999"}, {"time", "prompt"}};
  const auto with = [&](const Parameters& more) {
    Parameters all = prompt;
    for (const auto& [name, value] : more) all[name] = value;
    return all;
  };
  const Parameters one_election = {{"servers", "5"}, {"candidates", "1"}, {"clients", "0"}};
  const Parameters two_elections = {
      {"servers", "5"}, {"candidates", "2"}, {"terms", "2"}, {"clients", "0"}};
  const Parameters joining = {
      {"servers", "5"}, {"spares", "1"}, {"add", "6"}, {"candidates", "1"}, {"clients", "0"}};
  return {
      {"raft-liveness", "raft", with({{"check-quorum", "yes"}}), "vote-despite-leader", liveness},
      {"raft-liveness-no-cq", "raft", with({{"pre-vote", "yes"}, {"pre-votes", "999"}}),
       "stands-unasked", liveness_without_check_quorum},
      {"raft-no-liveness", "raft",
       with({{"pre-vote", "yes"}, {"pre-votes", "999"}, {"check-quorum", "yes"}}),
       "never-steps-down", no_liveness},
      {"raft-conf-change-bug", "raft", joining, "early-change", conf_change_bug},
      {"raft-drop-heartbeat", "raft", prompt, "no-second-timeout", drop_heartbeat},
      {"raft-drop-votes", "raft", with({{"candidates", "3"}}), "unanimous", drop_votes},
      {"raft-drop-f-votes", "raft", prompt, "unanimous", drop_first_votes},
      {"raft-drop-append", "raft", prompt, "no-resend", drop_append},
      {"raft-re-vote", "raft", one_election, "elected-again", re_vote},
      {"raft-many-re-vote", "raft", one_election, "elected-again", many_re_vote},
      {"raft-multi-re-vote", "raft", two_elections, "old-votes-count", multi_re_vote},
  };
}

}  // namespace ordeal::protocols::raft
