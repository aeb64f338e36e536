#include "tests/oracle/symmetry/classes.h"

#include "tests/oracle/reductions/expect.h"

namespace ordeal::oracle {
namespace {

TEST(Classes, AreTheOrbitsOfRandomSystems) {
  expect_agreement(compare_classes({.systems = kSystems / 10, .cap = 400}),
                   {"several states in a class", "more than two states in a class",
                    "two groups of like nodes", "network ordered", "network set", "partitions any",
                    "history", "persist", "detector eventually perfect", "component"});
}

TEST(Classes, OfPointersOnDisksAreCountedByBurnside) { EXPECT_EQ(problem_with_pointers(), ""); }

TEST(Classes, LabelsOfGraphsAreCanonical) { EXPECT_EQ(problem_with_labels(), ""); }

}  // namespace
}  // namespace ordeal::oracle
