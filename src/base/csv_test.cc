#include "base/csv.h"

#include <gtest/gtest.h>

namespace ordeal {
namespace {

TEST(Csv, AFieldStaysOneFieldOfOneLine) {
  EXPECT_EQ(csv_field("plain words"), "plain words");
  EXPECT_EQ(csv_field("a,b"), "\"a,b\"");
  EXPECT_EQ(csv_field("say \"a\""), "\"say \"\"a\"\"\"");
  EXPECT_EQ(csv_field("two\nlines"), "two\\nlines");
}

}  // namespace
}  // namespace ordeal
