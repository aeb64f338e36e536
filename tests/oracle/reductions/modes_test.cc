#include "tests/oracle/reductions/modes.h"

#include "tests/oracle/reductions/colliding.h"
#include "tests/oracle/reductions/expect.h"
#include "tests/oracle/reductions/large.h"
#include "tests/tools/cli/folder.h"

namespace ordeal::oracle {
namespace {

TEST(Modes, ChangeNothingButTimeAndMemory) {
  const e2e::Folder folder;
  expect_agreement(
      run_modes({.systems = kSystems / 10, .cap = 150}, folder.path()),
      {"searches that were interrupted", "searches that went on from a file", "searches on disk",
       "no run round a cycle on disk", "cycles looked for on disk", "no cycle possible on disk"});
}

TEST(Modes, ChangeNothingAboutProgressThatGoesRound) {
  const e2e::Folder folder;
  expect_agreement(
      run_modes({.systems = kSystems / 20, .cap = 150}, folder.path(), {.rounds = true}),
      {"searches that went on from a file", "runs round a cycle on disk",
       "no run round a cycle on disk", "cycles looked for on disk"});
}

TEST(Modes, ChangeNothingInALargeSpace) {
  const e2e::Folder folder;
  std::filesystem::create_directory(folder.path() + "/spill");
  Tally tally;
  compare_large(folder.path(), tally);
  expect_agreement(tally, {});
  EXPECT_GT(tally.counts["searches that went on from a file"], 0U);
}

TEST(Modes, WideFingerprintsTellApartWhatNarrowOnesDoNot) {
  const e2e::Folder folder;
  EXPECT_EQ(problem_with_colliding_fingerprints(folder.path()), "");
}

TEST(Modes, ACheckpointOfAnotherProgramIsRefused) {
  const e2e::Folder folder;
  EXPECT_EQ(problem_with_a_changed_program(folder.path()), "");
}

}  // namespace
}  // namespace ordeal::oracle
