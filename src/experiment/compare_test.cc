// compare(): what a trial counts, what is censored, and what does not depend on threads.
#include "ordeal/compare.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>

#include "base/text.h"
#include "explore/strategy/strategy.h"
#include "ordeal/check.h"
#include "ordeal/model.h"
#include "ordeal/system.h"

namespace ordeal {
namespace {

// Some digits are drawn, one after the other; all zeros is the violation.
struct Lock {
  struct State {
    int digits = 0;
    int sum = 0;
    ORDEAL_FIELDS(digits, sum);
  };
  int length = 2;
  int base = 3;

  std::vector<State> initial() const { return {{}}; }
  void actions(const State& state, std::vector<int>& out) const {
    if (state.digits == length) return;
    for (int digit = base; digit-- > 0;) out.push_back(digit);
  }
  std::optional<State> next(const State& state, int digit) const {
    return State{state.digits + 1, state.sum * base + digit};
  }
  using Action = int;
};

Contest lock(int length, bool has_bug = true) {
  Contest contest;
  contest.name = "lock of " + std::to_string(length);
  contest.subject = "lock";
  contest.bug = "opens, at times";
  contest.build = [=]() -> Result<std::shared_ptr<const Checkable>> {
    auto model = std::make_shared<Model<Lock>>(Lock{length});
    model->always("stays closed", [=](const Lock::State& state) {
      return !has_bug || state.digits < length || state.sum > 0;
    });
    model->sometimes("is never seen", [](const Lock::State&) { return false; });
    return std::shared_ptr<const Checkable>(model);
  };
  return contest;
}

Comparison compared(std::vector<Contest> contests, const CompareOptions& options) {
  Result<Comparison> comparison = compare(std::move(contests), options);
  EXPECT_TRUE(comparison.ok()) << (comparison.ok() ? "" : comparison.error().message);
  return comparison.ok() ? *std::move(comparison) : Comparison{};
}

const Score& score_of(const Comparison& comparison, const std::string& name, size_t contest = 0) {
  for (const Score& score : comparison.results.at(contest).scores) {
    if (score.who.name == name) return score;
  }
  ADD_FAILURE() << "no " << name;
  return comparison.results[0].scores[0];
}

std::string error_of(std::vector<Contest> contests, const CompareOptions& options) {
  const Result<Comparison> comparison = compare(std::move(contests), options);
  return comparison.ok() ? "" : comparison.error().message;
}

TEST(Contestants, AreAllStrategiesOfCheckAndPrefixInBothForms) {
  std::vector<std::string> names;
  for (const Contestant& who : contestants()) names.push_back(who.name);
  EXPECT_EQ(names[0], "random");
  for (const StrategyInfo& info : strategies()) {
    EXPECT_EQ(std::count(names.begin(), names.end(), info.name), 1) << info.name;
  }
  EXPECT_EQ(names.size(), strategies().size() + 1);
}

TEST(Contestants, ThatAreSaidToDrawNothingDoNotHeedTheSeed) {
  for (const Contestant& who : contestants()) {
    if (who.strategy == "waypoint" || who.strategy == "branching") continue;  // to where?
    std::vector<uint64_t> steps;
    for (uint64_t seed = 0; seed < 8; ++seed) {
      const auto built = lock(4).build();
      Options options;
      options.strategy = who.strategy;
      for (const auto& [option, users] : explore::strategy_options()) {
        const auto set = who.settings.find(option.field);
        if (set != who.settings.end()) option.set(set->second, options);
      }
      options.seed = seed;
      options.max_runs = 5;
      options.minimise = false;
      const Result<Report> report = check(**built, options);
      if (!report) break;
      // Which states were met tells the runs apart.
      steps.push_back(report->distinct_states * 1000 + report->runs);
    }
    const bool alike =
        std::all_of(steps.begin(), steps.end(), [&](uint64_t one) { return one == steps.front(); });
    if (!who.seeded) {
      EXPECT_TRUE(alike) << who.name;
    } else if (who.strategy != "ucbzero") {  // which repeats its first run for long
      EXPECT_FALSE(alike) << who.name;
    }
  }
}

TEST(Compare, CountsTheRunWithTheViolation) {
  const Comparison comparison = compared({lock(2)}, {.trials = 7, .seed = 3});
  // Digits are listed from high to low, and prefix takes the first, then the latest alternative:
  // 22, 21, 20, 12, 11, 10, 02, 01, 00.
  const Score& prefix = score_of(comparison, "prefix");
  ASSERT_EQ(prefix.trials.size(), 1U);
  EXPECT_EQ(prefix.trials[0].end, Trial::End::kFound);
  EXPECT_EQ(prefix.trials[0].effort, 9U);
  EXPECT_EQ(prefix.trials[0].property, "stays closed");
  const Score& bfs = score_of(comparison, "bfs");
  ASSERT_EQ(bfs.trials.size(), 1U);
  EXPECT_FALSE(bfs.against);  // states are no runs
  EXPECT_EQ(bfs.trials[0].effort, 13U);
  const Score& random = score_of(comparison, "random");
  ASSERT_EQ(random.trials.size(), 7U);
  EXPECT_EQ(random.trials[0].seed, 3U);
  EXPECT_EQ(random.trials[6].seed, 9U);
  EXPECT_EQ(random.found, 7U);
  EXPECT_FALSE(random.against);  // it is the baseline
}

TEST(Compare, AgreesWithCheckTrialByTrial) {
  const Comparison comparison =
      compared({lock(3)}, {.strategies = {"pos", "random"}, .trials = 5, .max_runs = 50});
  EXPECT_EQ(comparison.results[0].scores[0].who.name, "pos");
  for (const Score& score : comparison.results[0].scores) {
    for (const Trial& trial : score.trials) {
      const auto built = lock(3).build();
      Options options;
      options.strategy = score.who.strategy;
      options.seed = trial.seed;
      options.max_runs = 50;
      const Result<Report> report = check(**built, options);
      ASSERT_TRUE(report.ok());
      EXPECT_EQ(trial.effort, report->runs);
      EXPECT_EQ(trial.end == Trial::End::kFound, report->verdict == Verdict::kViolated);
    }
  }
}

TEST(Compare, TellsWhatWasGivenUpFromWhatCannotBeFound) {
  const Comparison comparison =
      compared({lock(3, false)}, {.trials = 3, .max_runs = 20, .max_states = 10});
  const Score& random = score_of(comparison, "random");
  EXPECT_EQ(random.found, 0U);
  EXPECT_EQ(random.trials[0].end, Trial::End::kCapped);
  EXPECT_EQ(random.median, 20);
  EXPECT_TRUE(random.median_censored);
  EXPECT_EQ(score_of(comparison, "bfs").trials[0].end, Trial::End::kCapped);

  // A goal that no run reaches is no violation that a run shows.
  const Comparison all = compared({lock(3, false)}, {.trials = 3, .max_runs = 28});
  for (const char* name : {"prefix", "prefix-random", "bfs", "dfs"}) {
    const Score& score = score_of(all, name);
    EXPECT_EQ(score.trials[0].end, Trial::End::kExhausted) << name;
    EXPECT_EQ(score.found, 0U) << name;
  }
  EXPECT_EQ(score_of(all, "prefix").median, 27);
  EXPECT_EQ(score_of(all, "prefix").against->a12, 0.5);
}

TEST(Compare, SaysWhyAStrategyDoesNotFit) {
  const Comparison comparison = compared({lock(2)}, {.trials = 2});
  const Score& dpor = score_of(comparison, "dpor");
  EXPECT_TRUE(dpor.trials.empty());
  EXPECT_NE(dpor.refused.find("cannot check \"stays closed\""), std::string::npos) << dpor.refused;
  EXPECT_FALSE(comparison.partial);
}

struct Note {
  int number = 0;
};

// A opaque object: it can be run, and cannot be saved.
class Diary {
 public:
  using Messages = Types<Note>;
  void start(Context& ctx) { ctx.broadcast(Note{static_cast<int>(ctx.self())}); }
  void on(Context& ctx, NodeId, const Note& note) {
    *last_ = note.number;
    if (*first_ == 0) *first_ = note.number;
    if (*first_ > *last_) ctx.decide(*last_);
  }

