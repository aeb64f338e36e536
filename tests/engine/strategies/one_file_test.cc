// A strategy is one file: this one adds one, and finds it wherever strategies are known.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <sstream>

#include "base/rng.h"
#include "cli/commands.h"
#include "explore/strategy/strategy.h"
#include "ordeal/compare.h"
#include "ordeal/scenario.h"
#include "tests/tools/cli/own_program.h"
#include "tests/tools/serve/served.h"

namespace ordeal {
namespace {

using explore::Scheduler;
using explore::Strategy;
using explore::StrategyOption;

// --- The strategy --------------------------------------------------------------------------------

StrategyOption rareness_option() {
  StrategyOption option;
  option.name = option.field = "rareness";
  option.noun = "a share of random picks";
  option.value = "E";
  option.what = "pick at random so often, from 0 to 1";
  option.fallback = "0.1";
  option.kind = StrategyOption::Kind::kReal;
  return option;
}

StrategyOption memory_option() {
  StrategyOption option;
  option.name = "memory-runs";
  option.field = "memory_runs";
  option.noun = "a length of memory";
  option.value = "N";
  option.what = "forget everything after N runs";
  option.fallback = "100";
  option.least = 1;
  return option;
}

StrategyOption tie_option() {
  StrategyOption option;
  option.name = option.field = "tie";
  option.noun = "a way to break ties";
  option.value = "HOW";
  option.what = "which of those that are as rare, first or last";
  option.fallback = "first";
  option.kind = StrategyOption::Kind::kWord;
  option.words = {"first", "last"};
  return option;
}

StrategyOption stubborn_option() {
  StrategyOption option;
  option.name = option.field = "stubborn";
  option.noun = "stubbornness";
  option.what = "never end a run early";
  option.kind = StrategyOption::Kind::kFlag;
  return option;
}

// Learns which actions it has taken, and takes the rarest.
class Rarest : public Scheduler {
 public:
  explicit Rarest(const Options& options)
      : rng_(options.seed),
        rareness_(real_of(rareness_option(), options)),
        memory_(number_of(memory_option(), options)),
        last_(tie_option().get(options) == "last"),
        stubborn_(stubborn_option().get(options) == "yes") {}

  std::optional<uint32_t> begin(uint64_t run, uint32_t initials) override {
    if (run % memory_ == 0) taken_.clear();
    return static_cast<uint32_t>(rng_.below(initials));
  }
  uint32_t pick(World& world) override {
    const uint32_t count = static_cast<uint32_t>(world.enabled().size());
    if (!stubborn_ && explore::may_end(world) && rng_.below(2) == 0) return kEnd;
    if (static_cast<double>(rng_.below(1'000'000)) < rareness_ * 1e6) {
      return static_cast<uint32_t>(rng_.below(count));
    }
    uint32_t rarest = 0;
    for (uint32_t i = 1; i < count; ++i) {
      const uint64_t now = taken_[world.key(i)];
      const uint64_t least = taken_[world.key(rarest)];
      if (now < least || (last_ && now == least)) rarest = i;
    }
    return rarest;
  }
  void take(World& world, uint32_t index) override { ++taken_[world.key(index)]; }
  std::vector<std::string> notes() const override {
    return {"rareness " + std::to_string(rareness_) + ", memory " + std::to_string(memory_) +
            (last_ ? ", last" : ", first") + (stubborn_ ? ", stubborn" : "")};
  }

