// How likely runs come to something: counted again, and held against what is known.
#include <gtest/gtest.h>

#include "base/proportion.h"
#include "ordeal/model.h"
#include "ordeal/report.h"
#include "tests/oracle/learning/watched.h"

namespace ordeal::oracle::learning {
namespace {

namespace hitting {

// Three tosses: all heads in one of eight runs.
struct Tosses {
  struct State {
    uint8_t tossed = 0;
    uint8_t heads = 0;
  };
  enum class Action : uint8_t { kHeads, kTails };

  std::vector<State> initial() const { return {State{}}; }
  void actions(const State& s, std::vector<Action>& out) const {
    if (s.tossed < 3) out = {Action::kHeads, Action::kTails};
  }
  std::optional<State> next(const State& s, const Action& action) const {
    State out = s;
    ++out.tossed;
    if (action == Action::kHeads) ++out.heads;
    return out;
  }
};

Model<Tosses> tosses() {
  Model<Tosses> model;
  model.predicate("Heads", "so many heads (>=)",
                  [](int n) { return [n](const Tosses::State& s) { return s.heads >= n; }; });
  model.always("not all heads", [](const Tosses::State& s) { return s.heads < 3; });
  model.always("tails at last",
               [](const Tosses::State& s) { return s.heads < 2 || s.tossed == 3; });
  return model;
}

Options sampled(const std::string& strategy, uint64_t runs,
                std::map<std::string, std::string> settings) {
  Options options;
  options.strategy = strategy;
  options.max_runs = runs;
  options.minimise = false;
  options.keep_going = true;
  options.strategy_options = std::move(settings);
  return options;
}

std::vector<Hitting> estimated(const Options& options) {
  const auto report = check(tosses(), options);
  EXPECT_TRUE(report) << (report ? "" : report.error().message);
  return report ? report->hitting : std::vector<Hitting>();
}

class Heads : public explore::RunObserver {
 public:
  explicit Heads(World& world)
      : two_(*world.predicate("Heads(2)")), three_(*world.predicate("Heads(3)")) {}
  bool arrive(const explore::Arrival& at) override {
    two = two || (at.path.choices.size() < 3 && at.world.holds(two_));
    three = three || at.world.holds(three_);
    return true;
  }
  void end(World&, const ShortForm&, explore::RunEnd) override {
    twos += std::exchange(two, false);
    threes += std::exchange(three, false);
  }
  bool two = false;
  bool three = false;
  uint64_t twos = 0;
  uint64_t threes = 0;

