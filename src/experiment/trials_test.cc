// What a trial comes to, whoever asks for it, and that all of them are made once.
#include "experiment/trials.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "explore/run/run_counts.h"
#include "ordeal/model.h"
#include "tests/tools/cli/folder.h"

namespace ordeal::experiment::trials {
namespace {

// Digits are drawn, one after the other.
struct Digits {
  struct State {
    int drawn = 0;
    int sum = 0;
    ORDEAL_FIELDS(drawn, sum);
  };
  using Action = int;

  std::vector<State> initial() const { return {{}}; }
  void actions(const State& state, std::vector<int>& out) const {
    for (int digit = 0; state.drawn < 4 && digit < 4; ++digit) out.push_back(digit);
  }
  std::optional<State> next(const State& state, int digit) const {
    return State{state.drawn + 1, state.sum + digit};
  }
};

// The properties that are asked for, each violated in some runs.
Result<std::shared_ptr<const Checkable>> digits(const std::vector<std::string>& properties) {
  auto model = std::make_shared<Model<Digits>>(Digits());
  for (const std::string& name : properties) {
    if (name == "is not 9") {
      model->always(name, [](const Digits::State& state) { return state.sum != 9; });
    } else if (name == "is above 0") {
      model->always(name,
                    [](const Digits::State& state) { return state.drawn < 2 || state.sum > 0; });
    } else {
      model->always(name, [](const Digits::State& state) { return state.sum < 11; });
    }
  }
  return std::shared_ptr<const Checkable>(model);
}

const std::vector<std::string> kProperties = {"is not 9", "is above 0", "is below 11"};

TrialCell cell(const std::string& strategy, uint64_t episodes, bool keeps_going) {
  TrialCell out;
  out.key = {"digits", "", strategy, ""};
  out.options.strategy = strategy;
  out.options.threads = 1;
  out.options.minimise = false;
  out.options.keep_going = keeps_going;
  out.options.max_runs = episodes;
  out.trials = 4;
  out.build = [] { return digits(kProperties); };
  return out;
}

std::vector<std::vector<TrialRecord>> run(const TrialSet& set, TrialKeeper& keeper,
                                          const TrialsOptions& options = {}) {
  const auto outcome = run_trials(set, keeper, options);
  EXPECT_TRUE(outcome) << outcome.error().message;
  const auto trials = keeper.trials();
  EXPECT_TRUE(trials) << trials.error().message;
  return *trials;
}

std::vector<std::vector<TrialRecord>> run(const TrialSet& set, int threads = 2) {
  MemoryKeeper keeper(set);
  TrialsOptions options;
  options.threads = threads;
  return run(set, keeper, options);
}

// Which run a strategy draws does not depend on what is asked of it: so a property alone, in a
// check of its own, tells how many runs violate it and which is the first.
TEST(Trials, CountEveryPropertyAsACheckOfItAloneDoes) {
  TrialSet set;
  for (const char* strategy : {"random", "pos", "pct"}) {
    set.cells.push_back(cell(strategy, 60, true));
  }
  const auto trials = run(set);
  size_t violated = 0;
  for (size_t i = 0; i < set.cells.size(); ++i) {
    ASSERT_EQ(trials[i].size(), 4U);
    for (const TrialRecord& trial : trials[i]) {
      for (const std::string& property : kProperties) {
        Options options = set.cells[i].options;
        options.seed = trial.seed;
        const auto alone = check(**digits({property}), options);
        ASSERT_TRUE(alone) << alone.error().message;
        const auto of = [&](Measure measure) {
          const auto found = trial.measures.find(measure_name(measure, property));
          return found == trial.measures.end() ? 0 : found->second;
        };
        EXPECT_EQ(of(Measure::kBugFrequency), alone->violating_runs) << property;
        EXPECT_EQ(of(Measure::kFirstBug), alone->first_violating_run) << property;
        violated += alone->violating_runs > 0 ? 1 : 0;
        const Trial one = trial_of(trial, Budget::Kind::kEpisodes, property);
        EXPECT_EQ(one.end == Trial::End::kFound, alone->violating_runs > 0);
        EXPECT_EQ(one.effort, alone->violating_runs > 0 ? alone->first_violating_run : alone->runs);
      }
    }
  }
  EXPECT_GT(violated, 24U);  // of 36
}

TEST(Trials, CountTheStepsUntilEveryPropertyWhereStepsAreTheBudget) {
  TrialSet set;
  set.cells = {cell("random", 0, true)};
  set.cells[0].options.max_steps = 200;
  set.cells[0].options.max_runs = 1'000'000;
  set.cells[0].unit = Budget::Kind::kSteps;
  const auto trials = run(set);
  for (const TrialRecord& trial : trials[0]) {
    EXPECT_EQ(trial.outcome.substr(0, 7), "found: ");
    for (const std::string& property : kProperties) {
      Options options = set.cells[0].options;
      options.seed = trial.seed;
      const auto alone = check(**digits({property}), options);
      ASSERT_TRUE(alone) << alone.error().message;
      const auto found = trial.measures.find(measure_name(Measure::kFirstBug, property));
      ASSERT_EQ(found != trial.measures.end(), alone->violating_runs > 0);
      if (alone->violating_runs == 0) continue;
      EXPECT_EQ(found->second, alone->first_violating_step) << property;
    }
  }
}

TEST(Trials, SayHowTheyEnded) {
  TrialSet set;
  set.cells = {cell("random", 3, false), cell("prefix", 500, false), cell("bfs", 0, false),
               cell("random", 1'000'000'000, true)};
  set.cells[0].build = [] { return digits({}); };
  set.cells[1].build = [] { return digits({}); };
  set.cells[2].unit = Budget::Kind::kStates;
  set.cells[3].options.max_seconds = 0.01;
  set.cells[3].build = [] { return digits({}); };
  const auto trials = run(set);
  EXPECT_EQ(trials[0][0].outcome, "capped");
  EXPECT_EQ(trial_of(trials[0][0], Budget::Kind::kEpisodes).end, Trial::End::kCapped);
  EXPECT_EQ(trial_of(trials[0][0], Budget::Kind::kEpisodes).effort, 3U);
  EXPECT_EQ(trials[1][0].outcome, "exhausted");
  EXPECT_EQ(trial_of(trials[1][0], Budget::Kind::kEpisodes).end, Trial::End::kExhausted);
  EXPECT_EQ(trial_of(trials[1][0], Budget::Kind::kEpisodes).effort, 256U);  // 4 digits of 4
  const Trial bfs = trial_of(trials[2][0], Budget::Kind::kStates);
  EXPECT_EQ(bfs.end, Trial::End::kFound);
  EXPECT_EQ(bfs.property, "is above 0");
  EXPECT_EQ(trials[2][0].outcome, "found: is above 0");
  const Trial cut = trial_of(trials[3][0], Budget::Kind::kEpisodes);
  EXPECT_EQ(cut.end, Trial::End::kCut);
  EXPECT_EQ(cut.cut, "time: 0.01 seconds");
  EXPECT_TRUE(was_cut(trials[3][0]));
  EXPECT_FALSE(was_cut(trials[0][0]));

  // Where time is the budget, it ends a trial as any budget does.
  set.cells = {set.cells[3]};
  set.cells[0].by_clock = true;
  EXPECT_EQ(run(set)[0][0].outcome, "capped");
}

TEST(Trials, AreTheSameOnAnyNumberOfThreadsAndWhereverTheyAreKept) {
  TrialSet set;
  set.seed = 7;
  set.cells = {cell("random", 40, true), cell("pos", 40, false), cell("prefix", 40, false)};
  set.cells[2].trials = 1;
  const auto one = run(set, 1);
  EXPECT_EQ(one[0][0].seed, 7U);
  EXPECT_EQ(one[0][3].seed, 10U);
  EXPECT_EQ(one[2].size(), 1U);
  EXPECT_EQ(run(set, 3), one);
  const e2e::Folder folder;
  auto store = ResultsStore::open(folder.path() + "/s", ResultsStore::Access::kCreate);
  ASSERT_TRUE(store);
  auto keeper = StoreKeeper::open(*store, {"e", "d", "1", ""}, false, set);
  ASSERT_TRUE(keeper) << keeper.error().message;
  EXPECT_EQ(run(set, *keeper), one);
}

TEST(Trials, ThatAreInTheStoreAreNotMadeAgain) {
  TrialSet set;
  set.cells = {cell("random", 40, false)};
  const e2e::Folder folder;
  auto store = ResultsStore::open(folder.path() + "/s", ResultsStore::Access::kCreate);
  ASSERT_TRUE(store);
  auto first = StoreKeeper::open(*store, {"e", "d", "1", ""}, true, set);
  ASSERT_TRUE(first);
  run(set, *first);
  // Two more: only these are made.
  size_t built = 0;
  set.cells[0].trials = 6;
  set.cells[0].build = [&] {
    ++built;
    return digits(kProperties);
  };
  auto second = StoreKeeper::open(*store, {"e", "d", "1", ""}, true, set);
  ASSERT_TRUE(second);
  EXPECT_EQ(second->experiment(), first->experiment());
  TrialsOptions options;
  options.threads = 1;
  const auto outcome = run_trials(set, *second, options);
  ASSERT_TRUE(outcome);
  EXPECT_EQ(outcome->before, 4U);
  EXPECT_EQ(outcome->done, 6U);
  EXPECT_EQ(built, 2U);
  EXPECT_FALSE(StoreKeeper::open(*store, {"e", "d", "2", ""}, true, set));  // another version
  const auto anew = StoreKeeper::open(*store, {"e", "d", "2", ""}, false, set);
  ASSERT_TRUE(anew);
  EXPECT_NE(anew->experiment(), first->experiment());
}

TEST(Trials, ThatAreRefusedEndAllOrAreToldOf) {
  TrialSet set;
  set.cells = {cell("random", 5, false), cell("random", 5, false)};
  set.cells[1].build = []() -> Result<std::shared_ptr<const Checkable>> {
    return Error{"no such digits"};
  };
  MemoryKeeper keeper(set);
  const auto failed = run_trials(set, keeper, {});
  ASSERT_FALSE(failed);
  EXPECT_NE(failed.error().message.find("random on digits, seed 0: no such digits"),
            std::string::npos)
      << failed.error().message;
  MemoryKeeper other(set);
  TrialsOptions options;
  options.collects_refusals = true;
  const auto told = run_trials(set, other, options);
  ASSERT_TRUE(told) << told.error().message;
  EXPECT_EQ(told->done, 8U);
  EXPECT_EQ(told->refused[0], "");
  EXPECT_EQ(told->refused[1], "no such digits");
  EXPECT_EQ((*other.trials())[0].size(), 4U);
  EXPECT_TRUE((*other.trials())[1].empty());
}

TEST(CellSettings, TellTheBudgetAndWhatIsGiven) {
  Options options;
  options.strategy = "bonusmax";
  options.strategy_options = {{"alpha", "0.3"}, {"measure", "default"}};
  options.max_depth = 9;
  const std::string text =
      cell_settings("raft --servers 3", options, {Budget::Kind::kEpisodes, 5000, 0});
  EXPECT_EQ(text, "raft --servers 3; alpha=0.3; max_depth=9; budget=5,000 episodes");
  EXPECT_EQ(budget_in(text), "5,000 episodes");
  EXPECT_EQ(budget_in("raft"), "");
}

TEST(MeasureNames, OfAPropertyComeBack) {
  EXPECT_EQ(measure_name(Measure::kFirstBug, ""), "first_bug");
  const std::string name = measure_name(Measure::kFirstBug, "a: b");
  EXPECT_EQ(property_in(Measure::kFirstBug, name), "a: b");
  EXPECT_FALSE(property_in(Measure::kBugFrequency, name));
  EXPECT_FALSE(property_in(Measure::kFirstBug, "first_bug"));
  EXPECT_FALSE(property_in(Measure::kFirstBug, kFirstBugSteps));
}

}  // namespace
}  // namespace ordeal::experiment::trials
