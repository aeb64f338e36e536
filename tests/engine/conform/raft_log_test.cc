// What this project's Raft logs, against its specification in TLA+ and against itself.
#include "tests/engine/conform/raft_logs.h"

namespace ordeal::conform {
namespace {

using protocols::testing::build;
using protocols::testing::Given;

struct Planted {
  std::string bug;
  Given given;
};

uint64_t line_of(const Conformance& found) { return found.departure ? found.departure->line : 0; }

TEST(RaftLogs, OfCorrectServersAreBehaviourOfTheSpecification) {
  const std::vector<Given> all = {
      {{"terms", "2"}},
      {{"terms", "3"}, {"crash", "1,2,3"}, {"recoveries", "2"}, {"network", "bag"}},
      {{"terms", "3"},
       {"crash", "1,2"},
       {"recoveries", "2"},
       {"network", "set"},
       {"heartbeats", "2"},
       {"writes", "3"}},
      {{"servers", "5"}, {"terms", "3"}, {"candidates", "0"}, {"drops", "2"}}};
  uint64_t events = 0, most = 0;
  for (const Given& given : all) {
    const auto subject = build("raft", given);
    ASSERT_TRUE(subject.ok()) << subject.error().message;
    for (uint64_t seed = 0; seed < 8; ++seed) {
      const std::string log = random_log(**subject, seed, 80);
      const Conformance found = in_model(log, given.contains("servers") ? 5 : 3);
      ASSERT_TRUE(found.conforms && *found.conforms) << seed << "\n" << to_text(found, "the log");
      EXPECT_FALSE(found.cut);
      events += found.events;
      most = std::max(most, found.most);
      const Conformance itself = in_system(log, given);
      ASSERT_TRUE(itself.conforms && *itself.conforms) << seed << "\n"
                                                       << to_text(itself, "the log");
      EXPECT_EQ(itself.most, 1U) << "a whole state says which it is";
    }
  }
  EXPECT_GT(events, 1000U);
  EXPECT_LE(most, 8U);
}

// The right line is where the correct servers would have done something else, which the same log
// says when it is held against them.
TEST(RaftLogs, OfEachPlantedBugThatTheModelCanSeeDepartAtTheRightLine) {
  const std::vector<Planted> bugs = {
      {"small-quorum", {{"servers", "5"}}},
      {"late-vote-save", {{"crash", "3"}, {"recoveries", "1"}}},
      {"vote-keeps-term", {}},
      {"append-keeps-term", {{"terms", "2"}, {"network", "bag"}}},
      {"answer-keeps-term", {{"terms", "2"}}},
      {"old-votes-count", {{"terms", "3"}}},
      {"elected-again", {}},
      {"stale-suffix", {{"terms", "2"}, {"clients", "0"}}},
      {"leader-cuts-log", {{"terms", "2"}}},
      {"forget-tail", {{"terms", "2"}, {"crash", "3"}, {"recoveries", "1"}}},
      {"append-cuts-log", {{"network", "bag"}}},
      {"old-leader-obeyed", {{"terms", "2"}}},
      {"own-entries-stay", {{"terms", "2"}}},
  };
  for (const Planted& planted : bugs) {
    const auto wrong = build("raft", planted.given, planted.bug);
    ASSERT_TRUE(wrong.ok()) << wrong.error().message;
    int shown = 0;
    for (uint64_t seed = 0; seed < 60 && shown < 1; ++seed) {
      const std::string log = random_log(**wrong, seed, 80);
      const Conformance model = in_model(log, planted.given.contains("servers") ? 5 : 3);
      if (model.conforms && *model.conforms) continue;  // the bug has not shown
      ++shown;
      const Conformance system = in_system(log, planted.given);
      ASSERT_TRUE(model.conforms.has_value()) << model.why;
      EXPECT_EQ(line_of(model), line_of(system)) << planted.bug << ", seed " << seed << "\n"
                                                 << to_text(model, "the log");
      EXPECT_FALSE(model.departure->nearest.empty());
      // With the bug, it is a run of the system.
      const Conformance itself = in_system(log, planted.given, planted.bug);
      EXPECT_TRUE(itself.conforms && *itself.conforms) << to_text(itself, "the log");
    }
    EXPECT_GT(shown, 0) << planted.bug;
  }
}

// Recorded with `ordeal live raft --log`: real time, real threads.
TEST(RaftLogs, RecordedLiveAreBehaviourOrDepartWhereTheBugShows) {
  const std::string folder = ORDEAL_SOURCE_DIR "/tests/data/logs/";
  struct Recorded {
    std::string name;
    Given given;
    uint64_t line = 0;  // where it departs
  };
  const std::vector<Recorded> logs = {
      {"raft-live.ndjson", {{"terms", "2"}}, 0},
      {"raft-live-crash.ndjson", {{"terms", "3"}, {"candidates", "0"}, {"heartbeats", "2"}}, 0},
      {"raft-live-late-vote-save.ndjson", {}, 4}};
  for (const auto& [name, given, line] : logs) {
    const Result<std::string> log = read_file(folder + name);
    ASSERT_TRUE(log.ok()) << log.error().message;
    const Conformance model = in_model(*log, 3);
    ASSERT_TRUE(model.conforms.has_value()) << name << ": " << model.why;
    EXPECT_EQ(*model.conforms, line == 0) << name << "\n" << to_text(model, name);
    EXPECT_EQ(line_of(model), line) << name << "\n" << to_text(model, name);
    const Conformance system = in_system(*log, given);
    ASSERT_TRUE(system.conforms.has_value()) << name << ": " << system.why;
    EXPECT_EQ(line_of(system), line) << name << "\n" << to_text(system, name);
  }
}

// What is left of a log still conforms, with more states that may be meant.
TEST(RaftLogs, WithoutStatesConformWithMoreStatesThatTheyMayMean) {
  const auto subject = build("raft", {{"terms", "2"}});
  for (uint64_t seed = 0; seed < 5; ++seed) {
    std::istringstream whole(random_log(**subject, seed, 60));
    std::string log, line;
    while (std::getline(whole, line)) {
      nlohmann::ordered_json event = nlohmann::ordered_json::parse(line);
      event.erase("state");
      if (seed % 2 == 0) event.erase("from");
      log += event.dump() + "\n";
    }
    const Conformance model = in_model(log, 3);
    EXPECT_TRUE(model.conforms && *model.conforms) << to_text(model, "the log");
    const Conformance system = in_system(log, {{"terms", "2"}});
    EXPECT_TRUE(system.conforms && *system.conforms) << to_text(system, "the log");
  }
}

}  // namespace
}  // namespace ordeal::conform
