// Numbers and verdicts that others have published for the same protocols. A count can only be
// compared where the protocol is the same to the letter; the subjects' sources say where they are.
#include "protocols/testing.h"

namespace ordeal::protocols {
namespace {

using testing::expect_holds;
using testing::expect_violated;
using testing::Given;

// --- Stateright 0.31, examples and their tests ---------------------------------------------------

TEST(Published, TwoPhaseCommit) {
  // examples/2pc.rs: 288 states for 3 resource managers, 8,832 for 5.
  EXPECT_EQ(expect_holds("two-phase-commit", {{"rms", "3"}}).distinct_states, 288U);
  EXPECT_EQ(expect_holds("two-phase-commit", {{"rms", "5"}}).distinct_states, 8'832U);
}

TEST(Published, TwoPhaseCommitAsNodesHasTheSameStates) {
  for (const auto& [rms, count] : std::map<std::string, uint64_t>{{"3", 288}, {"5", 8'832}}) {
    const Given given = {{"rms", rms}, {"form", "actors"}};
    EXPECT_EQ(expect_holds("two-phase-commit", given).distinct_states, count);
  }
}

TEST(Published, SingleCopyRegister) {
  // examples/single-copy-register.rs: 93 states for 2 clients and 1 server; with 2 servers it is
  // not linearizable.
  EXPECT_EQ(
      expect_holds("single-copy-register", {{"clients", "2"}, {"servers", "1"}}).distinct_states,
      93U);
  expect_violated("single-copy-register", {{"clients", "2"}, {"servers", "2"}}, "", "linearizable");
}

TEST(Published, AbdRegister) {
  // examples/linearizable-register.rs: 544 states for 2 clients and 2 servers.
  EXPECT_EQ(expect_holds("abd-register", {{"clients", "2"}, {"servers", "2"}}).distinct_states,
            544U);
}

TEST(Published, Paxos) {
  // examples/paxos.rs: 16,668 states for 2 clients and 3 servers.
  EXPECT_EQ(expect_holds("paxos", {{"clients", "2"}, {"servers", "3"}}).distinct_states, 16'668U);
}

// --- Sizes nobody published, by the same protocols -----------------------------------------------

TEST(Derived, TwoPhaseCommitGrowsAsCounted) {
  // Enumerated; between the two published sizes and beyond them.
  const std::map<std::string, uint64_t> counts = {
      {"1", 12}, {"2", 56}, {"3", 288}, {"4", 1'568}, {"5", 8'832}, {"6", 50'816}, {"7", 296'448}};
  for (const auto& [rms, count] : counts) {
    EXPECT_EQ(expect_holds("two-phase-commit", {{"rms", rms}}).distinct_states, count) << rms;
  }
}

TEST(Derived, PaxosWithThreeClients) {
  EXPECT_EQ(expect_holds("paxos", {{"clients", "3"}, {"servers", "3"}}).distinct_states,
            1'194'428U);
}

// --- Go-MC, tables 1 to 3 ------------------------------------------------------------------------

struct Configuration {
  std::string name;
  Given given;
  std::string strategy;
};

// Table 1: six configurations, each run to its end. What the prefix strategy explores completely
// within the bound holds; what it does not, and whatever was sampled, is undecided.
const std::vector<Configuration>& table1() {
  static const std::vector<Configuration> all = {
      {"hierarchical-consensus", {{"nodes", "3"}, {"crash", "2"}}, "prefix"},
      {"hierarchical-consensus",
       {{"nodes", "3"}, {"crash", "2"}, {"messaging", "request-response"}},
       "prefix"},
      {"eager-reliable-broadcast", {{"nodes", "3"}, {"crash", "2"}}, "prefix"},
      {"regular-register", {{"nodes", "3"}, {"writes", "1"}, {"reads", "2"}}, "random"},
      {"paxos", {{"nodes", "3"}, {"crash", "2"}}, "random"},
      {"multi-paxos", {{"nodes", "3"}, {"proposals", "3"}, {"crash", "2"}}, "prefix"},
  };
  return all;
}

void expect_table1_runs(uint64_t runs) {
  for (const Configuration& c : table1()) {
    const Report report = testing::run(c.name, c.given, "", testing::runs_of(c.strategy, runs));
    const std::string what = testing::describe(c.name, c.given, "");
    EXPECT_NE(report.verdict, Verdict::kViolated) << what << "\n" << testing::brief(report);
    EXPECT_TRUE(report.runs == runs || report.complete) << what << ": " << report.runs;
    EXPECT_EQ(report.complete, report.verdict == Verdict::kHolds) << what;
  }
}

TEST(GoMcTable1, AThousandRuns) { expect_table1_runs(1'000); }
TEST(GoMcTable1, TenThousandRuns) { expect_table1_runs(10'000); }

// Tables 2 and 3: hierarchical consensus with the bug of listing 6.1.
Report simulation(const std::string& strategy, const std::string& nodes, const std::string& crash,
                  const std::string& pick = "first", uint64_t runs = 10'000) {
  return testing::run("hierarchical-consensus", {{"nodes", nodes}, {"crash", crash}},
                      "advance-once", testing::runs_of(strategy, runs, pick));
}

void expect_freeze(const Report& report) {
  ASSERT_EQ(report.verdict, Verdict::kViolated) << testing::brief(report);
  EXPECT_EQ(report.violations.front().property, "termination");
}

TEST(GoMcTable3, Simulation1PrefixWithoutCrashesHolds) {
  EXPECT_EQ(simulation("prefix", "3", "").verdict, Verdict::kHolds);
}

TEST(GoMcTable3, Simulation2PrefixFindsTheBug) {
  for (uint64_t runs : {1'000, 10'000}) {
    const Report report = simulation("prefix", "3", "1", "first", runs);
    expect_freeze(report);
    EXPECT_LE(report.runs, runs);
  }
}

TEST(GoMcTable3, Simulation3PrefixMayMissTheBugWithSevenNodes) {
  // Only minor changes between one run and the next; there it was not found either.
  const Verdict verdict = simulation("prefix", "7", "2").verdict;
  EXPECT_TRUE(verdict == Verdict::kViolated || verdict == Verdict::kUndecided)
      << to_string(verdict);
}

TEST(GoMcTable3, Simulation4RandomWithoutCrashesNeverProves) {
  EXPECT_EQ(simulation("random", "3", "").verdict, Verdict::kUndecided);
}

TEST(GoMcTable3, Simulation5RandomFindsTheBug) { expect_freeze(simulation("random", "3", "1")); }

TEST(GoMcTable3, Simulation6RandomFindsTheBugWithSevenNodes) {
  expect_freeze(simulation("random", "7", "2"));
}

TEST(GoMcTable3, PrefixesPickedAtRandomFindTheBugWithSevenNodes) {
  for (uint64_t seed = 0; seed < 12; ++seed) {
    Options options = testing::runs_of("prefix", 1'000, "random");
    options.seed = seed;
    const Report report = testing::run("hierarchical-consensus", {{"nodes", "7"}, {"crash", "2"}},
                                       "advance-once", options);
    EXPECT_EQ(report.verdict, Verdict::kViolated)
        << "seed " << seed << ": " << testing::brief(report);
    EXPECT_LE(report.runs, 1'000U) << "seed " << seed;
  }
}

}  // namespace
}  // namespace ordeal::protocols
