// Ways to keep what was found that must not show in the result: threads, wide fingerprints, files
// instead of memory, and stopping in the middle and going on later.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "base/rng.h"
#include "tests/oracle/random/generator.h"
#include "tests/oracle/reductions/agree.h"
#include "tests/oracle/reductions/suite.h"

namespace ordeal::oracle {

// A property that always holds, and stops the search once it has judged so many states.
struct Watch {
  std::atomic<bool> stop = false;
  std::atomic<uint64_t> judged = 0;
  std::atomic<uint64_t> stop_after = ~uint64_t{0};

  void judge() {
    if (++judged >= stop_after) stop = true;
  }
};

inline void watch(System& system, const std::shared_ptr<Watch>& watch) {
  system.always("watched", [watch](const View&) {
    watch->judge();
    return true;
  });
}

class Modes {
 public:
  Modes(const Case& item, Watch& watch, std::string folder, Tally& tally)
      : item_(item), watch_(watch), folder_(std::move(folder)), tally_(tally), rng_(item.seed) {}

  // The search as it is without any of this.
  bool begin(const Options& options) {
    options_ = options;
    options_.threads = 1;
    watch_.judged = 0;
    const Result<Report> report = check(item_.system, options_);
    if (!report.ok()) disagree("plain", report.error().message);
    if (report.ok()) plain_ = *report;
    judged_ = watch_.judged;
    return report.ok();
  }

  void same(const std::string& who, const Options& options) {
    const Result<Report> report = check(item_.system, options);
    disagree(who, report.ok() ? different(plain_, *report) : report.error().message);
  }

  void threads(int count) {
    Options options = options_;
    options.threads = count;
    same(std::to_string(count) + " threads", options);
  }

  void wide(int threads) {
    Options options = options_;
    options.threads = threads;
    options.wide_fingerprints = true;
    same("wide fingerprints, " + std::to_string(threads) + " threads", options);
  }

  // Moves everything to disk in every round, and has next to no memory.
  Options spilling(int threads, bool wide) const {
    Options options = options_;
    options.threads = threads;
    options.wide_fingerprints = wide;
    options.spill = folder_ + "/spill";
    options.spill_bytes = 1;
    options.max_bytes = 4 << 20;
    return options;
  }

  void spill(int threads, bool wide) {
    const Options options = spilling(threads, wide);
    const Result<Report> report = check(item_.system, options);
    disagree("spilling, " + std::to_string(threads) + " threads",
             report.ok() ? different(plain_, *report) : report.error().message);
    if (report.ok()) count_cycles(*report);
    if (report.ok()) hold_to_graph(*report, "spilling");
    if (!std::filesystem::is_empty(folder_ + "/spill")) {
      disagree("spilling", "files are left behind");
    }
    tally_.count("searches on disk");
  }

  // Stops the search again and again, at random places, and goes on from the file each time.
  void checkpoint(Options options, const std::string& who) {
    const std::string file = folder_ + "/checkpoint";
    options.checkpoint = file;
    options.checkpoint_seconds = 0;
    options.stop = &watch_.stop;
    for (int interruptions = 0;; ++interruptions) {
      watch_.stop = false;
      watch_.judged = 0;
      watch_.stop_after = interruptions < 8 ? 1 + rng_.below(judged_ + 1) : ~uint64_t{0};
      const Result<Report> report = check(item_.system, options);
      const uint64_t judged = watch_.judged;
      watch_.stop_after = ~uint64_t{0};
      if (!report.ok()) {
        disagree(who, report.error().message);
        break;
      }
      if (was_interrupted(*report)) continue;
      disagree(who, different(plain_, *report));
      hold_to_graph(*report, who);
      tally_.count("searches that went on from a file", judged < judged_);
      tally_.count("searches that were interrupted", interruptions > 0);
      break;
    }
    watch_.stop = false;
    std::filesystem::remove(file);
  }

  const Options& options() const { return options_; }