 private:
  uint32_t two_;
  uint32_t three_;
};

TEST(Hitting, CountsTheRunsThatCome) {
  for (const char* strategy : {"random", "pct", "pctcp", "pos", "uniform"}) {
    const Options options = sampled(strategy, 500, {{"target", "Heads(3)"}, {"confidence", "0.9"}});
    const auto model = tosses();
    const auto world = model.world();
    const auto scheduler = scheduler_of(model, options, *world);
    Heads naive(*world);
    ASSERT_EQ(watch_runs(*world, *scheduler, naive, 500, 1000), 500U);
    const std::vector<Hitting> told = estimated(options);
    ASSERT_EQ(told.size(), 4U) << strategy;
    EXPECT_EQ(told[0].what, "Heads(3)");
    EXPECT_EQ(told[0].hits, naive.threes) << strategy;
    EXPECT_EQ(told[1].what, "any violation");
    EXPECT_EQ(told[2].what, "not all heads");
    EXPECT_EQ(told[2].hits, naive.threes) << strategy;
    EXPECT_EQ(told[3].what, "tails at last");
    EXPECT_EQ(told[3].hits, naive.twos) << strategy;
    EXPECT_EQ(told[1].hits, naive.twos) << strategy;  // three heads come after two
    for (const Hitting& one : told) {
      EXPECT_EQ(one.runs, 500U);
      EXPECT_EQ(one.confidence, 0.9);
      EXPECT_TRUE(one.planned);
      const Proportion interval = clopper_pearson(one.hits, 500, 0.9);
      EXPECT_EQ(one.low, interval.low);
      EXPECT_EQ(one.high, interval.high);
    }
  }
}

TEST(Hitting, HasTheTruthInItAsOftenAsItSays) {
  int covered = 0;
  for (uint64_t seed = 0; seed < 200; ++seed) {
    Options options = sampled("random", 60, {{"target", "Heads(3)"}, {"confidence", "0.8"}});
    options.seed = seed;
    const std::vector<Hitting> told = estimated(options);
    if (told[0].low <= 0.125 && 0.125 <= told[0].high) ++covered;
  }
  // At least 160 expected; 14 fewer are as many as three deviations almost.
  EXPECT_GE(covered, 146);
  EXPECT_LT(covered, 200);
}

TEST(Hitting, OfATargetNeedsNoConfidenceAndIsNotShownUnasked) {
  const std::vector<Hitting> told = estimated(sampled("random", 50, {{"target", "Heads(3)"}}));
  ASSERT_EQ(told.size(), 1U);
  EXPECT_EQ(told[0].confidence, 0.95);
  EXPECT_TRUE(estimated(sampled("random", 50, {})).empty());
  EXPECT_TRUE(estimated(sampled("random", 50, {{"measure", "default"}})).empty());
}

TEST(Hitting, IsNotToldWhereAViolationEndsTheRuns) {
  Options options = sampled("random", 1000, {{"target", "Heads(3)"}, {"confidence", "0.9"}});
  options.keep_going = false;
  const auto report = check(tosses(), options);
  ASSERT_TRUE(report);
  ASSERT_EQ(report->verdict, Verdict::kViolated);
  EXPECT_TRUE(report->hitting.empty());
  ASSERT_FALSE(report->notes.empty());
  EXPECT_NE(report->notes[0].find("add --keep-going"), std::string::npos);
}

TEST(Hitting, SaysWhereTheNumberOfRunsWasNotPlanned) {
  Options options = sampled("random", 0, {{"target", "Heads(3)"}});
  options.max_steps = 300;
  const auto report = check(tosses(), options);
  ASSERT_TRUE(report);
  ASSERT_EQ(report->hitting.size(), 1U);
  EXPECT_FALSE(report->hitting[0].planned);
  EXPECT_NE(to_text(*report).find("approximately"), std::string::npos);
}

TEST(Hitting, IsInTheReportAndInJson) {
  const auto report = check(tosses(), sampled("random", 400, {{"confidence", "0.99"}}));
  ASSERT_TRUE(report);
  const std::string text = to_text(*report);
  EXPECT_NE(text.find("how likely  any violation: in "), text.npos) << text;
  EXPECT_NE(text.find("with confidence 0.99"), text.npos) << text;
  const std::string json = to_json(*report);
  EXPECT_NE(json.find("\"hitting\": ["), json.npos);
  EXPECT_NE(json.find("\"confidence\": 0.99"), json.npos);
}

TEST(Hitting, IsRefusedWhereRunsDependOnEachOther) {
  for (const char* strategy : {"bonusmax", "waypoint", "delay", "prefix", "branching", "bfs"}) {
    Options options = sampled(strategy, 10, {{"confidence", "0.9"}});
    if (std::string(strategy) == "waypoint") options.strategy_options["waypoints"] = "Heads(1)";
    if (std::string(strategy) == "branching") options.strategy_options["waypoints"] = "Heads(1)";
    const auto report = check(tosses(), options);
    ASSERT_FALSE(report) << strategy;
    EXPECT_NE(report.error().message.find(
                  "a confidence is for strategies random, pct, pctcp, pos and uniform, not for " +
                  std::string(strategy)),
              std::string::npos)
        << report.error().message;
  }
  EXPECT_TRUE(estimated(sampled("bonusmax", 20, {{"target", "Heads(3)"}})).empty());
  const auto sure = check(tosses(), sampled("random", 10, {{"confidence", "1"}}));
  ASSERT_FALSE(sure);
  EXPECT_NE(sure.error().message.find("out of range"), std::string::npos);
}

}  // namespace hitting
}  // namespace
}  // namespace ordeal::oracle::learning
