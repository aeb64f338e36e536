// check(): bounds, guides, the audit, stopping, and what does not depend on threads.
#include "ordeal/check.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <thread>

#include "ordeal/system.h"

namespace ordeal {
namespace {

struct Token {
  int hops = 0;
};

// A token goes round; every node may also be asked to send one of its own.
struct Ring {
  using Messages = Types<Token>;
  int seen = 0;

  void start(Context& ctx) { ctx.broadcast(Token{1}); }
  void on(Context& ctx, NodeId from, const Token& token) {
    seen += token.hops;
    if (token.hops < 3) ctx.send(from, Token{token.hops + 1});
  }
};

System ring(int nodes = 3) {
  System system;
  system.add<Ring>(nodes);
  return system;
}

Report run(const System& system, const Options& options) {
  Result<Report> report = check(system, options);
  EXPECT_TRUE(report.ok()) << (report.ok() ? "" : report.error().message);
  return report.ok() ? std::move(*report) : Report{};
}

TEST(Bounds, MakeACleanSearchUndecidedAndSaySo) {
  const System system = ring();
  const Report all = run(system, {.strategy = "bfs"});
  ASSERT_EQ(all.verdict, Verdict::kHolds);
  EXPECT_TRUE(all.complete);
  for (const char* strategy : {"bfs", "dfs"}) {
    const Report cut = run(system, {.strategy = strategy, .max_states = 10});
    EXPECT_EQ(cut.verdict, Verdict::kUndecided);
    EXPECT_EQ(cut.distinct_states, 10U);
    EXPECT_EQ(cut.bounds, (std::vector<Bound>{{Bound::Kind::kStates, 10}}));
    EXPECT_EQ(to_string(cut.bounds[0]), "10 states");
    const Report shallow = run(system, {.strategy = strategy, .max_depth = 3});
    EXPECT_EQ(shallow.verdict, Verdict::kUndecided);
    EXPECT_EQ(shallow.depth, 3U);
    // A bound that cuts nothing changes nothing.
    const Report deep = run(system, {.strategy = strategy, .max_depth = all.depth});
    EXPECT_EQ(deep.distinct_states, all.distinct_states);
    if (std::string(strategy) == "bfs") {
      EXPECT_EQ(deep.verdict, Verdict::kHolds);
    }
  }
  EXPECT_EQ(run(system, {.strategy = "prefix", .max_runs = 5}).verdict, Verdict::kUndecided);
  EXPECT_EQ(run(system, {.strategy = "prefix", .max_runs = 5}).runs, 5U);
}

TEST(Bounds, AreToldInWordsThatAreMadeFromWhatTheyAre) {
  using Kind = Bound::Kind;
  const std::vector<std::pair<Bound, std::string>> all = {
      {{Kind::kInterrupted}, "interrupted"},
      {{.kind = Kind::kTime, .seconds = 0.5}, "time: 0.5 seconds"},
      {{.kind = Kind::kMemory, .limit = 1 << 20, .used = 3 << 19}, "memory: 1.5 MiB of 1.0 MiB"},
      {{Kind::kStates, 1'000'000}, "1,000,000 states"},
      {{Kind::kRuns, 3}, "3 runs"},
      {{Kind::kDepth, 1000}, "depth 1,000"},
      {{Kind::kViolation}, "stopped at the first violation"},
      {{Kind::kGuide}, "only runs that start with the guide were explored"},
      {{Kind::kAudit}, "the audit failed: nothing else was checked"},
      {{Kind::kReplay}, "one run was replayed"},
      {{.kind = Kind::kPart, .text = "all runs of one node"}, "all runs of one node"},
  };
  for (const auto& [bound, words] : all) EXPECT_EQ(to_string(bound), words);
}

TEST(Bounds, SayWhatEndedASearchAndNothingElse) {
  const Report cut = run(ring(), {.strategy = "dfs", .max_depth = 2});
  EXPECT_TRUE(cut.ended_by(Bound::Kind::kDepth));
  EXPECT_FALSE(cut.ended_by(Bound::Kind::kStates));
  const Report guided = run(ring(), {.strategy = "bfs", .guide = ShortForm{0, {0}}});
  EXPECT_TRUE(guided.ended_by(Bound::Kind::kGuide));
}

TEST(Bounds, ALimitThatIsTooSmallToStartWithIsRefused) {
  const Result<Report> report = check(ring(), {.strategy = "bfs", .max_bytes = 1});
  ASSERT_FALSE(report.ok());
  EXPECT_NE(report.error().message.find("give at least 1.0 MiB"), std::string::npos);
}

// Nodes that count to nine on their own: 10 to the power of their number states.
struct Counter {
  int count = 0;
  void start(Context& ctx) { ctx.set_timer("tick"); }
  void timer(Context& ctx, const std::string&) {
    if (++count < 9) ctx.set_timer("tick");
  }
};

System counters(int nodes) {
  System system;
  system.add<Counter>(nodes);
  return system;
}

TEST(Memory, BeyondItTheSearchStopsOrGoesOnOnDiskWithTheSameResult) {
  const System system = counters(5);
  const uint64_t limit = uint64_t{1} << 20;
  const Report all = run(system, {.strategy = "bfs"});
  ASSERT_TRUE(all.complete);
  ASSERT_GT(all.bytes, limit);
  const Report cut = run(system, {.strategy = "bfs", .max_bytes = limit});
  EXPECT_EQ(cut.verdict, Verdict::kUndecided);
  ASSERT_EQ(cut.bounds.size(), 1U);
  EXPECT_EQ(cut.bounds[0].kind, Bound::Kind::kMemory);
  EXPECT_EQ(cut.bounds[0].limit, limit);
  EXPECT_EQ(to_string(cut.bounds[0]).substr(0, 7), "memory:");
  for (const bool wide : {false, true}) {
    const Report spilled = run(system, {.strategy = "bfs",
                                        .wide_fingerprints = wide,
                                        .spill = testing::TempDir(),
                                        .spill_bytes = limit / 4});
    EXPECT_TRUE(spilled.complete);
    EXPECT_GT(spilled.disk_bytes, 0U);
    EXPECT_EQ(spilled.distinct_states, all.distinct_states);
    EXPECT_EQ(spilled.transitions, all.transitions);
    EXPECT_EQ(spilled.terminal_states, all.terminal_states);
    EXPECT_EQ(spilled.depth, all.depth);
    // A bound that cuts nothing changes nothing, on disk too; one that cuts is noticed.
    Options bounded{.strategy = "bfs",
                    .max_depth = all.depth,
                    .wide_fingerprints = wide,
                    .spill = testing::TempDir(),
                    .spill_bytes = limit / 4};
    EXPECT_TRUE(run(system, bounded).complete);
    --bounded.max_depth;
    EXPECT_FALSE(run(system, bounded).complete);
  }
}

TEST(SleepSets, LeaveOutTransitionsAndNoStates) {
  const System system = counters(4);
  const Report all = run(system, {.strategy = "bfs"});
  for (const char* strategy : {"bfs", "dfs"}) {
    const Report reduced = run(system, {.strategy = strategy, .reduce = "sleep"});
    EXPECT_TRUE(reduced.complete);
    EXPECT_EQ(reduced.distinct_states, all.distinct_states);
    EXPECT_EQ(reduced.terminal_states, all.terminal_states);
    EXPECT_LT(reduced.transitions, all.transitions / 2);
  }
}

TEST(SleepSets, AreRefusedWhereTheyWouldLoseStates) {
  System constrained = ring();
  constrained.within([](const View& view) { return view.node<Ring>(1).seen < 5; });
  EXPECT_FALSE(check(constrained, {.strategy = "bfs", .reduce = "sleep"}).ok());
  EXPECT_FALSE(check(ring(), {.strategy = "dfs", .max_depth = 4, .reduce = "sleep"}).ok());
  EXPECT_FALSE(check(ring(), {.strategy = "random", .reduce = "sleep"}).ok());
  EXPECT_FALSE(check(ring(), {.strategy = "bfs", .reduce = "slumber"}).ok());
}

TEST(Bounds, AStopFlagEndsEveryStrategyInAnOrderlyWay) {
  const std::atomic<bool> stop = true;
  for (const char* strategy :
       {"bfs", "dfs", "prefix", "dpor", "random", "pct", "pctcp", "pos", "delay"}) {
    const Report report = run(ring(), {.strategy = strategy, .stop = &stop});
    EXPECT_EQ(report.verdict, Verdict::kUndecided) << strategy;
    EXPECT_EQ(report.bounds, std::vector<Bound>{{Bound::Kind::kInterrupted}}) << strategy;
  }
}

TEST(Progress, NamesWhatIsViolatedAndReachedWhileTheSearchGoesOn) {
  for (const char* strategy : {"bfs", "dfs", "prefix", "random"}) {
    System system = ring();
    // Slow, so that there is progress to tell.
    system.always("small", [](const View& view) {
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
      return view.node<Ring>(1).seen < 2;
    });
    system.sometimes("begun", [](const View& view) { return view.node<Ring>(1).seen > 0; });
    std::atomic<bool> stop{false};
    Progress last;
    Options options{.strategy = strategy, .threads = 1, .keep_going = true, .stop = &stop};
    options.progress = [&](const Progress& progress) {
      last = progress;
      stop = !progress.violated.empty() && !progress.reached.empty();
    };
    run(system, options);
    EXPECT_EQ(last.violated, std::vector<std::string>{"small"}) << strategy;
    EXPECT_EQ(last.violations, 1U) << strategy;
    EXPECT_EQ(last.reached, std::vector<std::string>{"begun"}) << strategy;
  }
}

TEST(Search, GivesTheSameReportForAnyNumberOfThreads) {
  System system = ring();
  system.always("seen below 12", each<Ring>([](const Ring& r) { return r.seen < 12; }));
  for (const char* strategy : {"bfs", "dfs"}) {
    for (const bool keep_going : {false, true}) {
      const Report one =
          run(system, {.strategy = strategy, .threads = 1, .keep_going = keep_going});
      ASSERT_EQ(one.verdict, Verdict::kViolated);
      for (const int threads : {2, 3, 5}) {
        const Report many =
            run(system, {.strategy = strategy, .threads = threads, .keep_going = keep_going});
        EXPECT_EQ(many.distinct_states, one.distinct_states);
        EXPECT_EQ(many.transitions, one.transitions);
        EXPECT_EQ(many.depth, one.depth);
        EXPECT_EQ(many.violations[0].count, one.violations[0].count);
        EXPECT_EQ(short_form(*many.violations[0].trace), short_form(*one.violations[0].trace));
      }
    }
  }
}

TEST(Guide, LeadsEveryStrategyThroughItsPrefix) {
  System system = ring();
  system.always("seen below 12", each<Ring>([](const Ring& r) { return r.seen < 12; }));
  for (const char* strategy :
       {"bfs", "dfs", "prefix", "dpor", "random", "pct", "pctcp", "pos", "delay"}) {
    const Report report =
        run(system, {.strategy = strategy, .minimise = false, .guide = ShortForm{0, {1, 2, 0}}});
    ASSERT_EQ(report.verdict, Verdict::kViolated) << strategy;
    const std::string path = short_form(*report.violations[0].trace);
    EXPECT_EQ(path.substr(0, 6), "1.2.0.") << strategy;
    const auto again = replay(system, *report.violations[0].trace);
    ASSERT_TRUE(again.ok());
    EXPECT_TRUE(again->reproduced) << again->why;
  }
  // Clean or not, only runs that start like that were seen.
  EXPECT_EQ(run(ring(), {.strategy = "bfs", .guide = ShortForm{0, {1}}}).verdict,
            Verdict::kUndecided);
  const auto nonsense = check(ring(), {.strategy = "bfs", .guide = ShortForm{0, {99}}});
  ASSERT_FALSE(nonsense.ok());
  EXPECT_NE(nonsense.error().message.find("cannot be followed at step 1"), std::string::npos);
}

TEST(Minimise, ShortensRandomRunsAndSaysFromWhere) {
  System system = ring();
  system.always("no third hop seen twice", each<Ring>([](const Ring& r) { return r.seen < 6; }));
  const Report shortest = run(system, {.strategy = "bfs"});
  for (uint64_t seed = 0; seed < 5; ++seed) {
    const Report report = run(system, {.strategy = "random", .seed = seed});
    ASSERT_EQ(report.verdict, Verdict::kViolated);
    const Trace& trace = *report.violations[0].trace;
    EXPECT_GE(trace.minimised_from, trace.steps.size());
    // No single action can be left out; that is nearly, not always, the shortest.
    EXPECT_LE(trace.steps.size(), shortest.violations[0].trace->steps.size() + 1);
  }
}

// Depends on something other than its state and its events.
struct Fickle {
  using Messages = Types<Token>;
  int seen = 0;
  void start(Context& ctx) {
    if (ctx.self() == 1) ctx.send(2, Token{1});
  }
  void on(Context&, NodeId, const Token&) {
    static std::atomic<int> calls = 0;
    seen = ++calls;
  }
};

TEST(Audit, NamesTheStepAndTheNodeThatDiffer) {
  System system;
  system.add<Fickle>(2);
  const Report report = run(system, {.audit = true});
  ASSERT_EQ(report.verdict, Verdict::kViolated);
  EXPECT_EQ(report.violations[0].kind, "audit");
  EXPECT_EQ(report.violations[0].step, 1U);
  EXPECT_EQ(report.violations[0].nodes, std::vector<int>{2});
  EXPECT_NE(report.violations[0].why.find("node 2 differs: seen is"), std::string::npos)
      << report.violations[0].why;
  const Report clean = run(ring(), {.audit = true});
  EXPECT_EQ(clean.verdict, Verdict::kHolds);
}

TEST(Options, ThatMakeNoSenseAreRefused) {
  const auto error = [](const Options& options) { return check(ring(), options).error().message; };
  EXPECT_NE(error({.strategy = "best"}).find("there are bfs, dfs, prefix, dpor, random"),
            std::string::npos);
  EXPECT_NE(error({.pick = "last"}).find("there are first and random"), std::string::npos);
  EXPECT_NE(error({.threads = 1000}).find("not between 1 and 256"), std::string::npos);
  System empty;
  EXPECT_NE(check(empty).error().message.find("has no nodes"), std::string::npos);
}

}  // namespace
}  // namespace ordeal
