// Reward machines: held against machines by hand, against lists of waypoints, and against what they
// say of themselves.
#include <gtest/gtest.h>

#include "ordeal/report.h"
#include "protocols/suite.h"
#include "suite/choose.h"
#include "tests/oracle/learning/guided.h"
#include "tests/oracle/learning/watched.h"

namespace ordeal::oracle::learning {
namespace {

namespace machine {

using guided::cubes;
using guided::learned;
using guided::refused;
using guided::with;

// A list of waypoints as a machine: from every state to the highest that holds.
std::string as_machine(const std::vector<std::string>& waypoints) {
  const size_t count = waypoints.size();
  const auto name = [&](size_t i) {
    return i == 0 ? "start" : i == count ? "success" : "at-" + std::to_string(i);
  };
  std::vector<std::string> lines;
  for (size_t from = 0; from < count; ++from) {
    for (size_t to = count; to > 0; --to) {
      lines.push_back(name(from) + ": " + waypoints[to - 1] + " -> " + name(to) +
                      (to < from ? " pays 0" : ""));
    }
    if (from > 0) lines.push_back(name(from) + ": otherwise -> start pays 0");
  }
  std::string out = lines[0];
  for (size_t i = 1; i < lines.size(); ++i) out += "; " + lines[i];
  return out;
}

TEST(RewardMachines, AreWhereOneByHandIsAndPayWhatThatPays) {
  EXPECT_EQ(problem_with_machine(400), "");
}

TEST(RewardMachines, TeachWhatANaiveFormOfThemTeaches) { EXPECT_EQ(problem_with_grades(600), ""); }

TEST(RewardMachines, ThatAreALineTeachWhatWaypointsDo) { EXPECT_EQ(problem_with_lines(300), ""); }

class Paths : public explore::RunObserver {
 public:
  void end(World&, const ShortForm& path, explore::RunEnd) override {
    all.push_back({path.initial, path.choices});
  }
  std::vector<std::pair<uint32_t, std::vector<uint32_t>>> all;
};

void expect_lockstep(const Checkable& subject, const std::vector<std::string>& waypoints,
                     std::map<std::string, std::string> settings, uint64_t runs) {
  Options line = with(settings);
  std::string list = waypoints[0];
  for (size_t i = 1; i < waypoints.size(); ++i) list += ", " + waypoints[i];
  line.strategy_options["waypoints"] = list;
  Options automaton = with(settings);
  automaton.strategy_options["reward_machine"] = as_machine(waypoints);
  std::vector<Paths> paths(2);
  std::vector<Learning> told;
  for (const Options& options : {line, automaton}) {
    const auto world = subject.world();
    const auto scheduler = scheduler_of(subject, options, *world);
    ASSERT_TRUE(scheduler);
    watch_runs(*world, *scheduler, paths[told.size()], runs, 10'000);
    told.push_back(*scheduler->learning());
  }
  EXPECT_EQ(paths[0].all, paths[1].all);
  EXPECT_EQ(told[0].coverage, told[1].coverage);
  EXPECT_EQ(told[0].target_coverage, told[1].target_coverage);
  EXPECT_EQ(told[0].target_episodes, told[1].target_episodes);
  EXPECT_EQ(told[0].curve, told[1].curve);
  EXPECT_EQ(told[0].pairs, told[1].pairs);
  EXPECT_GT(told[0].target_episodes, 0U);
}

TEST(RewardMachines, ThatAreALineMakeTheRunsThatWaypointsMake) {
  for (const char* grade : {"0", "1.5"}) {
    expect_lockstep(cubes(), {"Cube(1)", "Cube(2)", "Cube(3)"}, {{"grade", grade}}, 400);
    expect_lockstep(yard(), {"X(2)", "Y(2) & To(3, 3)", "To(4, 4)"}, {{"grade", grade}}, 400);
  }
  const Suite suite = protocols::suite();
  const auto chosen = choose(suite, {.system = "raft", .parameters = {{"terms", "3"}}});
  ASSERT_TRUE(chosen);
  for (const char* grade : {"0", "1"}) {
    expect_lockstep(*chosen->checkable, {"OneInTerm(2)", "LeaderInTerm(2)"}, {{"grade", grade}},
                    150);
  }
}

// Counts what a machine by hand enters, from the states alone.
class Recount : public explore::RunObserver {
 public:
  explicit Recount(World& world) {
    for (int n = 0; n < 5; ++n) {
      columns_.push_back(*world.predicate(fmt::format("X({})", n)));
      rows_.push_back(*world.predicate(fmt::format("Y({})", n)));
    }
  }
  bool arrive(const explore::Arrival& at) override {
    int x = 0;
    int y = 0;
    while (!at.world.holds(columns_[static_cast<size_t>(x)])) ++x;
    while (!at.world.holds(rows_[static_cast<size_t>(y)])) ++y;
    const std::string before = naive_.state;
    naive_.look(x, y, 2);
    const bool is_first = at.path.choices.empty();
    if (is_first || naive_.state != before) {
      ++times[naive_.state];
      if (entered_.insert(naive_.state).second) {
        ++episodes[naive_.state];
        const auto known = fewest.try_emplace(naive_.state, at.path.choices.size()).first;
        known->second = std::min(known->second, at.path.choices.size());
        places[naive_.state].insert({x, y});
      }
    }
    if (naive_.state != before) ++steps[{before, naive_.state}];
    if (naive_.state == "failure") failed_ = at.path.choices.size();
    return true;
  }
  void end(World&, const ShortForm& path, explore::RunEnd how) override {
    if (naive_.state == "failure") {
      EXPECT_EQ(failed_, path.choices.size());  // the run ends there
      EXPECT_EQ(how, explore::RunEnd::kHorizon);
    } else {
      EXPECT_EQ(path.choices.size(), 40U);
    }
    naive_ = NaiveYard();
    entered_.clear();
  }
  std::map<std::string, uint64_t> times, episodes;
  std::map<std::string, size_t> fewest;
  std::map<std::string, std::set<std::pair<int, int>>> places;
  std::map<std::pair<std::string, std::string>, uint64_t> steps;

 private:
  NaiveYard naive_;
  std::set<std::string> entered_;
  std::vector<uint32_t> columns_, rows_;
  size_t failed_ = 0;
};

TEST(RewardMachines, TellWhatANaiveCountOfAllStatesSays) {
  const Model<Yard> subject = yard();
  const auto world = subject.world();
  const auto scheduler =
      scheduler_of(subject, with({{"reward_machine", kYardMachine}, {"epsilon", "0.5"}}), *world);
  Recount naive(*world);
  watch_runs(*world, *scheduler, naive, 400, 1000);
  const Learning told = *scheduler->learning();
  ASSERT_EQ(told.machine_states.size(), 6U);
  EXPECT_EQ(told.machine_states[0].reached.predicate, "home");
  for (const Learning::MachineState& state : told.machine_states) {
    const std::string& name = state.reached.predicate;
    EXPECT_EQ(state.times, naive.times[name]) << name;
    EXPECT_EQ(state.reached.episodes, naive.episodes[name]) << name;
    EXPECT_EQ(state.reached.ways, naive.places[name].size()) << name;
    ASSERT_TRUE(state.reached.best) << name;  // all of them are come to
    EXPECT_EQ(state.reached.best->steps, naive.fewest[name]) << name;
  }
  std::map<std::pair<std::string, std::string>, uint64_t> steps;
  for (const Learning::MachineStep& step : told.machine_steps) {
    if (step.from != step.to && step.times > 0) steps[{step.from, step.to}] += step.times;
    EXPECT_LE(step.episodes, step.times);
  }
  EXPECT_EQ(steps, naive.steps);
  EXPECT_EQ(told.target, "success");
  EXPECT_EQ(told.target_episodes, naive.episodes["success"]);
}

TEST(RewardMachines, LearnToComeToASuccessThatDrawingHardlyReaches) {
  const auto reached = [](const Options& options) {
    return learned(cubes(), options).target_episodes;
  };
  Options drawn = with({{"target", "Cube(3)"}});
  drawn.strategy = "uniform";
  EXPECT_GT(reached(with({{"reward_machine", "cubes-to-3"}})), 5 * reached(drawn));
}

// What the list "X(4), X(0), X(4)" cannot say: there and back, and there again.
TEST(RewardMachines, KnowWhatHasBeenBefore) {
  const std::string twice = "a: X(4) -> b; b: X(0) -> c; c: X(4) -> d; d: X(0) -> success";
  const Learning told = learned(yard(), with({{"reward_machine", twice}}));
  EXPECT_GT(told.target_episodes, 50U);
  EXPECT_GE(told.machine_states[4].reached.best->steps, 16U);
}

TEST(RewardMachines, ThatNeverSucceedAreToldWithHowFarTheyCame) {
  const std::string text = "start: X(3) -> right; right: Y(3) -> corner; corner: X(9) -> success";
  const auto report = check(yard(), with({{"reward_machine", text}}));
  ASSERT_TRUE(report) << report.error().message;
  ASSERT_FALSE(report->notes.empty());
  const Learning& told = *report->learning;
  EXPECT_EQ(report->notes[0],
            "no episode came to success of the reward machine; 1 transition "
            "before it: corner (" +
                std::to_string(told.machine_states[2].reached.episodes) + " episodes)");
  ASSERT_TRUE(told.closest);
  const std::string shown = to_text(*report);
  EXPECT_NE(shown.find("success: never"), std::string::npos) << shown;
  EXPECT_NE(shown.find("corner: entered "), std::string::npos) << shown;
  EXPECT_NE(shown.find("the run that came closest:"), std::string::npos) << shown;
  const std::string json = to_json(*report);
  EXPECT_NE(json.find("\"transitions\": ["), std::string::npos) << json;
}

TEST(RewardMachines, ThatMoveWhereRunsBeginAreNamed) {
  const auto report = check(yard(), with({{"reward_machine", "a: X(0) -> b; b: X(4) -> success"}}));
  ASSERT_TRUE(report) << report.error().message;
  ASSERT_FALSE(report->notes.empty());
  EXPECT_NE(report->notes[0].find("leaves its first state where runs begin"), std::string::npos);
}

TEST(RewardMachines, ThatMakeNoSenseAreRefusedWithWhatIsWrong) {
  const auto message = [](const std::string& text) {
    return refused(yard(), with({{"reward_machine", text}}));
  };
  const std::vector<std::pair<std::string, std::string>> all = {
      {"a: X(1) - success", "it does not say where to"},
      {"X(1) -> success", "it does not say where from"},
      {"a: X(1) -> success; ; ", "it does not say where from"},
      {"a: XX(1) -> success", "there is no predicate \"XX\""},
      {"a: Too(1, 2) -> success", "did you mean 'To'"},
      {"a: X(1, 2) -> success", "takes 1 number"},
      {"a: X(1) -> sucess", "did you mean 'sucess'"},
      {"a: X(1) -> be; b: X(2) -> success", "no way leads to \"b\" from a"},
      {"a: X(1) -> success; success: X(2) -> a", "nothing leads out of success"},
      {"a: X(1) -> success pay 3", "\"pay\" is not understood (did you mean 'pays'"},
      {"a: X(1) -> success pays -3", "a number from 0 to 1000000, not \"-3\""},
      {"a: X(1) -> success pays", "a number from 0 to 1000000"},
      {"a: otherwise -> a; a: X(1) -> success", "it is never taken"},
      {"a: X(2) -> a pays 2; a: X(1) -> success", "it pays nothing"},
      {"a: X(2) -> failure once; a: X(1) -> success", "it leads to a failure"},
      {"a: !X(2 -> success", "the bracket is not closed"},
      {"a b: X(2) -> success", "\"a b\" names no state"},
  };
  for (const auto& [text, what] : all) {
    EXPECT_NE(message(text).find(what), std::string::npos) << text << ": " << message(text);
  }
}

TEST(RewardMachines, AreKnownByNamesAndGivenAlone) {
  const auto message = [](std::map<std::string, std::string> settings) {
    return refused(cubes(), with(std::move(settings)));
  };
  EXPECT_NE(message({{"reward_machine", "cubes-to-4"}}).find("did you mean 'cubes-to-3'"),
            std::string::npos);
  EXPECT_NE(message({{"reward_machine", "cubes-to-3"}, {"waypoints", "cube-3"}})
                .find("the learner goes by one of them"),
            std::string::npos);
  EXPECT_NE(message({}).find("or a reward machine"), std::string::npos);
  Options other = with({{"reward_machine", "cubes-to-3"}});
  other.strategy = "bonusmax";
  EXPECT_NE(refused(cubes(), other).find("waypoint"), std::string::npos);
}

TEST(RewardMachines, OfASubjectAreJudgedWithIt) {
  Model<Yard> subject = yard();
  subject.reward_machine("lost", "a: X(1) -> b");
  EXPECT_NE(refused(subject, with({{"waypoints", "X(1)"}})).find("no way leads to success"),
            std::string::npos);
  Model<Yard> twice = yard();
  twice.waypoints("there", "X(1)").reward_machine("there", "a: X(1) -> success");
  EXPECT_NE(refused(twice, with({{"waypoints", "X(1)"}})).find("declared twice"),
            std::string::npos);
}

}  // namespace machine
}  // namespace
}  // namespace ordeal::oracle::learning
