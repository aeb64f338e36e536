// Strategy: one way to explore, described in one place. What it is, what it needs, what it may
// claim, its options, and how it is made. Whoever lists, offers, refuses, compares or explains
// strategies asks here; nobody else knows them by name.
//
// To add one: write a file with a function that returns its Strategy, and name that function in the
// list in strategy.cc; or call register_strategy() from a program of your own.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "explore/strategy/claims.h"
#include "explore/strategy/findings.h"
#include "explore/strategy/scheduler.h"
#include "ordeal/check.h"
#include "ordeal/result.h"
#include "ordeal/world.h"

namespace ordeal::explore {

// An option that only some strategies have. Strategies that share one describe it alike.
struct StrategyOption {
  enum class Kind : uint8_t { kNumber, kReal, kWord, kFlag, kText, kFile };

  // Its field has its name, with underscores. `value`: what stands for its value in help.
  static StrategyOption make(Kind kind, const std::string& name, const std::string& noun,
                             const std::string& value, const std::string& what,
                             const std::string& fallback = "");
  static StrategyOption number(const std::string& name, const std::string& noun,
                               const std::string& what, const std::string& fallback, uint64_t least,
                               uint64_t most);
  static StrategyOption real(const std::string& name, const std::string& noun,
                             const std::string& what, const std::string& fallback, double from,
                             double to);

  std::string name = {};      // on the command line: "bug-depth"
  std::string field = {};     // in JSON, and in Options::strategy_options: "bug_depth"
  std::string noun = {};      // in errors: "a bug depth"
  std::string value = {};     // stands for its value in help: "D"; "" for flags
  std::string what = {};      // for help, without whose it is and without the default
  std::string fallback = {};  // what holds where it is not given; "": `what` tells
  Kind kind = Kind::kNumber;
  uint64_t least = 0;  // kNumber
  uint64_t most = UINT64_MAX;
  double from = 0;  // kReal
  double to = 1;
  std::vector<std::string> words = {};  // kWord

  // Where it is kept: in a field of Options of its own, or, where there is none, in
  // Options::strategy_options. As text; none: it is not given, or has the value that it has anyway.
  std::optional<std::string> get(const Options& options) const;
  // REQUIRES: check_value() is content with it.
  void set(const std::string& text, Options& options) const;
  StrategyOption& kept_in(uint32_t Options::*field);  // 0: not given
  StrategyOption& kept_in(uint64_t Options::*field);  // 0: not given
  StrategyOption& kept_in(std::optional<uint32_t> Options::*field);
  StrategyOption& kept_in(std::string Options::*field);

  // Made by kept_in().
  std::function<std::optional<std::string>(const Options&)> read = {};
  std::function<void(const std::string&, Options&)> write = {};
  bool zero_is_none = false;  // zero in its field says that it is not given
};

// An Error where `text` is no value of the option; `who` names it: "--bug-depth".
Result<void> check_value(const StrategyOption& option, const std::string& who,
                         const std::string& text);
// What is given, or else the default, of options that Options has no field for. REQUIRES: the
// options were accepted; they are kNumber, kReal; of the others their text, "" where there is none.
uint64_t number_of(const StrategyOption& option, const Options& options);
double real_of(const StrategyOption& option, const Options& options);
std::string text_of(const StrategyOption& option, const Options& options);

// What a strategy explores.
class Ground {
 public:
  // `space`: null where states cannot be saved.
  Ground(const Checkable& subject, std::shared_ptr<StateSpace> space)
      : subject_(subject), space_(std::move(space)) {}

  StateSpace* space() const { return space_.get(); }
  // Made when it is asked for; the effort is then the world's.
  World& world();
  SpaceStatistics statistics() const;
  std::vector<StepSort> sorts() const;

 private:
  const Checkable& subject_;
  std::shared_ptr<StateSpace> space_;
  std::unique_ptr<World> world_;
};

// A strategy with some of its options set, for comparisons: another contestant.
struct StrategyForm {
  std::string name = {};
  std::map<std::string, std::string> settings = {};  // by field
  bool seeded = false;
};

struct Strategy {
  std::string name = {};
  std::string what = {};                // one line
  std::string preserves = {};           // what a clean, complete result may claim, in words
  std::array<Kept, kAbouts> kept = {};  // … and as a table (claims.h)

