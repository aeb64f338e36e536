// What handlers keep outside of their values is noticed by every check.
#include <gtest/gtest.h>
#include <time.h>

#include <algorithm>
#include <memory>

#include "ordeal/scenario.h"
#include "ordeal/scenario_run.h"
#include "tests/oracle/verdicts/keepers.h"

namespace ordeal::verdicts::rehearsal_tests {
namespace {

TEST(Rehearsal, NoticesWhatIsKeptOutsideOfTheValue) { EXPECT_EQ(problem_with_keepers(), ""); }

TEST(Rehearsal, NamesTheNodeTheHandlerAndWhatDiffers) {
  const auto same = keepers(Kept::kInTheNode).rehearse(1, 200);
  ASSERT_FALSE(same.ok());
  EXPECT_NE(same.error().message.find("(Keeper): the handler `on` for Coin did something else on "
                                      "an object that was kept than on an equal value: seen became "
                                      "1, not 0. What it does depends on something that is no part "
                                      "of the state: a field that ORDEAL_FIELDS does not name"),
            std::string::npos)
      << same.error().message;
}

TEST(Rehearsal, IsQuietWhereNothingIsKept) {
  EXPECT_TRUE(keepers(Kept::kNowhere).rehearse(1, 2000).ok());
  const auto report = check(keepers(Kept::kNowhere), {.threads = 1});
  ASSERT_TRUE(report.ok()) << report.error().message;
  EXPECT_EQ(report->verdict, Verdict::kHolds);
}

struct Ask {
  int n = 0;
  int more = 0;  // no part of the value
  ORDEAL_FIELDS(n);
  ORDEAL_CONSTANTS(more);
};
enum class Late { kStart, kRequest, kTimer };

// Something that is no part of the value was there from the start, came with one of two equal
// requests, or shows after two hundred steps.
template <Late kWhen>
struct Keeping {
  using Messages = Types<Coin>;
  using Requests = Types<Ask>;
  int seen = 0;
  int own = 0;
  ORDEAL_FIELDS(seen);
  ORDEAL_CONSTANTS(own);
  void start(Context& ctx) {
    if (kWhen == Late::kStart) own = static_cast<int>(ctx.choose(2));
    if (kWhen != Late::kRequest) ctx.set_timer("t");
  }
  void on(Context&, const Coin&) {}
  void request(Context&, const Ask& ask) { seen = ask.more; }
  void timer(Context& ctx, const std::string&) {
    if (kWhen == Late::kStart) seen = own;
    if (kWhen == Late::kTimer && ++own == 200) seen = 1;
    if (kWhen == Late::kTimer && own < 200) ctx.set_timer("t");
  }
};

template <Late kWhen>
void expect_no_clean_result() {
  System system;
  system.add<Keeping<kWhen>>(1);
  if (kWhen == Late::kRequest) system.request(1, Ask{1, 0}).request(1, Ask{1, 1});
  using Node = Keeping<kWhen>;
  system.always("never", each<Node>([](const Node& node) { return node.seen == 0; }));
  for (const std::string strategy : {"bfs", "dfs", "prefix"}) {
    const auto report = check(system, {.strategy = strategy, .threads = 1, .max_runs = 100});
    EXPECT_TRUE(!report.ok() || report->verdict == Verdict::kViolated) << strategy;
  }
}

TEST(Rehearsal, NoticesWhatWasKeptFromTheStart) { expect_no_clean_result<Late::kStart>(); }
TEST(Rehearsal, NoticesWhatCameWithARequest) { expect_no_clean_result<Late::kRequest>(); }
TEST(Rehearsal, NoticesWhatShowsLate) { expect_no_clean_result<Late::kTimer>(); }

// A constant is no part of the state, and need not be.
struct Sized {
  using Messages = Types<Coin>;
  int seen = 0;
  int most = 3;
  ORDEAL_FIELDS(seen);
  ORDEAL_CONSTANTS(most);
  void start(Context& ctx) { ctx.send(ctx.self(), Coin{}); }
  void on(Context& ctx, const Coin& coin) {
    if (++seen < most) ctx.send(ctx.self(), coin);
  }
};

TEST(Rehearsal, LeavesConstantsAlone) {
  System system;
  system.add<Sized>(2);
  EXPECT_TRUE(system.rehearse(1, 1000).ok());
}

struct Numbered {
  using Messages = Types<Coin>;
  int number = 0;
  static inline int next = 0;
  void start(Context&) { number = ++next; }
  void on(Context&, const Coin&) {}
};

TEST(Rehearsal, NoticesNodesThatStartOtherwiseEachTime) {
  System system;
  system.add<Numbered>(1);
  const auto same = system.rehearse(1, 10);
  ASSERT_FALSE(same.ok());
  EXPECT_EQ(same.error().message.find("the nodes do not start alike each time"), 0U)
      << same.error().message;
}

// Counts by itself how often it was called, in this process.
struct Counting {
  static inline int calls = 0;
  static inline int most = 0;
  int count = 0;
  void start(Context& ctx) { ctx.set_timer("t"); }
  void timer(Context& ctx, const std::string&) {
    count = ++calls;
    if (count < most) ctx.set_timer("t");
  }
};

TEST(Rehearsal, AViolationThatGoesAnotherWayWhenItIsRepeatedIsNone) {
  for (const std::string strategy : {"bfs", "dfs", "prefix", "random", "pct"}) {
    for (const bool goes_on : {true, false}) {
      Counting::calls = 0;
      Counting::most = goes_on ? 1'000'000 : 5;
      System system;
      system.add<Counting>(1);
      system.always("few", each<Counting>([](const Counting& node) { return node.count < 5; }));
      const auto report = check(system, {.strategy = strategy, .threads = 1, .max_runs = 10});
      ASSERT_FALSE(report.ok()) << strategy;
      const std::string& error = report.error().message;
      EXPECT_NE(error.find(goes_on ? "went another way when it was repeated: at step 1, "
                                   : "did not show when its run was repeated: step 2 takes "),
                std::string::npos)
          << strategy << ": " << error;
    }
  }
}

// The same, with nothing to look into but what it says of itself.
struct OpaqueCounting {
  using Messages = Types<Coin>;
  uint64_t stamp = 0;
  void start(Context& ctx) { ctx.set_timer("t"); }
  void timer(Context& ctx, const std::string&) {
    timespec now{};
    clock_gettime(CLOCK_MONOTONIC, &now);
    stamp = static_cast<uint64_t>(now.tv_sec) * 1'000'000'000 + static_cast<uint64_t>(now.tv_nsec);
    ctx.decide(1);
  }
  void on(Context&, NodeId, const Coin&) {}
  uint64_t digest() const { return stamp; }
};

TEST(Rehearsal, AViolationOfOpaqueNodesThatDoesNotReplayIsToldWithANote) {
  System system;
  system.add_opaque<OpaqueCounting>(1, [](NodeId) { return std::make_unique<OpaqueCounting>(); });
  system.always("undecided", [](const View& view) { return view.decisions(1).empty(); });
  const auto report = check(system, {.strategy = "random", .max_runs = 10});
  ASSERT_TRUE(report.ok()) << report.error().message;
  EXPECT_EQ(report->verdict, Verdict::kViolated);
  const bool told = std::any_of(report->notes.begin(), report->notes.end(), [](const auto& note) {
    return note.find("went another way when it was repeated") != std::string::npos;
  });
  EXPECT_TRUE(told);
}

TEST(Rehearsal, IsHeldBeforeScenariosAreJudged) {
  Scenario scenario("nothing in particular");
  scenario.max_steps(5);
  const auto report = run(scenario, keepers(Kept::kInTheNode), {.max_runs = 5});
  EXPECT_FALSE(report.ok());
}

}  // namespace
}  // namespace ordeal::verdicts::rehearsal_tests
