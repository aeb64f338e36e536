#include "tests/reductions/expect.h"
#include "tests/reductions/symmetric.h"

namespace ordeal::oracle {
namespace {

TEST(SymmetricSystems, AreSymmetric) {
  expect_agreement(run_symmetric_generator({.systems = kSystems / 5, .cap = 120}), {});
}

}  // namespace
}  // namespace ordeal::oracle
