#include "tests/tools/cli/process.h"

#include <gtest/gtest.h>

namespace ordeal::e2e {
namespace {

TEST(Process, TellsExitCodeAndOutput) {
  const Finished version = ordeal({"version"});
  EXPECT_EQ(version.exit, 0);
  EXPECT_EQ(version.out.find("ordeal "), 0U);
  EXPECT_EQ(version.err, "");
}

TEST(Process, TellsThatItWasKilled) {
  Process process({"check", "hierarchical-consensus", "--nodes", "5", "--strategy", "random"});
  process.send(SIGKILL);
  EXPECT_EQ(process.finish().exit, -1);
}

}  // namespace
}  // namespace ordeal::e2e
