// Schedulers: what they are made of, the runs they pick, and what they find.
#include <gtest/gtest.h>

#include <set>

#include "protocols/testing.h"
#include "tests/engine/schedulers/problems.h"

namespace ordeal::oracle::schedulers {
namespace {

const std::vector<std::string> kSchedulers = {"random", "pct", "pctcp", "pos", "delay"};

TEST(ChangePoints, AreDifferentAndEveryOneIsAsLikely) {
  EXPECT_EQ(problem_with_change_points(), "");
}

TEST(Chains, AreChainsAndNoMoreThanTheWidthAllows) {
  EXPECT_EQ(problem_with_chains(), "");
  EXPECT_EQ(problem_with_long_chains(), "");
}

TEST(Delay, RunsAreAsManyAsOrdersWithSoManyInversions) {
  EXPECT_EQ(problem_with_delayed_chores(), "");
}

TEST(Delay, AFaultCostsADelay) { EXPECT_EQ(problem_with_delayed_faults(), ""); }

TEST(Delay, SendsWhatIsDelayedToTheBack) { EXPECT_EQ(problem_with_the_back_of_the_queue(), ""); }

TEST(Delay, SaysWhichRunsItHasSeen) {
  const Model<Chores> model(Chores{3});
  const auto report = check(model, {.strategy = "delay", .delays = 1});
  ASSERT_TRUE(report.ok()) << report.error().message;
  ASSERT_EQ(report->bounds.size(), 1U);
  EXPECT_EQ(report->bounds[0].kind, Bound::Kind::kPart);
  EXPECT_EQ(to_string(report->bounds[0]), "all runs with at most 1 delay");
  EXPECT_EQ(report->verdict, Verdict::kUndecided);
  const auto cut = check(model, {.strategy = "delay", .delays = 2, .max_runs = 2});
  ASSERT_TRUE(cut.ok());
  EXPECT_EQ(cut->bounds, (std::vector<Bound>{{Bound::Kind::kRuns, 2}}));
}

TEST(Priorities, LetOneWaitForAllOthers) { EXPECT_EQ(problem_with_priorities(), ""); }

TEST(Pos, DrawsAgainWhatRaces) { EXPECT_EQ(problem_with_races(), ""); }

TEST(Samplers, RepeatAnyRunAlone) { EXPECT_EQ(problem_with_repeating(), ""); }

TEST(Pctcp, FindsTheCausesThatTracesHave) {
  uint64_t compared = 0;
  EXPECT_EQ(problem_with_pasts(1000, compared), "");
  EXPECT_GT(compared, 300U);
}

// Runs of every scheduler, on every kind of system: they end where runs may end, and nothing is
// found that is not there.
TEST(Schedulers, EndRunsOnlyWhereNoProgressIsPossible) {
  uint64_t ended = 0;
  for (uint64_t seed = 0; seed < 150; ++seed) {
    const Case item = generate(seed);
    for (const std::string& name : kSchedulers) {
      const auto world = item.system.world();
      const auto made = explore::make_scheduler({.strategy = name, .seed = seed}, *world);
      ASSERT_TRUE(made.ok());
      for (uint64_t run = 0; run < 3; ++run) {
        const ShortForm path = run_of(**made, *world, run, 60);
        if (path.choices.size() >= 60) continue;
        const Result<Trace> trace = record(item.system, path, {});
        if (!trace || trace->steps.empty() || !trace->steps.back().detail.failure.empty()) continue;
        EXPECT_TRUE(explore::may_end(*world)) << name << ", system " << seed;
        ++ended;
      }
    }
  }
  EXPECT_GT(ended, 500U);
}

// --- Opaque nodes, raw models ------------------------------------------------------------------

struct Ping {
  int n = 0;
};

class Live {
 public:
  using Messages = Types<Ping>;
  void start(Context& ctx) { ctx.broadcast(Ping{1}); }
  void on(Context& ctx, NodeId, const Ping& ping) {
    sum_ += ping.n + static_cast<int>(ctx.choose(2));
    if (sum_ == 4) ctx.decide(sum_);
  }
  std::string show() const { return std::to_string(sum_); }

