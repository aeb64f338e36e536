#include "tests/oracle/reductions/commute.h"

#include "tests/oracle/reductions/expect.h"

namespace ordeal::oracle {
namespace {

TEST(Commuting, ActionsSaidToBeIndependentCommute) {
  expect_agreement(run_commuting({.systems = kSystems, .cap = 200}), {"independent pairs"});
}

}  // namespace
}  // namespace ordeal::oracle
