// Scenarios for planted bugs that take a long story: each tells it, and says what must not follow.
#include "protocols/raft/raft.h"
#include "protocols/raft/scenario_parts.h"

namespace ordeal::protocols::raft {
namespace {

// Figure 8 of the paper, with three servers. Entry 1 of term 1 is with servers 1 and 2 when server
// 1 leads term 3; server 3, whose entry 1 is of term 2, can be elected all the same.
Scenario figure_8(const Arguments&) {
  const auto nobody_hears = [](const Append& append) { return append.term <= 2; };
  const auto of_term_3 = [](const Append& append) { return append.term == 3; };
  const auto is_second = [](const Append& append) {
    return append.term == 3 && append.before == 1;
  };
  Scenario scenario("raft-figure-8");
  scenario.what("an entry of an earlier term is not committed by counting")
      .filter(begins(1))
      .filter(clocks_stand())
      .filter(when(leads() && at(1) && counter("leaders") == 0)
                  .then(count("leaders"), fire(3, "election")))
      .filter(when(leads() && at(3) && counter("leaders") == 1)
                  .then(count("leaders"), fire(1, "election")))
      .filter(when(is_send() && is_message<RequestVote>() && !to(2)).then(deliver()))
      .filter(when(is_send() && is_message<Append>(nobody_hears)).then(drop()))
      .filter(when(is_send() && is_message<Append>(of_term_3) && to(3)).then(drop()))
      .filter(
          when(is_send() && is_message<Append>(is_second) && counter("answers") > 0).then(drop()))
      .filter(when(is_receive() && is_message<Appended>([](const Appended& appended) {
                     return appended.success;
                   }) &&
                   at(1))
                  .then(fire(3, "election")))
      .filter(when(is_send() && is_message<Appended>()).then(count("answers")))
      .machine(Machine("waiting")
                   .on("waiting", logs("leads term 3"), "counted")
                   .on("counted", logs("leads term 4"), Machine::kSuccess));
  return scenario;
}

// The answer to a write gets lost. Server 2, which comes back from its snapshot, leads next, and
// the client asks again.
Scenario asked_twice(const Arguments&) {
  const auto has_the_write = [](const Server& server) { return server.commit >= 2; };
  Scenario scenario("raft-asked-twice");
  scenario.what("a write that is asked for again after a crash is done once")
      .faults(Scenario::Faults::kOnlyByFilters)
      .filter(begins(1))
      .filter(clocks_stand())
      .filter(when(timer_set("retry")).then(hold("patience")))
      .filter(when(once(is_send() && is_message<Submit>())).then(hold("write")))
      .filter(when(leads() && at(1)).then(release("write")))
      .filter(when(is_send() && is_message<Answer>() && from(1)).then(drop()))
      .filter(when(once(is_receive() && at(2) && state_is<Server>(has_the_write)))
                  .then(crash(2), restart(2)))
      .filter(when(recovers() && at(2)).then(fire(2, "election")))
      .filter(when(leads() && at(2)).then(fire(4, "retry")))
      .machine(Machine("waiting").on("waiting", is_event(EventKind::kReturn), Machine::kSuccess));
  return scenario;
}

// Server 1 lets server 5 join, but only 5 hears of it. Server 2, which leads next, lets 1 leave
// with the votes of 2 and 3. Then 1 leads again, with the votes of 4 and 5.
Scenario two_leaders_change(const Arguments&) {
  const auto has_everything = [](const Appended& appended) {
    return appended.success && appended.index == 2;
  };
  Scenario scenario("raft-two-leaders-change");
  scenario.what("two leaders do not change the same members in two ways")
      .filter(begins(1))
      .filter(clocks_stand())
      .filter(when(is_send() && is_message<Submit>() && to(1)).then(hold("join")))
      .filter(when(is_send() && is_message<Submit>() && to(2)).then(hold("leave")))
      .filter(when(decides() && counter("applied") == 3).then(count("applied"), release("join")))
      .filter(when(decides()).then(count("applied")))
      .filter(when(is_send() && is_message<Append>(has_config) && from(1) && !to(5)).then(drop()))
      .filter(when(is_receive() && is_message<Appended>(has_everything) && from(5))
                  .then(fire(2, "election")))
      .filter(when(is_send() && is_message<RequestVote>() && from(2) && to(1)).then(deliver()))
      .filter(when(leads() && at(2)).then(release("leave")))
      .filter(when(is_send() && is_message<Append>() && from(2) && (to(1) || to(4))).then(drop()))
      .filter(when(once(is_receive() && is_message<Appended>() && at(2) && from(3) &&
                        everything_is_with({3})))
                  .then(fire(1, "election")))
      .machine(Machine("waiting")
                   .on("waiting", leads() && at(2), "second leader")
                   .on("second leader", leads() && at(1), Machine::kSuccess));
  return scenario;
}

// Servers 1, 2 and 3 become 1, 4 and 5. Of the joint configuration 2 and 3 hear nothing: it must
// not be committed, for they are a majority, too.
Scenario old_majority(const Arguments&) {
  Scenario scenario("raft-old-majority");
  scenario.what("a joint configuration needs both majorities")
      .filter(begins(1))
      .filter(clocks_stand())
      .filter(when(is_send() && is_message<Submit>()).then(hold("change")))
      .filter(when(decides() && counter("applied") == 2).then(count("applied"), release("change")))
      .filter(when(decides()).then(count("applied")))
      .filter(when(is_send() && is_message<Append>(has_config) && (to(2) || to(3))).then(drop()))
      .filter(
          when(once(is_receive() && is_message<Appended>() && at(1) && everything_is_with({4, 5})))
              .then(fire(2, "election")))
      .machine(Machine("waiting").on("waiting", leads() && at(2), Machine::kSuccess));
  return scenario;
}

// Server 2 does not know that it does not lead any more: what is written to its successor, it must
// not be asked about. The answer to a first read is held back until then, so that the second one
// begins after the write has ended.
Scenario deposed_and_asked(const Arguments&) {
  Scenario scenario("raft-deposed-and-asked");
  scenario.what("a leader that was deposed answers no reads")
      .filter(begins(2))
      .filter(clocks_stand())
      .filter(when(is_send() && from(1) && to(2) && !in_state("waiting")).then(drop()))
      .filter(when(is_send() && from(3) && to(2) && !in_state("waiting")).then(drop()))
      .filter(when(once(is_send() && is_message<Submit>() && from(4))).then(hold("write")))
      .filter(when(once(is_send() && is_message<Submit>() && from(5))).then(hold("first read")))
      .filter(when(once(decides() && at(1))).then(release("first read")))
      .filter(when(once(is_send() && is_message<Answer>() && to(5)))
                  .then(hold("first answer"), fire(1, "election")))
      .filter(when(leads() && at(1)).then(release("write")))
      .filter(when(once(is_event(EventKind::kReturn) && at(4))).then(release("first answer")))
      .machine(Machine("waiting")
                   .on("waiting", stands() && at(1), "deposed")
                   .on("deposed", is_event(EventKind::kReturn) && at(4), "written")
                   .on("written", ended(), Machine::kSuccess));
  return scenario;
}

// Server 2 asks who follows it, and the answers arrive when server 1 has been elected long since:
// no lease may rest on them. Clocks tick on their own here; in some runs it comes to that.
Scenario late_answers(const Arguments&) {
  constexpr int kBeats = 22;  // to two followers: until the old lease has run out, and a new one
                              // has been asked for
  Scenario scenario("raft-late-answers");
  const Condition is_beat = is_send() && is_message<Append>() && from(2);
  scenario.what("a lease counts from the question, not from the answers")
      .filter(when(is_send() && from(1) && to(2) && in_state("over")).then(drop()))
      .filter(when(is_beat && in_state("read") && counter("beats") < kBeats).then(count("beats")))
      .filter(when(is_beat && !in_state("waiting") && !in_state("led")).then(drop()))
      .filter(when(is_send() && is_message<Appended>() && to(2) && in_state("read"))
                  .then(hold("answers")))
      .filter(when(once(is_send() && is_message<Submit>() && from(4))).then(hold("write")))
      .filter(when(once(is_send() && is_message<Submit>() && from(5))).then(hold("first read")))
      .filter(when(once(decides() && at(2) && in_state("led"))).then(release("first read")))
      .filter(when(once(is_send() && is_message<Answer>() && to(5))).then(hold("first answer")))
      .filter(when(leads() && at(1)).then(release("write")))
      .filter(when(once(is_event(EventKind::kReturn) && at(4)))
                  .then(release("answers"), release("first answer")))
      .machine(Machine("waiting")
                   .on("waiting", leads() && at(2), "led")
                   .on("led", is_send() && is_message<Answer>() && to(5), "read")
                   .on("read", stands() && at(1), "over")
                   .on("over", is_event(EventKind::kReturn) && at(4), "written")
                   .on("written", ended(), Machine::kSuccess))
      .iterations(400)
      .expect(Expect::at_least(1));
  return scenario;
}

}  // namespace

std::vector<SuiteScenario> planted_scenarios() {
  return {
      {"raft-figure-8",
       "raft",
       {{"terms", "4"}, {"candidates", "3"}, {"batch", "1"}, {"clients", "0"}, {"network", "bag"}},
       "commit-old-term",
       figure_8},
      {"raft-asked-twice",
       "raft",
       {{"terms", "2"},
        {"snapshot-every", "1"},
        {"patience", "1"},
        {"crash", "2"},
        {"recoveries", "1"}},
       "lost-sessions",
       asked_twice},
      {"raft-two-leaders-change",
       "raft",
       {{"servers", "4"},
        {"spares", "1"},
        {"add", "5"},
        {"remove", "1"},
        {"operators", "2"},
        {"terms", "3"},
        {"clients", "0"},
        {"network", "bag"}},
       "split-brain",
       two_leaders_change},
      {"raft-old-majority",
       "raft",
       {{"spares", "2"},
        {"add", "4,5"},
        {"remove", "2,3"},
        {"joint", "yes"},
        {"terms", "2"},
        {"clients", "0"}},
       "half-joint",
       old_majority},
      {"raft-deposed-and-asked",
       "raft",
       {{"clients", "2"}, {"writers", "1"}, {"reads", "2"}, {"reads-by", "index"}, {"terms", "2"}},
       "stale-read",
       deposed_and_asked},
      {"raft-late-answers",
       "raft",
       {{"clients", "2"},
        {"writers", "1"},
        {"reads", "2"},
        {"reads-by", "lease"},
        {"check-quorum", "yes"},
        {"time", "ordered"},
        {"terms", "3"},
        {"heartbeats", "40"}},
       "late-lease",
       late_answers},
  };
}

std::vector<SuiteScenario> scenarios() {
  std::vector<SuiteScenario> all = published_scenarios();
  for (SuiteScenario& scenario : planted_scenarios()) all.push_back(std::move(scenario));
  return all;
}

}  // namespace ordeal::protocols::raft
