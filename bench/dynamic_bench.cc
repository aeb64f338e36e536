// Nodes of run time against the same nodes as structs: random protocols in both forms. The spaces
// are small, so that handlers run often: the least favourable case.
#include <benchmark/benchmark.h>

#include <memory>
#include <vector>

#include "ordeal/check.h"
#include "tests/oracle/random/generator.h"

namespace {

using ordeal::oracle::Case;

void check_all(benchmark::State& state, bool made, uint64_t max_states) {
  std::vector<Case> cases;
  for (uint64_t seed = 0; seed < 200; ++seed) {
    cases.push_back(ordeal::oracle::generate(seed, {.made = made}));
  }
  uint64_t states = 0;
  uint64_t calls = 0;
  for (auto _ : state) {
    for (const Case& item : cases) {
      ordeal::oracle::active_program() = item.program.get();
      const auto report = ordeal::check(item.system, {.strategy = "bfs",
                                                      .threads = 1,
                                                      .max_states = max_states,
                                                      .keep_going = true,
                                                      .minimise = false});
      if (!report) continue;  // a node that cannot start
      states += report->distinct_states;
      calls += report->handler_calls;
    }
  }
  using benchmark::Counter;
  state.counters["states/s"] = Counter(static_cast<double>(states), Counter::kIsRate);
  state.counters["states/call"] = static_cast<double>(states) / static_cast<double>(calls);
}

}  // namespace

BENCHMARK_CAPTURE(check_all, structs_small, false, 1'000)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(check_all, run_time_small, true, 1'000)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(check_all, structs_large, false, 20'000)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(check_all, run_time_large, true, 20'000)->Unit(benchmark::kMillisecond);
BENCHMARK_MAIN();
