#include "ordeal/compare.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <utility>

#include "experiment/compare_settings.h"
#include "experiment/statistics.h"
#include "explore/strategy/strategy.h"
#include "ordeal/check.h"

namespace ordeal {
namespace {

using experiment::Observation;

constexpr uint64_t kMostTrials = 10'000;

double now() {
  using std::chrono::duration;
  using std::chrono::steady_clock;
  return duration<double>(steady_clock::now().time_since_epoch()).count();
}

std::string names_of(const std::vector<Contestant>& all) {
  std::string text;
  for (const Contestant& one : all) text += (text.empty() ? "" : ", ") + one.name;
  return text;
}

Result<std::vector<Contestant>> chosen(const CompareOptions& options) {
  const std::vector<Contestant>& all = contestants();
  const auto find = [&](const std::string& name) {
    return std::find_if(all.begin(), all.end(),
                        [&](const Contestant& one) { return one.name == name; });
  };
  const auto unknown = [&](const std::string& name) {
    return Error{"unknown strategy \"" + name + "\"; there are " + names_of(all)};
  };
  std::vector<Contestant> out;
  for (const std::string& name : options.strategies) {
    const auto at = find(name);
    if (at == all.end()) return unknown(name);
    const bool twice = std::any_of(out.begin(), out.end(),
                                   [&](const Contestant& one) { return one.name == name; });
    if (twice) return Error{"strategy " + name + " is named twice"};
    out.push_back(*at);
  }
  const auto baseline = find(options.baseline);
  if (baseline == all.end()) return unknown(options.baseline);
  if (!baseline->by_runs) {
    return Error{"the baseline must be a strategy by runs, and " + options.baseline +
                 " has none: it counts states"};
  }
  if (!out.empty()) return out;
  // All of them, but those that want to be told what nobody has told them.
  const Options settings = explore::settings_of(options);
  for (const Contestant& one : all) {
    const explore::Strategy& strategy = *explore::find_strategy(one.strategy);
    const bool must_be_told = strategy.accepts && !strategy.accepts(Options());
    if (!must_be_told || strategy.accepts(settings)) out.push_back(one);
  }
  return out;
}

Result<void> validate(const CompareOptions& options) {
  if (options.trials < 1 || options.trials > kMostTrials) {
    return Error{"trials: " + std::to_string(options.trials) + " is not between 1 and 10,000"};
  }
  if (options.seed > UINT64_MAX - (options.trials - 1)) {
    return Error{"seed: there are not so many numbers from " + std::to_string(options.seed) +
                 " on; take a lower one"};
  }
  if (auto valid = explore::check_values(explore::settings_of(options)); !valid) return valid;
  if (options.max_runs < 1) return Error{"a trial needs at least 1 run"};
  if (options.max_states < 1) return Error{"a trial needs at least 1 state"};
  if (options.threads < 0 || options.threads > 256) {
    return Error{"threads: " + std::to_string(options.threads) + " is not between 1 and 256"};
  }
  return {};
}

Options options_of(const CompareOptions& given, const Contest& contest, const Contestant& who,
                   uint64_t seed) {
  Options options;
  options.strategy = who.strategy;
  options.threads = 1;  // trials go side by side instead
  options.seed = seed;
  const Options all = explore::settings_of(given);
  for (const explore::StrategyOption& option : explore::find_strategy(who.strategy)->options) {
    std::optional<std::string> value = option.get(all);
    if (const auto own = who.settings.find(option.field); own != who.settings.end()) {
      value = own->second;
    }
    if (value) option.set(*value, options);
  }
  options.max_depth = given.max_depth > 0 ? given.max_depth : contest.max_depth;
  if (who.by_runs) {
    options.max_runs = given.max_runs;
  } else {
    options.max_states = given.max_states;
    if (given.max_depth == 0) options.max_depth = 0;  // it is a bound on runs
  }
  options.max_seconds = given.max_seconds;
  options.max_bytes = given.max_bytes;
  options.minimise = false;
  options.stop = given.stop;
  return options;
}

// A violation is one that a run shows: that a goal was never reached is none.
const Violation* first_of(const Report& report) {
  for (const Violation& violation : report.violations) {
    if (violation.trace) return &violation;
  }
  return nullptr;
}

struct Attempt {
  bool done = false;  // else: not begun, or interrupted
  std::string error;
  Trial trial;
};

Attempt attempt_of(const Report& report, const CompareOptions& options, const Contestant& who) {
  Attempt out;
  Trial& trial = out.trial;
  trial.seed = report.seed;
  trial.effort = who.by_runs ? report.runs : report.distinct_states;
  trial.steps = report.transitions;
  out.done = true;
  if (const Violation* violation = first_of(report)) {
    trial.end = Trial::End::kFound;
    if (explore::find_strategy(who.strategy)->counts_ended_runs) ++trial.effort;
    trial.property = violation->property;
    return out;
  }
  trial.end = Trial::End::kExhausted;
  if (trial.effort >= (who.by_runs ? options.max_runs : options.max_states)) {
    trial.end = Trial::End::kCapped;
  }
  if (report.ended_by(Bound::Kind::kInterrupted)) out.done = false;
  for (const Bound& bound : report.bounds) {
    if (bound.kind != Bound::Kind::kTime && bound.kind != Bound::Kind::kMemory) continue;
    trial.end = Trial::End::kCut;
    trial.cut = to_string(bound);
  }
  return out;
}

// All trials of all contestants in all contests, each with a place of its own for its outcome:
// whichever thread takes it, and in whatever order, the outcomes are the same.
class Trials {
 public:
  Trials(const std::vector<Contest>& contests, const std::vector<Contestant>& who,
         const CompareOptions& options)
      : contests_(contests), who_(who), options_(options), started_(now()) {
    for (size_t contest = 0; contest < contests.size(); ++contest) {
      for (size_t i = 0; i < who.size(); ++i) {
        const uint64_t count = who[i].seeded ? options.trials : 1;
        for (uint64_t trial = 0; trial < count; ++trial) tasks_.push_back({contest, i, trial});
      }
    }
    attempts_.resize(tasks_.size());
  }

