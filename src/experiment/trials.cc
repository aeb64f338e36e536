#include "experiment/trials.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <map>
#include <mutex>
#include <thread>

#include "base/text.h"
#include "explore/strategy/abstract_coverage.h"
#include "explore/strategy/strategy.h"

namespace ordeal::experiment {
namespace {

double clock_seconds() {
  using std::chrono::duration;
  using std::chrono::steady_clock;
  return duration<double>(steady_clock::now().time_since_epoch()).count();
}

struct TrialTask {
  size_t cell;
  uint64_t seed;
};

// Takes the tasks in their order, on several threads; whoever has finished one puts it away. The
// outcome does not depend on who that was, nor on the order.
class TrialRunner {
 public:
  TrialRunner(const TrialSet& set, TrialKeeper& keeper, const TrialsOptions& options,
              std::vector<TrialTask> tasks, TrialsOutcome& outcome, double started)
      : set_(set),
        keeper_(keeper),
        options_(options),
        tasks_(std::move(tasks)),
        outcome_(outcome),
        started_(started),
        first_refused_(set.cells.size(), UINT64_MAX) {}

  Result<void> run() {
    const int cores = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
    size_t threads = static_cast<size_t>(options_.threads > 0 ? options_.threads : cores);
    if (!set_.side_by_side) threads = 1;
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
      const TrialTask& task = tasks_[next_++];
      lock.unlock();
      explore::RunCounts counts = counts_for(set_.cells[task.cell]);
      const Result<Report> report = make(task, counts);
      lock.lock();
      put_away(task, report, counts);
    }
    ++finished_;
    changed_.notify_all();
  }

  Result<Report> make(const TrialTask& task, explore::RunCounts& counts) const {
    const TrialCell& cell = set_.cells[task.cell];
    const auto built = cell.build();
    if (!built) return built.error();
    Options options = cell.options;
    options.seed = task.seed;
    options.stop = options_.stop;
    return explore::check_counting(**built, options, counts);
  }

  void put_away(const TrialTask& task, const Result<Report>& report,
                const explore::RunCounts& counts) {
    const TrialCell& cell = set_.cells[task.cell];
    if (!report && options_.collects_refusals) {
      ++outcome_.done;
      if (task.seed > first_refused_[task.cell]) return;
      first_refused_[task.cell] = task.seed;
      outcome_.refused[task.cell] = report.error().message;
      return;
    }
    const auto fail = [&](const std::string& why) {
      if (!error_.empty()) return;
      error_ = fmt::format("{} on {}, seed {}: {}", one_line(cell.key.strategy),
                           one_line(cell.key.subject), task.seed, why);
    };
    if (!report) return fail(report.error().message);
    if (report->trouble) return fail(report->trouble->message);
    if (report->ended_by(Bound::Kind::kInterrupted)) return;  // no trial
    const auto kept = keeper_.keep(task.cell, record_of(cell, *report, counts));
    if (!kept) return fail(kept.error().message);
    ++outcome_.done;
  }

  bool is_stopped() const {
    return options_.stop != nullptr && options_.stop->load(std::memory_order_relaxed);
  }

  TrialsProgress progress() const {
    TrialsProgress out;
    out.seconds = clock_seconds() - started_;
    out.done = outcome_.done;
    out.all = outcome_.all;
    if (!tasks_.empty()) out.cell = tasks_[next_ > 0 ? next_ - 1 : 0].cell;
    return out;
  }

