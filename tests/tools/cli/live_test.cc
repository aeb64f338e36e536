// Live runs through the program, as a user meets them.
#include <gtest/gtest.h>
#include <signal.h>

#include <filesystem>
#include <fstream>

#include "ordeal/system.h"
#include "ordeal/trace.h"
#include "tests/tools/cli/folder.h"
#include "tests/tools/cli/own_program.h"
#include "tests/tools/cli/process.h"
#include "tests/tools/report/markup.h"

namespace ordeal::e2e::lives {
namespace {

using Words = std::vector<std::string>;

const Words kQuick = {"--unit", "2", "--latency", "0..2"};

Words operator+(Words words, const Words& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

class LiveCli : public ::testing::Test {
 protected:
  std::string path(const std::string& name) const { return folder_.path() + "/" + name; }
  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(path(name)) << text;
    return path(name);
  }
  Folder folder_;
};

TEST_F(LiveCli, ARunIsShownRecordedAndReplayed) {
  const std::string trace = path("live.json");
  const Finished run = ordeal(Words{"live", "hierarchical-consensus"} + kQuick +
                              Words{"--trace", trace, "--html", path("live.html")});
  EXPECT_EQ(run.exit, 0) << run.err;
  EXPECT_TRUE(has(run.out, "  request Propose{value: 1} at 1\n")) << run.out;
  EXPECT_TRUE(has(run.out, "6 steps: nothing can happen by itself any more\n")) << run.out;
  EXPECT_TRUE(has(run.out, "replay " + trace + "\n")) << run.out;
  EXPECT_TRUE(std::filesystem::exists(path("live.html")));
  const Finished again = ordeal({"replay", trace});
  EXPECT_EQ(again.exit, 0) << again.err;
  EXPECT_TRUE(has(again.out, "reproduced: 6 steps as in the trace")) << again.out;
  const Finished info = ordeal({"trace", "info", trace});
  EXPECT_TRUE(has(info.out, "with any fault at any time")) << info.out;
  // What a replay writes is live too, and replays again.
  EXPECT_EQ(ordeal({"replay", trace, "--quiet", "--trace", path("again.json")}).exit, 0);
  EXPECT_EQ(ordeal({"replay", path("again.json"), "--quiet"}).exit, 0);
  // A search can go on from it: nobody did anything that no budget allows.
  const Finished guided = ordeal({"check", "hierarchical-consensus", "--guide", trace});
  EXPECT_EQ(guided.exit, 2) << guided.err;
  EXPECT_TRUE(has(guided.out, "only runs that start with the guide were explored")) << guided.out;
}

TEST_F(LiveCli, AScriptCrashesANodeAndTheViolationReplays) {
  const std::string script = write("s.txt",
                                   "# before anything else\n\n"
                                   "at 0 crash 1\n"
                                   "at 0.05 request 1\n"
                                   "at 0.05 request 2\n");
  const std::string trace = path("live.json");
  const Finished run = ordeal(Words{"live", "hierarchical-consensus", "--hold-requests", "--script",
                                    script, "--trace", trace} +
                              kQuick);
  EXPECT_EQ(run.exit, 0) << run.out << run.err;
  EXPECT_TRUE(has(run.out, "at 0 s: node 1 has crashed\n")) << run.out;
  EXPECT_TRUE(has(run.out, "detect crash of 1 at 3\n")) << run.out;
  EXPECT_EQ(ordeal({"replay", trace}).exit, 0);
  // No budget allows the crash: a search cannot go on from there.
  const Finished guided = ordeal({"check", "hierarchical-consensus", "--guide", trace});
  EXPECT_EQ(guided.exit, 3);
  EXPECT_TRUE(has(guided.err, "step 1 cannot be taken: crash 1 is not enabled")) << guided.err;
  // A planted bug: nodes 2 and 3 have proposals of their own when node 1 decides.
  const std::string order = write("o.txt", "at 0 request 1\nat 0 request 2\nat 0.1 request 0\n");
  const Finished bug = ordeal(Words{"live", "hierarchical-consensus", "--bug", "decide-own",
                                    "--hold-requests", "--script", order, "--trace", trace} +
                              kQuick);
  EXPECT_EQ(bug.exit, 1) << bug.out << bug.err;
  EXPECT_TRUE(has(bug.out, "✗ violated: agreement")) << bug.out;
  const Finished again = ordeal({"replay", trace});
  EXPECT_EQ(again.exit, 1);
  EXPECT_TRUE(has(again.out, "and the same violation")) << again.out;
}

TEST_F(LiveCli, CommandsComeFromStandardInputAndMistakesAreTold) {
  const Finished run = ordeal(Words{"live", "hierarchical-consensus", "--seconds", "60"} + kQuick,
                              "nodes\ncrsh 1\npause 2\nstop\n");
  EXPECT_EQ(run.exit, 0) << run.err;
  EXPECT_TRUE(has(run.out, "node 3 (Node): up")) << run.out;
  EXPECT_TRUE(has(run.out, "did you mean 'crash'?")) << run.out;
  EXPECT_TRUE(has(run.out, "node 2 is paused")) << run.out;
  EXPECT_TRUE(has(run.out, "it was stopped")) << run.out;
}

TEST_F(LiveCli, AnAnswerOfSeveralLinesIsPrintedInLines) {
  const std::string script = write("s.txt", "at 0 nodes\nat 0 status\nat 0 help\nat 0 stop\n");
  const Finished run = ordeal(Words{"live", "hierarchical-consensus", "--script", script} + kQuick);
  EXPECT_EQ(run.exit, 0) << run.err;
  EXPECT_TRUE(has(run.out, "at 0 s: node 1 (Node): up")) << run.out;
  EXPECT_TRUE(has(run.out, "\nnode 2 (Node): up")) << run.out;
  EXPECT_TRUE(has(run.out, "\nrequest 1: Propose{value: 2} for node 2\n")) << run.out;
  EXPECT_TRUE(has(run.out, "\nresume N        it goes on\n")) << run.out;
  EXPECT_FALSE(has(run.out, "\\n")) << run.out;
}

TEST_F(LiveCli, WhatMakesNoSenseIsRefusedBeforeItBegins) {
  const auto refused = [&](const Words& words, const std::string& why) {
    const Finished run = ordeal(Words{"live"} + words);
    EXPECT_EQ(run.exit, 3) << run.out;
    EXPECT_EQ(run.out, "");
    EXPECT_TRUE(has(run.err, why)) << run.err;
  };
  refused({}, "which subject? there are hierarchical-consensus, ");
  refused({"two-phase-commit"}, "has no nodes");
  refused({"paxos", "--unit", "0"}, "give milliseconds");
  refused({"paxos", "--latency", "9..1"}, "lower bound first");
  refused({"paxos", "--latency", "fast"}, "give milliseconds");
  refused({"paxos", "--seconds", "-1"}, "that is no time");
  refused({"paxos", "--script", path("none")}, "none");
  refused({"paxos", "--script", write("a", "crash 1\n")}, "a:1: 'crash 1' is no line of a script");
  refused({"paxos", "--script", write("b", "\nat 1 crush 1\n")}, "b:2: there is no command");
  refused({"paxos", "--script", write("c", "at x crash 1\n")}, "at SECONDS COMMAND");
  const std::string late = write("d", "at 0 crash 99\n");
  const Finished run = ordeal({"live", "paxos", "--script", late, "--quiet"});
  EXPECT_EQ(run.exit, 3);
  EXPECT_TRUE(has(run.err, "d:1: there is no node 99")) << run.err;
}

TEST_F(LiveCli, AnInterruptEndsTheRunInOrderAndKeepsTheRecording) {
  const std::string trace = path("live.json");
  // As long as the script is not done, only the signal ends it.
  const std::string script = write("s.txt", "at 600 stop\n");
  Process process(
      Words{"live", "raft", "--seconds", "900", "--script", script, "--trace", trace} + kQuick, "",
      path("out"));
  while (!has(read_whole(path("out")), "    5  ")) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  process.send(SIGINT);
  const Finished run = process.finish();
  EXPECT_EQ(run.exit, 0) << run.err;
  EXPECT_TRUE(has(read_whole(path("out")), "it was stopped"));
  EXPECT_EQ(ordeal({"replay", trace, "--quiet"}).exit, 0);
}

// --- Handlers that do not return -----------------------------------------------------------------

struct Serve {};
struct Ball {};

struct Player {
  using Messages = Types<Ball>;
  using Requests = Types<Serve>;
  int served = 0;
  void request(Context& ctx, const Serve&) {
    // Twice to itself, and then to the others.
    if (++served < 3) return ctx.send(ctx.self(), Ball{});
    ctx.broadcast(Ball{});
  }
  void on(Context& ctx, NodeId, const Ball&) {
    while (ctx.self() != 1) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
};

Suite players() {
  Suite suite;
  suite.add({.name = "players", .build = [](const Arguments&) {
               System system;
               system.add<Player>(3).request(1, Serve{});
               return system;
             }});
  return suite;
}

TEST_F(LiveCli, AHandlerThatNeverReturnsIsNamedAndTheRunEndsInTimeWithWhatItRecorded) {
  const std::string trace = path("live.json");
  const Words live = Words{"live", "players", "--seconds", "2", "--grace", "100"} + kQuick;
  const std::string script = write("s.txt", "at 0.1 request 0\nat 0.2 request 0\n");
  const Finished run = own_program(players, live + Words{"--trace", trace, "--script", script});
  EXPECT_EQ(run.exit, 0) << run.out << run.err;
  EXPECT_EQ(run.err, "");
  for (const char* node : {"2", "3"}) {
    const std::string id = node;
    EXPECT_TRUE(has(run.out, "! the handler of node " + id +
                                 " has not returned, and what it does " +
                                 "is not recorded: deliver Ball 1→" + id + "\n"))
        << run.out;
  }
  // The simulator would have to know what the others do when they get the ball.
  EXPECT_TRUE(has(run.out, "! 1 step happened and is not recorded")) << run.out;
  EXPECT_TRUE(has(run.out, "4 steps: the time is up\n")) << run.out;
  const Finished again = own_program(players, {"replay", trace});
  EXPECT_EQ(again.exit, 0) << again.err;
  EXPECT_TRUE(has(again.out, "reproduced: 4 steps as in the trace")) << again.out;
  // No one has to wait for a person, either.
  const Finished stopped = own_program(players, live, "request 0\nrequest 0\nstop\n");
  EXPECT_EQ(stopped.exit, 0) << stopped.err;
  EXPECT_TRUE(has(stopped.out, "it was stopped\n")) << stopped.out;
  const Finished wrong = ordeal({"live", "raft", "--grace", "-1"});
  EXPECT_EQ(wrong.exit, 3);
  EXPECT_TRUE(has(wrong.err, "--grace -1: give milliseconds from 0")) << wrong.err;
}

}  // namespace
}  // namespace ordeal::e2e::lives