  void run(int threads) {
    std::vector<std::thread> pool;
    pool.reserve(static_cast<size_t>(threads));
    for (int i = 0; i < threads; ++i) pool.emplace_back([this] { work(); });
    {
      std::unique_lock lock(mutex_);
      while (finished_ < threads) {
        changed_.wait_for(lock, std::chrono::milliseconds(200));
        if (options_.progress) options_.progress(progress());
      }
    }
    for (std::thread& thread : pool) thread.join();
  }

  uint64_t all() const { return tasks_.size(); }
  uint64_t done() const { return done_; }
  double seconds() const { return now() - started_; }

  Score score(size_t contest, size_t contestant) const {
    Score score;
    score.who = who_[contestant];
    for (size_t i = 0; i < tasks_.size(); ++i) {
      if (tasks_[i].contest != contest || tasks_[i].contestant != contestant) continue;
      if (!attempts_[i].error.empty() && score.refused.empty()) score.refused = attempts_[i].error;
      if (attempts_[i].done) score.trials.push_back(attempts_[i].trial);
    }
    if (!score.refused.empty()) score.trials.clear();
    return score;
  }

 private:
  struct Task {
    size_t contest;
    size_t contestant;
    uint64_t trial;
  };

  void work() {
    std::unique_lock lock(mutex_);
    while (next_ < tasks_.size() && !stopped()) {
      const size_t at = next_++;
      lock.unlock();
      Attempt attempt = make(tasks_[at]);
      lock.lock();
      if (attempt.done || !attempt.error.empty()) ++done_;
      attempts_[at] = std::move(attempt);
    }
    ++finished_;
    changed_.notify_all();
  }

  Attempt make(const Task& task) const {
    const Contest& contest = contests_[task.contest];
    const Contestant& who = who_[task.contestant];
    Attempt out;
    const auto built = contest.build();
    if (!built) {
      out.error = built.error().message;
      return out;
    }
    const Result<Report> report =
        check(**built, options_of(options_, contest, who, options_.seed + task.trial));
    if (report) return attempt_of(*report, options_, who);
    out.error = report.error().message;
    return out;
  }

  bool stopped() const {
    return options_.stop != nullptr && options_.stop->load(std::memory_order_relaxed);
  }

  CompareProgress progress() const {
    CompareProgress out;
    out.seconds = seconds();
    out.done = done_;
    out.all = tasks_.size();
    const Task& last = tasks_[next_ > 0 ? next_ - 1 : 0];
    out.contest = contests_[last.contest].name;
    out.contestant = who_[last.contestant].name;
    return out;
  }

