// A search that a bound has stopped leaves a checkpoint: with a higher bound, or none, it goes on
// from there.
#include <gtest/gtest.h>

#include <iostream>

#include "tests/engine/checkpoint/searches.h"

namespace ordeal::e2e {
namespace {

struct Bounded {
  std::string name;
  Words subject;
  std::vector<std::string> bounds;  // on states, one after the other
};

void PrintTo(const Bounded& bounded, std::ostream* out) { *out << bounded.name; }

class Bounds : public testing::TestWithParam<Bounded> {
 protected:
  static bool has_resumed(const std::string& report) {
    const nlohmann::json json = nlohmann::json::parse(report, nullptr, false);
    if (!json.is_object()) return false;
    for (const nlohmann::json& note : json["notes"]) {
      if (note.get<std::string>().starts_with("resumed from")) return true;
    }
    return false;
  }
};

TEST_P(Bounds, OnStatesAreWhereASearchGoesOnFrom) {
  const Folder folder, disk;
  const std::string file = folder.path() + "/search.checkpoint";
  Words subject = GetParam().subject;
  for (std::string& word : subject) {
    if (word == "DISK") word = disk.path();
  }
  const Words kept = {"--checkpoint", file, "--checkpoint-every", "3600"};
  bool first = true;
  for (const std::string& bound : GetParam().bounds) {
    const Words bounded = check_words(subject) + Words{"--max-states", bound};
    const Finished stopped = ordeal(bounded + kept);
    EXPECT_EQ(stopped.exit, 2) << stopped.out << stopped.err;
    EXPECT_TRUE(std::filesystem::exists(file)) << "no checkpoint at " << bound << " states";
    EXPECT_EQ(has_resumed(stopped.out), !first);
    // What is reported is not what is kept: no more than was asked for.
    if (first) {
      EXPECT_EQ(claims_of(stopped.out), claims_of(ordeal(bounded).out));
    }
    first = false;
  }
  const Finished through = ordeal(check_words(subject) + kept);
  const Checked undisturbed = check(subject);
  EXPECT_TRUE(has_resumed(through.out));
  EXPECT_EQ(through.exit, undisturbed.exit) << through.err;
  EXPECT_EQ(claims_of(through.out), undisturbed.claims);
  EXPECT_FALSE(std::filesystem::exists(file));
}

INSTANTIATE_TEST_SUITE_P(
    OfSearches, Bounds,
    testing::Values(
        Bounded{"ARawModel", {"two-phase-commit", "--rms", "6"}, {"1000", "20000", "40000"}},
        Bounded{"Nodes", {"two-phase-commit", "--rms", "5", "--form", "actors"}, {"10", "8000"}},
        Bounded{"OneThread", {"paxos", "--threads", "1"}, {"5000", "5001", "9000"}},
        Bounded{"AViolationBehindTheBound",
                {"hierarchical-consensus", "--nodes", "4", "--crash", "1", "--bug", "advance-once",
                 "--keep-going"},
                {"100", "300"}},
        Bounded{"DepthFirst",
                {"two-phase-commit", "--rms", "5", "--form", "actors", "--strategy", "dfs"},
                {"2000", "6000"}},
        Bounded{"SleepSets",
                {"two-phase-commit", "--rms", "5", "--form", "actors", "--reduce", "sleep"},
                {"2000", "6000"}},
        Bounded{"Symmetry",
                {"two-phase-commit", "--rms", "6", "--form", "actors", "--symmetry"},
                {"100", "400"}},
        Bounded{"WideFingerprints",
                {"two-phase-commit", "--rms", "6", "--fingerprint", "128"},
                {"30000"}},
        Bounded{"OnDisk",
                {"paxos", "--clients", "2", "--servers", "4", "--threads", "1", "--max-memory",
                 "4M", "--spill", "DISK"},
                {"100000", "150000"}}),
    [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace ordeal::e2e
