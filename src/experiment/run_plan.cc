#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "base/text.h"
#include "experiment/plan.h"
#include "explore/strategy/strategy.h"

namespace ordeal::experiment {
namespace {

double clock_seconds() {
  using std::chrono::duration;
  using std::chrono::steady_clock;
  return duration<double>(steady_clock::now().time_since_epoch()).count();
}

struct PlanTask {
  size_t cell;
  uint64_t seed;
};

// Takes the tasks in their order, on several threads; whoever has finished one puts it away.
class PlanRunner {
 public:
  PlanRunner(const Plan& plan, ResultsStore& store, const RunOptions& options,
             std::vector<int64_t> cells, std::vector<PlanTask> tasks, PlanOutcome& outcome)
      : plan_(plan),
        store_(store),
        options_(options),
        cells_(std::move(cells)),
        tasks_(std::move(tasks)),
        outcome_(outcome),
        started_(clock_seconds()) {}

  Result<void> run() {
    const int cores = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
    size_t threads = static_cast<size_t>(options_.threads > 0 ? options_.threads : cores);
    if (!plan_.side_by_side) threads = 1;
    threads = std::min(threads, std::max<size_t>(1, tasks_.size()));
    std::vector<std::thread> pool;
    for (size_t i = 0; i < threads; ++i) pool.emplace_back([this] { work(); });
    {
      std::unique_lock lock(mutex_);
      while (finished_ < threads) {
        changed_.wait_for(lock, std::chrono::milliseconds(200));
        if (options_.progress) options_.progress(progress());
      }
    }
    for (std::thread& thread : pool) thread.join();
    if (!error_.empty()) return Error{error_};
    return {};
  }

 private:
  void work() {
    std::unique_lock lock(mutex_);
    while (next_ < tasks_.size() && error_.empty() && !is_stopped()) {
      const PlanTask& task = tasks_[next_++];
      lock.unlock();
      const Result<Report> report = make(task);
      lock.lock();
      put_away(task, report);
    }
    ++finished_;
    changed_.notify_all();
  }

  Result<Report> make(const PlanTask& task) const {
    const PlanCell& cell = plan_.cells[task.cell];
    const auto built = plan_.subjects[cell.subject].build();
    if (!built) return built.error();
    Options options = cell.options;
    options.seed = task.seed;
    options.stop = options_.stop;
    return check(**built, options);
  }

  void put_away(const PlanTask& task, const Result<Report>& report) {
    const PlanCell& cell = plan_.cells[task.cell];
    const auto fail = [&](const std::string& why) {
      if (!error_.empty()) return;
      error_ = fmt::format("{} on {}, seed {}: {}", one_line(cell.key.strategy),
                           one_line(cell.key.subject), task.seed, why);
    };
    if (!report) return fail(report.error().message);
    if (report->ended_by(Bound::Kind::kInterrupted)) return;  // no trial
    const auto kept = store_.append(cells_[task.cell], record_of(plan_, cell, *report));
    if (!kept) return fail(kept.error().message);
    ++outcome_.done;
  }

  bool is_stopped() const {
    return options_.stop != nullptr && options_.stop->load(std::memory_order_relaxed);
  }

  PlanProgress progress() const {
    PlanProgress out;
    out.seconds = clock_seconds() - started_;
    out.done = outcome_.done;
    out.all = outcome_.all;
    if (tasks_.empty()) return out;
    const CellKey& key = plan_.cells[tasks_[next_ > 0 ? next_ - 1 : 0].cell].key;
    out.cell = key.strategy + " on " + key.subject;
    return out;
  }

