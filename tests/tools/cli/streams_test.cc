// What is at the other end of the program's input and output need not be friendly: it may be
// endless, silent, closed, full or gone. The program ends all the same, and keeps what it was told
// to keep.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>

#include "ordeal/system.h"
#include "ordeal/trace.h"
#include "tests/tools/cli/own_program.h"
#include "tests/tools/cli/process.h"

namespace ordeal::e2e::streams {
namespace {

using Words = std::vector<std::string>;

Words operator+(Words words, const Words& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

const Words kQuick = {"--unit", "2", "--latency", "0..2"};

// Whoever reads without bound meets this one.
void bound_memory() {
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
  const rlimit limit{rlim_t{2} << 30, rlim_t{2} << 30};
  setrlimit(RLIMIT_AS, &limit);
#endif
}

// Standard input is this file, or device, and memory is bounded.
std::function<void()> from(const std::string& path) {
  return [path] {
    bound_memory();
    const int fd = open(path.c_str(), O_RDONLY);
    if (fd < 0 || dup2(fd, STDIN_FILENO) < 0) _exit(125);
  };
}

class Streams : public ::testing::Test {
 protected:
  std::string path(const std::string& name) const { return folder_.path() + "/" + name; }
  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(path(name), std::ios::binary) << text;
    return path(name);
  }
  std::string violation() const {
    const std::string file = path("violation.json");
    EXPECT_EQ(ordeal({"check", "hierarchical-consensus", "--crash", "1", "--bug", "advance-once",
                      "--trace", file, "--quiet"})
                  .exit,
              1);
    return file;
  }
  Folder folder_;
};

// --- Input ---------------------------------------------------------------------------------------

TEST_F(Streams, ALiveRunEndsWithItsTimeThoughALineNeverEnds) {
  Process process(Words{"live", "raft", "--seconds", "0.5"} + kQuick, "", "", from("/dev/zero"));
  const Finished run = process.finish();
  EXPECT_EQ(run.exit, 0) << run.err;
  EXPECT_TRUE(has(run.out, "line 1 is longer than 4096 bytes, and was left out\n")) << run.out;
  EXPECT_TRUE(has(run.out, ": the time is up\n")) << run.out;
}

TEST_F(Streams, ALiveRunEndsWithItsTimeThoughNobodySaysAnythingOrSomebodyNeverStops) {
  int ends[2];
  ASSERT_EQ(pipe2(ends, O_CLOEXEC), 0);
  const auto piped = [&] { dup2(ends[0], STDIN_FILENO); };
  {
    Process silent(Words{"live", "raft", "--seconds", "0.5"} + kQuick, "", "", piped);
    const Finished run = silent.finish();
    EXPECT_EQ(run.exit, 0) << run.err;
    EXPECT_TRUE(has(run.out, ": the time is up\n")) << run.out;
  }
  Process process(Words{"live", "raft", "--seconds", "0.5"} + kQuick, "", "", piped);
  close(ends[0]);
  signal(SIGPIPE, SIG_IGN);
  const std::string lines = "nodes\nstatus\n\nhelp\ncrash 77\n";
  while (::write(ends[1], lines.data(), lines.size()) > 0) {
  }
  signal(SIGPIPE, SIG_DFL);
  close(ends[1]);
  const Finished run = process.finish();
  EXPECT_EQ(run.exit, 0) << run.err;
  EXPECT_TRUE(has(run.out, ": the time is up\n")) << run.out.substr(run.out.size() - 200);
}

TEST_F(Streams, ALineThatIsTooLongIsLeftOutAndTheNextOneIsObeyed) {
  const Finished run = ordeal(Words{"live", "hierarchical-consensus", "--seconds", "60"} + kQuick,
                              std::string(100'000, 'x') + "\npause 2\nstop\n");
  EXPECT_EQ(run.exit, 0) << run.err;
  EXPECT_TRUE(has(run.out, "line 1 is longer than 4096 bytes, and was left out\n")) << run.out;
  EXPECT_TRUE(has(run.out, "node 2 is paused")) << run.out;
  EXPECT_LT(run.out.size(), 10'000U);
}

TEST_F(Streams, AWalkEndsWhereALineNeverEnds) {
  Process process({"explore", "hierarchical-consensus"}, "", "", from("/dev/zero"));
  const Finished run = process.finish();
  EXPECT_EQ(run.exit, 3) << run.out;
  EXPECT_EQ(run.err,
            "ordeal explore: standard input: line 1 is longer than 4096 bytes, and was left out\n");
}

TEST_F(Streams, AnEndlessFileIsRefusedByEveryCommandThatReadsOne) {
  for (const Words& words :
       {Words{"trace", "info"}, Words{"trace", "export"}, Words{"trace", "import"},
        Words{"trace", "view", "--html", path("page"), "/dev/zero"}, Words{"replay"},
        Words{"history"}, Words{"scenario", "from-trace"}, Words{"serve"},
        Words{"live", "raft", "--script"}, Words{"explore", "raft", "--start"},
        Words{"check", "raft", "--guide"}, Words{"check", "raft", "--checkpoint"}}) {
    Process process(words + Words{"/dev/zero"}, "", "", bound_memory);
    const Finished run = process.finish();
    EXPECT_EQ(run.exit, 3) << words[0] << words[1] << run.err;
    EXPECT_TRUE(has(run.err, "/dev/zero")) << run.err;
  }
}

TEST_F(Streams, AScriptIsShortAndSoAreItsLines) {
  const auto refusal = [&](const std::string& script) {
    const Finished run = ordeal({"live", "raft", "--script", write("s", script)});
    EXPECT_EQ(run.exit, 3) << run.out;
    return run.err;
  };
  EXPECT_TRUE(has(refusal("at 0 nodes\nat 0 " + std::string(5000, 'x') + "\n"),
                  "s:2: the line is longer than 4096 bytes\n"));
  std::string many;
  for (int i = 0; i < 200'000; ++i) many += "at 0 nodes\n";
  EXPECT_TRUE(has(refusal(many), "it is longer than 1048576 bytes"));
}

TEST_F(Streams, ACheckpointThatIsAPipeIsRefusedAndNotWaitedFor) {
  ASSERT_EQ(mkfifo(path("fifo").c_str(), 0600), 0);
  const Finished run = ordeal({"check", "raft", "--checkpoint", path("fifo")});
  EXPECT_EQ(run.exit, 3) << run.out;
  EXPECT_TRUE(has(run.err, "is no checkpoint")) << run.err;
}

TEST_F(Streams, AScriptAndATraceMayComeThroughAPipe) {
  ASSERT_EQ(mkfifo(path("fifo").c_str(), 0600), 0);
  Process live(Words{"live", "hierarchical-consensus", "--script", path("fifo")} + kQuick);
  std::ofstream(path("fifo")) << "at 0 nodes\n";
  EXPECT_TRUE(has(live.finish().out, "at 0 s: node 1 (Node): up"));
  const std::string trace = read_whole(violation());
  Process info({"trace", "info", path("fifo")});
  std::ofstream(path("fifo")) << trace;
  EXPECT_EQ(info.finish().exit, 0);
}

TEST_F(Streams, WithoutStandardInputARunIsAsWithAnEmptyOne) {
  const std::string trace = path("t.json");
  Process live(Words{"live", "hierarchical-consensus", "--trace", trace} + kQuick, "", "",
               [] { close(STDIN_FILENO); });
  const Finished run = live.finish();
  EXPECT_EQ(run.exit, 0) << run.err;
  EXPECT_TRUE(has(run.out, "nothing can happen by itself any more")) << run.out;
  EXPECT_EQ(ordeal({"replay", trace, "--quiet"}).exit, 0);
  Process explore({"explore", "hierarchical-consensus"}, "", "", [] { close(STDIN_FILENO); });
  EXPECT_EQ(explore.finish().exit, 0);
}

// --- Output --------------------------------------------------------------------------------------

// Runs it with a reader of its output who goes away after the first line.
Finished with_a_reader_who_leaves(const Words& words) {
  int ends[2];
  EXPECT_EQ(pipe2(ends, O_CLOEXEC), 0);
  Process process(words, "", "", [&] { dup2(ends[1], STDOUT_FILENO); });
  close(ends[1]);
  char c = 0;
  while (read(ends[0], &c, 1) == 1 && c != '\n') {
  }
  close(ends[0]);
  return process.finish();
}

TEST_F(Streams, WhoReadsNoMoreOfTheOutputIsNoError) {
  const std::string trace = violation();
  for (const Words& words :
       {Words{"trace", "export", trace}, Words{"trace", "info", trace, "--steps"}, Words{"list"},
        Words{"help", "--markdown"}, Words{"scenario", "from-trace", trace}}) {
    const Finished run = with_a_reader_who_leaves(words);
    EXPECT_EQ(run.exit, 0) << words[0];
    EXPECT_EQ(run.err, "") << words[0];
  }
  EXPECT_EQ(with_a_reader_who_leaves({"replay", trace}).exit, 1);
  EXPECT_EQ(with_a_reader_who_leaves({"explore", "raft"}).exit, 0);
}

TEST_F(Streams, ALiveRunThatNobodyWatchesAnyMoreEndsAndKeepsItsRecording) {
  const std::string trace = path("t.json");
  const std::string script = write("s", "at 600 stop\n");
  const Finished run = with_a_reader_who_leaves(
      Words{"live", "raft", "--seconds", "900", "--script", script, "--trace", trace} + kQuick);
  EXPECT_EQ(run.exit, 0) << run.err;
  EXPECT_EQ(run.err, "");
  EXPECT_EQ(ordeal({"replay", trace, "--quiet"}).exit, 0);
}

TEST_F(Streams, AClosedStandardOutputIsToldAndNoFileIsTakenForIt) {
  const std::string trace = path("t.json");
  // The first descriptors that are opened would be those of output and errors.
  for (const Words& words :
       {Words{"check", "hierarchical-consensus", "--crash", "1", "--bug", "advance-once"},
        Words{"live", "hierarchical-consensus"} + kQuick}) {
    Process process(words + Words{"--trace", trace}, "", "", [] { close(STDOUT_FILENO); });
    const Finished run = process.finish();
    EXPECT_EQ(run.exit, 3);
    EXPECT_TRUE(has(run.err, "cannot write to standard output: Bad file descriptor")) << run.err;
    EXPECT_TRUE(read_trace(trace).ok());
    std::filesystem::remove(trace);
  }
}

// A worker process follows an opaque node: the line to it must not be taken for standard output.
class Opaque {
 public:
  struct Go {};
  using Requests = Types<Go>;
  void request(Context& ctx, const Go&) { ctx.decide(++made_); }
  uint64_t digest() const { return static_cast<uint64_t>(made_); }

 private:
  int made_ = 0;
};

TEST_F(Streams, WhatIsPrintedGoesToNoSocketThatTookThePlaceOfAClosedStream) {
  const auto suite = [] {
    Suite suite;
    suite.add({.name = "opaque", .build = [](const Arguments&) {
                 System system;
                 system.add_opaque<Opaque>(2, [](NodeId) { return std::make_unique<Opaque>(); });
                 system.request(1, Opaque::Go{}).request(2, Opaque::Go{});
                 return system;
               }});
    return suite;
  };
  const std::string trace = path("t.json");
  const Finished run = own_program(suite, Words{"live", "opaque", "--trace", trace} + kQuick, "",
                                   [] { close(STDOUT_FILENO); });
  EXPECT_EQ(run.exit, 3);
  EXPECT_EQ(run.err, "own live: cannot write to standard output: Bad file descriptor\n");
  const Finished again = own_program(suite, {"replay", trace});
  EXPECT_EQ(again.exit, 0) << again.out << again.err;
}

TEST_F(Streams, AFullDiskAtTheEndOfALiveRunIsToldAndNothingIsPromised) {
  const Finished run =
      ordeal(Words{"live", "hierarchical-consensus", "--trace", "/dev/full"} + kQuick);
  EXPECT_EQ(run.exit, 3);
  EXPECT_TRUE(has(run.err, "cannot write /dev/full: No space left on device")) << run.err;
  EXPECT_FALSE(has(run.out, "replay")) << run.out;
  // The page is written all the same.
  const Finished both = ordeal(
      Words{"live", "hierarchical-consensus", "--trace", "/dev/full", "--html", path("page.html")} +
      kQuick);
  EXPECT_EQ(both.exit, 3);
  EXPECT_TRUE(std::filesystem::exists(path("page.html")));
}

TEST_F(Streams, AFullDiskBehindStandardOutputEndsALiveRunAndTheRecordingStays) {
  const std::string trace = path("t.json");
  const std::string script = write("s", "at 600 stop\n");
  Process process(
      Words{"live", "raft", "--seconds", "900", "--script", script, "--trace", trace} + kQuick, "",
      "/dev/full");
  const Finished run = process.finish();
  EXPECT_EQ(run.exit, 3);
  EXPECT_TRUE(has(run.err, "cannot write to standard output: No space left on device")) << run.err;
  EXPECT_EQ(ordeal({"replay", trace, "--quiet"}).exit, 0);
}

// --- Signals -------------------------------------------------------------------------------------

class Signals : public Streams {
 protected:
  // A run that only a signal ends, and that has begun.
  std::unique_ptr<Process> endless() {
    const std::string script = write("s", "at 600 stop\n");
    auto process = std::make_unique<Process>(
        Words{"live", "raft", "--seconds", "900", "--script", script, "--trace", path("t.json")} +
            kQuick,
        "", path("out"));
    while (!has(read_whole(path("out")), "    5  ")) {
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    return process;
  }
};

TEST_F(Signals, ATerminalThatIsClosedEndsALiveRunAndTheRecordingStays) {
  const auto process = endless();
  process->send(SIGHUP);
  EXPECT_EQ(process->finish().exit, 0);
  EXPECT_EQ(ordeal({"replay", path("t.json"), "--quiet"}).exit, 0);
}

TEST_F(Signals, TheSecondInterruptEndsItAtOnceAndLeavesNoHalfOfAFile) {
  const auto process = endless();
  process->send(SIGINT);
  process->send(SIGINT);
  const int exit = process->finish().exit;
  EXPECT_TRUE(exit == 2 || exit == 0) << exit;  // it may have been done before
  for (const auto& file : std::filesystem::directory_iterator(folder_.path())) {
    EXPECT_NE(file.path().extension(), ".tmp");
  }
  if (std::filesystem::exists(path("t.json"))) {
    EXPECT_EQ(ordeal({"replay", path("t.json"), "--quiet"}).exit, 0);
  }
}

}  // namespace
}  // namespace ordeal::e2e::streams
