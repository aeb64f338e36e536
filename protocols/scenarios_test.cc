// The scenarios of the suite: each holds of the correct protocol, and fails with the bug that it is
// there for.
#include <set>

#include "ordeal/report.h"
#include "ordeal/scenario.h"
#include "protocols/testing.h"

namespace ordeal::protocols {
namespace {

ScenarioReport run_with(const SuiteScenario& scenario, const std::string& bug, Options options) {
  const Suite all = suite();
  const Subject* subject = all.find(scenario.subject);
  const Result<Arguments> arguments = all.arguments(*subject, scenario.parameters, bug);
  if (!arguments) {
    ADD_FAILURE() << scenario.name << ": " << arguments.error().message;
    return {};
  }
  const auto built = subject->build(*arguments);
  if (!built) {
    ADD_FAILURE() << scenario.name << ": " << built.error().message;
    return {};
  }
  options.system = scenario.subject;
  Result<ScenarioReport> report = ordeal::run(scenario.make(*arguments), **built, options);
  if (!report) {
    ADD_FAILURE() << scenario.name << ": " << report.error().message;
    return {};
  }
  return *std::move(report);
}

// As it is declared, and as often as it says with the plainest strategy.
std::vector<Options> ways_to_run() {
  Options at_random;
  at_random.strategy = "random";
  return {Options(), at_random};
}

TEST(Scenarios, EveryProtocolHasSomeAndTheirBugsExist) {
  const Suite all = suite();
  EXPECT_GE(all.scenarios().size(), 14U);
  std::set<std::string> subjects;
  for (const SuiteScenario& scenario : all.scenarios()) {
    subjects.insert(scenario.subject);
    const Subject* subject = all.find(scenario.subject);
    ASSERT_NE(subject, nullptr) << scenario.name;
    const auto arguments = all.arguments(*subject, scenario.parameters, scenario.catches);
    ASSERT_TRUE(arguments.ok()) << scenario.name << ": " << arguments.error().message;
    const Scenario made = scenario.make(*arguments);
    EXPECT_EQ(made.declaration().name, scenario.name);
    EXPECT_NE(made.declaration().what, "") << scenario.name;
  }
  EXPECT_EQ(subjects.size() + 1, all.subjects().size());
  EXPECT_FALSE(subjects.contains("cube-world"));  // which is no protocol
}

TEST(Scenarios, HoldOfTheCorrectProtocolAndEveryFilterFires) {
  const Suite all = suite();
  for (const SuiteScenario& scenario : all.scenarios()) {
    for (const Options& options : ways_to_run()) {
      const ScenarioReport report = run_with(scenario, "", options);
      EXPECT_EQ(report.verdict, Verdict::kHolds) << to_text(report);
      for (const FilterResult& filter : report.filters) {
        // Those that count what must not happen are there for that.
        const bool counts_mistakes = filter.text.find("count(\"wrong ") != std::string::npos;
        EXPECT_EQ(filter.fired == 0, counts_mistakes) << scenario.name << ": " << filter.text;
      }
    }
  }
}

TEST(Scenarios, FailWithTheBugThatTheyCatch) {
  const Suite all = suite();
  for (const SuiteScenario& scenario : all.scenarios()) {
    if (scenario.catches.empty()) continue;
    for (const Options& options : ways_to_run()) {
      const ScenarioReport report = run_with(scenario, scenario.catches, options);
      EXPECT_EQ(report.verdict, Verdict::kViolated) << scenario.name << "\n" << to_text(report);
      ASSERT_FALSE(report.violations.empty()) << scenario.name;
      EXPECT_TRUE(report.violations[0].trace.has_value()) << scenario.name;
    }
  }
}

TEST(Scenarios, HoldInEveryRunThatTheirFiltersAllow) {
  // Three copies of everything have millions of orders; so do two readers and a writer, and two
  // rounds of votes of everybody to everybody.
  const std::set<std::string> too_large = {"three-copies-of-everything",
                                           "old-value-arrives-last",
                                           "raft-liveness",
                                           "raft-liveness-no-cq",
                                           "raft-no-liveness",
                                           "raft-drop-heartbeat",
                                           "raft-drop-votes",
                                           "raft-drop-f-votes",
                                           "raft-drop-append",
                                           "raft-two-leaders-change",
                                           "raft-late-answers",
                                           "tendermint-expect-unlock",
                                           "tendermint-relocked",
                                           "tendermint-old-proof",
                                           "tendermint-lock-survives-a-crash",
                                           "tendermint-round-skip",
                                           "tendermint-lagging-replica",
                                           "tendermint-forever-lagging-replica",
                                           "tendermint-precommit-invariant",
                                           "tendermint-not-nil-decide",
                                           "pbft-lagging-replica",
                                           "pbft-proposed-twice"};
  const Suite all = suite();
  Options options;
  options.strategy = "bfs";
  options.max_states = 200'000;
  for (const SuiteScenario& scenario : all.scenarios()) {
    // Nor can the views of PBFT be gone through, each with three phases and a change of views.
    const bool has_views = scenario.subject == "pbft" && scenario.parameters.contains("views") &&
                           scenario.name != "pbft-expect-view-change";
    if (has_views || too_large.contains(scenario.name)) continue;
    const ScenarioReport report = run_with(scenario, "", options);
    EXPECT_EQ(report.verdict, Verdict::kHolds) << to_text(report);
    EXPECT_TRUE(report.exhaustive);
  }
}

}  // namespace
}  // namespace ordeal::protocols
