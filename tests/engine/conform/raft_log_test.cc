#include "tests/engine/conform/raft_logs.h"

namespace ordeal::conform {
namespace {

using protocols::testing::build;
using protocols::testing::Given;

TEST(RaftLogs, Explore) {
  const std::vector<std::pair<std::string, Given>> bugs = {
      {"", {{"terms", "2"}}},
      {"", {{"terms", "3"}, {"crash", "1,2,3"}, {"recoveries", "2"}, {"network", "bag"}}},
      {"", {{"terms", "3"}, {"crash", "1,2,3"}, {"max-crashes","2"},{"recoveries", "2"}, {"network", "set"}, {"heartbeats", "2"},{"writes","3"}}},
      {"", {{"servers", "5"}, {"terms", "3"}, {"candidates", "0"}}},
      {"small-quorum", {{"servers", "5"}}},
      {"late-vote-save", {{"crash", "3"}, {"recoveries", "1"}}},
      {"vote-keeps-term", {}},
      {"append-keeps-term", {{"terms", "2"}, {"network", "bag"}}},
      {"answer-keeps-term", {{"terms", "2"}}},
      {"old-votes-count", {{"terms", "3"}}},
      {"elected-again", {}},
      {"unanimous", {}},
      {"commit-old-term", {{"terms", "3"}, {"candidates", "0"}}},
      {"lost-truncation", {{"terms", "3"}, {"clients", "2"}}},
      {"stale-suffix", {{"terms", "2"}, {"clients", "0"}}},
      {"leader-cuts-log", {{"terms", "2"}}},
      {"forget-tail", {{"terms", "2"}, {"crash", "3"}, {"recoveries", "1"}}},
      {"append-cuts-log", {{"network", "bag"}}},
      {"old-leader-obeyed", {{"terms", "2"}}},
      {"own-entries-stay", {{"terms", "2"}}},
      {"no-resend", {{"terms", "2"}}},
  };
  for (const auto& [bug, given] : bugs) {
    const auto wrong = build("raft", given, bug);
    ASSERT_TRUE(wrong.ok()) << wrong.error().message;
    const int servers = given.contains("servers") ? 5 : 3;
    int cpp = 0, same = 0, later = 0, never = 0, earlier = 0, undecided = 0;
    std::string sample;
    for (uint64_t seed = 0; seed < 60; ++seed) {
      const std::string log = random_log(**wrong, seed, 80);
      const Conformance system = in_system(log, given);
      const Conformance model = in_model(log, servers);
      const uint64_t a = system.departure ? system.departure->line : 0;
      const uint64_t b = model.departure ? model.departure->line : 0;
      if (!model.conforms || !system.conforms) ++undecided;
      if (a) ++cpp;
      if (a && a == b) ++same;
      else if (a && b > a) ++later;
      else if (b && (!a || b < a)) { ++earlier; if (sample.empty()) sample = "seed "+std::to_string(seed)+ " " + std::to_string(a) + "\n"+to_text(model, "log"); }
      else if (a) { ++never; }
    }
    printf("%-20s cpp %d same %d later %d never %d EARLIER %d undecided %d\n%s", bug.c_str(), cpp, same, later, never, earlier, undecided, sample.c_str());
  }
}

}  // namespace
}  // namespace ordeal::conform
