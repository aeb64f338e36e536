#include "tests/oracle/reductions/sleep.h"

#include "tests/oracle/reductions/expect.h"

namespace ordeal::oracle {
namespace {

TEST(SleepSets, LeaveOutTransitionsAndNothingElse) {
  expect_agreement(run_sleep({.systems = kSystems, .cap = 200}),
                   {"searches with sleep sets that save something", "searches that are refused"});
}

}  // namespace
}  // namespace ordeal::oracle
