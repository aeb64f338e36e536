#include "experiment/plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/text.h"
#include "explore/strategy/abstract_coverage.h"
#include "explore/strategy/strategy.h"

namespace ordeal::experiment {
namespace {

constexpr uint64_t kAnyEpisodes = 1'000'000'000;

bool measures(const Plan& plan, Measure measure) {
  return std::count(plan.measures.begin(), plan.measures.end(), measure) > 0;
}

// The nearest: of the strategy, of the subject, of the file.
std::optional<Setting> setting_of(const Plan& plan, const FileSubject& subject,
                                  const FileStrategy& strategy, const std::string& field) {
  for (const Settings* settings : {&strategy.options, &subject.options, &plan.file.options}) {
    if (const auto found = settings->find(field); found != settings->end()) return found->second;
  }
  return std::nullopt;
}

bool has_target(const Plan& plan, const FileSubject& subject) {
  return subject.options.contains("target") || plan.file.options.contains("target");
}

void choose_measures(Plan& plan, bool by_runs) {
  plan.measures = plan.file.measures;
  if (!plan.measures.empty()) return;
  if (by_runs) plan.measures.push_back(Measure::kCoverage);
  const auto& subjects = plan.file.subjects;
  if (by_runs && std::all_of(subjects.begin(), subjects.end(),
                             [&](const FileSubject& one) { return has_target(plan, one); })) {
    plan.measures.push_back(Measure::kTargetCoverage);
  }
  const bool has_bug = std::any_of(plan.subjects.begin(), plan.subjects.end(),
                                   [](const PlanSubject& one) { return one.has_bug; });
  if (!has_bug && !plan.measures.empty()) return;
  plan.measures.push_back(Measure::kFirstBug);
  if (by_runs) plan.measures.push_back(Measure::kBugFrequency);
}

// Whether the budget, the measures and the strategy go together.
Result<void> check_fit(const Plan& plan, const FileStrategy& who) {
  const explore::Strategy& strategy = *explore::find_strategy(who.name);
  const Budget::Kind budget = plan.file.budget.kind;
  if (strategy.samples()) return {};
  const auto refuse = [&](const std::string& why) {
    return plan.file.error(who.place, fmt::format("strategy {} {}", strategy.name, why));
  };
  if (budget == Budget::Kind::kSteps) return refuse("has no budget of steps");
  if (strategy.needs_space && budget == Budget::Kind::kEpisodes) {
    return refuse("has no episodes: the budget must be states or seconds");
  }
  if (plan.measures != std::vector<Measure>{Measure::kFirstBug}) {
    return refuse(
        "does not pick runs step by step: measures = [\"first_bug\"] is all that it can be "
        "measured by");
  }
  for (const FileSubject& about : plan.file.subjects) {
    if (about.map) return refuse("does not pick runs step by step: it is on no map");
  }
  if (strategy.needs_space && plan.unit != Budget::Kind::kStates) {
    return refuse("counts states: the budget must be states");
  }
  return {};
}

void give_budget(const Plan& plan, const explore::Strategy& strategy, Options& options) {
  const Budget& budget = plan.file.budget;
  switch (budget.kind) {
    case Budget::Kind::kEpisodes:
      options.max_runs = budget.count;
      return;
    case Budget::Kind::kSteps:
      options.max_steps = budget.count;
      break;
    case Budget::Kind::kStates:
      options.max_states = budget.count;
      break;
    case Budget::Kind::kSeconds:
      options.max_seconds = budget.seconds;
      break;
  }
  if (!strategy.needs_space) options.max_runs = kAnyEpisodes;
}

// Names that the subject should know, each looked up by itself, so that the Error can say where.
Result<void> check_names(const Plan& plan, const PlanCell& cell, const Checkable& subject) {
  const FileSubject& about = plan.file.subjects[cell.subject];
  const FileStrategy& who = plan.file.strategies[cell.strategy];
  const Steering steering = subject.steering();
  for (const char* field : {"colouring", "measure"}) {
    const auto given = setting_of(plan, about, who, field);
    if (!given) continue;
    const auto known = explore::check_colouring(given->value, steering);
    if (!known) return plan.file.error(given->place, known.error().message);
  }
  if (const auto target = setting_of(plan, about, who, "target")) {
    const auto known = explore::check_goal(explore::goal_of(target->value), steering);
    if (!known) return plan.file.error(target->place, known.error().message);
  }
  if (about.map) {
    const auto known = explore::check_colouring(about.map->value, steering);
    if (!known) return plan.file.error(about.map->place, known.error().message);
  }
  const auto prepared = prepare(subject, cell.options);
  if (prepared) return {};
  const auto waypoints = setting_of(plan, about, who, "waypoints");
  const bool has = explore::find_strategy(who.name)->accepts != nullptr;
  return plan.file.error(waypoints && has ? waypoints->place : who.place, prepared.error().message);
}

// An episode of it: what is refused is refused before hours of work.
Result<void> try_out(const Plan& plan, const PlanCell& cell, const Checkable& subject) {
  Options options = cell.options;
  options.seed = plan.file.seed;
  options.max_runs = 1;
  if (explore::find_strategy(options.strategy)->needs_space) options.max_states = 10;
  options.max_seconds = 10;
  explore::RunCounts counts = counts_for(plan.trial_cell(cell));
  const Result<Report> report = explore::check_counting(subject, options, counts);
  if (report) return {};
  const auto& map = plan.file.subjects[cell.subject].map;
  if (map && check(subject, options)) return plan.file.error(map->place, report.error().message);
  return plan.file.error(
      plan.file.strategies[cell.strategy].place,
      fmt::format("{} on {}: {}", one_line(plan.file.strategies[cell.strategy].label),
                  one_line(plan.file.subjects[cell.subject].label), report.error().message));
}

PlanCell make_cell(const Plan& plan, size_t subject, size_t strategy) {
  const FileSubject& about = plan.file.subjects[subject];
  const FileStrategy& who = plan.file.strategies[strategy];
  const explore::Strategy& described = *explore::find_strategy(who.name);
  PlanCell cell;
  cell.subject = subject;
  cell.strategy = strategy;
  cell.trials = described.needs_seed ? plan.file.trials : 1;
  Options& options = cell.options;
  options.strategy = who.name;
  options.threads = 1;  // trials go side by side instead
  options.minimise = false;
  options.keep_going = plan.keeps_going;
  give_budget(plan, described, options);
  for (const explore::StrategyOption& option : described.options) {
    const auto given = setting_of(plan, about, who, option.field);
    if (!given) continue;
    option.set(given->value, options);
    if (option.field == "pick") cell.trials = plan.file.trials;  // it may draw
  }
  if (const auto depth = setting_of(plan, about, who, kDepthField)) {
    options.max_depth = static_cast<uint32_t>(std::stoul(depth->value));
  }
  std::string measured;
  if (described.samples()) {
    const explore::StrategyOption& measure = explore::measure_option();
    if (!measure.get(options)) measure.set(kDefaultColouring, options);
    measured = *measure.get(options);
    if (const auto target = explore::target_option().get(options)) measured += ", " + *target;
  }
  cell.key = {about.label, cell_settings(plan.subjects[subject].words, options, plan.file.budget),
              who.label, measured};
  return cell;
}

}  // namespace

std::string Plan::definition() const {
  return fmt::format("{}\n# seed {}\n", file.text, file.seed);
}

Result<Plan> make_plan(ExperimentFile file, std::vector<PlanSubject> subjects) {
  Plan plan;
  plan.file = std::move(file);
  plan.subjects = std::move(subjects);
  bool by_runs = true;
  for (const FileStrategy& who : plan.file.strategies) {
    by_runs = by_runs && explore::find_strategy(who.name)->samples();
  }
  choose_measures(plan, by_runs);
  plan.keeps_going = plan.measures != std::vector<Measure>{Measure::kFirstBug};
  const Budget::Kind budget = plan.file.budget.kind;
  if (budget == Budget::Kind::kSteps) plan.unit = budget;
  // How many there were at that time is only known if it was the end.
  if (budget == Budget::Kind::kStates && !plan.keeps_going) plan.unit = budget;
  for (const FileStrategy& who : plan.file.strategies) {
    if (const auto fits = check_fit(plan, who); !fits) return fits.error();
  }
  for (size_t i = 0; i < plan.file.subjects.size(); ++i) {
    const FileSubject& about = plan.file.subjects[i];
    if (measures(plan, Measure::kTargetCoverage) && !has_target(plan, about)) {
      return plan.file.error(about.place,
                             fmt::format("target_coverage is measured, and {} has no target; give "
                                         "target = \"…\"",
                                         one_line(about.label)));
    }
    const auto built = plan.subjects[i].build();
    if (!built) return plan.file.error(about.place, built.error().message);
    if (!fits_side_by_side(**built)) plan.side_by_side = false;
    for (size_t j = 0; j < plan.file.strategies.size(); ++j) {
      PlanCell cell = make_cell(plan, i, j);
      if (const auto known = check_names(plan, cell, **built); !known) return known.error();
      if (const auto fits = try_out(plan, cell, **built); !fits) return fits.error();
      plan.cells.push_back(std::move(cell));
    }
  }
  return plan;
}

}  // namespace ordeal::experiment