 private:
  Rng rng_;
  const double rareness_;
  const uint64_t memory_;
  const bool last_;
  const bool stubborn_;
  std::map<uint64_t, uint64_t> taken_;
};

Strategy rarest_strategy() {
  Strategy strategy = explore::sampler("rarest", "takes what it has taken least");
  strategy.runs_by_number = false;  // it learns
  strategy.kept[static_cast<size_t>(explore::About::kConstraint)] = explore::Kept::kRefused;
  strategy.options = {rareness_option(), memory_option(), tie_option(), stubborn_option()};
  strategy.forms = {{"rarest-wild", {{"rareness", "1"}}, true}};
  strategy.accepts = [](const Options& options) -> Result<void> {
    if (real_of(rareness_option(), options) < 1 || !tie_option().get(options)) return {};
    return Error{"who always picks at random has no ties"};
  };
  strategy.schedule = [](const Options& options, World&) -> Result<std::unique_ptr<Scheduler>> {
    return std::unique_ptr<Scheduler>(std::make_unique<Rarest>(options));
  };
  return strategy;
}

const Result<void> kRegistered = explore::register_strategy(rarest_strategy());

// Not whole, or not new.
Strategy changed(const std::function<void(Strategy&)>& change) {
  Strategy strategy = rarest_strategy();
  strategy.name = "other";
  strategy.forms.clear();
  change(strategy);
  return strategy;
}

std::string why_not(const std::function<void(Strategy&)>& change) {
  const Result<void> registered = explore::register_strategy(changed(change));
  return registered.ok() ? "" : registered.error().message;
}

// In time, as the one above is: before anybody asks.
const std::vector<std::string> kRefused = {
    why_not([](Strategy& s) { s.name = "bfs"; }),
    why_not([](Strategy& s) { s.name = "No Name"; }),
    why_not([](Strategy& s) {
      s.forms = {{"prefix-random", {}, true}};
    }),
    why_not([](Strategy& s) { s.what.clear(); }),
    why_not([](Strategy& s) { s.schedule = {}; }),
    why_not([](Strategy& s) { s.needs_space = true; }),
    why_not([](Strategy& s) { s.options[0].fallback = "2"; }),
    why_not([](Strategy& s) { s.options[0].what = "something else"; }),
    why_not([](Strategy& s) { s.options[2].words.clear(); }),
};

// --- Where it is found ---------------------------------------------------------------------------

using serve::Json;

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

// Without its line breaks.
std::string words_of(const std::string& text) {
  std::istringstream in(text);
  std::string out;
  for (std::string word; in >> word;) out += (out.empty() ? "" : " ") + word;
  return out;
}

e2e::Finished run(std::vector<std::string> words) {
  return e2e::own_program([] { return serve::suite(); }, std::move(words));
}

std::string error_of(const Options& options) {
  const auto report = check(serve::ring(2, true, false), options);
  return report.ok() ? "" : report.error().message;
}

TEST(AStrategyInOneFile, IsAmongThoseOfTheLibrary) {
  ASSERT_TRUE(kRegistered.ok()) << kRegistered.error().message;
  EXPECT_EQ(strategies().back().name, "rarest");
  const Options options{.strategy = "rarest",
                        .seed = 3,
                        .strategy_options = {{"rareness", "0.25"}, {"stubborn", "yes"}}};
  const auto report = check(serve::ring(2, true, false), options);
  ASSERT_TRUE(report.ok()) << report.error().message;
  EXPECT_EQ(report->verdict, Verdict::kViolated);
  EXPECT_EQ(report->notes,
            std::vector<std::string>{"rareness 0.250000, memory 100, first, stubborn"});
  const auto again = replay(serve::ring(2, true, false), *report->violations[0].trace);
  ASSERT_TRUE(again.ok());
  EXPECT_TRUE(again->reproduced) << "what cannot be had again by its number is by its short form";
}

TEST(AStrategyInOneFile, HasItsOptionsCheckedByTheirTypes) {
  EXPECT_EQ(error_of({.strategy = "rarest", .strategy_options = {{"rareness", "2"}}}),
            "rareness 2: out of range; give a number from 0 to 1");
  EXPECT_EQ(error_of({.strategy = "rarest", .strategy_options = {{"rareness", "much"}}}),
            "rareness much: that is no number; give a number from 0 to 1");
  EXPECT_TRUE(has(error_of({.strategy = "rarest", .strategy_options = {{"memory_runs", "0"}}}),
                  "memory_runs 0: out of range; give a whole number from 1 to "));
  EXPECT_EQ(error_of({.strategy = "rarest", .strategy_options = {{"tie", "best"}}}),
            "unknown tie \"best\"; there are first and last");
  EXPECT_EQ(error_of({.strategy = "rarest", .strategy_options = {{"stubborn", "1"}}}),
            "stubborn 1: that is neither yes nor no");
  EXPECT_EQ(error_of({.strategy = "bfs", .strategy_options = {{"tie", "last"}}}),
            "a way to break ties is for strategy rarest, not for bfs");
  EXPECT_TRUE(has(error_of({.strategy = "rarest", .strategy_options = {{"rarenessn", "1"}}}),
                  "no strategy has an option \"rarenessn\" (did you mean 'rareness'?)"));
  EXPECT_TRUE(has(error_of({.strategy = "pct", .strategy_options = {{"bug_depth", "4"}}}),
                  "bug_depth has a field of its own"));
  EXPECT_EQ(
      error_of({.strategy = "rarest", .strategy_options = {{"rareness", "1"}, {"tie", "last"}}}),
      "who always picks at random has no ties");
}

TEST(AStrategyInOneFile, IsPreparedWithoutExploring) {
  const System ring = serve::ring(2, true, false);
  const auto usual = prepare(ring);
  ASSERT_TRUE(usual.ok());
  EXPECT_EQ(usual->strategy, "bfs");
  EXPECT_TRUE(prepare(ring, {.strategy = "rarest"}).ok());
  EXPECT_FALSE(prepare(ring, {.strategy = "rarest", .strategy_options = {{"tie", "x"}}}).ok());
  EXPECT_TRUE(has(prepare(ring, {.guide = ShortForm{0, {99}}}).error().message,
                  "the guide cannot be followed at step 1: it takes action 99 of "));
  EXPECT_TRUE(has(prepare(ring, {.guide = ShortForm{7, {}}}).error().message,
                  "the guide starts in initial state 7, but there are 1"));
  EXPECT_FALSE(prepare(ring, {.symmetry = true}).ok()) << "nothing is declared alike";
}

TEST(AStrategyInOneFile, IsExplainedByTheHelpOfEveryCommandThatTakesIt) {
  for (const std::vector<std::string>& words : {std::vector<std::string>{"help", "check"},
                                                {"help", "scenario", "run"},
                                                {"help", "scenario", "ablate"},
                                                {"help", "compare"},
                                                {"help", "--markdown"}}) {
    const e2e::Finished help = run(words);
    EXPECT_EQ(help.exit, 0);
    EXPECT_TRUE(has(help.out, "--memory-runs N")) << help.out;
    EXPECT_TRUE(has(help.out, "--stubborn  ")) << help.out;
    EXPECT_TRUE(has(help.out, "for rarest")) << help.out;
  }
  const std::string check = words_of(run({"help", "check"}).out);
  EXPECT_TRUE(has(check, "rarest: takes what it has taken")) << check;
  EXPECT_TRUE(has(check, "for rarest: pick at random so often, from 0 to 1 (default 0.1)"))
      << check;
  EXPECT_TRUE(has(run({"help", "compare"}).out, "rarest-wild"));
}

TEST(AStrategyInOneFile, IsAWordThatIsOfferedAndSuggested) {
  for (const char* command : {"check", "serve", "scenario run", "scenario ablate"}) {
    bool offered = false;
    for (const cli::OptionSpec& option : cli::command(command).options) {
      if (option.name != "strategy") continue;
      offered = std::count(option.words.begin(), option.words.end(), "rarest") == 1;
    }
    EXPECT_TRUE(offered) << command;
  }
  const e2e::Finished slip = run({"check", "ring", "--strategy", "rarst"});
  EXPECT_EQ(slip.exit, 3);
  EXPECT_TRUE(has(slip.err, "(did you mean 'rarest'?)")) << slip.err;
}

TEST(AStrategyInOneFile, TakesNoNameOfAnOptionThatACommandHasAlready) {
  for (const cli::CommandSpec& command : cli::commands()) {
    std::vector<std::string> names;
    for (const cli::OptionSpec& option : command.options) names.push_back(option.name);
    std::sort(names.begin(), names.end());
    EXPECT_EQ(std::adjacent_find(names.begin(), names.end()), names.end()) << command.name;
  }
}

TEST(AStrategyInOneFile, IsTakenByTheCommandLine) {
  const e2e::Finished found = run({"check", "ring", "--bug", "few", "--strategy", "rarest",
                                   "--rareness", "0.5", "--tie=last", "--stubborn"});
  EXPECT_EQ(found.exit, 1) << found.err;
  EXPECT_TRUE(has(found.out, "rareness 0.500000, memory 100, last, stubborn")) << found.out;
  const auto refused = [](std::vector<std::string> words) {
    words.insert(words.begin(), {"check", "ring"});
    const e2e::Finished finished = run(words);
    EXPECT_EQ(finished.exit, 3) << finished.out;
    return finished.err;
  };
  EXPECT_TRUE(has(refused({"--strategy", "rarest", "--rareness", "7"}),
                  "--rareness 7: out of range; give a number from 0 to 1"));
  EXPECT_TRUE(has(refused({"--strategy", "bfs", "--rareness", "1"}),
                  "a share of random picks is for strategy rarest, not for bfs"));
  EXPECT_EQ(run({"scenario", "run", "calm", "--strategy", "rarest", "--memory-runs", "2"}).exit, 0);
}

TEST(AStrategyInOneFile, IsRefusedWhereItMayNotClaim) {
  System system = serve::ring(2, false, false);
  system.within([](const View&) { return true; });
  const auto refused = check(system, {.strategy = "rarest"});
  ASSERT_FALSE(refused.ok());
  EXPECT_TRUE(has(refused.error().message, "strategy rarest cannot keep to a constraint (within)"))
      << refused.error().message;
}

TEST(AStrategyInOneFile, IsInTheDocuments) {
  const std::string text = strategies_markdown();
  EXPECT_TRUE(has(text, " | `portfolio` | `rarest` | `--reduce sleep` |")) << text;
  EXPECT_TRUE(has(text,
                  "| `rarest` | takes what it has taken least | a seed | by short form | "
                  "`--rareness`, `--memory-runs`, `--tie`, `--stubborn`, `--measure`, "
                  "`--target` |"))
      << text;
}

TEST(AStrategyInOneFile, TakesPartInComparisons) {
  Contest contest;
  contest.name = "ring few";
  contest.build = []() -> Result<std::shared_ptr<const Checkable>> {
    return std::shared_ptr<const Checkable>(std::make_shared<System>(serve::ring(3, true, false)));
  };
  CompareOptions options;
  options.strategies = {"random", "rarest", "rarest-wild"};
  options.trials = 3;
  options.strategy_options = {{"memory_runs", "5"}};
  const auto comparison = compare({contest}, options);
  ASSERT_TRUE(comparison.ok()) << comparison.error().message;
  for (const Score& score : comparison->results[0].scores) {
    EXPECT_EQ(score.refused, "");
    EXPECT_EQ(score.found, 3U) << score.who.name;
  }
  const Json json = Json::parse(to_json(*comparison));
  EXPECT_EQ(json["options"]["memory_runs"], 5);
  EXPECT_EQ(json["options"]["stubborn"], nullptr);
  EXPECT_FALSE(json["options"].contains("rareness")) << "a form sets it";
  options.strategy_options = {{"memory_runs", "none"}};
  EXPECT_FALSE(compare({contest}, options).ok());
}

class AStrategyInOneFileServed : public serve::Served {};

TEST_F(AStrategyInOneFileServed, IsOfferedWithItsOptionsAndTakesThem) {
  const Json suite = good(serve::get("/api/suite"));
  const Json& told = suite["strategies"].back();
  ASSERT_EQ(told["name"], "rarest");
  ASSERT_EQ(told["options"].size(), 6U);  // and those that all have by which runs are counted
  EXPECT_EQ(told["options"][0]["name"], "rareness");
  EXPECT_EQ(told["options"][0]["kind"], "real");
  EXPECT_EQ(told["options"][0]["most"], 1.0);
  EXPECT_EQ(told["options"][1]["name"], "memory_runs");
  EXPECT_EQ(told["options"][2]["words"], Json({"first", "last"}));
  const auto job = [](const Json& options) {
    return Json{{"kind", "check"}, {"address", serve::address("", "few")}, {"options", options}};
  };
  const std::string id = good(serve::post(
      "/api/jobs", job({{"strategy", "rarest"}, {"rareness", 0.75}, {"stubborn", true}})))["id"];
  const auto stream = ask(serve::get("/api/jobs/" + id + "/stream")).stream;
  std::string ignored;
  while (stream->next(std::chrono::milliseconds(100), ignored)) {
  }
  EXPECT_EQ(good(serve::get("/api/jobs/" + id))["report"]["notes"][0],
            "rareness 0.750000, memory 100, first, stubborn");
  const auto refused = [&](const Json& options) {
    return bad(400, serve::post("/api/jobs", job(options)));
  };
  EXPECT_EQ(refused({{"strategy", "rarest"}, {"rareness", 3}}),
            "options.rareness: found 3; expected a number from 0 to 1");
  EXPECT_TRUE(has(refused({{"strategy", "rarest"}, {"tie", "x"}}), "first and last"));
  EXPECT_TRUE(has(refused({{"strategy", "bfs"}, {"rareness", 1}}),
                  "options: a share of random picks is for strategy rarest, not for bfs"));
}

// --- What is not taken ---------------------------------------------------------------------------

TEST(AStrategy, ThatIsNotWholeOrNotNewIsRefused) {
  const std::vector<std::string> expected = {
      "strategy \"bfs\": the name \"bfs\" is taken",
      "strategy \"No Name\": its name must be of a to z, 0 to 9, - and _",
      "strategy \"other\": the name \"prefix-random\" is taken",
      "strategy \"other\": it does not say what it is, or what it claims",
      "strategy \"other\": it must either schedule runs or explore by itself",
      "strategy \"other\": a scheduler does not save states",
      "strategy \"other\": its option \"rareness\" has a default that it refuses: its default 2: "
      "out of range; give a number from 0 to 1",
      "strategy \"other\": its option \"rareness\" is another one in strategy rarest",
      "strategy \"other\": its option \"tie\" must list its words, if it is one of words",
  };
  EXPECT_EQ(kRefused, expected);
}

TEST(AStrategy, ThatComesTooLateIsRefused) {
  explore::all_strategies();
  Strategy late = rarest_strategy();
  late.name = "late";
  const auto refused = explore::register_strategy(late);
  ASSERT_FALSE(refused.ok());
  EXPECT_TRUE(has(refused.error().message, "\"late\": it comes too late"));
}

}  // namespace
}  // namespace ordeal
