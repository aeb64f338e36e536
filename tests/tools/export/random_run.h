// Random runs of random systems.
#pragma once

#include <gtest/gtest.h>

#include "base/rng.h"
#include "explore/explain/recorder.h"
#include "tests/oracle/random/generator.h"

namespace ordeal {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr uint64_t kSystems = 100;
#else
inline constexpr uint64_t kSystems = 1000;
#endif
inline constexpr size_t kSteps = 40;

inline Trace random_run(const oracle::Case& item, uint64_t seed) {
  const std::unique_ptr<World> world = item.system.world();
  explore::Recorder recorder(*world, {});
  if (!recorder.start(0)) return {};
  Rng rng(seed);
  while (recorder.trace().steps.size() < kSteps && !recorder.failed()) {
    const size_t enabled = world->enabled().size();
    if (enabled == 0) break;
    EXPECT_TRUE(recorder.step(static_cast<uint32_t>(rng.below(enabled))).ok());
  }
  return recorder.trace();
}

}  // namespace ordeal
