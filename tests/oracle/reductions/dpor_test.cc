#include "tests/oracle/reductions/dpor.h"

#include "tests/oracle/reductions/expect.h"

namespace ordeal::oracle {
namespace {

TEST(Dpor, FollowsOneRunOfEachPartialOrder) {
  const Tally tally = run_dpor({.systems = kSystems, .cap = 60}, {.local = true});
  expect_agreement(tally,
                   {"systems in which dpor saves runs", "systems of which all runs were compared",
                    "systems with several runs of one partial order"});
  // Known: seed 951 takes 8 runs where prefix takes 7, for a reason that is not found yet.
  EXPECT_LE(tally.counts.at("systems in which dpor takes more runs than prefix"), kSystems / 1000);
}

TEST(Dpor, KeepsWhatItDoesNotRefuse) {
  expect_agreement(run_dpor({.systems = kSystems / 5, .cap = 60}, {}),
                   {"systems that dpor refuses", "systems that dpor completes"});
}

}  // namespace
}  // namespace ordeal::oracle
