// Code that fails in every way, run by the guard: it says how, and the thread goes on.
#include "base/guard.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <mutex>
#include <thread>
#include <vector>

#include "base/watch.h"
#include "tests/under_sanitizer.h"

namespace ordeal {
namespace {

int* volatile g_null = nullptr;
volatile bool g_never = false;

// What is inlined into the engine's template shares its lines with it.
__attribute__((noinline)) void spin() {
  while (!g_never) {
  }
}

__attribute__((noinline)) void crash() { *g_null = 1; }
__attribute__((noinline)) void leave() { std::exit(3); }
__attribute__((noinline)) void abort_it() { std::abort(); }

class Guarded : public ::testing::Test {
 protected:
  void SetUp() override {
    if (under_sanitizer()) GTEST_SKIP() << "its runtime has its own opinion of signals";
    limit_calls(0.2);
  }
  void TearDown() override { limit_calls(kDefaultCallSeconds); }
};

TEST_F(Guarded, ACallThatComputesForEverIsGivenUp) {
  const std::string failure = guarded_call([] { spin(); });
  EXPECT_TRUE(failure.starts_with("did not return within 0.2 s of processor time")) << failure;
  EXPECT_TRUE(is_overdue(failure));
}

TEST_F(Guarded, ACallThatSleepsForEverIsGivenUp) {
  std::mutex mutex;
  mutex.lock();
  const std::string failure = guarded_call([&] { mutex.lock(); });
  EXPECT_TRUE(is_overdue(failure)) << failure;
}

TEST_F(Guarded, ACallThatAllocatesForEverLeavesTheAllocatorIntact) {
  for (int i = 0; i < 5; ++i) {
    const std::string failure = guarded_call([] {
      std::vector<std::string> kept;
      for (size_t k = 1;; ++k) {
        kept.emplace_back(k % 1000, 'x');
        if (kept.size() > 1000) kept.clear();
      }
    });
    EXPECT_TRUE(is_overdue(failure)) << failure;
  }
  std::vector<std::thread> all;
  for (int i = 0; i < 4; ++i) {
    all.emplace_back([] {
      for (size_t k = 0; k < 10'000; ++k) std::string(k % 2000, 'y').shrink_to_fit();
    });
  }
  for (std::thread& one : all) one.join();
}

TEST_F(Guarded, OnlyTheInnermostCallIsGivenUp) {
  int after = 0;
  const std::string failure = guarded_call([&] {
    EXPECT_TRUE(is_overdue(guarded_call([] { spin(); })));
    after = 1;
  });
  EXPECT_EQ(failure, "");
  EXPECT_EQ(after, 1);
}

TEST_F(Guarded, WorkMayTakeAsLongAsItLikesIfNoCallInItDoes) {
  limit_calls(0.05);
  const std::string failure = guarded([] {
    const clock_t begin = clock();
    while (clock() - begin < CLOCKS_PER_SEC / 4) {
    }
  });
  EXPECT_EQ(failure, "");
  const std::string many = guarded([] {
    const clock_t begin = clock();
    while (clock() - begin < CLOCKS_PER_SEC / 4) {
      const Watched watched;
    }
  });
  EXPECT_EQ(many, "");
}

TEST_F(Guarded, WaitingForSomebodyInTheMiddleOfACallDoesNotCount) {
  const std::string failure = guarded_call([] {
    const Unwatched waiting;
    std::this_thread::sleep_for(std::chrono::milliseconds(600));
  });
  EXPECT_EQ(failure, "");
}

TEST_F(Guarded, ALimitOfZeroIsNone) {
  limit_calls(0);
  const std::string failure =
      guarded_call([] { std::this_thread::sleep_for(std::chrono::milliseconds(300)); });
  EXPECT_EQ(failure, "");
}

TEST_F(Guarded, EveryThreadIsWatched) {
  std::vector<std::string> failures(3);
  std::vector<std::thread> all;
  for (std::string& failure : failures) {
    all.emplace_back([&] { failure = guarded_call([] { spin(); }); });
  }
  for (std::thread& one : all) one.join();
  for (const std::string& failure : failures) EXPECT_TRUE(is_overdue(failure)) << failure;
}

TEST_F(Guarded, AForkedProcessIsWatchedToo) {
  EXPECT_TRUE(is_overdue(guarded_call([] { spin(); })));
  const pid_t pid = fork();
  if (pid == 0) end_process(is_overdue(guarded_call([] { spin(); })) ? 7 : 1);
  int status = 0;
  ASSERT_EQ(waitpid(pid, &status, 0), pid);
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 7);
}

TEST_F(Guarded, TheEndOfTheProcessIsAFailureOfTheCallThatAsksForIt) {
  EXPECT_EQ(std::string(without_place(guarded_call([] { std::exit(3); }))), "called exit(3)");
  EXPECT_EQ(std::string(without_place(guarded_call([] { ::_exit(4); }))), "called exit(4)");
  EXPECT_EQ(std::string(without_place(guarded_call([] { std::_Exit(5); }))), "called exit(5)");
  EXPECT_EQ(std::string(without_place(guarded_call([] { std::quick_exit(6); }))), "called exit(6)");
}

TEST_F(Guarded, OutsideOfACallTheProcessEndsAsItIsAsked) {
  EXPECT_EXIT(std::exit(3), ::testing::ExitedWithCode(3), "");
  EXPECT_EXIT(::_exit(4), ::testing::ExitedWithCode(4), "");
  EXPECT_EXIT(std::quick_exit(5), ::testing::ExitedWithCode(5), "");
}

TEST_F(Guarded, ACrashSaysWhereItHappened) {
  const std::string failure = guarded_call([] { crash(); });
  EXPECT_EQ(std::string(without_place(failure)), "segmentation fault (SIGSEGV)");
  if (!why_no_places().empty()) GTEST_SKIP() << why_no_places();
  EXPECT_NE(failure.find(" at guard_test.cc:"), std::string::npos) << failure;
  const std::string ended = guarded_call([] { leave(); });
  EXPECT_NE(ended.find("(ordeal::leave)"), std::string::npos) << ended;
  const std::string aborted = guarded_call([] { abort_it(); });
  EXPECT_NE(aborted.find(" at guard_test.cc:"), std::string::npos) << aborted;
  const std::string endless = guarded_call([] { spin(); });
  EXPECT_NE(endless.find(" at guard_test.cc:"), std::string::npos) << endless;
}

TEST_F(Guarded, APlaceIsNoPartOfWhatHappened) {
  EXPECT_EQ(without_place("segmentation fault (SIGSEGV) at a.cc:5 (A::on)"),
            "segmentation fault (SIGSEGV)");
  EXPECT_EQ(without_place("called exit(1) in A::on"), "called exit(1)");
  EXPECT_EQ(without_place("did not return within 10 s of processor time at a.cc:5 (f)"),
            "did not return within 10 s of processor time");
  EXPECT_EQ(without_place("exception: f(x) at y"), "exception: f(x) at y");
}

TEST_F(Guarded, WorkThatIsAbandonedSaysSoAndCallsOutsideOfWorkToo) {
  // For a whole process: in one of its own.
  const pid_t pid = fork();
  if (pid == 0) {
    limit_calls(0);
    bool after = false;
    const std::string failure = guarded([&] {
      abandon_calls();
      guarded_call([] { spin(); });
      after = true;
    });
    const bool alone = is_abandoned(guarded_call([] { spin(); }));
    end_process(is_abandoned(failure) && !after && alone ? 7 : 1);
  }
  int status = 0;
  ASSERT_EQ(waitpid(pid, &status, 0), pid);
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 7);
}

}  // namespace
}  // namespace ordeal
