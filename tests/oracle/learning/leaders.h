// What can be wrong with those that lead others or go by them, and with what is said of many runs:
// the portfolio, branching, intervals, mined waypoints. Functions that tell the first problem that
// they see, or "".
#pragma once

#include <fmt/format.h>

#include <cmath>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "explore/mine.h"
#include "explore/run/driver.h"
#include "explore/strategy/strategy.h"
#include "ordeal/check.h"
#include "tests/oracle/learning/machines.h"

namespace ordeal::oracle::learning {

struct MadeRun {
  std::string member;
  double steps = 0;
  double gain = 0;
  ShortForm path = {};
};

class RunBook : public explore::RunObserver {
 public:
  explicit RunBook(const explore::Scheduler& scheduler) : scheduler_(scheduler) {}
  bool arrive(const explore::Arrival& at) override {
    if (at.is_new) ++now_.gain;
    return true;
  }
  void step(const explore::StepTaken&) override { ++now_.steps; }
  void end(World&, const ShortForm& path, explore::RunEnd) override {
    now_.member = scheduler_.member();
    now_.path = path;
    made.push_back(std::exchange(now_, {}));
  }
  std::vector<MadeRun> made;

 private:
  const explore::Scheduler& scheduler_;
  MadeRun now_;
};

inline std::vector<MadeRun> make_runs(const Checkable& subject, const Options& options,
                                      uint64_t runs, uint32_t depth) {
  const auto ready = prepare(subject, options);
  if (!ready) return {};
  const auto world = subject.world();
  const auto scheduler = explore::make_scheduler(*ready, *world);
  if (!scheduler) return {};
  RunBook book(**scheduler);
  explore::VisitedSet seen;
  explore::Driver driver(*world, **scheduler, {&book}, {.max_depth = depth, .seen = &seen});
  for (uint64_t run = 0; run < runs; ++run) {
    const auto initial = (*scheduler)->begin(run, world->initial_count());
    if (!initial || !driver.run(*initial)) break;
  }
  return book.made;
}

// Each index from all runs before, as the document has it.
inline double naive_index(const std::vector<MadeRun>& made, size_t now, const std::string& member,
                          const std::vector<std::string>& members, double curiosity,
                          double recall) {
  std::map<std::string, double> runs;
  std::map<std::string, double> steps;
  std::map<std::string, double> gain;
  double all = 0;
  for (size_t i = 0; i < now; ++i) {
    const double weight = std::pow(recall, static_cast<double>(now - 1 - i));
    runs[made[i].member] += weight;
    steps[made[i].member] += weight * std::max(1.0, made[i].steps);
    gain[made[i].member] += weight * made[i].gain;
    all += weight;
  }
  double best = 0;
  for (const std::string& one : members) best = std::max(best, gain[one] / steps[one]);
  const double share = best > 0 ? gain[member] / steps[member] / best : 0;
  return share + curiosity * std::sqrt(std::log(std::max(1.0, all)) / runs[member]);
}

inline std::string problem_with_portfolio() {
  const Model<Yard> subject = yard();
  const std::vector<std::string> members = {"random", "ucbzero", "pct"};
  Options options;
  options.strategy = "portfolio";
  options.strategy_options = {
      {"members", "random,ucbzero,pct"}, {"curiosity", "0.3"}, {"recall", "0.97"}};
  const std::vector<MadeRun> made = make_runs(subject, options, 80, 12);
  if (made.size() != 80) return "a portfolio does not make its runs";
  for (size_t now = members.size(); now < made.size(); ++now) {
    const double index = naive_index(made, now, made[now].member, members, 0.3, 0.97);
    for (const std::string& other : members) {
      if (index >= naive_index(made, now, other, members, 0.3, 0.97) - 1e-9) continue;
      return fmt::format("run {} is of {}, though {} has the larger index", now, made[now].member,
                         other);
    }
  }
  for (const std::string& member : members) {
    Options alone;
    alone.strategy = member;
    const std::vector<MadeRun> own = make_runs(subject, alone, 80, 12);
    size_t next = 0;
    for (const MadeRun& run : made) {
      if (run.member != member) continue;
      if (own[next].path.choices != run.path.choices) {
        return fmt::format("run {} of {} is not the one that it makes alone", next, member);
      }
      ++next;
    }
  }
  return "";
}

// With one way to each waypoint, and half of the runs from there: it is the shortest that was met,
// to the farthest.
inline std::string problem_with_branching() {
  constexpr uint64_t kRuns = 200;
  const Model<Yard> subject = yard();
  Options options;
  options.strategy = "branching";
  options.strategy_options = {{"waypoints", "X(2), X(4)"}, {"from_start", "0.5"}, {"ways", "1"}};
  const std::vector<MadeRun> made = make_runs(subject, options, kRuns, 40);
  if (made.size() != kRuns) return "branching does not make its runs";
  const auto world = subject.world();
  const std::vector<uint32_t> waypoints = {*world->predicate("X(2)"), *world->predicate("X(4)")};
  std::vector<std::vector<uint32_t>> ways(2);
  size_t farthest = 0;
  size_t branched = 0;
  for (size_t run = 0; run < made.size(); ++run) {
    const std::vector<uint32_t>& path = made[run].path.choices;
    size_t level = 0;
    if (farthest > 0) {
      const std::vector<uint32_t>& way = ways[farthest - 1];
      if (path.size() >= way.size() && std::equal(way.begin(), way.end(), path.begin())) {
        level = farthest;
        ++branched;
      }
    }
    if (!world->reset(0)) return "the yard cannot be entered";
    std::vector<std::pair<size_t, size_t>> reached;
    for (size_t step = 0;; ++step) {
      for (size_t i = 2; i > level; --i) {
        if (!world->holds(waypoints[i - 1])) continue;
        level = i;
        reached.emplace_back(i, step);
        break;
      }
      if (step == path.size()) break;
      if (!world->apply(path[step])) return "a step of the yard fails";
    }
    for (const auto& [waypoint, length] : reached) {
      std::vector<uint32_t>& way = ways[waypoint - 1];
      const bool is_new = farthest < waypoint && way.empty();
      if (is_new || length < way.size()) way.assign(path.begin(), path.begin() + long(length));
      farthest = std::max(farthest, waypoint);
    }
  }
  if (farthest < 2) return "no run of branching comes to the end of its waypoints";
  if (branched * 3 >= kRuns) return "";
  return fmt::format("{} of {} runs go on from the shortest way to the farthest waypoint", branched,
                     kRuns);
}

inline double binomial_tail(uint64_t n, uint64_t from, double p) {
  double sum = 0;
  for (uint64_t k = from; k <= n; ++k) {
    const double nd = static_cast<double>(n);
    const double kd = static_cast<double>(k);
    sum += std::exp(std::lgamma(nd + 1) - std::lgamma(kd + 1) - std::lgamma(nd - kd + 1) +
                    kd * std::log(p) + (nd - kd) * std::log1p(-p));
  }
  return sum;
}

// What the interval promises, by the binomial distribution itself; and none where the first
// violation ends the runs.
inline std::string problem_with_hitting() {
  Options options;
  options.strategy = "random";
  options.max_runs = 120;
  options.max_depth = 6;
  options.minimise = false;
  options.strategy_options = {{"target", "X(3)"}, {"confidence", "0.9"}};
  const auto report = check(yard(), options);
  if (!report || report->hitting.empty()) return "how likely runs come to a target is not told";
  const Hitting& told = report->hitting[0];
  if (told.hits == 0 || told.hits == told.runs) return "the example has no doubt in it";
  const double above = told.low <= 0 ? 0 : binomial_tail(told.runs, told.hits, told.low);
  const double below = 1 - binomial_tail(told.runs, told.hits + 1, told.high);
  if (std::abs(above - 0.05) > 1e-6 || std::abs(below - 0.05) > 1e-6) {
    return fmt::format("{} of {} have the interval {} to {}, which leaves {} and {}", told.hits,
                       told.runs, told.low, told.high, above, below);
  }
  Model<Yard> guarded = yard();
  guarded.always("not so far", [](const Yard::State& s) { return s.x < 3; });
  const auto cut = check(guarded, options);
  if (!cut || cut->verdict != Verdict::kViolated) return "the example is not violated";
  return cut->hitting.empty() ? "" : "runs that end with the first violation tell how likely it is";
}

// All runs come to the target: what is mined held on all of the ways, and not where they begin.
inline std::string problem_with_mining() {
  Options options;
  options.strategy = "random";
  options.max_runs = 200;
  options.max_depth = 2000;
  const auto mined = explore::mine_waypoints(yard(), options, {.target = "To(4, 4)", .numbers = 4});
  if (!mined) return mined.error().message;
  if (mined->reached < 100 || mined->others > 0) return "not all runs come to the corner";
  // Every way crosses all columns and all rows but the first; To(x, y) lies on some ways only.
  for (const auto& one : mined->waypoints) {
    const bool crossed = one.predicate[0] == 'X' || one.predicate[0] == 'Y';
    const bool is_first = one.predicate == "X(0)" || one.predicate == "Y(0)";
    if (one.predicate == "To(4, 4)" || (crossed && !is_first)) continue;
    return "it is mined what is not on all of the ways, or where they begin: " + one.predicate;
  }
  return mined->waypoints.size() >= 4 ? "" : "less is mined than what is on all of the ways";
}

}  // namespace ordeal::oracle::learning
