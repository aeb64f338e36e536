// A search that is killed, at any moment, goes on from its last checkpoint and ends as if nothing
// had happened.
#include <gtest/gtest.h>

#include <iostream>

#include "tests/engine/checkpoint/kills.h"

namespace ordeal::e2e {
namespace {

struct Killed {
  std::string name;
  Words subject;
};

void PrintTo(const Killed& killed, std::ostream* out) { *out << killed.name; }

class Kills : public testing::TestWithParam<Killed> {};

TEST_P(Kills, LeaveTheResultAsItIs) {
  const KillResult result = kill_again_and_again(GetParam().subject, 25, 1);
  EXPECT_EQ(result.problem, "");
  EXPECT_GE(result.kills, 25U);
  EXPECT_GT(result.with_file, 0U) << "no kill left a checkpoint to go on from";
  std::cout << result.kills << " kills, " << result.with_file << " of them left a checkpoint, "
            << result.ends << " searches ended\n";
}

INSTANTIATE_TEST_SUITE_P(
    OfSearches, Kills,
    testing::Values(
        Killed{"ARawModel", {"two-phase-commit", "--rms", "6"}},
        Killed{"Nodes", {"two-phase-commit", "--rms", "5", "--form", "actors"}},
        Killed{"OneThread", {"paxos", "--clients", "2", "--servers", "3", "--threads", "1"}},
        Killed{"AViolation",
               {"hierarchical-consensus", "--nodes", "4", "--crash", "1", "--bug", "advance-once",
                "--keep-going"}},
        Killed{"TheFirstViolation",
               {"hierarchical-consensus", "--nodes", "4", "--crash", "1", "--bug", "advance-once"}},
        Killed{"DepthFirst",
               {"two-phase-commit", "--rms", "4", "--form", "actors", "--strategy", "dfs"}},
        Killed{"SleepSets",
               {"two-phase-commit", "--rms", "5", "--form", "actors", "--reduce", "sleep"}},
        Killed{"Symmetry", {"two-phase-commit", "--rms", "6", "--form", "actors", "--symmetry"}},
        Killed{"WideFingerprints", {"two-phase-commit", "--rms", "6", "--fingerprint", "128"}}),
    [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace ordeal::e2e
