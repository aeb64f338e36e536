// Stateful search: distinct states per second, bytes of table per state, handler calls saved.
#include <benchmark/benchmark.h>

#include <map>
#include <string>

#include "ordeal/check.h"
#include "ordeal/suite.h"
#include "protocols/suite.h"

namespace {

using Given = std::map<std::string, std::string>;

void search(benchmark::State& state, const std::string& subject, const Given& given,
            uint64_t expected) {
  const ordeal::Suite suite = ordeal::protocols::suite();
  const ordeal::Subject& found = *suite.find(subject);
  const auto arguments = suite.arguments(found, given, "");
  const auto checkable = found.build(*arguments);
  ordeal::Options options;
  options.strategy = "bfs";
  options.threads = static_cast<int>(state.range(0));
  for (auto _ : state) {
    const auto report = ordeal::check(**checkable, options);
    if (!report || report->distinct_states != expected) {
      state.SkipWithError("another number of states than expected");
      return;
    }
    const double states = static_cast<double>(report->distinct_states);
    using benchmark::Counter;
    state.counters["states/s"] = states / report->seconds;
    state.counters["table B/state"] = static_cast<double>(report->table_bytes) / states;
    state.counters["transitions"] = static_cast<double>(report->transitions);
    state.counters["handler calls"] = static_cast<double>(report->handler_calls);
  }
}

void both_threads(const char* name, const std::string& subject, const Given& given,
                  uint64_t expected) {
  benchmark::RegisterBenchmark(
      name, [=](benchmark::State& state) { search(state, subject, given, expected); })
      ->Arg(1)
      ->Arg(2)
      ->Iterations(1)
      ->UseRealTime()
      ->Unit(benchmark::kMillisecond);
}

}  // namespace

int main(int argc, char** argv) {
  both_threads("two-phase-commit-9/raw", "two-phase-commit", {{"rms", "9"}}, 10'340'352);
  both_threads("two-phase-commit-9/actors", "two-phase-commit", {{"rms", "9"}, {"form", "actors"}},
               10'340'352);
  both_threads("paxos-3-clients-3-servers", "paxos", {{"clients", "3"}, {"servers", "3"}},
               1'194'428);
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}
