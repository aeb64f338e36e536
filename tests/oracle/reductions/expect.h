// What a test asks of a comparison over many systems.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "tests/oracle/reductions/suite.h"

namespace ordeal::oracle {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr uint64_t kSystems = 300;
#else
inline constexpr uint64_t kSystems = 5000;
#endif

// No disagreement; and `met`, each at least once in 200 systems: nothing passes because there
// was nothing to see.
inline void expect_agreement(const Tally& tally, const std::vector<std::string>& met) {
  print(tally);
  for (size_t i = 0; i < tally.disagreements.size() && i < 10; ++i) {
    ADD_FAILURE() << tally.disagreements[i];
  }
  EXPECT_EQ(tally.disagreements.size(), 0U);
  for (const std::string& what : met) {
    const auto at = tally.counts.find(what);
    EXPECT_GE(at == tally.counts.end() ? 0 : at->second, tally.systems / 200) << what;
  }
}

}  // namespace ordeal::oracle
