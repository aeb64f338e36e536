// More random protocols in both forms, see forms.h.
#include <gtest/gtest.h>

#include "tests/oracle/random/forms.h"

namespace ordeal::oracle {
namespace {

TEST(MadeSoak, RandomProtocolsAreTheSameInBothForms) {
  Covered covered;
  for (const Purpose& purpose : {Purpose{}, Purpose{.alike = true}, Purpose{.local = true}}) {
    EXPECT_EQ(problem_with_forms(4000, purpose, covered), "");
  }
  EXPECT_GT(covered.systems, 9000U);
}

}  // namespace
}  // namespace ordeal::oracle