  const std::vector<Contest>& contests_;
  const std::vector<Contestant>& who_;
  const CompareOptions& options_;
  const double started_;
  std::vector<Task> tasks_;
  std::vector<Attempt> attempts_;
  std::mutex mutex_;
  std::condition_variable changed_;
  size_t next_ = 0;
  uint64_t done_ = 0;
  int finished_ = 0;
};

std::vector<Observation> observations(const Score& score) {
  std::vector<Observation> out;
  for (const Trial& trial : score.trials) {
    out.push_back(
        {trial.effort, trial.end == Trial::End::kFound, trial.end == Trial::End::kExhausted});
  }
  return out;
}

void summarise(Score& score) {
  if (score.trials.empty()) return;
  const experiment::Median median = experiment::median_of(observations(score));
  score.median = median.value;
  score.median_censored = median.censored;
  std::vector<Observation> steps;
  for (const Trial& trial : score.trials) {
    steps.push_back({trial.steps});
    if (trial.end != Trial::End::kFound) continue;
    score.least = score.found == 0 ? trial.effort : std::min(score.least, trial.effort);
    score.most = std::max(score.most, trial.effort);
    ++score.found;
  }
  score.median_steps = experiment::median_of(steps).value;
}

bool was_cut(const Score& score) {
  return std::any_of(score.trials.begin(), score.trials.end(),
                     [](const Trial& trial) { return trial.end == Trial::End::kCut; });
}

// A rank test needs samples on both sides, and what gives up a trial must not depend on who made
// it: else the share of pairs is all that is told.
void test_against(const std::string& baseline, std::vector<Score>& scores) {
  const auto base = std::find_if(scores.begin(), scores.end(),
                                 [&](const Score& score) { return score.who.name == baseline; });
  if (base == scores.end() || base->trials.empty()) return;
  std::vector<double> all_p;
  for (Score& score : scores) {
    if (&score == &*base || score.trials.empty() || !score.who.by_runs) continue;
    const experiment::RankTest test =
        experiment::rank_test(observations(score), observations(*base));
    score.against = Against{test.u, test.a12};
    if (!score.who.seeded || !base->who.seeded || was_cut(score) || was_cut(*base)) continue;
    score.against->p = test.p;
    all_p.push_back(test.p);
  }
  const std::vector<double> corrected = experiment::holm(all_p);
  size_t next = 0;
  for (Score& score : scores) {
    if (score.against && score.against->p) score.against->p_holm = corrected[next++];
  }
}

}  // namespace

const char* to_string(Trial::End end) {
  switch (end) {
    case Trial::End::kFound:
      return "found";
    case Trial::End::kCapped:
      return "capped";
    case Trial::End::kExhausted:
      return "exhausted";
    case Trial::End::kCut:
      return "cut";
  }
  return "cut";
}

Options explore::settings_of(const CompareOptions& options) {
  Options out;
  out.bug_depth = options.bug_depth;
  out.max_events = options.max_events;
  out.delays = options.delays;
  out.strategy_options = options.strategy_options;
  return out;
}

void explore::give_settings(const Options& settings, CompareOptions& options) {
  options.bug_depth = settings.bug_depth;
  options.max_events = settings.max_events;
  options.delays = settings.delays;
  options.strategy_options = settings.strategy_options;
}

const std::vector<Contestant>& contestants() {
  static const std::vector<Contestant> all = [] {
    std::vector<Contestant> by_runs;
    std::vector<Contestant> by_states;
    for (const explore::Strategy& one : explore::all_strategies()) {
      auto& list = one.needs_space ? by_states : by_runs;
      list.push_back({one.name, one.name, {}, one.needs_seed, !one.needs_space});
      for (const explore::StrategyForm& form : one.forms) {
        list.push_back({form.name, one.name, form.settings, form.seeded, !one.needs_space});
      }
    }
    // The usual baseline in front, then what else draws, then what enumerates.
    std::stable_sort(by_runs.begin(), by_runs.end(), [](const Contestant& a, const Contestant& b) {
      const auto rank = [](const Contestant& one) {
        return one.name == CompareOptions().baseline ? 0 : one.seeded ? 1 : 2;
      };
      return rank(a) < rank(b);
    });
    by_runs.insert(by_runs.end(), by_states.begin(), by_states.end());
    return by_runs;
  }();
  return all;
}

Result<Comparison> compare(std::vector<Contest> contests, const CompareOptions& options) {
  if (const auto valid = validate(options); !valid) return valid.error();
  Result<std::vector<Contestant>> who = chosen(options);
  if (!who) return who.error();
  if (contests.empty()) return Error{"there is nothing to compare on"};
  const int cores = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  int threads = options.threads > 0 ? options.threads : cores;
  for (const Contest& contest : contests) {
    const auto built = contest.build();
    if (!built) return Error{contest.name + ": " + built.error().message};
    if (const auto valid = (*built)->validate(); !valid) {
      return Error{contest.name + ": " + valid.error().message};
    }
    // What cannot be saved may run in processes of its own, and a process with many threads is not
    // to be copied.
    if ((*built)->space() == nullptr) threads = 1;
  }

  Trials trials(contests, *who, options);
  trials.run(static_cast<int>(
      std::min<uint64_t>(static_cast<uint64_t>(threads), std::max<uint64_t>(1, trials.all()))));

  Comparison comparison;
  comparison.options = options;
  comparison.contestants = *who;
  comparison.trials_all = trials.all();
  comparison.trials_done = trials.done();
  comparison.partial = trials.done() < trials.all();
  for (size_t i = 0; i < contests.size(); ++i) {
    ContestResult& result = comparison.results.emplace_back();
    for (size_t j = 0; j < who->size(); ++j) {
      summarise(result.scores.emplace_back(trials.score(i, j)));
    }
    test_against(options.baseline, result.scores);
    result.contest = std::move(contests[i]);
  }
  comparison.seconds = trials.seconds();
  return comparison;
}

}  // namespace ordeal
