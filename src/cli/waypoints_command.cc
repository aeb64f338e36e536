#include <fmt/format.h>

#include "base/file.h"
#include "base/text.h"
#include "cli/commands.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "cli/scenario_table.h"
#include "cli/signals.h"
#include "cli/subject.h"
#include "cli/waypoints_table.h"
#include "explore/mine.h"
#include "explore/strategy/strategy.h"
#include "report/text/mined_text.h"

namespace ordeal::cli {
namespace {

constexpr const char* kDefaultStrategy = "uniform";
constexpr uint64_t kDefaultRuns = 2'000;

// Options of strategies that say what is counted, which nothing is here.
bool is_about_counting(const std::string& option) {
  return option == "measure" || option == "target" || option == "confidence";
}

Result<explore::MiningSettings> settings_in(const Parsed& parsed) {
  explore::MiningSettings out;
  out.target = parsed.get("target");
  if (out.target.empty()) {
    return Error{"where to? --target PREDICATE; 'list SUBJECT' shows the predicates"};
  }
  const auto number = [&](const char* name, uint64_t usual, uint64_t least, uint64_t most) {
    return parse_number(std::string("--") + name, parsed.get(name, std::to_string(usual)), least,
                        most);
  };
  const Result<uint64_t> numbers = number("numbers", out.numbers, 0, 50);
  if (!numbers) return numbers.error();
  const Result<uint64_t> enough = number("enough", out.enough, 1, 1'000'000);
  if (!enough) return enough.error();
  const Result<uint64_t> most = number("most", out.most, 1, 1'000);
  if (!most) return most.error();
  out.numbers = static_cast<uint32_t>(*numbers);
  out.enough = *enough;
  out.most = *most;
  return out;
}

}  // namespace

CommandSpec waypoints_spec(const OptionSpec& bug, const OptionSpec& handler) {
  const auto samples = [](const explore::Strategy& one) { return one.samples(); };
  CommandSpec spec{
      "waypoints",
      "SUBJECT --target PREDICATE [--PARAMETER VALUE]… [OPTIONS]",
      "propose waypoints that lead to a target",
      "Makes runs until enough of them came to the target, looks which predicates of SUBJECT (with "
      "small\nnumbers) held on the way in all of these and not at the start, and proposes a list "
      "in the order in\nwhich they held first, as --waypoints takes it. Left out is what nearly "
      "every other run comes to as\nwell, and what comes together with another. Where no run came "
      "to the target, it proposes smaller\nforms of it, and says so.\n\nExit code: 0 there is a "
      "list that rests on runs, 2 no run came to the target, 3 usage or tool error.",
      0,
      1,
      {{"target", "PREDICATE", "where to: one predicate, or several joined by '&'"},
       bug,
       {"strategy", "NAME",
        fmt::format("who makes the runs: a strategy that picks them step by step (default {})",
                    kDefaultStrategy),
        explore::strategies_where(samples)},
       {"numbers", "N", "predicates are tried with numbers from 0 to N (default 5)"},
       {"enough", "N", "so many runs that came to the target (default 100)"},
       {"most", "N",
        "at most so many waypoints before the target: those that the fewest other runs come to "
        "(default 6)"},
       {"seed", "N", "the seed of everything random; default 0"},
       {"max-runs", "N", fmt::format("stop after N runs (default {})", grouped(kDefaultRuns))},
       {"max-depth", "N", "end every run after N steps"},
       {"max-time", "SECONDS", "stop making runs after this time: 90, 0.5, 10m"},
       {"max-memory", "SIZE", "stop making runs at this much memory: 512M, 2G"},
       handler},
      {{"waypoints raft --target 'LogDiff(3)'", "a way to logs that differ by three entries"},
       {"waypoints cube-world --target 'Cube(2)' --horizon 80 --json -", "the same as JSON"}}};
  for (OptionSpec& option : strategy_option_specs(explore::strategy_options_where(samples))) {
    if (!is_about_counting(option.name)) spec.options.push_back(std::move(option));
  }
  spec.options.push_back({"json", "FILE", "write it as JSON; '-' is standard output"});
  spec.options.push_back({"quiet", "", "print only the list"});
  return spec;
}

int run_waypoints(const Program& program, const Words& words) {
  const std::string name = "waypoints";
  const auto fail = [&](const Error& error) { return trouble(program, name, error.message); };
  const Result<const Subject*> named = subject_in(program, name, words);
  if (!named) return fail(named.error());
  const Subject* const subject = *named;
  const std::vector<OptionSpec> extra =
      subject == nullptr ? std::vector<OptionSpec>() : parameter_options(*subject);
  const Parsing parsing = parse(program, name, words, extra, subject);
  if (parsing.exit >= 0) return parsing.exit;
  const Parsed& parsed = parsing.parsed;
  if (subject == nullptr) return trouble(program, name, which_subject(program));
  const Result<explore::MiningSettings> settings = settings_in(parsed);
  if (!settings) return fail(settings.error());
  Result<Options> options = search_options(parsed);
  if (!options) return fail(options.error());
  // Nobody counts what is covered.
  options->strategy_options.erase("target");
  if (options->strategy.empty()) options->strategy = kDefaultStrategy;
  if (options->max_runs == 0) options->max_runs = kDefaultRuns;
  const Result<Chosen> chosen = choose(program.suite, address_in(*subject, parsed));
  if (!chosen) return fail(chosen.error());
  const std::string json = parsed.get("json");
  if (!json.empty() && json != "-") {
    if (const Result<void> writable = check_writable(json); !writable) {
      return fail(writable.error());
    }
  }
  const StopOnSignal signals;
  options->stop = &signals.flag();
  chosen->label(*options);
  const Result<explore::Mined> mined =
      explore::mine_waypoints(*chosen->checkable, *options, *settings);
  if (!mined) return fail(mined.error());
  const report::MinedAbout about{.subject = chosen->command_words,
                                 .target = settings->target,
                                 .strategy = options->strategy,
                                 .seed = options->seed,
                                 .program = shell_word(program.path)};
  if (!json.empty() && json != "-") {
    const auto written = write_file_atomically(json, report::mined_json(*mined, about));
    if (!written) return fail(written.error());
  }
  const Result<void> printed = json == "-"
                                   ? print(report::mined_json(*mined, about), Ink::kDocument)
                               : parsed.has("quiet") ? print(one_line(mined->list()) + "\n")
                                                     : print(report::mined_text(*mined, about));
  if (!printed) return fail(printed.error());
  return mined->is_graded ? kExitUndecided : kExitHolds;
}

}  // namespace ordeal::cli