 private:
  int sum_ = 0;
};

TEST(Schedulers, RunOpaqueNodes) {
  for (const std::string& name : kSchedulers) {
    System system;
    system.add_opaque<Live>(3, [](NodeId) { return std::make_unique<Live>(); });
    system.crash({1}, 1).always("nobody decides 4",
                                [](const View& view) { return view.decisions(2).empty(); });
    const auto report = check(system, {.strategy = name, .max_runs = 500});
    ASSERT_TRUE(report.ok()) << name << ": " << report.error().message;
    ASSERT_EQ(report->verdict, Verdict::kViolated) << name;
    const auto again = replay(system, *report->violations[0].trace);
    ASSERT_TRUE(again.ok());
    EXPECT_TRUE(again->reproduced) << name << ": " << again->why;
  }
}

TEST(Schedulers, RunRawModels) {
  for (const std::string& name : kSchedulers) {
    Model<Chores> model(Chores{4});
    model.always("3 is not second",
                 [](const Chores::State& s) { return s.done.size() < 2 || s.done[1] != 3; });
    const auto report = check(model, {.strategy = name, .max_runs = 500});
    ASSERT_TRUE(report.ok()) << name << ": " << report.error().message;
    EXPECT_EQ(report->verdict, Verdict::kViolated) << name;
  }
}

// --- Options -----------------------------------------------------------------------------------

TEST(SchedulerOptions, AreRefusedWhereTheyMeanNothing) {
  const System system = race(2);
  const auto error = [&](const Options& options) {
    const auto report = check(system, options);
    return report.ok() ? std::string() : report.error().message;
  };
  EXPECT_EQ(error({.strategy = "bfs", .bug_depth = 3}),
            "a bug depth is for strategies pct, pctcp and portfolio, not for bfs");
  EXPECT_EQ(error({.strategy = "pos", .max_events = 30}),
            "a bound on events is for strategies pct, pctcp and portfolio, not for pos");
  EXPECT_EQ(error({.strategy = "pctcp", .delays = 1}),
            "a number of delays is for strategies delay and portfolio, not for pctcp");
  EXPECT_EQ(error({.strategy = "pctcp", .bug_depth = 5, .max_events = 3}),
            "bugs of depth 5 need 4 change points, but a run has at most 3 events");
  EXPECT_EQ(error({.strategy = "pctcp", .bug_depth = 4, .max_events = 3}), "");
  const auto none = explore::make_scheduler({.strategy = "bfs"}, *system.world());
  ASSERT_FALSE(none.ok());
  EXPECT_NE(none.error().message.find("random, pct, pctcp, pos, delay"), std::string::npos);
}

TEST(SchedulerOptions, EventsAreCountedInRandomRunsFirst) {
  const auto report = check(race(5), {.strategy = "pctcp", .max_runs = 10});
  ASSERT_TRUE(report.ok());
  ASSERT_EQ(report->notes.size(), 1U);
  EXPECT_EQ(
      report->notes[0],
      "bugs of depth 3 among 6 events a run (the most of 20 random runs), in at most 2 chains");
  const auto given = check(race(5), {.strategy = "pctcp", .max_events = 4, .max_runs = 10});
  ASSERT_TRUE(given.ok());
  EXPECT_EQ(given->notes[0],
            "bugs of depth 3 among 4 events a run, in at most 2 chains; the longest run had 6 (see "
            "--events)");
}

// --- Planted bugs ------------------------------------------------------------------------------

struct Planted {
  std::string name;
  protocols::testing::Given given;
  std::string bug;
};

TEST(Schedulers, FindPlantedBugs) {
  const std::vector<Planted> all = {
      {"hierarchical-consensus", {{"nodes", "3"}, {"crash", "1"}}, "advance-once"},
      {"hierarchical-consensus", {{"nodes", "3"}, {"crash", "1"}}, "any-proposer"},
      {"eager-reliable-broadcast", {{"drops", "1"}}, "no-relay"},
      {"regular-register", {}, "minority-read"},
      {"paxos", {}, "small-quorum"},
      {"paxos", {{"nodes", "3"}, {"crash", "3"}}, "forget-promise"},
      {"multi-paxos", {{"proposals", "1"}, {"crash", "3"}}, "lose-promised-values"},
      {"abd-register", {{"writers", "1"}, {"servers", "3"}}, "skip-write-back"},
      {"abd-register", {{"servers", "3"}}, "ignore-sequencer"},
      {"single-copy-register", {}, "stale-get"},
  };
  for (const Planted& planted : all) {
    for (const std::string strategy : {"pctcp", "pos"}) {
      Options options = protocols::testing::runs_of(strategy, 20'000);
      options.minimise = false;
      const Report report =
          protocols::testing::run(planted.name, planted.given, planted.bug, options);
      EXPECT_EQ(report.verdict, Verdict::kViolated)
          << strategy << ": "
          << protocols::testing::describe(planted.name, planted.given, planted.bug);
    }
  }
}

}  // namespace
}  // namespace ordeal::oracle::schedulers
