// How planted bugs become contests: with what they say they show with.
#include "cli/contests.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "ordeal/check.h"
#include "protocols/suite.h"

namespace ordeal::cli {
namespace {

// The suite of the repository, with a bug that says that a scenario shows it.
Suite with_a_bug_of_a_scenario(const Shows& shows = {.scenario = "late-decision"}) {
  Suite out;
  const Suite suite = protocols::suite();
  for (Subject subject : suite.subjects()) {
    for (Bug& bug : subject.bugs) {
      if (bug.name == "any-proposer") bug.shows = shows;
    }
    out.add(subject);
  }
  for (const SuiteScenario& scenario : suite.scenarios()) out.add(scenario);
  return out;
}

std::vector<Contest> contests(const Suite& suite, const ContestChoice& choice) {
  Result<std::vector<Contest>> found = contests_of(suite, choice);
  EXPECT_TRUE(found.ok()) << (found.ok() ? "" : found.error().message);
  return found.ok() ? *std::move(found) : std::vector<Contest>();
}

std::string error_of(const Suite& suite, const ContestChoice& choice) {
  const Result<std::vector<Contest>> found = contests_of(suite, choice);
  return found.ok() ? "" : found.error().message;
}

TEST(Contests, AreAllPlantedBugsAndEachIsThereToBeFound) {
  const Suite suite = protocols::suite();
  size_t bugs = 0;
  for (const Subject& subject : suite.subjects()) bugs += subject.bugs.size();
  const std::vector<Contest> all = contests(suite, {});
  ASSERT_EQ(all.size(), bugs);
  for (const Contest& contest : all) {
    const auto built = contest.build();
    ASSERT_TRUE(built.ok()) << contest.name << ": " << built.error().message;
    EXPECT_TRUE((*built)->validate().ok()) << contest.name;
    EXPECT_EQ(contest.command.find("--bug " + contest.bug),
              contest.command.size() - contest.bug.size() - 6)
        << contest.command;
  }
}

TEST(Contests, HaveTheParametersThatTheBugShowsWith) {
  const Suite suite = protocols::suite();
  const std::vector<Contest> one = contests(suite, {{"multi-paxos"}, "skip-phase-one"});
  ASSERT_EQ(one.size(), 1U);
  EXPECT_EQ(one[0].name, "multi-paxos skip-phase-one");
  EXPECT_EQ(one[0].command, "check multi-paxos --crash 3 --bug skip-phase-one");
}

TEST(Contests, OfAScenarioAreUnderItsFiltersAndSaySo) {
  const Suite suite = with_a_bug_of_a_scenario();
  const std::vector<Contest> one = contests(suite, {{"hierarchical-consensus"}, "any-proposer"});
  ASSERT_EQ(one.size(), 1U);
  EXPECT_EQ(one[0].name, "hierarchical-consensus any-proposer, in late-decision");
  EXPECT_EQ(one[0].command, "scenario run late-decision --bug any-proposer");
  const auto under_it = one[0].build();
  ASSERT_TRUE(under_it.ok());
  Options options;
  options.strategy = "random";
  options.max_runs = 20;
  const Result<Report> found = check(**under_it, options);
  ASSERT_TRUE(found.ok()) << found.error().message;
  EXPECT_EQ(found->verdict, Verdict::kViolated);

  const std::vector<Contest> two =
      contests(suite, {{"hierarchical-consensus"}, "any-proposer", true});
  ASSERT_EQ(two.size(), 2U);
  EXPECT_EQ(two[1].name, "hierarchical-consensus any-proposer, without its scenario");
  EXPECT_EQ(two[1].command, "check hierarchical-consensus --crash 1 --bug any-proposer");
  const auto bare = two[1].build();
  ASSERT_TRUE(bare.ok());
  EXPECT_NE((*bare)->properties().size(), (*under_it)->properties().size());
}

TEST(Contests, ThatOnlyTheirScenarioSeesAreNotLookedForWithoutIt) {
  Suite suite;
  const Suite all = protocols::suite();
  for (Subject subject : all.subjects()) {
    for (Bug& bug : subject.bugs) {
      if (bug.name != "any-proposer") continue;
      bug.shows = {.scenario = "late-decision"};
      bug.property = "its scenario";
    }
    suite.add(subject);
  }
  for (const SuiteScenario& scenario : all.scenarios()) suite.add(scenario);
  EXPECT_EQ(contests(suite, {{"hierarchical-consensus"}, "any-proposer", true}).size(), 1U);
}

TEST(Contests, ThereIsNothingToBeFoundInAScenarioWithoutItsBug) {
  const Suite suite = protocols::suite();
  for (const SuiteScenario& scenario : suite.scenarios()) {
    const Result<Chosen> chosen =
        choose(suite, {.system = scenario.subject, .scenario = scenario.name});
    ASSERT_TRUE(chosen.ok()) << scenario.name;
    Options options;
    options.strategy = "random";
    options.max_runs = 20;
    options.max_depth = scenario.make(chosen->arguments).declaration().max_steps;
    const Result<Report> report = check(chosen->explored(), options);
    ASSERT_TRUE(report.ok()) << scenario.name << ": " << report.error().message;
    EXPECT_NE(report->verdict, Verdict::kViolated) << scenario.name;
  }
}

TEST(Contests, RefuseWhatIsNotThere) {
  const Suite suite = protocols::suite();
  EXPECT_NE(error_of(suite, {{"paxo"}}).find("(did you mean 'paxos'?)"), std::string::npos);
  EXPECT_EQ(error_of(suite, {{"paxos", "paxos"}}), "paxos is named twice");
  EXPECT_NE(error_of(suite, {{"paxos"}, "small-qourum"}).find("(did you mean 'small-quorum'?)"),
            std::string::npos);
  EXPECT_EQ(error_of(with_a_bug_of_a_scenario({.scenario = "late-decisoin"}), {})
                .find("hierarchical-consensus --bug any-proposer: there is no scenario"),
            0U);
  EXPECT_EQ(error_of(with_a_bug_of_a_scenario({.parameters = {{"crush", "1"}}}), {})
                .find("hierarchical-consensus --bug any-proposer: "),
            0U);
  EXPECT_EQ(error_of(Suite(), {}), "there is no planted bug");
}

TEST(HowABugShows, IsToldBehindWhatIsWrong) {
  EXPECT_EQ(show({"b", "wrong", ""}), "wrong");
  EXPECT_EQ(show({"b", "wrong", "", {.scenario = "late-vote"}}),
            "wrong; shows in scenario late-vote");
  EXPECT_EQ(show({"b",
                  "wrong",
                  "",
                  {.parameters = {{"nodes", "5"}, {"crash", "1,2"}, {"learners", "yes"}},
                   .strategy = "random",
                   .max_runs = 1000}}),
            "wrong; shows with --nodes 5 --crash 1,2 --learners --strategy random --max-runs 1000");
}

TEST(HowABugShows, IsNotReadFromWords) {
  Suite suite;
  const Suite all = protocols::suite();
  for (Subject subject : all.subjects()) {
    for (Bug& bug : subject.bugs) {
      if (bug.name != "any-proposer") continue;
      bug.what = "shows in scenario late-decision, shows with --crash 2";
      bug.shows = {};
    }
    suite.add(subject);
  }
  const std::vector<Contest> one = contests(suite, {{"hierarchical-consensus"}, "any-proposer"});
  ASSERT_EQ(one.size(), 1U);
  EXPECT_EQ(one[0].command, "check hierarchical-consensus --bug any-proposer");
}

}  // namespace
}  // namespace ordeal::cli
