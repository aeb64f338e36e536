// Logs held against models on the command line.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "tests/tools/cli/process.h"
#include "tests/tools/tla/modules.h"

namespace ordeal::e2e {
namespace {

using LogJson = nlohmann::ordered_json;

const std::string kRaft = ORDEAL_SOURCE_DIR "/specs/Raft.tla";
const std::string kRaftConfig = ORDEAL_SOURCE_DIR "/specs/RaftFollow.cfg";
const std::string kRaftMapper = ORDEAL_SOURCE_DIR "/specs/Raft.mapper";
const std::string kLogs = ORDEAL_SOURCE_DIR "/tests/data/logs/";

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(LogCommands, TellByTheExitCodeWhatIsRelied) {
  const Finished good = ordeal({"tla", "trace", kRaft, kLogs + "raft-live.ndjson", "--config",
                                kRaftConfig, "--mapper", kRaftMapper, "--json", "-"});
  EXPECT_EQ(good.exit, 0) << good.err;
  const LogJson told = LogJson::parse(good.out);
  EXPECT_EQ(told["conforms"], true);
  EXPECT_EQ(told["lines"], 28);
  EXPECT_TRUE(told["departed_at"].is_null());
  EXPECT_GE(told["frontier"]["most"], 1);
  const Finished bad = ordeal({"tla", "trace", kRaft, kLogs + "raft-live-late-vote-save.ndjson",
                               "--config", kRaftConfig, "--mapper", kRaftMapper, "--json", "-"});
  EXPECT_EQ(bad.exit, 1) << bad.err;
  const LogJson departed = LogJson::parse(bad.out);
  EXPECT_EQ(departed["conforms"], false);
  EXPECT_EQ(departed["departed_at"], 4);
  EXPECT_EQ(departed["lines"], 15);
  EXPECT_EQ(departed["departure"]["nearest"][0]["differs"].size(), 1U);
  // From standard input, and a line that nobody can read.
  const std::string log = read_whole(kLogs + "raft-live.ndjson");
  const Finished half = ordeal(
      {"tla", "trace", kRaft, "-", "--config", kRaftConfig, "--mapper", kRaftMapper, "--json", "-"},
      log.substr(0, log.size() / 2) + "\n" + "{\n");
  EXPECT_EQ(half.exit, 2) << half.out << half.err;
  EXPECT_TRUE(LogJson::parse(half.out)["conforms"].is_null());
}

TEST(LogCommands, RefuseWhatMakesNoSense) {
  const std::string log = kLogs + "raft-live.ndjson";
  const auto err = [](const std::vector<std::string>& words) {
    const Finished done = ordeal(words);
    EXPECT_EQ(done.exit, 3) << done.out << done.err;
    return done.err;
  };
  EXPECT_TRUE(contains(
      err({"tla", "trace", ORDEAL_SOURCE_DIR "/specs/TwoPhase.tla", log, "--mapper", kRaftMapper}),
      "this mapper is for another specification; here it is TwoPhase"));
  EXPECT_TRUE(contains(err({"tla", "trace", kRaft, "/nowhere/log"}), "cannot read /nowhere/log"));
  EXPECT_TRUE(contains(err({"tla", "trace", kRaft, "/"}), "is a folder"));
  EXPECT_TRUE(contains(err({"tla", "trace", kRaft}), "tla trace"));
  EXPECT_TRUE(contains(err({"conform", "raft"}), "name the log, too"));
  EXPECT_TRUE(contains(err({"conform", "raft", log, "--hidden", "drips"}), "drop"));
  EXPECT_TRUE(contains(err({"conform", "raft", log, "--max-frontier", "0"}), "--max-frontier 0"));
}

TEST(LogCommands, FollowALogOfASubjectThatWasRunHere) {
  Modules files;
  const std::string trace = files.file("t.json"), log = files.file("t.ndjson");
  EXPECT_EQ(ordeal({"check", "raft", "--bug", "vote-keeps-term", "--trace", trace, "--quiet"}).exit,
            1);
  EXPECT_EQ(ordeal({"trace", "export", trace, "--format", "log", "--out", log}).exit, 0);
  EXPECT_EQ(ordeal({"conform", "raft", log, "--bug", "vote-keeps-term"}).exit, 0);
  const Finished live = ordeal({"live", "raft", "--seconds", "1", "--quiet", "--log", log});
  EXPECT_EQ(live.exit, 0) << live.err;
  EXPECT_EQ(ordeal({"conform", "raft", log}).exit, 0);
  EXPECT_EQ(
      ordeal({"tla", "trace", kRaft, log, "--config", kRaftConfig, "--mapper", kRaftMapper}).exit,
      0);
}

// A log that does not end, and a person who does not want to wait.
TEST(LogCommands, TellWhatWasFoundSoFarWhenTheyAreInterrupted) {
  Modules files;
  const std::string spec = files.add("Count", R"(EXTENDS Naturals
VARIABLE x
Init == x = 0
Add == x' = (x + 1) % 10
Next == Add)",
                                     "INIT Init\nNEXT Next\n");
  const std::string pipe = files.file("pipe");
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  Process run({"tla", "trace", spec, pipe, "--json", "-"});
  {
    std::ofstream log(pipe);
    // More than fits into a pipe: what is written behind it was read in part.
    for (int i = 0; i < 20'000; ++i) log << "{\"action\": \"Add\"}\n";
    log.flush();
    run.send(SIGINT);
    const Finished done = run.finish();
    EXPECT_EQ(done.exit, 2) << done.err;
    const LogJson told = LogJson::parse(done.out);
    EXPECT_TRUE(told["conforms"].is_null());
    EXPECT_EQ(told["stopped"], true);
    EXPECT_GT(told["conforming"], 0);
    EXPECT_LE(told["lines"], 20'000);
  }
}

}  // namespace
}  // namespace ordeal::e2e
