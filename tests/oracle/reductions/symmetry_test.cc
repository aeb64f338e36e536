#include "tests/oracle/reductions/expect.h"
#include "tests/oracle/reductions/symmetric.h"

namespace ordeal::oracle {
namespace {

TEST(Symmetry, FindsAsManyClassesAsThereAreOrbitsWithSleepSetsToo) {
  expect_agreement(run_symmetry({.systems = kSystems, .cap = 100}),
                   {"systems with several states in one orbit",
                    "systems with more than two states in one orbit"});
}

TEST(SymmetricSystems, AreSymmetric) {
  expect_agreement(run_symmetric_generator({.systems = kSystems / 5, .cap = 120}), {});
}

}  // namespace
}  // namespace ordeal::oracle
