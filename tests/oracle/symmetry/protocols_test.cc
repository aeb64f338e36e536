// The protocols under symmetry: as many classes as orbits, and the same verdicts.
#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <string>
#include <vector>

#include "ordeal/symmetry.h"
#include "protocols/testing.h"

namespace ordeal::protocols {
namespace {

using Parameters = std::map<std::string, std::string>;
using Permutation = Symmetry::Permutation;

Options searching(bool symmetry) { return {.strategy = "bfs", .threads = 1, .symmetry = symmetry}; }

// All ways to rename points that are alike.
std::vector<Permutation> renamings(Symmetry& symmetry) {
  size_t points = 0;
  for (const auto& one : symmetry.alike()) points += one.size();
  Permutation identity(points);
  std::iota(identity.begin(), identity.end(), uint8_t{0});
  std::vector<Permutation> out = {identity};
  for (const std::vector<uint8_t>& one : symmetry.alike()) {
    std::vector<Permutation> next;
    for (std::vector<uint8_t> order = one;;) {
      for (Permutation to : out) {
        for (size_t i = 0; i < one.size(); ++i) to[one[i]] = order[i];
        next.push_back(std::move(to));
      }
      if (!std::next_permutation(order.begin(), order.end())) break;
    }
    out = std::move(next);
  }
  return out;
}

// Every state, renamed in every way.
uint64_t orbits(const Checkable& subject) {
  const std::shared_ptr<Symmetry> symmetry = *subject.symmetry();
  const std::shared_ptr<StateSpace> space = symmetry->states();
  const std::unique_ptr<Explorer> explorer = space->explorer();
  const std::vector<Permutation> all = renamings(*symmetry);
  std::set<uint64_t> seen;
  std::set<uint64_t> least_of_orbit;
  std::vector<StateSpace::Initial> waiting = *space->initial();
  for (const auto& state : waiting) seen.insert(state.fingerprint);
  while (!waiting.empty()) {
    const StateSpace::Initial state = std::move(waiting.back());
    waiting.pop_back();
    uint64_t least = ~uint64_t{0};
    for (const Permutation& to : all) {
      std::vector<uint32_t> renamed;
      symmetry->renamed(state.state, to, renamed);
      least = std::min(least, explorer->fingerprint(renamed));
    }
    least_of_orbit.insert(least);
    std::vector<Choice> choices;
    explorer->enumerate(state.state, choices);
    for (const Choice& choice : choices) {
      if (choice.fails) continue;
      StateSpace::Initial next;
      next.fingerprint = explorer->apply(state.state, state.fingerprint, choice, next.state);
      if (seen.insert(next.fingerprint).second) waiting.push_back(std::move(next));
    }
  }
  return least_of_orbit.size();
}

TEST(Symmetry, ClassesOfProtocolsAreOrbits) {
  const std::vector<std::pair<std::string, Parameters>> subjects = {
      {"two-phase-commit", {{"form", "actors"}, {"rms", "3"}}},
      {"two-phase-commit", {{"form", "actors"}, {"rms", "4"}}},
      {"two-phase-commit", {{"form", "actors"}, {"rms", "3"}, {"crash", "1,2"}}},
      {"two-phase-commit", {{"form", "actors"}, {"rms", "3"}, {"network", "ordered"}}},
      {"regular-register", {{"nodes", "4"}, {"reads", "1"}}},
      {"regular-register", {{"nodes", "4"}, {"writes", "0"}, {"reads", "1"}}},
      {"eager-reliable-broadcast", {{"nodes", "3"}}},
  };
  for (const auto& [name, parameters] : subjects) {
    const auto built = testing::build(name, parameters);
    ASSERT_TRUE(built.ok()) << name << ": " << built.error().message;
    const Result<Report> plain = check(**built, searching(false));
    const Result<Report> reduced = check(**built, searching(true));
    ASSERT_TRUE(plain.ok() && reduced.ok()) << name << ": " << reduced.error().message;
    EXPECT_EQ(reduced->distinct_states, orbits(**built)) << name;
    EXPECT_LT(reduced->distinct_states, plain->distinct_states) << name;
    EXPECT_EQ(reduced->verdict, plain->verdict) << name;
    EXPECT_EQ(reduced->depth, plain->depth) << name;
  }
}

TEST(Symmetry, TwoPhaseCommitHasAsManyClassesAsOrbits) {
  const std::vector<std::pair<std::string, uint64_t>> counts = {{"3", 80}, {"5", 314}, {"7", 920}};
  for (const auto& [managers, classes] : counts) {
    const auto built = testing::build("two-phase-commit", {{"form", "actors"}, {"rms", managers}});
    for (const char* strategy : {"bfs", "dfs"}) {
      const Result<Report> report =
          check(**built, {.strategy = strategy, .threads = 2, .symmetry = true});
      ASSERT_TRUE(report.ok()) << report.error().message;
      EXPECT_EQ(report->distinct_states, classes) << managers;
      EXPECT_EQ(report->verdict, Verdict::kHolds);
    }
  }
}

TEST(Symmetry, CounterexamplesAreShortestAndReplayWithoutIt) {
  for (const char* bug : {"commit-early", "rm-changes-mind"}) {
    const auto built = testing::build("two-phase-commit", {{"form", "actors"}, {"rms", "4"}}, bug);
    const Result<Report> plain = check(**built, searching(false));
    const Result<Report> reduced = check(**built, searching(true));
    ASSERT_TRUE(plain.ok() && reduced.ok()) << reduced.error().message;
    ASSERT_EQ(reduced->violations.size(), 1U);
    const Trace& trace = *reduced->violations[0].trace;
    EXPECT_EQ(trace.steps.size(), plain->violations[0].trace->steps.size());
    EXPECT_EQ(reduced->violations[0].property, plain->violations[0].property);
    EXPECT_TRUE(replay(**built, trace)->reproduced);
  }
}

}  // namespace
}  // namespace ordeal::protocols
