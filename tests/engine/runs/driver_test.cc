// The one loop of runs: what observers hear, in which order, and how runs end.
#include "explore/run/driver.h"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>

#include "explore/run/runs.h"
#include "explore/schedule/schedulers.h"
#include "ordeal/model.h"
#include "ordeal/system.h"

namespace ordeal::explore::driving {
namespace {

// Counts up by one or two; the actions are in this order.
struct Stairs {
  struct State {
    int at = 0;
  };
  enum class Action { kOne, kTwo };

  std::vector<State> initial() const { return {State{}}; }
  void actions(const State& s, std::vector<Action>& out) const {
    if (s.at < 4) out = {Action::kOne, Action::kTwo};
  }
  std::optional<State> next(const State& s, const Action& action) const {
    return State{s.at + (action == Action::kOne ? 1 : 2)};
  }
};

// Always the same action, or the end.
class Picks : public Scheduler {
 public:
  explicit Picks(std::vector<uint32_t> picks) : picks_(std::move(picks)) {}
  std::optional<uint32_t> begin(uint64_t, uint32_t) override {
    at_ = 0;
    return 0;
  }
  uint32_t pick(World&) override { return at_ < picks_.size() ? picks_[at_++] : kEnd; }

 private:
  const std::vector<uint32_t> picks_;
  size_t at_ = 0;
};

// Writes down what it hears.
class Diary : public RunObserver {
 public:
  bool arrive(const Arrival& at) override {
    text += (at.is_new ? "new " : "old ") + std::to_string(at.path.choices.size()) + "; ";
    return at.path.choices.size() < enough;
  }
  void take(World&, uint32_t index) override { text += "take " + std::to_string(index) + "; "; }
  void step(const StepTaken& taken) override { text += taken.failed ? "failed; " : "step; "; }
  void end(World&, const ShortForm&, RunEnd how) override {
    text += "end " + std::to_string(static_cast<int>(how));
  }
  std::string text;
  size_t enough = 1000;
};

std::string heard(Driver& driver, Scheduler& scheduler, Diary& diary) {
  diary.text.clear();
  const Result<RunEnd> end = driver.run(*scheduler.begin(0, 1));
  return end ? diary.text : end.error().message;
}

TEST(Driver, TellsObserversWhatHappensInItsOrder) {
  Model<Stairs> model;
  const auto world = model.world();
  Picks picks({0, 1});
  Diary diary;
  VisitedSet seen;
  Driver driver(*world, picks, {&diary}, {.seen = &seen});
  EXPECT_EQ(heard(driver, picks, diary), "new 0; take 0; step; new 1; take 1; step; new 2; end 0");
  EXPECT_EQ(driver.path().choices, (std::vector<uint32_t>{0, 1}));
  EXPECT_EQ(heard(driver, picks, diary), "old 0; take 0; step; old 1; take 1; step; old 2; end 0");
}

TEST(Driver, SaysHowARunEnded) {
  Model<Stairs> model;
  model.within([](const Stairs::State& s) { return s.at < 3; });
  const auto world = model.world();
  Picks ones({0, 0, 0, 0, 0});
  Diary diary;
  Driver bounded(*world, ones, {&diary}, {.max_depth = 2});
  EXPECT_EQ(*bounded.run(0), RunEnd::kDepth);
  ones.begin(0, 1);
  Driver free(*world, ones, {&diary}, {});
  EXPECT_EQ(*free.run(0), RunEnd::kOutside);
  EXPECT_EQ(free.path().choices.size(), 3U);
  ones.begin(0, 1);
  diary.enough = 1;
  EXPECT_EQ(*free.run(0), RunEnd::kEnough);
  EXPECT_EQ(free.path().choices.size(), 1U);
  Picks none({});
  Driver ended(*world, none, {}, {});
  EXPECT_EQ(*ended.run(0), RunEnd::kOver);
}

TEST(Driver, FollowsTheGuideFirstAndSaysWhereItCannot) {
  Model<Stairs> model;
  const auto world = model.world();
  Picks ones({0});
  const ShortForm guide{0, {1}};
  Driver guided(*world, ones, {}, {.guide = &guide});
  ones.begin(0, 1);
  ASSERT_TRUE(guided.run(0));
  EXPECT_EQ(guided.path().choices, (std::vector<uint32_t>{1, 0}));
  const ShortForm wrong{0, {1, 7}};
  Driver lost(*world, ones, {}, {.guide = &wrong});
  const Result<RunEnd> end = lost.run(0);
  ASSERT_FALSE(end);
  EXPECT_EQ(end.error().message, "the guide cannot be followed at step 2: it takes action 7 of 2");
}

// A pick that is not there, as of a subject that is not deterministic, is an error and no crash.
TEST(Driver, RefusesAPickThatIsNotThere) {
  Model<Stairs> model;
  const auto world = model.world();
  Picks sevens({7});
  Driver driver(*world, sevens, {}, {});
  const Result<RunEnd> end = driver.run(0);
  ASSERT_FALSE(end);
  EXPECT_NE(end.error().message.find("does not do the same again"), std::string::npos)
      << end.error().message;
}

struct Go {
  int n = 0;
};
struct Careless {
  using Messages = Types<Go>;
  int seen = 0;
  void start(Context& ctx) {
    if (ctx.self() == 1) ctx.send(2, Go{1});
  }
  void on(Context&, NodeId, const Go&) { throw std::runtime_error("oh"); }
};

TEST(Driver, AFailingHandlerEndsTheRunBehindItsStep) {
  System system;
  system.add<Careless>(2);
  const auto world = system.world();
  Picks first({0});
  Diary diary;
  Driver driver(*world, first, {&diary}, {});
  EXPECT_EQ(heard(driver, first, diary), "new 0; take 0; failed; end 3");
}

// Learns from what it hears as an observer: it prefers what has led to new states.
class Curious : public Scheduler {
 public:
  std::optional<uint32_t> begin(uint64_t run, uint32_t) override {
    if (run >= 40) return std::nullopt;
    return 0;
  }
  uint32_t pick(World& world) override {
    uint32_t best = 0;
    const uint32_t count = static_cast<uint32_t>(world.enabled().size());
    for (uint32_t i = 1; i < count; ++i) {
      if (tried_[{world.fingerprint(), i}] < tried_[{world.fingerprint(), best}]) best = i;
    }
    return best;
  }
  void take(World& world, uint32_t index) override { last_ = {world.fingerprint(), index}; }
  bool arrive(const Arrival& at) override {
    fresh_ += at.is_new ? 1 : 0;
    if (!at.path.choices.empty() && !at.is_new) ++tried_[last_];
    return true;
  }
  void end(World&, const ShortForm&, RunEnd how) override { ends_.insert(how); }
  std::string covers() const override { return "what was worth it"; }

  uint64_t fresh() const { return fresh_; }
  const std::set<RunEnd>& ends() const { return ends_; }

 private:
  std::map<std::pair<uint64_t, uint32_t>, int> tried_;
  std::pair<uint64_t, uint32_t> last_;
  uint64_t fresh_ = 0;
  std::set<RunEnd> ends_;
};

TEST(Driver, ASchedulerThatLearnsNeedsNoLoopOfItsOwn) {
  Model<Stairs> model;
  const auto world = model.world();
  Curious curious;
  const Exploration explored = explore_by(curious, *world, {});
  EXPECT_EQ(explored.runs, 40U);
  EXPECT_EQ(explored.distinct_states, 6U);  // 0 to 5
  EXPECT_EQ(curious.fresh(), explored.distinct_states) << "it heard of every new state, once";
  EXPECT_EQ(curious.ends(), std::set<RunEnd>{RunEnd::kOver});
  EXPECT_EQ(to_string(explored.bounds.at(0)), "what was worth it");
}

}  // namespace
}  // namespace ordeal::explore::driving
