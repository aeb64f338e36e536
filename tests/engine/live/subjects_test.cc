// Live runs of every subject, by themselves and under a person who does anything at any time: every
// recording replays in the simulator.
#include <gtest/gtest.h>

#include <map>

#include "base/rng.h"
#include "ordeal/live.h"
#include "protocols/suite.h"
#include "tests/engine/live/drive.h"

namespace ordeal::live {
namespace {

const Suite& the_suite() {
  static const Suite suite = protocols::suite();
  return suite;
}

void expect_recordings_replay(const std::string& name, std::map<std::string, std::string> given) {
  const Suite& suite = the_suite();
  const Subject* subject = suite.find(name);
  const auto arguments = suite.arguments(*subject, given, "");
  ASSERT_TRUE(arguments) << name << ": " << arguments.error().message;
  const auto system = subject->build(*arguments);
  ASSERT_TRUE(system) << name << ": " << system.error().message;
  for (const bool wild : {false, true}) {
    LiveOptions options = quick();
    options.max_steps = 150;
    options.keep_going = true;
    const auto run = start(**system, options);
    ASSERT_NE(run, nullptr);
    Rng rng(1);
    for (int i = 0; i < 60 && run->status().running; ++i) {
      if (wild) be_wild(*run, rng);
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
      if (!wild && run->status().quiet) break;
    }
    run->stop();
    EXPECT_FALSE(is_violated(*run, kLiveAsSimulated)) << name << ": " << run->status().why;
    EXPECT_FALSE(run->trace().steps.empty()) << name;
    expect_replays(**system, run->trace());
  }
}

TEST(Live, RecordingsOfEverySubjectReplay) {
  for (const Subject& subject : the_suite().subjects()) {
    SCOPED_TRACE(subject.name);
    if (subject.name == "cube-world") continue;  // it has no nodes
    std::map<std::string, std::string> given;
    if (subject.name == "two-phase-commit") given["form"] = "actors";
    expect_recordings_replay(subject.name, given);
  }
}

TEST(Live, RecordingsOnEveryNetworkReplay) {
  for (const char* network : {"bag", "set", "ordered"}) {
    SCOPED_TRACE(network);
    expect_recordings_replay("paxos", {{"network", network}});
    expect_recordings_replay("hierarchical-consensus",
                             {{"network", network}, {"detector", "eventually-perfect"}});
  }
}

TEST(Live, ARawModelIsRefusedWithTheReason) {
  const Subject* subject = the_suite().find("two-phase-commit");
  const auto arguments = the_suite().arguments(*subject, {{"form", "raw"}}, "");
  const auto model = subject->build(*arguments);
  const auto run = LiveRun::start(**model);
  ASSERT_FALSE(run);
  EXPECT_NE(run.error().message.find("has no nodes"), std::string::npos);
}

}  // namespace
}  // namespace ordeal::live