  const TrialSet& set_;
  TrialKeeper& keeper_;
  const TrialsOptions& options_;
  const std::vector<TrialTask> tasks_;
  TrialsOutcome& outcome_;
  const double started_;
  std::mutex mutex_;  // of all below, of the outcome, and of the keeper
  std::condition_variable changed_;
  size_t next_ = 0;
  size_t finished_ = 0;
  std::vector<uint64_t> first_refused_;  // by cells: seeds
  std::string error_;
};

// How a trial ended, as a store has it: "found: agreement", "capped", "cut: 2G of memory".
std::string outcome_words(Trial::End end, const std::string& what) {
  return to_string(end) + (what.empty() ? "" : ": " + what);
}

std::string outcome_of(const TrialCell& cell, const Report& report, const Violation* first) {
  const Options& options = cell.options;
  if (first != nullptr && !options.keep_going) {
    return outcome_words(Trial::End::kFound, first->property);
  }
  std::string cut;
  bool is_capped = (options.max_runs > 0 && report.runs >= options.max_runs) ||
                   (options.max_states > 0 && report.distinct_states >= options.max_states) ||
                   (options.max_steps > 0 && report.transitions >= options.max_steps);
  for (const Bound& bound : report.bounds) {
    if (bound.kind == Bound::Kind::kTime && cell.by_clock) {
      is_capped = true;
    } else if (bound.kind == Bound::Kind::kTime || bound.kind == Bound::Kind::kMemory) {
      cut = to_string(bound);
    }
  }
  if (!cut.empty()) return outcome_words(Trial::End::kCut, cut);
  if (first != nullptr) return outcome_words(Trial::End::kFound, first->property);
  return outcome_words(is_capped ? Trial::End::kCapped : Trial::End::kExhausted, "");
}

void add_learning(const Learning& learning, TrialRecord& out) {
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

void add_places(const std::vector<explore::MapPlace>& places, TrialRecord& out) {
  for (const explore::MapPlace& place : places) {
    const std::vector<int64_t> row(place.at.begin(), place.at.end() - 1);
    const auto column = static_cast<uint64_t>(place.at.back());
    out.curves[map_row_name(kMapStates, row)].push_back(
        {column, static_cast<double>(place.states)});
    out.curves[map_row_name(kMapVisits, row)].push_back(
        {column, static_cast<double>(place.visits)});
  }
}

// When something was first seen, in the unit of the cell. What the report says of the end of the
// trial is right where it ended with that.
double first_in(const TrialCell& cell, const Report& report, uint64_t run, uint64_t step) {
  switch (cell.unit) {
    case Budget::Kind::kStates:
      return static_cast<double>(report.distinct_states);
    case Budget::Kind::kSteps:
      return static_cast<double>(step);
    case Budget::Kind::kEpisodes:
    case Budget::Kind::kSeconds:
      break;
  }
  return static_cast<double>(run);
}

}  // namespace

uint64_t TrialSet::trials() const {
  uint64_t out = 0;
  for (const TrialCell& cell : cells) out += cell.trials;
  return out;
}

explore::RunCounts counts_for(const TrialCell& cell) {
  explore::RunCounts out;
  out.map = cell.map;
  out.measure = explore::measure_option().get(cell.options).value_or(kDefaultColouring);
  return out;
}

bool fits_side_by_side(const Checkable& subject) { return subject.space() != nullptr; }

TrialRecord record_of(const TrialCell& cell, const Report& report,
                      const explore::RunCounts& counts) {
  const explore::Strategy& strategy = *explore::find_strategy(cell.options.strategy);
  // A violation is one that a run shows: that a goal was never reached is none.
  const Violation* first = nullptr;
  for (const Violation& violation : report.violations) {
    if (first == nullptr && violation.trace) first = &violation;
  }
  TrialRecord out;
  out.seed = report.seed;
  out.steps = report.transitions;
  out.outcome = outcome_of(cell, report, first);
  out.measures[kEpisodes] = static_cast<double>(report.runs);
  out.measures[kStatesSeen] = static_cast<double>(report.distinct_states);
  if (report.learning) add_learning(*report.learning, out);
  add_places(counts.places, out);
  if (strategy.samples()) {
    out.measures[to_string(Measure::kBugFrequency)] = static_cast<double>(report.violating_runs);
  }
  if (first == nullptr) return out;
  if (!strategy.samples()) {
    const uint64_t run = report.runs + (strategy.counts_ended_runs ? 1 : 0);
    const double found = first_in(cell, report, run, report.transitions);
    out.measures[to_string(Measure::kFirstBug)] = found;
    out.measures[measure_name(Measure::kFirstBug, first->property)] = found;
    out.measures[kFirstBugSteps] = static_cast<double>(report.transitions);
    return out;
  }
  out.measures[to_string(Measure::kFirstBug)] =
      first_in(cell, report, report.first_violating_run, report.first_violating_step);
  out.measures[kFirstBugSteps] = static_cast<double>(report.first_violating_step);
  for (const explore::ShownProperty& shown : counts.shown) {
    out.measures[measure_name(Measure::kBugFrequency, shown.name)] =
        static_cast<double>(shown.runs);
    out.measures[measure_name(Measure::kFirstBug, shown.name)] =
        first_in(cell, report, shown.first_run, shown.first_step);
  }
  return out;
}

bool was_cut(const TrialRecord& record) {
  return record.outcome.starts_with(to_string(Trial::End::kCut));
}

Trial trial_of(const TrialRecord& record, Budget::Kind unit, const std::string& property) {
  Trial out;
  out.seed = record.seed;
  out.steps = record.steps;
  const size_t colon = record.outcome.find(": ");
  const std::string how = record.outcome.substr(0, colon);
  const std::string what = colon == record.outcome.npos ? "" : record.outcome.substr(colon + 2);
  if (how == to_string(Trial::End::kExhausted)) out.end = Trial::End::kExhausted;
  if (how == to_string(Trial::End::kCut)) {
    out.end = Trial::End::kCut;
    out.cut = what;
  }
  const auto measured = [&](const std::string& name) {
    const auto found = record.measures.find(name);
    return found == record.measures.end() ? 0 : static_cast<uint64_t>(found->second);
  };
  const std::string first = measure_name(Measure::kFirstBug, property);
  if (record.measures.contains(first)) {
    out.end = Trial::End::kFound;
    out.effort = measured(first);
    if (how == to_string(out.end)) out.property = what;
    if (!property.empty()) out.property = property;
  } else if (unit == Budget::Kind::kSteps) {
    out.effort = record.steps;
  } else {
    out.effort = measured(unit == Budget::Kind::kStates ? kStatesSeen : kEpisodes);
  }
  return out;
}

Observation observation_of(const Trial& trial) {
  return {trial.effort, trial.end == Trial::End::kFound, trial.end == Trial::End::kExhausted};
}

Result<std::vector<uint64_t>> MemoryKeeper::finished(size_t cell) {
  std::vector<uint64_t> out;
  for (const TrialRecord& trial : trials_[cell]) out.push_back(trial.seed);
  return out;
}

Result<void> MemoryKeeper::keep(size_t cell, TrialRecord trial) {
  std::vector<TrialRecord>& all = trials_[cell];
  const auto at =
      std::upper_bound(all.begin(), all.end(), trial.seed,
                       [](uint64_t seed, const TrialRecord& other) { return seed < other.seed; });
  all.insert(at, std::move(trial));
  return {};
}

Result<StoreKeeper> StoreKeeper::open(ResultsStore& store, const NewExperiment& about, bool resume,
                                      const TrialSet& set) {
  if (resume) {
    const auto found = store.find(about.name, about.definition);
    if (!found) return found.error();
    if (*found) {
      const auto known = store.experiments({.experiment = **found});
      if (!known) return known.error();
      const std::string& program = known->front().about.program;
      if (program == about.program) return of(store, **found, set);
      return Error{fmt::format(
          "{}: this experiment was begun by version {}, and this is {}; trials of both would be "
          "mixed. Begin anew, without --resume",
          store.path(), one_line(program), about.program)};
    }
  }
  const Result<int64_t> begun = store.begin(about);
  if (!begun) return begun.error();
  return of(store, *begun, set);
}

Result<StoreKeeper> StoreKeeper::of(ResultsStore& store, int64_t experiment, const TrialSet& set) {
  StoreKeeper out(store, experiment, set);
  for (const TrialCell& cell : set.cells) {
    const Result<int64_t> id = store.cell(experiment, cell.key);
    if (!id) return id.error();
    out.cells_.push_back(*id);
  }
  return out;
}

Result<std::vector<uint64_t>> StoreKeeper::finished(size_t cell) {
  return store_->finished(cells_[cell]);
}

Result<void> StoreKeeper::keep(size_t cell, TrialRecord trial) {
  return store_->append(cells_[cell], trial);
}

Result<std::vector<std::vector<TrialRecord>>> StoreKeeper::trials() {
  std::vector<std::vector<TrialRecord>> out;
  for (size_t i = 0; i < cells_.size(); ++i) {
    auto trials = store_->trials(cells_[i]);
    if (!trials) return trials.error();
    std::erase_if(*trials, [&](const TrialRecord& trial) {
      return trial.seed < set_->seed || trial.seed - set_->seed >= set_->cells[i].trials;
    });
    out.push_back(*std::move(trials));
  }
  return out;
}

Result<TrialsOutcome> run_trials(const TrialSet& set, TrialKeeper& keeper,
                                 const TrialsOptions& options) {
  const double started = clock_seconds();
  TrialsOutcome outcome;
  outcome.all = set.trials();
  outcome.refused.resize(set.cells.size());
  std::vector<std::vector<uint64_t>> finished;
  uint64_t most = 0;
  for (size_t i = 0; i < set.cells.size(); ++i) {
    auto seeds = keeper.finished(i);
    if (!seeds) return seeds.error();
    finished.push_back(*std::move(seeds));
    most = std::max(most, set.cells[i].trials);
  }
  // Seed by seed, so that what is there after a kill is about as much of every cell.
  std::vector<TrialTask> tasks;
  for (uint64_t trial = 0; trial < most; ++trial) {
    for (size_t i = 0; i < set.cells.size(); ++i) {
      if (trial >= set.cells[i].trials) continue;
      const uint64_t seed = set.seed + trial;
      if (std::binary_search(finished[i].begin(), finished[i].end(), seed)) {
        ++outcome.before;
      } else {
        tasks.push_back({i, seed});
      }
    }
  }
  outcome.done = outcome.before;
  if (!tasks.empty()) {
    TrialRunner runner(set, keeper, options, std::move(tasks), outcome, started);
    if (const auto done = runner.run(); !done) return done.error();
  }
  outcome.seconds = clock_seconds() - started;
  return outcome;
}

}  // namespace ordeal::experiment
