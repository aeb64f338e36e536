// run(): a scenario with any strategy, and what its runs mean for what was expected of them.
#include "explore/scenario_run.h"

#include <algorithm>

#include "base/guard.h"
#include "base/text.h"
#include "explore/explain/recorder.h"
#include "explore/run/campaign.h"
#include "explore/run/runs.h"
#include "explore/strategy/abstract_coverage.h"
#include "explore/strategy/claims.h"
#include "explore/strategy/strategy.h"
#include "ordeal/scenario.h"
#include "ordeal/scenario_run.h"
#include "system/scenario/product.h"

namespace ordeal {
namespace {

using explore::Campaign;
using explore::Finding;

bool can_succeed(const Scenario::Declaration& scenario) {
  if (scenario.machine.empty()) return false;
  const std::vector<Machine::State>& states = scenario.machine[0].states();
  return std::any_of(states.begin(), states.end(), [](const Machine::State& state) {
    return state.kind == Machine::Kind::kSuccess;
  });
}

std::string expectation_of(const Scenario::Declaration& scenario, uint64_t iterations) {
  const Expect& expect = scenario.expectation;
  if (expect.kind() == Expect::Kind::kAlways && !can_succeed(scenario)) return "no run fails";
  if (expect.kind() == Expect::Kind::kAtLeast && iterations > 0) {
    return "at least " + grouped(expect.runs()) + " of " + grouped(iterations) + " runs succeed";
  }
  return show(expect);
}

void describe(const Scenario::Declaration& scenario, const monitor::Tally& tally,
              const std::vector<uint64_t>& ended_in, ScenarioReport& report) {
  for (size_t i = 0; i < scenario.filters.size(); ++i) {
    const Filter& filter = scenario.filters[i];
    report.filters.push_back({show(filter), filter.where.file_name(), filter.where.line(),
                              i < tally.fired.size() ? tally.fired[i] : 0,
                              i < tally.in_vain.size() ? tally.in_vain[i] : 0});
  }
  if (scenario.machine.empty()) return;
  const Machine& machine = scenario.machine[0];
  for (size_t i = 0; i < machine.states().size(); ++i) {
    const Machine::State& state = machine.states()[i];
    report.machine.states.push_back(
        {state.name, state.kind, i < ended_in.size() ? ended_in[i] : 0});
  }
  for (size_t i = 0; i < machine.transitions().size(); ++i) {
    const Machine::Transition& transition = machine.transitions()[i];
    report.machine.transitions.push_back({transition.from, transition.to,
                                          show(transition.condition),
                                          i < tally.taken.size() ? tally.taken[i] : 0});
  }
}

void note_silent_filters(const std::vector<bool>& left_out, ScenarioReport& report) {
  for (size_t i = 0; i < report.filters.size(); ++i) {
    const FilterResult& filter = report.filters[i];
    if (filter.fired > 0 || (i < left_out.size() && left_out[i])) continue;
    report.notes.push_back("filter " + std::to_string(i + 1) + " (" + short_path(filter.file) +
                           ":" + std::to_string(filter.line) + ") never fired");
  }
}

// A run that a whole expectation is about, not a property of its own: told as it went.
Result<Violation> unsuccessful_run(World& world, const Campaign& campaign,
                                   const ScenarioReport& report, const Options& options) {
  Violation violation;
  violation.property = report.expectation;
  violation.kind = "scenario";
  violation.why =
      "only " + grouped(campaign.successes) + " of " + grouped(campaign.runs) + " runs succeeded";
  violation.count = campaign.runs - campaign.successes;
  if (!campaign.unsuccessful) return violation;
  explore::Recorder recorder(world, options);
  if (const auto started = recorder.start(campaign.unsuccessful->initial); !started) {
    return started.error();
  }
  for (uint32_t choice : campaign.unsuccessful->choices) {
    if (const auto done = recorder.step(choice); !done) return done.error();
  }
  recorder.find_points();
  violation.trace = recorder.trace();
  violation.step = static_cast<uint32_t>(violation.trace->steps.size());
  violation.why += std::string("; this one ") +
                   (campaign.unsuccessful_was_cut ? "was cut" : "ended") +
                   " with the property machine in state \"" + campaign.unsuccessful_state + "\"";
  return violation;
}

// The violations with their traces, in the order in which they were found.
Result<void> explain(const monitor::Product& product, const Campaign& campaign,
                     const Options& options, ScenarioReport& report) {
  const std::unique_ptr<World> world = product.world();
  Result<void> done;
  const auto add = [&](Result<Violation> violation) {
    if (violation) {
      report.violations.push_back(std::move(*violation));
    } else {
      done = violation.error();
    }
  };
  const std::string broke = guarded([&] {
    for (const Finding& finding : campaign.findings) {
      add(explore::explain_finding(*world, finding, options.minimise, options));
      if (!done) return;
      const Result<void> same = explore::confirm(product, *report.violations.back().trace);
      if (same) continue;
      if (product.space() != nullptr) {
        done = same.error();
        return;
      }
      report.notes.push_back(same.error().message);
    }
    if (report.verdict == Verdict::kViolated && report.violations.empty()) {
      add(unsuccessful_run(*world, campaign, report, options));
    }
  });
  if (!broke.empty()) return Error{"explaining a violation failed: " + broke};
  return done;
}

// What so many runs mean for what was expected. A run that a bound ended may still succeed and may
// still fail: as long as others do not decide it, it leaves everything open.
Verdict judge(const Scenario::Declaration& scenario, const Campaign& campaign) {
  if (campaign.failures > 0) return Verdict::kViolated;
  const uint64_t neither = campaign.runs - campaign.successes - campaign.cut;
  const bool decided = campaign.complete && campaign.cut == 0;
  const Verdict clean = decided ? Verdict::kHolds : Verdict::kUndecided;
  switch (scenario.expectation.kind()) {
    case Expect::Kind::kAlways:
      return neither > 0 ? Verdict::kViolated : clean;
    case Expect::Kind::kNever:
      return campaign.successes > 0 ? Verdict::kViolated : clean;
    case Expect::Kind::kAtLeast: {
      const uint64_t most = campaign.successes + campaign.cut;
      if (campaign.complete && most < scenario.expectation.runs()) return Verdict::kViolated;
      return campaign.successes >= scenario.expectation.runs() ? clean : Verdict::kUndecided;
    }
  }
  return Verdict::kUndecided;
}

// What a function that is not const remembers it forgets with every run.
void note_functions_that_start_afresh(const Scenario::Declaration& scenario,
                                      ScenarioReport& report) {
  const monitor::Lexicon lexicon(scenario, {});
  const auto note = [&](const Where& where, const std::string& name) {
    report.notes.push_back("\"" + name + "\" (" + short_path(where.file_name()) + ":" +
                           std::to_string(where.line()) +
                           ") is not const and starts afresh in every run: what it draws by itself "
                           "is the same in every run (draw_number() is not)");
  };
  for (const Condition& own : lexicon.own_conditions()) {
    if (!own.node().is_value) note(own.node().where, own.node().name);
  }
  for (const Reaction& own : lexicon.own_reactions()) {
    if (!own.node().is_value) note(own.node().where, own.node().name);
  }
}

Result<void> run_by_scheduler(const monitor::Product& product, const Checkable& subject,
                              const Options& options, const std::vector<bool>& left_out,
                              ScenarioReport& report) {
  const Scenario::Declaration& scenario = product.monitor().scenario();
  const monitor::Verdicts verdicts(scenario, subject.properties());
  const Result<Campaign> campaign = explore::run_campaign(product, verdicts, options);
  if (!campaign) return campaign.error();
  report.runs = campaign->runs;
  report.successes = campaign->successes;
  report.failures = campaign->failures;
  report.cut = campaign->cut;
  report.steps = campaign->steps;
  report.steps_by_sort = campaign->steps_by_sort;
  describe(scenario, campaign->tally, campaign->ended_in, report);
  report.verdict = judge(scenario, *campaign);
  report.notes = campaign->notes;
  if (campaign->stopped) {
    report.notes.push_back("stopped after " + grouped(campaign->runs) + " of " +
                           grouped(report.iterations) + " runs: " + to_string(*campaign->stopped));
  }
  if (campaign->cut > 0) {
    report.notes.push_back(
        grouped(campaign->cut) + " of " + grouped(campaign->runs) +
        " runs were cut: they came to no end within " +
        (campaign->at_horizon > 0 ? "the horizon of the learner, or " : "") +
        grouped(options.max_depth) +
        " steps, or left the constraint, so that nothing is claimed of them (where a run shall be "
        "over after so many steps, say ends_after())");
  }
  note_functions_that_start_afresh(scenario, report);
  if (campaign->runs > 0) note_silent_filters(left_out, report);
  if (campaign->findings.empty()) {
    const auto trusted = explore::may_trust(subject, options.seed, campaign->steps);
    if (!trusted) return trusted;
  }
  return explain(product, *campaign, options, report);
}

Result<void> run_exhaustively(const monitor::Product& product, const Options& options,
                              const std::vector<bool>& left_out, ScenarioReport& report) {
  Result<Report> checked = check(product, options);
  if (!checked) return checked.error();
  if (checked->trouble) {
    const Trouble& trouble = *checked->trouble;
    return Error{
        trouble.message +
        (trouble.trace ? "; the run that leads there: " + short_form(*trouble.trace) : "")};
  }
  report.exhaustive = true;
  report.complete = checked->complete;
  report.verdict = checked->verdict;
  report.runs = checked->runs;
  report.steps = checked->transitions;
  report.steps_by_sort = std::move(checked->steps);
  report.distinct_states = checked->distinct_states;
  report.violations = std::move(checked->violations);
  report.notes = std::move(checked->notes);
  for (const Bound& bound : checked->bounds) {
    report.notes.push_back("not everything was explored: " + to_string(bound));
  }
  for (const PropertyResult& result : checked->properties) {
    if (result.note.empty() || result.verdict != Verdict::kUndecided) continue;
    report.notes.push_back(result.property.name + ": " + result.note);
  }
  const Scenario::Declaration& scenario = product.monitor().scenario();
  if (scenario.expectation.kind() == Expect::Kind::kAtLeast) {
    report.notes.push_back(
        "where every run is explored, \"at least so many\" is: there is one that succeeds");
  }
  describe(scenario, product.searched(), {}, report);
  // A search that stopped at a violation has not seen all that the filters could have had.
  if (checked->complete) note_silent_filters(left_out, report);
  return {};
}

std::string strategies_that_fit() {
  return join(explore::strategies_where(explore::fits_scenarios), ", ");
}

// What does not go with scenarios, or not with this one.
Result<void> accept(const Scenario& scenario, const Options& options,
                    const explore::Strategy* strategy) {
  if (strategy == nullptr) {
    return Error{"unknown strategy \"" + options.strategy + "\"; there are " +
                 strategies_that_fit()};
  }
  const bool exhaustive = !strategy->samples();
  if (!explore::fits_scenarios(*strategy) || options.reduce != "none") {
    return Error{
        "filters and property machines may react to the order of any two actions: under a scenario "
        "all of them depend on each other, and there is nothing to leave out; strategies that "
        "fit: " +
        strategies_that_fit()};
  }
  if (const auto valid = explore::check_strategy_options(options); !valid) return valid.error();
  if (explore::measure_option().get(options) || explore::target_option().get(options)) {
    return Error{
        "what runs cover is counted by checks: the report of a scenario has no place for "
        "measure and target"};
  }
  if (options.max_steps > 0) {
    return Error{
        "a bound on the steps of all runs is for checks: a scenario has a number of runs "
        "(iterations), and a bound on the steps of each"};
  }
  if (options.require_coverage) {
    return Error{
        "require_coverage is for checks: a scenario keeps things from happening on purpose; what "
        "occurred is in its report"};
  }
  if (options.guide) {
    return Error{
        "a guide picks actions by their number, which the filters change; say what shall happen "
        "first in the scenario's script"};
  }
  if (exhaustive) {
    if (const auto value = is_value(scenario); !value) return value.error();
  }
  const Expect& expect = scenario.declaration().expectation;
  if (!exhaustive && expect.kind() == Expect::Kind::kAtLeast && expect.runs() > options.max_runs) {
    return Error{"the scenario expects at least " + grouped(expect.runs()) +
                 " runs to succeed, but there are only " + grouped(options.max_runs) +
                 " iterations"};
  }
  return {};
}

}  // namespace

Result<std::vector<size_t>> lines_not_possible(const Scenario& scenario, const Checkable& subject) {
  std::vector<std::string> lines = scenario.declaration().script;
  for (std::string& line : lines) {
    if (!line.starts_with("? ")) line.insert(0, "? ");
  }
  Scenario forgiving = scenario;
  forgiving.script(lines, scenario.declaration().script_where);
  if (const auto valid = subject.validate(); !valid) return valid.error();
  const auto monitor = monitor::Monitor::make(forgiving, subject);
  if (!monitor) return monitor.error();
  monitor::MonitoredWorld world(*monitor, subject.world());
  std::vector<size_t> out;
  size_t next = 0;  // line that was not looked at
  Result<void> gone = world.reset(0);
  while (gone && world.context().script_line() < lines.size()) {
    for (; next < world.context().script_line(); ++next) out.push_back(next);
    ++next;
    if (world.enabled().empty()) break;
    gone = world.apply(0);
    if (!gone) return out;  // a handler fails: there is no line behind it
  }
  if (!gone) return gone.error();
  for (; next < lines.size(); ++next) out.push_back(next);
  return out;
}

Result<ScenarioReport> run(const Scenario& scenario, const Checkable& subject,
                           const Options& options) {
  return explore::run_scenario(scenario, subject, options, {});
}

Result<ScenarioReport> explore::run_scenario(const Scenario& scenario, const Checkable& subject,
                                             const Options& given,
                                             const std::vector<bool>& left_out) {
  const Scenario::Declaration& declared = scenario.declaration();
  Options options = given;
  if (options.strategy.empty()) options.strategy = declared.strategy;
  const explore::Strategy* strategy = explore::find_strategy(options.strategy);
  const bool exhaustive = strategy == nullptr || !strategy->samples();
  if (options.max_runs == 0 && !exhaustive) options.max_runs = declared.iterations;
  if (options.max_depth == 0) options.max_depth = declared.max_steps;
  if (options.max_depth == 0 && !exhaustive) options.max_depth = explore::kDefaultRunDepth;
  if (const auto accepted = accept(scenario, options, strategy); !accepted) {
    return accepted.error();
  }
  if (strategy->settle) {
    if (const auto settled = strategy->settle(subject, options); !settled) return settled.error();
  }
  const Result<std::unique_ptr<Checkable>> product = under(scenario, subject);
  if (!product) return product.error();
  // Which is what under() makes.
  const auto& monitored = static_cast<const monitor::Product&>(**product);
  if (options.symmetry) return monitored.symmetry().error();

  const explore::Pace clock(options);
  ScenarioReport report;
  report.scenario = declared.name;
  report.what = declared.what;
  report.system = options.system;
  report.parameters = options.parameters;
  report.strategy = options.strategy;
  report.seed = options.seed;
  report.iterations = options.max_runs;
  report.expectation = expectation_of(declared, exhaustive ? 0 : options.max_runs);
  const Result<void> done = exhaustive
                                ? run_exhaustively(monitored, options, left_out, report)
                                : run_by_scheduler(monitored, subject, options, left_out, report);
  if (!done) return done.error();
  for (Violation& violation : report.violations) {
    if (violation.trace) violation.trace->scenario = declared.name;
  }
  report.seconds = clock.seconds();
  return report;
}

}  // namespace ordeal
