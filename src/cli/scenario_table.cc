#include "cli/scenario_table.h"

#include <algorithm>
#include <cassert>
#include <string>

#include "base/text.h"

namespace ordeal::cli {
namespace {

class OptionList {
 public:
  explicit OptionList(const std::vector<OptionSpec>& known) : known_(known) {}

  OptionList& own(OptionSpec option) {
    options_.push_back(std::move(option));
    return *this;
  }
  OptionList& all_of(std::vector<OptionSpec> options) {
    for (OptionSpec& option : options) own(std::move(option));
    return *this;
  }
  // As the command `check` has them.
  OptionList& same(const std::vector<std::string>& names) {
    for (const std::string& name : names) {
      const auto at = std::find_if(known_.begin(), known_.end(),
                                   [&](const OptionSpec& option) { return option.name == name; });
      assert(at != known_.end());
      options_.push_back(*at);
    }
    return *this;
  }
  std::vector<OptionSpec> list() const { return options_; }

 private:
  const std::vector<OptionSpec>& known_;
  std::vector<OptionSpec> options_;
};

OptionSpec strategy_option(const std::vector<OptionSpec>& check) {
  const auto at = std::find_if(check.begin(), check.end(),
                               [](const OptionSpec& option) { return option.name == "strategy"; });
  assert(at != check.end());
  OptionSpec option = *at;
  option.words = explore::strategies_where(explore::fits_scenarios);
  const std::string exhaustive =
      enumeration(explore::strategies_where([](const explore::Strategy& strategy) {
        return explore::fits_scenarios(strategy) && !strategy.samples();
      }));
  option.what = "instead of the scenario's own strategy. " + exhaustive +
                " explore every run that the filters allow, the others sample; see 'check --help'";
  return option;
}

std::vector<OptionSpec> options_that_fit() {
  return strategy_option_specs(explore::strategy_options_where(explore::fits_scenarios));
}

CommandSpec run_spec(const std::vector<OptionSpec>& check) {
  return {"scenario run",
          "NAME… | scenario run --all [--PARAMETER VALUE]… [OPTIONS]",
          "run scenarios and compare with what they expect",
          "Runs scenarios: filters say what happens to messages and nodes, a strategy picks within "
          "that, a\nproperty machine judges every run. Tells how many runs succeeded and failed, "
          "which filters fired\nhow often, and shows the runs that failed. Parameters of the "
          "subject replace those of the scenario.\n\nExit code: 0 every scenario showed what it "
          "expects, 1 one did not, 2 undecided (interrupted, or a\nbound was hit), 3 usage or tool "
          "error.",
          0,
          1000,
          OptionList(check)
              .own({"all", "", "every scenario of the suite"})
              .same({"bug"})
              .own(strategy_option(check))
              .all_of(options_that_fit())
              .same({"threads", "seed"})
              .own({"iterations", "N", "so many runs, instead of the scenario's own number"})
              .own({"max-depth", "N", "end every run after N steps"})
              .same({"max-states", "max-time", "max-memory", "no-minimise", "trace", "json",
                     "junit", "html", "quiet", "colour", "progress"})
              .list(),
          {{"scenario run late-votes", "as it is declared"},
           {"scenario run late-votes --bug forgets --html report.html",
            "does it catch the planted bug?"},
           {"scenario run late-votes --strategy bfs", "in every run that the filters allow"},
           {"scenario run --all --junit scenarios.xml", "all of them, for CI"}}};
}

}  // namespace

std::vector<OptionSpec> strategy_option_specs(const std::vector<explore::KnownOption>& options) {
  std::vector<OptionSpec> out;
  for (const auto& [option, users] : options) {
    const std::string fallback =
        option.fallback.empty() ? "" : " (default " + option.fallback + ")";
    out.push_back({option.name, option.value,
                   "for " + enumeration(users) + ": " + option.what + fallback, option.words});
  }
  return out;
}

std::vector<CommandSpec> scenario_specs(const std::vector<OptionSpec>& check) {
  std::vector<CommandSpec> all;
  all.push_back({"scenario list",
                 "[--subject SUBJECT]",
                 "list the scenarios",
                 "Lists the scenarios: what each is about, its subject and parameters, what it "
                 "expects, and the\nplanted bug that it catches.",
                 0,
                 0,
                 {{"subject", "SUBJECT", "only those for this subject"}},
                 {{"scenario list", "all of them"},
                  {"scenario list --subject paxos", "those for one subject"}}});
  all.push_back(run_spec(check));
  all.push_back(
      {"scenario ablate",
       "NAME [--PARAMETER VALUE]… [OPTIONS]",
       "leave out each filter in turn",
       "Runs a scenario without each of its filters in turn, and without all of them: what does "
       "each one\ndo for the outcome? The distance of a filter is how many messages lie between "
       "what it captures\nand where it lets go, in a run without filters: what is near, the "
       "strategy reaches by itself.",
       1,
       1,
       OptionList(check)
           .same({"bug"})
           .own(strategy_option(check))
           .all_of(options_that_fit())
           .same({"threads", "seed"})
           .own({"iterations", "N", "so many runs each, instead of the scenario's own number"})
           .own({"max-depth", "N", "end every run after N steps"})
           .same({"max-time", "max-memory", "colour", "progress"})
           .list(),
       {{"scenario ablate late-votes", "a line for each filter"}}});
  all.push_back(
      {"scenario from-trace",
       "TRACE… [OPTIONS]",
       "turn traces of violations into C++ tests",
       "Prints C++ source: a GoogleTest test with a scenario for each trace. What happened in the "
       "trace\nhappens first, and the property that it violates must hold: a regression test that "
       "fails on the bug\nand passes when it is fixed.",
       1,
       1000,
       {{"out", "FILE", "write it there instead of to standard output"},
        {"include", "HEADER", "the header that declares the suite"},
        {"suite", "EXPRESSION", "the C++ expression for the suite"}},
       {{"scenario from-trace t.json --out regression_test.cc", "from a bug to a test"}}});
  return all;
}

}  // namespace ordeal::cli
