// Run-based strategies: runs per second on 3-node hierarchical consensus, steps per second on Raft.
#include <benchmark/benchmark.h>

#include "ordeal/check.h"
#include "ordeal/suite.h"
#include "protocols/suite.h"

namespace {

void runs(benchmark::State& state, const char* strategy, const char* crash) {
  const ordeal::Suite suite = ordeal::protocols::suite();
  const ordeal::Subject& subject = *suite.find("hierarchical-consensus");
  const auto arguments = suite.arguments(subject, {{"nodes", "3"}, {"crash", crash}}, "");
  const auto checkable = subject.build(*arguments);
  ordeal::Options options;
  options.strategy = strategy;
  options.max_runs = 200'000;
  uint64_t done = 0;
  for (auto _ : state) {
    const auto report = ordeal::check(**checkable, options);
    if (!report || report->verdict == ordeal::Verdict::kViolated) {
      state.SkipWithError("the correct form must not be violated");
      return;
    }
    done += report->runs;
  }
  state.counters["runs/s"] =
      benchmark::Counter(static_cast<double>(done), benchmark::Counter::kIsRate);
  state.counters["runs"] = benchmark::Counter(static_cast<double>(done) / state.iterations());
}

// Three servers that all stand for election, two clients that write and read and ask again; every
// property is judged after every step.
void raft_steps(benchmark::State& state, const char* strategy) {
  const ordeal::Suite suite = ordeal::protocols::suite();
  const ordeal::Subject& subject = *suite.find("raft");
  const auto arguments = suite.arguments(subject,
                                         {{"terms", "4"},
                                          {"candidates", "0"},
                                          {"clients", "2"},
                                          {"reads", "1"},
                                          {"patience", "3"},
                                          {"network", "bag"}},
                                         "");
  const auto checkable = subject.build(*arguments);
  ordeal::Options options;
  options.strategy = strategy;
  options.max_runs = 10'000;
  uint64_t steps = 0;
  for (auto _ : state) {
    const auto report = ordeal::check(**checkable, options);
    if (!report || report->verdict == ordeal::Verdict::kViolated) {
      state.SkipWithError("the correct form must not be violated");
      return;
    }
    steps += report->transitions;
  }
  state.counters["steps/s"] =
      benchmark::Counter(static_cast<double>(steps), benchmark::Counter::kIsRate);
}

}  // namespace

BENCHMARK_CAPTURE(raft_steps, random, "random")->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(raft_steps, pctcp, "pctcp")->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(runs, prefix, "prefix", "")->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(runs, prefix_crash, "prefix", "2")->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(runs, random, "random", "")->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(runs, random_crash, "random", "2")->UseRealTime()->Unit(benchmark::kMillisecond);

#define ORDEAL_SCHEDULER(name)                                                            \
  BENCHMARK_CAPTURE(runs, name, #name, "")->UseRealTime()->Unit(benchmark::kMillisecond); \
  BENCHMARK_CAPTURE(runs, name##_crash, #name, "2")->UseRealTime()->Unit(benchmark::kMillisecond)

ORDEAL_SCHEDULER(pct);
ORDEAL_SCHEDULER(pctcp);
ORDEAL_SCHEDULER(pos);
ORDEAL_SCHEDULER(delay);

BENCHMARK_CAPTURE(runs, dpor, "dpor", "")->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(runs, dpor_crash, "dpor", "2")->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(runs, dpor_crashes, "dpor", "1,2,3")
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);

BENCHMARK_MAIN();
