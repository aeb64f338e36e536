// dpor explores exactly one run of every trace, on random protocols.
#include "tests/dpor/traces.h"

#include <gtest/gtest.h>

#include <iostream>

#include "tests/dpor/spoilt.h"
#include "tests/dpor/verdicts.h"
#include "tests/random/generator.h"

namespace ordeal::oracle::trace_tests {
namespace {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr uint64_t kSystems = 300;
constexpr uint64_t kJudged = 500;
#else
constexpr uint64_t kSystems = 6000;
constexpr uint64_t kJudged = 14'000;
#endif

TEST(Traces, EveryTraceOfARandomProtocolIsExploredExactlyOnce) {
  TraceCount count;
  uint64_t problems = 0;
  for (uint64_t seed = 0; seed < kSystems; ++seed) {
    const Case item = generate(seed);
    if (item.system.constrained()) continue;
    const std::string problem = problem_with_traces(*item.system.space(), 3000, count);
    if (problem.empty()) continue;
    if (++problems <= 10) ADD_FAILURE() << "seed " << seed << ": " << problem;
  }
  std::cout << count.compared << " systems compared, " << count.too_many << " too large, "
            << count.runs << " runs, " << count.traces << " traces, " << problems << " problems\n";
  EXPECT_EQ(problems, 0U);
  EXPECT_GT(count.runs, 2 * count.traces);  // or nothing would be left out
}

TEST(Traces, WhatAFailingHandlerWouldHaveDoneElseIsExplored) {
  TraceCount count;
  EXPECT_EQ(problem_with_traces(*kitchen::spoilt().space(), 1000, count), "");
  EXPECT_EQ(count.traces, 32U);
}

TEST(Traces, WhatIsKeptIsJudgedAsByTheReference) {
  VerdictCount count;
  uint64_t problems = 0;
  for (uint64_t seed = 0; seed < kJudged; ++seed) {
    const Case item = generate(seed);
    const std::string problem = problem_with_verdicts(item, 150, count);
    if (problem.empty()) continue;
    if (++problems <= 10) ADD_FAILURE() << "seed " << seed << ": " << problem;
  }
  std::cout << count.compared << " systems compared, " << count.too_many << " too large, "
            << count.properties << " properties, " << count.violated << " violated or reached\n";
  EXPECT_EQ(problems, 0U);
  EXPECT_GT(count.violated * 5, count.properties);
}

}  // namespace
}  // namespace ordeal::oracle::trace_tests