  const Plan& plan_;
  ResultsStore& store_;
  const RunOptions& options_;
  const std::vector<int64_t> cells_;  // in the store
  const std::vector<PlanTask> tasks_;
  PlanOutcome& outcome_;
  const double started_;
  std::mutex mutex_;  // of all below, and of the store
  std::condition_variable changed_;
  size_t next_ = 0;
  size_t finished_ = 0;
  std::string error_;
};

// The experiment to go on with, or a new one.
Result<int64_t> find_or_begin(const Plan& plan, ResultsStore& store, const RunOptions& options) {
  const std::string definition = plan.definition();
  if (options.resume) {
    const auto found = store.find(plan.file.name, definition);
    if (!found) return found.error();
    if (*found) {
      const auto known = store.experiments({.experiment = **found});
      if (!known) return known.error();
      const std::string& program = known->front().about.program;
      if (program == options.program) return **found;
      return Error{fmt::format(
          "{}: this experiment was begun by version {}, and this is {}; trials of both would be "
          "mixed. Begin anew, without --resume",
          store.path(), one_line(program), options.program)};
    }
  }
  return store.begin({plan.file.name, definition, options.program, options.created});
}

}  // namespace

TrialRecord record_of(const Plan& plan, const PlanCell& cell, const Report& report) {
  const explore::Strategy& strategy = *explore::find_strategy(cell.options.strategy);
  TrialRecord out;
  out.seed = report.seed;
  out.steps = report.transitions;
  const bool is_found =
      std::any_of(report.violations.begin(), report.violations.end(),
                  [](const Violation& violation) { return violation.trace.has_value(); });
  out.outcome = is_found ? "found" : "done";
  for (const Bound& bound : report.bounds) {
    if (bound.kind == Bound::Kind::kMemory) out.outcome = "cut: " + to_string(bound);
  }
  out.measures[kEpisodes] = static_cast<double>(report.runs);
  out.measures[kStatesSeen] = static_cast<double>(report.distinct_states);
  if (report.learning) {
    const Learning& learning = *report.learning;
    out.measures[to_string(Measure::kCoverage)] = static_cast<double>(learning.coverage);
    if (learning.target_coverage) {
      out.measures[to_string(Measure::kTargetCoverage)] =
          static_cast<double>(*learning.target_coverage);
    }
    for (const Learning::Point& point : learning.curve) {
      const auto add = [&](const char* name, uint64_t at, uint64_t value) {
        std::vector<CurvePoint>& curve = out.curves[name];
        if (!curve.empty() && curve.back().step == at) curve.pop_back();
        curve.push_back({at, static_cast<double>(value)});
      };
      add("coverage", point.steps, point.coverage);
      add("coverage by episodes", point.episodes, point.coverage);
      if (!learning.target_coverage) continue;
      add("target_coverage", point.steps, point.target_coverage);
      add("target_coverage by episodes", point.episodes, point.target_coverage);
    }
  }
  if (strategy.samples()) {
    out.measures[to_string(Measure::kBugFrequency)] = static_cast<double>(report.violating_runs);
  }
  if (!is_found) return out;
  uint64_t first = report.runs + (strategy.counts_ended_runs ? 1 : 0);
  uint64_t steps = report.transitions;
  if (strategy.samples()) {
    first = report.first_violating_run;
    steps = report.first_violating_step;
  }
  if (plan.unit == Budget::Kind::kStates) first = report.distinct_states;
  if (plan.unit == Budget::Kind::kSteps) first = steps;
  out.measures[to_string(Measure::kFirstBug)] = static_cast<double>(first);
  out.measures[kFirstBugSteps] = static_cast<double>(steps);
  return out;
}

Result<PlanOutcome> run_plan(const Plan& plan, ResultsStore& store, const RunOptions& options) {
  const Result<int64_t> experiment = find_or_begin(plan, store, options);
  if (!experiment) return experiment.error();
  PlanOutcome outcome;
  outcome.experiment = *experiment;
  outcome.all = plan.trials();
  std::vector<int64_t> cells;
  std::vector<std::vector<uint64_t>> finished;
  for (const PlanCell& cell : plan.cells) {
    const Result<int64_t> id = store.cell(*experiment, cell.key);
    if (!id) return id.error();
    cells.push_back(*id);
    auto seeds = store.finished(*id);
    if (!seeds) return seeds.error();
    finished.push_back(*std::move(seeds));
  }
  // Seed by seed, so that what is there after a kill is about as much of every cell.
  std::vector<PlanTask> tasks;
  for (uint64_t trial = 0; trial < plan.file.trials; ++trial) {
    for (size_t i = 0; i < plan.cells.size(); ++i) {
      if (trial >= plan.cells[i].trials) continue;
      const uint64_t seed = plan.file.seed + trial;
      if (std::binary_search(finished[i].begin(), finished[i].end(), seed)) {
        ++outcome.before;
      } else {
        tasks.push_back({i, seed});
      }
    }
  }
  outcome.done = outcome.before;
  if (tasks.empty()) return outcome;
  PlanRunner runner(plan, store, options, std::move(cells), std::move(tasks), outcome);
  if (const auto done = runner.run(); !done) return done.error();
  return outcome;
}

}  // namespace ordeal::experiment
