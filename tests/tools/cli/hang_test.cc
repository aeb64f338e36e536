// Programs whose handlers, properties or builders do not return, end the process or fail: what a
// user sees of it, and what becomes of what was found before.
#include <gtest/gtest.h>

#include <atomic>
#include <csignal>
#include <cstdlib>
#include <thread>

#include "ordeal/suite.h"
#include "ordeal/system.h"
#include "tests/tools/cli/folder.h"
#include "tests/tools/cli/own_program.h"

namespace ordeal::e2e {
namespace {

volatile bool g_never = false;
std::atomic<int> g_stuck{0};
std::atomic<int> g_taken{0};  // handlers that ran

void hang() {
  ++g_stuck;
  while (!g_never) {
  }
}

struct Go {
  int number = 0;
};

struct Worker {
  using Messages = Types<Go>;
  bool stubborn = false;
  int seen = 0;
  void start(Context& ctx) {
    for (int i = 1; ctx.self() == 1 && i <= 3; ++i) ctx.send(2, Go{i});
  }
  void on(Context&, NodeId, const Go&) {
    ++g_taken;
    if (++seen == 3 && stubborn) hang();
  }
};

struct OpaqueWorker {
  using Messages = Types<Go>;
  Worker node{true, 0};
  void start(Context& ctx) { node.start(ctx); }
  void on(Context& ctx, NodeId from, const Go& go) { node.on(ctx, from, go); }
};

Suite suite() {
  Suite out;
  out.add({.name = "stubborn", .what = "a handler does not return", .build = [](const Arguments&) {
             System system;
             system.add<Worker>(2, [](NodeId) { return Worker{true, 0}; });
             system.always("few", each<Worker>([](const Worker& w) { return w.seen < 1; }));
             return system;
           }});
  out.add({.name = "opaque", .what = "… of an opaque node", .build = [](const Arguments&) {
             System system;
             system.add_opaque<OpaqueWorker>(
                 2, [](NodeId) { return std::make_unique<OpaqueWorker>(); });
             return system;
           }});
  out.add({.name = "only-stubborn", .what = "… and nothing else", .build = [](const Arguments&) {
             System system;
             system.add<Worker>(2, [](NodeId) { return Worker{true, 0}; });
             return system;
           }});
  out.add({.name = "throws", .what = "a builder throws", .build = [](const Arguments&) -> System {
             throw std::runtime_error("no configuration");
           }});
  out.add({.name = "hangs", .what = "a builder does not return", .build = [](const Arguments&) {
             hang();
             return System();
           }});
  out.add({.name = "exits", .what = "a builder ends the process", .build = [](const Arguments&) {
             if (!g_never) std::exit(0);
             return System();
           }});
  return out;
}

class HangCli : public ::testing::Test {
 protected:
  void SetUp() override {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    GTEST_SKIP() << "its runtime has its own opinion of signals";
#endif
  }
  // Two signals, once something does not return.
  static void interrupt_twice() {
    std::thread([] {
      while (g_stuck == 0) std::this_thread::yield();
      kill(getpid(), SIGINT);
      kill(getpid(), SIGTERM);
    }).detach();
  }
};

TEST_F(HangCli, AHandlerThatDoesNotReturnIsAViolation) {
  for (const char* subject : {"only-stubborn", "opaque"}) {
    const Finished run = own_program(suite, {"check", subject, "--handler-seconds", "0.2",
                                             "--max-runs", "20", "--strategy", "random"});
    EXPECT_EQ(run.exit, 1) << run.err;
    EXPECT_TRUE(has(run.out, "did not return within 0.2 s of processor time")) << run.out;
  }
}

TEST_F(HangCli, ASecondSignalLeavesAHandlerThatDoesNotReturnAndReports) {
  const Finished run =
      own_program(suite, {"check", "only-stubborn", "--handler-seconds", "0"}, "", interrupt_twice);
  EXPECT_EQ(run.exit, 2) << run.out << run.err;
  EXPECT_EQ(run.out.find("undecided: "), 0U) << run.out;
  EXPECT_TRUE(has(run.out, "interrupted")) << run.out;
  EXPECT_TRUE(has(run.err, "handlers that run now are left")) << run.err;
  EXPECT_FALSE(has(run.err, "stopped at once")) << run.err;
}

TEST_F(HangCli, WhatWasFoundBeforeTheSecondSignalIsReported) {
  for (const char* strategy : {"bfs", "dfs", "prefix", "random", "dpor"}) {
    const Finished run = own_program(
        suite,
        {"check", "stubborn", "--handler-seconds", "0", "--keep-going", "--strategy", strategy}, "",
        interrupt_twice);
    EXPECT_EQ(run.exit, 1) << strategy << run.out << run.err;
    EXPECT_TRUE(has(run.out, "few")) << run.out;
  }
}

TEST_F(HangCli, ASecondSignalIsForWorkerProcessesToo) {
  // The handler runs in another process: nobody here knows when. The first run has come to it, or
  // will, and then there is nothing else to wait for.
  const auto after_a_while = [] {
    std::thread([] {
      std::this_thread::sleep_for(std::chrono::milliseconds(300));
      kill(getpid(), SIGINT);
      kill(getpid(), SIGTERM);
    }).detach();
  };
  const Finished run =
      own_program(suite, {"check", "opaque", "--handler-seconds", "0", "--strategy", "random"}, "",
                  after_a_while);
  EXPECT_EQ(run.exit, 2) << run.out << run.err;
  EXPECT_TRUE(has(run.out, "interrupted")) << run.out;
}

TEST_F(HangCli, ABuilderThatFailsIsNamed) {
  const auto error = [](const char* subject) {
    const Finished run = own_program(suite, {"check", subject, "--handler-seconds", "0.2"});
    EXPECT_EQ(run.exit, 3) << subject;
    return run.err;
  };
  EXPECT_TRUE(has(error("throws"), "the builder of 'throws' fails: exception: no configuration"));
  EXPECT_TRUE(has(error("hangs"), "the builder of 'hangs' fails: did not return within 0.2 s"));
  EXPECT_TRUE(has(error("exits"), "the builder of 'exits' fails: called exit(0)"));
}

TEST_F(HangCli, ALiveRunEndsInOrderWhereAHandlerDoesNotReturn) {
  const Folder folder;
  const std::string trace = folder.path() + "/live.json";
  const Finished run =
      own_program(suite, {"live", "only-stubborn", "--handler-seconds", "0.2", "--latency", "1..2",
                          "--seconds", "30", "--trace", trace});
  EXPECT_EQ(run.exit, 1) << run.out << run.err;
  EXPECT_TRUE(has(run.out, "did not return within 0.2 s of processor time")) << run.out;
  const Finished again = own_program(suite, {"replay", trace, "--handler-seconds", "0.2"});
  EXPECT_EQ(again.exit, 1) << again.out << again.err;
}

// --- Into a debugger -----------------------------------------------------------------------------

std::atomic<int> g_trapped{0};

TEST_F(HangCli, AReplayStopsForADebuggerBeforeTheStepThatIsAskedFor) {
  const Folder folder;
  const std::string trace = folder.path() + "/t.json";
  const std::vector<std::string> words = {
      "check", "only-stubborn", "--handler-seconds", "0.2", "--trace", trace, "--quiet"};
  ASSERT_EQ(own_program(suite, words).exit, 1);
  const auto trap = [] {
    std::signal(SIGTRAP, [](int) {
      ++g_trapped;
      // The step's own handler has not run for it yet; it will, in this process.
      g_taken = 100;
    });
    std::atexit([] {
      if (g_trapped != 1 || g_taken <= 100) std::_Exit(77);
    });
  };
  const Finished run = own_program(
      suite, {"replay", trace, "--break-at", "3", "--handler-seconds", "0.2"}, "", trap);
  EXPECT_EQ(run.exit, 1) << run.out << run.err;
  // Without a debugger the signal ends it.
  EXPECT_EQ(own_program(suite, {"replay", trace, "--break-at", "1"}).exit, -1);
  const Finished beyond = own_program(suite, {"replay", trace, "--break-at", "4"});
  EXPECT_EQ(beyond.exit, 3);
  EXPECT_TRUE(has(beyond.err, "--break-at")) << beyond.err;
}

// --- Sanitizers ----------------------------------------------------------------------------------

TEST(WoundedCli, AReportOfASanitizerIsAViolationAndTheSearchGoesOn) {
#ifndef ORDEAL_WOUNDED
  GTEST_SKIP() << "the compiler has no AddressSanitizer, or all of this is built with one";
#else
  const Folder folder;
  const std::string out = folder.path() + "/out";
  const std::string err = folder.path() + "/err";
  const std::string program = ORDEAL_WOUNDED;
  const auto run = [&](const std::string& arguments) {
    const int status =
        std::system((program + " " + arguments + " > " + out + " 2> " + err).c_str());
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  };
  for (const char* subject : {"value", "opaque"}) {
    SCOPED_TRACE(subject);
    const std::string trace = folder.path() + "/t.json";
    const std::string of = std::string(subject) + " --strategy prefix --keep-going";
    EXPECT_EQ(run("check " + of + " --trace " + trace), 1) << read_whole(err);
    const std::string text = read_whole(out);
    EXPECT_TRUE(has(text, "a sanitizer reported an error")) << text;
    EXPECT_TRUE(has(read_whole(err), "heap-buffer-overflow")) << read_whole(err);
    // It was not the only thing to find, and not the last.
    EXPECT_TRUE(has(text, "few")) << text;
    EXPECT_EQ(run("replay " + trace), 1) << read_whole(err);
  }
#endif
}

}  // namespace
}  // namespace ordeal::e2e
