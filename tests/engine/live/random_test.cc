// Live runs of random protocols, under a person who does anything: networks, detectors, components,
// disks, handlers that choose and that fail. Every recording replays in the simulator.
#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <thread>

#include "base/rng.h"
#include "ordeal/live.h"
#include "tests/engine/live/drive.h"
#include "tests/oracle/random/generator.h"

namespace ordeal::live {
namespace {

// How many steps were recorded.
size_t record_and_replay(uint64_t seed, const oracle::Purpose& purpose) {
  const oracle::Case random = oracle::generate(seed, purpose);
  if (!random.system.validate()) return 0;
  LiveOptions options = quick();
  options.unit_ms = 1;
  options.seed = seed;
  options.max_steps = 60;
  options.keep_going = true;
  const auto run = LiveRun::start(random.system, options);
  if (!run) return 0;  // a node that cannot start
  Rng rng(seed);
  for (int i = 0; i < 10 && (*run)->status().running; ++i) {
    be_wild(**run, rng);
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  (*run)->stop();
  EXPECT_FALSE(is_violated(**run, kLiveAsSimulated)) << (*run)->status().verdicts.back().why;
  expect_replays(random.system, (*run)->trace());
  return (*run)->trace().steps.size();
}

TEST(Live, RecordingsOfRandomProtocolsReplay) {
  size_t steps = 0;
  for (uint64_t seed = 0; seed < 60; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    steps += record_and_replay(seed, {});
  }
  EXPECT_GT(steps, 300U);
}

TEST(Live, RecordingsOfRandomProtocolsOfOpaqueObjectsReplay) {
  size_t steps = 0;
  for (uint64_t seed = 0; seed < 15; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    steps += record_and_replay(seed, {.may_live = true, .lives = true});
  }
  EXPECT_GT(steps, 50U);
}

}  // namespace
}  // namespace ordeal::live
