// Random protocols in two forms, see forms.h; and nodes of run time against the reference.
#include <gtest/gtest.h>

#include <cstdint>
#include <iostream>
#include <string>

#include "tests/oracle/random/compare.h"
#include "tests/oracle/random/features.h"
#include "tests/oracle/random/forms.h"

namespace ordeal::oracle {
namespace {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr uint64_t kInBothForms = 40;
#else
constexpr uint64_t kInBothForms = 400;
#endif

void expect_much(const Covered& covered, uint64_t systems) {
  std::cout << covered.systems << " systems in both forms, " << covered.states << " states, "
            << covered.traces << " traces replayed in the other form" << std::endl;
  EXPECT_GE(covered.systems, systems / 2);
  EXPECT_GT(covered.states, 20 * systems);
}

TEST(Made, RandomProtocolsAreTheSameInBothForms) {
  Covered covered;
  EXPECT_EQ(problem_with_forms(kInBothForms, {}, covered), "");
  expect_much(covered, kInBothForms);
  EXPECT_GT(covered.traces, kInBothForms);
  for (const std::string& feature : all_features()) {
    EXPECT_TRUE(kInBothForms < 400 || covered.features.contains(feature)) << "never: " << feature;
  }
}

TEST(Made, RandomProtocolsOfLikeNodesAreTheSameInBothForms) {
  Covered covered;
  EXPECT_EQ(problem_with_forms(kInBothForms / 2, {.alike = true}, covered), "");
  expect_much(covered, kInBothForms / 2);
}

TEST(Made, RandomProtocolsAreReducedAlikeInBothForms) {
  Covered covered;
  EXPECT_EQ(problem_with_forms(kInBothForms / 2, {.local = true}, covered), "");
  expect_much(covered, kInBothForms / 2);
}

TEST(Made, TheReferenceAgreesAboutNodesOfRunTime) {
  uint64_t compared = 0;
  for (uint64_t seed = 0; compared < kInBothForms / 4; ++seed) {
    const Case item = generate(seed, {.made = true});
    const reference::Exploration found = reference::explore(item.system, 200);
    if (!found.complete || !found.starts || found.distinct == 0) continue;
    ++compared;
    Comparison comparison(item.system, found);
    comparison.lockstep();
    comparison.complete("bfs", 1);
    for (const std::string& what : comparison.disagreements()) {
      ADD_FAILURE() << "seed " << seed << ": " << what;
    }
  }
}

TEST(Made, RehearsalsGoTheSameWayInBothForms) {
  for (uint64_t seed = 0; seed < kInBothForms / 4; ++seed) {
    const Case made = generate(seed, {.made = true});
    const auto rehearsed = made.system.rehearse(seed, 60);
    EXPECT_TRUE(rehearsed.ok()) << "seed " << seed << ": " << rehearsed.error().message;
  }
}

}  // namespace
}  // namespace ordeal::oracle
