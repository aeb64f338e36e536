// What small random systems do not reach: a state space large enough for the visited set to grow,
// ways of very different lengths to one state, and traces that were tampered with.
#pragma once

#include <string>

#include "ordeal/check.h"
#include "ordeal/system.h"

namespace ordeal::oracle {

// Counts to a limit, one timer after the other.
struct Counting {
  uint32_t count = 0;
  uint32_t limit = 0;

  void start(Context& ctx) { ctx.set_timer("tick"); }
  void timer(Context& ctx, const std::string&) {
    if (++count < limit) ctx.set_timer("tick");
  }
};

inline System grid(int nodes, uint32_t limit) {
  System system;
  system.add<Counting>(nodes, [limit](NodeId) { return Counting{0, limit}; });
  return system;
}

// Three nodes that count to k: (k + 1)³ states, 3 k (k + 1)² transitions. Empty: all is well.
inline std::string problem_with_a_large_space() {
  constexpr uint64_t kLimit = 40;
  constexpr uint64_t kSide = kLimit + 1;
  for (const std::string strategy : {"bfs", "dfs"}) {
    for (const int threads : {1, 2}) {
      const System system = grid(3, kLimit);
      const Result<Report> report = check(system, {.strategy = strategy, .threads = threads});
      if (!report.ok()) return report.error().message;
      if (report->distinct_states != kSide * kSide * kSide ||
          report->transitions != 3 * kLimit * kSide * kSide || report->terminal_states != 1) {
        return strategy + " with " + std::to_string(threads) + " threads finds " +
               std::to_string(report->distinct_states) + " states and " +
               std::to_string(report->transitions) + " transitions in a grid";
      }
    }
  }
  return "";
}

// Counts in ones and in threes: most numbers are reached on longer and on shorter ways.
struct Leaping {
  uint32_t count = 0;

  void start(Context& ctx) {
    ctx.set_timer("leap");
    ctx.set_timer("step");
  }
  void timer(Context& ctx, const std::string& name) {
    count += name == "step" ? 1 : 3;
    ctx.set_timer(name);
  }
};

// A bounded depth-first search meets states on long ways first, and must come back to them.
inline std::string problem_with_bounded_depth() {
  constexpr uint32_t kDepth = 14;
  uint64_t expected = 0;
  const auto cost = [](uint32_t n) { return n / 3 + n % 3; };
  for (uint32_t a = 0; a <= 3 * kDepth; ++a) {
    for (uint32_t b = 0; b <= 3 * kDepth; ++b) {
      for (uint32_t c = 0; c <= 3 * kDepth; ++c) {
        if (cost(a) + cost(b) + cost(c) <= kDepth) ++expected;
      }
    }
  }
  System system;
  system.add<Leaping>(3);
  for (const std::string strategy : {"bfs", "dfs"}) {
    for (const int threads : {1, 2}) {
      const Result<Report> report =
          check(system, {.strategy = strategy, .threads = threads, .max_depth = kDepth});
      if (!report.ok()) return report.error().message;
      if (report->distinct_states != expected) {
        return strategy + " with " + std::to_string(threads) + " threads finds " +
               std::to_string(report->distinct_states) + " states in " + std::to_string(kDepth) +
               " steps, and there are " + std::to_string(expected);
      }
    }
  }
  return "";
}

// A trace of which one digest, one action or the verdict was changed must not replay.
inline std::string problem_with_tampered_traces() {
  System system = grid(2, 4);
  system.always("small", [](const View& view) { return view.node<Counting>(2).count < 3; });
  const Result<Report> report = check(system, {.strategy = "bfs", .threads = 1});
  if (!report.ok()) return report.error().message;
  if (report->violations.empty() || !report->violations[0].trace) return "there is no trace";
  const Trace trace = *report->violations[0].trace;
  const auto reproduced = [&](const Trace& changed) {
    const Result<ReplayResult> result = replay(system, changed);
    return result.ok() && result->reproduced;
  };
  if (!reproduced(trace)) return "the trace itself does not replay";
  Trace digest = trace;
  digest.steps[1].digest ^= 1;
  if (reproduced(digest)) return "a trace with another digest replays";
  Trace action = trace;
  action.steps[0].detail.action.node = 7;
  if (reproduced(action)) return "a trace with another action replays";
  Trace numbers = trace;
  for (TraceStep& step : numbers.steps) ++step.choice;
  if (!reproduced(numbers))
    return "a trace with other numbers for the same actions does not replay";
  Trace shorter = trace;
  shorter.steps.pop_back();
  if (reproduced(shorter)) return "a trace without its last step replays";
  return "";
}

}  // namespace ordeal::oracle