 private:
  std::unique_ptr<int> first_ = std::make_unique<int>(0);
  std::unique_ptr<int> last_ = std::make_unique<int>(0);
};

TEST(Compare, RunsWhatCannotBeSavedAndSaysWhoCannot) {
  Contest contest;
  contest.name = "diaries";
  contest.build = []() -> Result<std::shared_ptr<const Checkable>> {
    auto system = std::make_shared<System>();
    system->add_opaque<Diary>(3, [](NodeId) { return std::make_unique<Diary>(); });
    system->always("in order", [](const View& view) { return view.decisions(1).empty(); });
    return std::shared_ptr<const Checkable>(system);
  };
  CompareOptions options{.strategies = {"random", "pos", "prefix", "bfs"}, .trials = 3};
  options.threads = 4;
  const Comparison comparison = compared({contest}, options);
  for (const char* name : {"random", "pos"}) {
    EXPECT_EQ(score_of(comparison, name).found, 3U) << name;
  }
  EXPECT_EQ(score_of(comparison, "prefix").found, 1U);
  EXPECT_NE(score_of(comparison, "bfs").refused.find("opaque nodes"), std::string::npos);
}

TEST(Compare, TestsAgainstTheBaselineOnlyWhatIsASample) {
  const Comparison comparison = compared({lock(3)}, {.trials = 10});
  ASSERT_TRUE(score_of(comparison, "pos").against);
  EXPECT_TRUE(score_of(comparison, "pos").against->p);
  EXPECT_GE(*score_of(comparison, "pos").against->p_holm, *score_of(comparison, "pos").against->p);
  ASSERT_TRUE(score_of(comparison, "prefix").against);
  EXPECT_FALSE(score_of(comparison, "prefix").against->p);
}

TEST(Compare, FindsTheMedianOfADrawnLockWhereItIsExpected) {
  // One of nine in each run: the median of a geometric distribution is ln 2 / -ln(8/9) = 5.9.
  const Comparison comparison =
      compared({lock(2)}, {.strategies = {"random"}, .trials = 1001, .seed = 11});
  EXPECT_GE(comparison.results[0].scores[0].median, 5);
  EXPECT_LE(comparison.results[0].scores[0].median, 7);
}

TEST(Compare, DoesNotDependOnTheNumberOfThreads) {
  CompareOptions options{.trials = 6, .max_runs = 200};
  options.threads = 1;
  const Comparison one = compared({lock(2), lock(3), lock(4)}, options);
  options.threads = 5;
  const Comparison five = compared({lock(2), lock(3), lock(4)}, options);
  EXPECT_EQ(to_csv(one), to_csv(five));
  EXPECT_EQ(to_markdown(one), to_markdown(five));
}

TEST(Compare, StoppedSaysThatItIsPartialAndKeepsOnlyWholeTrials) {
  std::atomic<bool> stop{false};
  CompareOptions options{.strategies = {"random"}, .trials = 50, .max_runs = 100'000'000};
  options.threads = 2;
  options.stop = &stop;
  options.progress = [&](const CompareProgress& progress) {
    EXPECT_EQ(progress.all, 50U);
    EXPECT_EQ(progress.contestant, "random");
    stop = true;
  };
  const Comparison comparison = compared({lock(3, false)}, options);
  EXPECT_TRUE(comparison.partial);
  EXPECT_TRUE(comparison.results[0].scores[0].trials.empty());
  EXPECT_NE(to_text(comparison).find("partial: stopped after 0 of 50 trials"), std::string::npos);
  EXPECT_NE(to_markdown(comparison).find("**partial: "), std::string::npos);
}

TEST(Compare, ATrialCutByTimeIsToldAndNotTested) {
  const Comparison comparison = compared({lock(3, false)}, {.strategies = {"random", "pos"},
                                                            .trials = 2,
                                                            .max_runs = 1'000'000'000,
                                                            .max_seconds = 0.05});
  const Score& pos = score_of(comparison, "pos");
  EXPECT_EQ(pos.trials[0].end, Trial::End::kCut);
  EXPECT_FALSE(pos.against->p);
  EXPECT_NE(to_text(comparison).find("pos 2 trials cut by time: 0.05 seconds"), std::string::npos)
      << to_text(comparison);
}

TEST(Compare, RefusesWhatMakesNoSense) {
  EXPECT_EQ(error_of({}, {}), "there is nothing to compare on");
  EXPECT_NE(error_of({lock(2)}, {.trials = 0}).find("trials: 0"), std::string::npos);
  EXPECT_NE(error_of({lock(2)}, {.trials = 3, .seed = UINT64_MAX - 1}).find("take a lower one"),
            std::string::npos);
  EXPECT_NE(error_of({lock(2)}, {.max_runs = 0}).find("at least 1 run"), std::string::npos);
  EXPECT_NE(error_of({lock(2)}, {.strategies = {"rnd"}}).find("unknown strategy \"rnd\""),
            std::string::npos);
  EXPECT_NE(error_of({lock(2)}, {.strategies = {"pos", "pos"}}).find("named twice"),
            std::string::npos);
  EXPECT_NE(error_of({lock(2)}, {.baseline = "bfs"}).find("counts states"), std::string::npos);
  Contest broken = lock(2);
  broken.build = []() -> Result<std::shared_ptr<const Checkable>> { return Error{"no such lock"}; };
  EXPECT_EQ(error_of({lock(3), broken}, {}), "lock of 2: no such lock");
}

TEST(ComparisonReports, HaveALineForEveryTrialAndQuoteWhatNeedsIt) {
  const Comparison comparison = compared({lock(2)}, {.strategies = {"random", "bfs"}, .trials = 3});
  std::istringstream lines(to_csv(comparison));
  std::string line;
  std::getline(lines, line);
  EXPECT_EQ(line, "subject,bug,scenario,strategy,seed,end,unit,effort,steps,property");
  size_t count = 0;
  while (std::getline(lines, line)) {
    ++count;
    EXPECT_TRUE(line.starts_with("lock,\"opens, at times\",,")) << line;
    EXPECT_TRUE(line.ends_with(",stays closed")) << line;
  }
  EXPECT_EQ(count, 4U);
  const auto json = nlohmann::json::parse(to_json(comparison));
  EXPECT_EQ(json["results"][0]["scores"][0]["trials"].size(), 3U);
  EXPECT_EQ(json["results"][0]["scores"][1]["unit"], "states");
}

TEST(ComparisonReports, ShowOneInFullAndSeveralInLines) {
  const std::string one = to_text(compared({lock(2)}, {.trials = 3}));
  EXPECT_NE(one.find("  strategy  "), std::string::npos) << one;
  EXPECT_NE(one.find("dpor does not fit: "), std::string::npos) << one;
  const std::string two = to_text(compared({lock(2), lock(3)}, {.trials = 3}));
  EXPECT_NE(two.find("\n  lock of 2  "), std::string::npos) << two;
  EXPECT_NE(two.find("\n  lock of 3  "), std::string::npos) << two;
}

TEST(ComparisonReports, AreTablesOfAtMost120Columns) {
  std::vector<Contest> contests = {lock(2), lock(3)};
  contests[0].name = "a lock with a name that " + std::string(90, 'x');
  contests[1].name = "another lock with a long name that says what it is about";
  const Comparison comparison = compared(contests, {.trials = 3});
  std::istringstream lines(to_text(comparison));
  size_t heads = 0;
  for (std::string line; std::getline(lines, line);) {
    EXPECT_LE(columns_of(line), 120U) << line;
    if (line.find("another lock") != line.npos) ++heads;
  }
  // No strategy is lost: the rest of the table comes below.
  EXPECT_GT(heads, 1U);
  const std::string text = to_text(comparison);
  for (const Contestant& who : comparison.contestants) {
    EXPECT_NE(text.find(" " + who.name), std::string::npos) << text;
  }
}

}  // namespace
}  // namespace ordeal
