// Iterations per second of every scenario of the suite, on one core, with the strategy that it
// declares.
#include <benchmark/benchmark.h>

#include <string>

#include "ordeal/scenario.h"
#include "ordeal/scenario_run.h"
#include "ordeal/suite.h"
#include "protocols/suite.h"

namespace {

void iterations(benchmark::State& state, const ordeal::Suite& suite,
                const ordeal::SuiteScenario& declared) {
  const ordeal::Subject& subject = *suite.find(declared.subject);
  const auto arguments = suite.arguments(subject, declared.parameters, "");
  const auto checkable = subject.build(*arguments);
  const ordeal::Scenario scenario = declared.make(*arguments);
  ordeal::Options options;
  options.max_runs = 1000;
  uint64_t runs = 0;
  uint64_t steps = 0;
  for (auto _ : state) {
    ++options.seed;
    const auto report = ordeal::run(scenario, **checkable, options);
    if (!report || report->verdict != ordeal::Verdict::kHolds) {
      state.SkipWithError("the correct form must show what is expected");
      return;
    }
    runs += report->runs;
    steps += report->steps;
  }
  state.counters["iterations/s"] =
      benchmark::Counter(static_cast<double>(runs), benchmark::Counter::kIsRate);
  state.counters["steps"] =
      benchmark::Counter(static_cast<double>(steps) / static_cast<double>(runs));
}

}  // namespace

int main(int argc, char** argv) {
  const ordeal::Suite suite = ordeal::protocols::suite();
  for (const ordeal::SuiteScenario& scenario : suite.scenarios()) {
    benchmark::RegisterBenchmark(
        scenario.name.c_str(),
        [&suite, &scenario](benchmark::State& state) { iterations(state, suite, scenario); })
        ->UseRealTime()
        ->Unit(benchmark::kMillisecond);
  }
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}