 private:
  // While it searched, or while it looked for cycles.
  static bool was_interrupted(const Report& report) {
    if (report.ended_by(Bound::Kind::kInterrupted)) return true;
    for (const PropertyResult& result : report.properties) {
      if (result.cycle_unknown && result.cycle_unknown->kind == Bound::Kind::kInterrupted) {
        return true;
      }
    }
    return false;
  }

  // Of what lies on disk the graph of states is made if and only if steps go round in a cycle,
  // which is looked for there.
  void hold_to_graph(const Report& report, const std::string& who) {
    if (report.disk_bytes == 0 || !report.complete) return;
    const bool made = report.run_graph.states > 0;
    if (!graph_on_disk_) graph_on_disk_ = made;
    if (*graph_on_disk_ != made) {
      disagree(who, made ? "a graph of states was made, and not before" : "no graph was made");
    }
  }

  // A suite that has none of these says nothing about runs that go on for ever.
  void count_cycles(const Report& report) {
    for (const PropertyResult& result : report.properties) {
      if (result.property.kind != PropertyKind::kEventually || !report.complete) continue;
      const bool round = std::any_of(report.violations.begin(), report.violations.end(),
                                     [&](const Violation& violation) {
                                       return violation.property == result.property.name &&
                                              violation.trace && violation.trace->loop_start;
                                     });
      tally_.count("runs round a cycle on disk", round);
      tally_.count("no run round a cycle on disk", !round);
      const bool looked =
          std::any_of(report.notes.begin(), report.notes.end(), [](const std::string& note) {
            return note == "looked for cycles of progress actions on disk";
          });
      tally_.count("cycles looked for on disk", looked);
      tally_.count("no cycle possible on disk", !looked);
    }
  }

  void disagree(const std::string& who, const std::string& what) {
    if (what.empty()) return;
    tally_.disagreements.push_back("seed " + std::to_string(item_.seed) + ": " + who + ": " + what);
  }

  const Case& item_;
  Watch& watch_;
  std::string folder_;
  Tally& tally_;
  Rng rng_;
  Options options_;
  Report plain_;
  uint64_t judged_ = 0;  // by the plain search
  std::optional<bool> graph_on_disk_;
};

// A search of each kind in turn.
inline Options kind_of_search(const Case& item, uint32_t depth) {
  const uint64_t seed = item.seed;
  Options options;
  options.strategy = seed % 5 == 4 ? "dfs" : "bfs";
  options.keep_going = seed % 2 == 0;
  if (seed % 7 == 6 && depth > 1) options.max_depth = 1 + static_cast<uint32_t>(seed % depth);
  const bool may_sleep =
      !item.system.constrained() && (options.strategy == "bfs" || options.max_depth == 0);
  if (seed % 3 == 2 && may_sleep) options.reduce = "sleep";
  return options;
}

// `folder` is empty.
inline Tally run_modes(const Extent& extent, const std::string& folder, Purpose purpose = {}) {
  std::filesystem::create_directory(folder + "/spill");
  return over_systems(
      extent, purpose, [&](Case& item, const reference::Exploration& found, Tally& tally) {
        const auto watched = std::make_shared<Watch>();
        watch(item.system, watched);
        Modes modes(item, *watched, folder, tally);
        if (!modes.begin(kind_of_search(item, found.depth))) return;
        modes.threads(2 + static_cast<int>(item.seed % 2));
        modes.wide(1 + static_cast<int>(item.seed % 3));
        Options options = modes.options();
        modes.checkpoint(options, "going on");
        options.wide_fingerprints = true;
        options.threads = 2;
        modes.checkpoint(options, "going on with wide fingerprints and two threads");
        // What was spilled remembers no sleep set.
        if (options.strategy != "bfs" || options.reduce != "none") return;
        const int threads = 1 + static_cast<int>(item.seed / 2 % 2);
        modes.spill(threads, item.seed % 2 == 0);
        modes.checkpoint(modes.spilling(threads, item.seed % 2 == 0), "going on from disk");
      });
}

}  // namespace ordeal::oracle
