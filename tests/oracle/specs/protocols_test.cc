// Specifications and protocols in C++ of the same name go through the same states, as far as they
// speak of the same things. docs/experiments/tla-models.md says how far that is.
#include <algorithm>

#include "protocols/two_phase_commit/two_phase_commit.h"
#include "tests/oracle/specs/against_protocols.h"

namespace ordeal::specs {
namespace {

using protocols::testing::build;

// The state of the raw model in the words of the specification.
std::string in_words(const protocols::two_phase_commit::TwoPhaseCommit::State& state,
                     int managers) {
  using protocols::two_phase_commit::Transaction;
  std::string text;
  std::string messages;
  std::string known;
  for (int i = 0; i < managers; ++i) {
    const auto has = [i](uint32_t mask) { return ((mask >> i) & 1) != 0; };
    text += has(state.prepared)    ? "prepared "
            : has(state.committed) ? "committed "
            : has(state.aborted)   ? "aborted "
                                   : "working ";
    const std::string number = std::to_string(i + 1) + " ";
    if (has(state.sent)) messages += number;
    if (has(state.known)) known += number;
  }
  const bool commits = state.transaction == Transaction::kCommitted;
  const bool aborts = state.transaction == Transaction::kAborted;
  if (commits) messages += "commit ";
  if (aborts) messages += "abort ";
  return text +
         (commits  ? "| committed | "
          : aborts ? "| aborted | "
                   : "| init | ") +
         known + "| " + messages;
}

std::string in_words(const Snapshot& state, int managers) {
  std::string text;
  for (int i = 1; i <= managers; ++i) text += variable(state, "rm", i).text + " ";
  text += "| " + variable(state, "tm").text + " | ";
  std::set<std::string> known;
  for (const value::Tree& item : variable(state, "known").items) known.insert(show(item) + " ");
  for (const std::string& item : known) text += item;
  std::set<std::string> from;
  std::string decision;
  for (const value::Tree& message : variable(state, "sent").items) {
    const value::Tree* const by = message.find("by");
    if (by != nullptr) {
      from.insert(show(*by) + " ");
    } else {
      decision += message.find("type")->text + " ";
    }
  }
  text += "| ";
  for (const std::string& item : from) text += item;
  return text + decision;
}

// All that the raw model reaches.
std::set<std::string> states_of_raw_model(int managers, protocols::two_phase_commit::Planted bug) {
  using protocols::two_phase_commit::TwoPhaseCommit;
  TwoPhaseCommit protocol;
  protocol.managers = managers;
  protocol.bug = bug;
  std::set<std::string> seen;
  std::vector<TwoPhaseCommit::State> waiting = protocol.initial();
  seen.insert(in_words(waiting[0], managers));
  while (!waiting.empty()) {
    const TwoPhaseCommit::State state = waiting.back();
    waiting.pop_back();
    std::vector<TwoPhaseCommit::Action> actions;
    protocol.actions(state, actions);
    for (const TwoPhaseCommit::Action& action : actions) {
      const std::optional<TwoPhaseCommit::State> next = protocol.next(state, action);
      if (next && seen.insert(in_words(*next, managers)).second) waiting.push_back(*next);
    }
  }
  return seen;
}

TEST(SpecificationsAndProtocols, TwoPhaseCommitReachesTheSameStatesWithAndWithoutBugs) {
  using protocols::two_phase_commit::Planted;
  struct Case {
    int managers;
    Planted planted;
    std::string bug;
    size_t states;  // 0: whatever they are
  };
  const std::vector<Case> cases = {{3, Planted::kNone, "none", 288},
                                   {3, Planted::kCommitEarly, "commit-early", 0},
                                   {3, Planted::kChangeMind, "rm-changes-mind", 0},
                                   {5, Planted::kNone, "none", 8'832}};
  for (const Case& given : cases) {
    const std::string constants =
        "RM=1.." + std::to_string(given.managers) + "\nBug=\"" + given.bug + "\"";
    const std::set<std::string> model =
        projected(load("TwoPhase", "TwoPhase", {{"constant", constants}}),
                  [&](const Snapshot& state) { return in_words(state, given.managers); });
    EXPECT_EQ(model, states_of_raw_model(given.managers, given.planted)) << given.bug;
    if (given.states != 0) {
      EXPECT_EQ(model.size(), given.states);
    }
  }
}

#if !defined(__clang__)  // the fields of nodes have no names there
// Node 3 leads; nobody else does where nobody crashes. Its ballot is 3, and it proposes 3.
TEST(SpecificationsAndProtocols, AcceptorsOfPaxosReachTheSameStatesWhileOneLeads) {
  const std::set<std::string> model = projected(
      load("Paxos", "Paxos", {{"constant", "Ballot={3}\nValue={3}"}}), acceptors_of_model);
  EXPECT_EQ(projected(build("paxos", {{"nodes", "3"}}), acceptors_of_nodes), model);
  // Each has promised nothing, has promised or has voted; but nobody votes before two have
  // promised.
  EXPECT_EQ(model.size(), 3U * 3 * 3 - 3);
}

TEST(SpecificationsAndProtocols, ElectionsOfRaftGoThroughTheSameStatesInOneTerm) {
  const std::set<std::string> model = projected(
      load("Raft", "RaftElections", {{"constant", "MaxTerm=1\nMaxDown=0"}}), elections_of_model);
  EXPECT_EQ(projected(build("raft", {{"clients", "0"}, {"candidates", "0"}, {"network", "bag"}}),
                      elections_of_nodes),
            model);
  EXPECT_GT(model.size(), 20U);
}
#endif

}  // namespace
}  // namespace ordeal::specs