  // It saves states and comes back to them: it stores them, works on several threads, and counts
  // states, not runs.
  bool needs_space = false;
  // What it leaves out rests on footprints: they are tried first, and under a scenario, where all
  // actions depend on each other, it has no use.
  bool needs_footprints = false;
  // It draws from the seed: without, all seeds give the same.
  bool needs_seed = false;
  // Any run follows from the seed and its number. Else those before it must be made first, as where
  // runs are enumerated or learned from, and a single run is had again by its short form only.
  bool runs_by_number = false;
  // Runs have nothing to do with each other although they cannot be had by number.
  bool runs_apart = false;
  // Level by level: how deep a state lies is its distance from the start, the first run that leads
  // to one is a shortest, and what waits may lie on disk.
  bool by_levels = false;
  // A run that a violation ends is not among those that it counts.
  bool counts_ended_runs = false;

  std::vector<StrategyOption> options = {};
  std::vector<StrategyForm> forms = {};

  // An Error where its options do not fit together; may be empty.
  std::function<Result<void>(const Options&)> accepts = {};
  // Puts in place of names that the subject has given what they stand for. An Error: it has no such
  // thing. May be empty.
  std::function<Result<void>(const Checkable&, Options&)> settle = {};
  // How many random runs it makes before its first, judged and counted by nobody; empty: none.
  std::function<uint64_t(const Options&)> tries_first = {};

  // How it is made, one of both. A scheduler picks runs step by step: it samples, or enumerates a
  // part of the runs, and never proves. Else it explores everything, if nothing cuts it.
  std::function<Result<std::unique_ptr<Scheduler>>(const Options&, World&)> schedule = {};
  std::function<Exploration(Ground&, const Options&)> explore = {};
  // Of one that explores everything run by run: how it is made where another leads it, a run at a
  // time. May be empty.
  std::function<Result<std::unique_ptr<Scheduler>>(const Options&, World&)> joins = {};

  // Whether another strategy can have its runs made, one by one.
  bool can_be_led() const { return schedule != nullptr || joins != nullptr; }
  bool samples() const { return schedule != nullptr; }
  // Its runs are draws from one distribution: how many come to something tells how likely that is.
  bool draws_independently() const { return samples() && (runs_by_number || runs_apart); }
};

// A scheduler that draws every run from the seed and its number.
Strategy sampler(std::string name, std::string what);

// All of them, in the order in which they are listed.
const std::vector<Strategy>& all_strategies();
const Strategy* find_strategy(const std::string& name);  // null: there is none
// What is taken where none is asked for.
const char* default_strategy(bool has_space);

// Adds one at the end. An Error: its description is not whole, a name is taken, or strategies were
// asked for already: it comes too late for those who did.
Result<void> register_strategy(Strategy strategy);

// The names of those for which `which` holds, in their order.
std::vector<std::string> strategies_where(const std::function<bool(const Strategy&)>& which);
inline bool fits_scenarios(const Strategy& strategy) { return !strategy.needs_footprints; }

// The options of all strategies, each once, with the names of those that have it.
struct KnownOption {
  StrategyOption option;
  std::vector<std::string> users;

  bool is_for(const std::string& strategy) const;
};
const std::vector<KnownOption>& strategy_options();
// Only those of strategies for which `which` holds.
std::vector<KnownOption> strategy_options_where(const std::function<bool(const Strategy&)>& which);
// Whether a comparison has it as an option: what a form of a strategy sets is none.
bool is_compared_by(const StrategyOption& option);

// An Error: an option of strategies is given with a value that makes no sense, or there is none of
// that name.
Result<void> check_values(const Options& options);
// … or one that options.strategy has no use for, or that does not fit its others. REQUIRES: there
// is that strategy.
Result<void> check_strategy_options(const Options& options);

// --- Those that there are, each in a file of its own ---------------------------------------------
Strategy bfs_strategy();
Strategy dfs_strategy();
Strategy prefix_strategy();
Strategy dpor_strategy();
Strategy random_strategy();
Strategy pct_strategy();
Strategy pctcp_strategy();
Strategy pos_strategy();
Strategy delay_strategy();
std::vector<Strategy> learning_strategies();  // explore/learn/learners.cc
Strategy branching_strategy();                // explore/learn/branching.cc
// Leads any of `others` that pick runs step by step, and has the options of all of those.
Strategy portfolio_strategy(const std::vector<Strategy>& others);

}  // namespace ordeal::explore
