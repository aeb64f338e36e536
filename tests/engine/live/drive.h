// For tests: live runs that are quick, waiting for what they do, and replaying what they recorded.
#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "base/rng.h"
#include "ordeal/check.h"
#include "ordeal/live.h"
#include "ordeal/system.h"

namespace ordeal::live {

inline LiveOptions quick() {
  LiveOptions options;
  options.unit_ms = 2;
  options.latency_low_ms = 0;
  options.latency_high_ms = 2;
  options.grace_ms = 60'000;  // on a machine that is busy with something else, too
  return options;
}

inline std::unique_ptr<LiveRun> start(const Checkable& system,
                                      const LiveOptions& options = quick()) {
  Result<std::unique_ptr<LiveRun>> run = LiveRun::start(system, options);
  EXPECT_TRUE(run) << run.error().message;
  return run ? *std::move(run) : nullptr;
}

// Waits until it is so. False: it never was, in a time that is long enough.
inline bool wait_for(const std::function<bool()>& so) {
  for (int i = 0; i < 10'000; ++i) {
    if (so()) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return false;
}

inline bool wait_until_quiet(const LiveRun& run) {
  return wait_for([&] {
    const LiveStatus status = run.status();
    return status.quiet || !status.running;
  });
}

inline void say(LiveRun& run, const std::string& line) {
  const Result<std::string> said = run.command(line);
  EXPECT_TRUE(said) << line << ": " << said.error().message;
}

inline std::string refused(LiveRun& run, const std::string& line) {
  const Result<std::string> said = run.command(line);
  EXPECT_FALSE(said) << line << ": " << *said;
  return said ? "" : said.error().message;
}

inline size_t count(const Trace& trace, ActionKind kind, int node, const std::string& type = "") {
  size_t found = 0;
  for (const TraceStep& step : trace.steps) {
    const Action& action = step.detail.action;
    if (action.kind == kind && action.node == node && (type.empty() || action.type == type)) {
      ++found;
    }
  }
  return found;
}

inline void expect_replays(const Checkable& system, const Trace& trace) {
  const Result<std::unique_ptr<Checkable>> free = system.with_free_faults();
  ASSERT_TRUE(free) << free.error().message;
  // As a file has it.
  const Result<Trace> read = trace_from_json(to_json(trace));
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_TRUE(read->free_faults);
  const Result<ReplayResult> again = replay(**free, *read);
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_TRUE(again->reproduced) << again->why << " (step " << again->diverged_at << ")";
}

inline bool is_violated(const LiveRun& run, const std::string& property) {
  for (const LiveStatus::Verdict& verdict : run.status().verdicts) {
    if (verdict.property == property && verdict.violated) return true;
  }
  return false;
}

// A person who does anything, at any time.
inline void be_wild(LiveRun& run, Rng& rng) {
  const LiveStatus status = run.status();
  const auto node = [&] { return std::to_string(status.nodes[rng.below(status.nodes.size())].id); };
  const std::vector<std::string> lines = {
      "pause " + node(),
      "resume " + node(),
      "crash " + node(),
      "restart " + node(),
      "restart " + node(),
      "drop " + node() + " " + node(),
      "deliver " + node() + " " + node(),
      "delay " + node() + " " + node() + " 3",
      "cut " + node() + " " + node(),
      "heal",
      "request " + std::to_string(rng.below(status.requests.size() + 1)),
      "speed 2",
  };
  // Half of them make no sense at the time.
  static_cast<void>(run.command(lines[rng.below(lines.size())]));
}

}  // namespace ordeal::live
