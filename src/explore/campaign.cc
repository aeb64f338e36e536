#include "explore/campaign.h"

#include <algorithm>
#include <map>
#include <memory>

#include "base/guard.h"
#include "base/mutant.h"
#include "base/out_of_memory.h"
#include "base/watch.h"
#include "explore/claims.h"
#include "explore/coverage.h"
#include "explore/failures.h"
#include "explore/run_memory.h"
#include "explore/scheduler.h"
#include "explore/visited.h"

namespace ordeal::explore {
namespace {

class Runs {
 public:
  Runs(monitor::MonitoredWorld& world, Scheduler& scheduler, const monitor::Verdicts& verdicts,
       const Scenario::Declaration& scenario, const Options& options)
      : world_(world),
        scheduler_(scheduler),
        verdicts_(verdicts),
        options_(options),
        pace_(options, world.properties()),
        visited_(std::make_unique<VisitedSet>()),
        memory_(world, *visited_, pace_.max_bytes()) {
    if (scenario.machine.empty()) return;
    const std::vector<Machine::State>& states = scenario.machine[0].states();
    out_.ended_in.assign(states.size(), 0);
    judged_by_machine_ = std::any_of(states.begin(), states.end(), [](const Machine::State& state) {
      return state.kind == Machine::Kind::kSuccess;
    });
  }

  Result<Campaign> run() {
    Result<void> done;
    const std::string failure = guarded([&] { done = follow_scheduler(); });
    if (!done) return done.error();
    if (is_abandoned(failure)) {
      out_.stopped = "interrupted";
    } else if (!failure.empty() && progress_.findings.empty()) {
      return Error{broken_off(failure, path_)};
    } else if (!failure.empty()) {
      out_.stopped = broken_off(failure, path_);
    }
    out_.complete = failure.empty() && (out_.complete || out_.runs == options_.max_runs);
    out_.tally = world_.tally();
    out_.steps_by_sort = step_counts(world_.sorts(), progress_);
    for (std::string& note : scheduler_.notes()) out_.notes.push_back(std::move(note));
    out_.findings = std::move(progress_.findings);
    return std::move(out_);
  }

 private:
  Result<void> follow_scheduler() {
    while (out_.runs < options_.max_runs) {
      memory_.look(scheduler_.bytes(), out_.steps);
      if (!go_on()) break;
      const std::optional<uint32_t> initial =
          scheduler_.begin(out_.runs, std::max<uint32_t>(1, world_.initial_count()));
      if (!initial) {
        out_.complete = true;
        const std::string covers = scheduler_.covers();
        if (!covers.empty()) out_.notes.push_back("there are no more runs: " + covers);
        break;
      }
      path_.initial = *initial;
      path_.choices.clear();
      if (const auto started = world_.reset(path_.initial); !started) return started.error();
      const Ending ending = one_run();
      if (ending == Ending::kAbandoned) break;
      count(ending);
    }
    return {};
  }

  enum class Ending { kOver, kCut, kFailed, kAbandoned };

  Ending one_run() {
    const bool within = arrive();
    if (failed_here_) return Ending::kFailed;
    if (!within) return Ending::kCut;
    while (!world_.enabled().empty()) {
      if (path_.choices.size() >= options_.max_depth) return Ending::kCut;
      if (path_.choices.size() % 64 == 63 && !go_on()) return Ending::kAbandoned;
      const uint32_t index = scheduler_.pick(world_);
      if (index == Scheduler::kEnd) break;
      scheduler_.take(world_, index);
      path_.choices.push_back(index);
      ++out_.steps;
      ++progress_.transitions;
      progress_.steps.add(world_.enabled()[index].sort);
      const Watched watched;
      if (!world_.apply(index)) {
        const monitor::Tally before = world_.tally();
        found(kNoFailure, failure_kind(world_, path_));
        world_.restore(before);
        return Ending::kFailed;
      }
      const bool inside = arrive();
      if (failed_here_) return Ending::kFailed;
      if (!inside) return Ending::kCut;
    }
    return judge_end() ? Ending::kFailed : Ending::kOver;
  }

  // Judges the state just reached, as far as it is not known. False: outside the constraint.
  bool arrive() {
    failed_here_ = false;
    if (!world_.within()) return false;
    scheduler_.arrive(world_);
    ++progress_.states;
    progress_.depth = std::max(progress_.depth, static_cast<uint32_t>(path_.choices.size()));
    const uint64_t fingerprint = world_.fingerprint();
    if (visited_->put(fingerprint).is_new) {
      ++progress_.distinct_states;
      judgement_.clear();
      world_.judge(false, judgement_);
      if (!judgement_.violated.empty()) bad_states_[fingerprint] = judgement_.violated;
    }
    const auto bad = bad_states_.find(fingerprint);
    if (bad == bad_states_.end()) return true;
    for (uint32_t property : bad->second) found(property);
    failed_here_ = true;
    return true;
  }

  // What can be said only where the run is over. True: the run has failed; that it did not succeed
  // where it should have, or the other way round, is a matter of the expectation.
  bool judge_end() {
    bool failed = false;
    judgement_.clear();
    world_.judge(true, judgement_);
    for (uint32_t property : judgement_.violated) {
      found(property);
      failed = failed || (property != verdicts_.succeeds && property != verdicts_.never_succeeds);
    }
    return failed;
  }

  void found(uint32_t property, uint64_t failure = 0) {
    Finding* finding = progress_.found(property, failure);
    if (finding == nullptr) return;
    finding->path = path_;
    finding->fails = property == kNoFailure;
  }

  void count(Ending ending) {
    ++out_.runs;
    progress_.runs = out_.runs;
    const uint32_t state =
        ending == Ending::kOver ? world_.finish() : world_.context().machine_state();
    if (!out_.ended_in.empty()) ++out_.ended_in[state];
    if (ending == Ending::kFailed) {
      ++out_.failures;
      return;
    }
    const bool cut = ending == Ending::kCut;
    if (cut) ++out_.cut;
    // Without a machine that could say so, a run succeeds by coming to its end.
    const bool at_end = !cut || mutant(Mutant::kCutIsEnd);
    if (at_end && (!judged_by_machine_ || world_.machine_kind(!cut) == Machine::Kind::kSuccess)) {
      ++out_.successes;
      return;
    }
    if (out_.unsuccessful && (cut || !out_.unsuccessful_was_cut)) return;
    out_.unsuccessful = path_;
    out_.unsuccessful_was_cut = cut;
    out_.unsuccessful_state = world_.machine_state(!cut);
  }

  bool go_on() {
    std::string stop;
    if (options_.max_states > 0 && progress_.distinct_states >= options_.max_states) {
      stop = count_text(options_.max_states) + " states";
    } else {
      stop = pace_.look(progress_, 0, memory_.bytes());
    }
    if (!stop.empty()) out_.stopped = stop;
    return stop.empty();
  }

  monitor::MonitoredWorld& world_;
  Scheduler& scheduler_;
  const monitor::Verdicts& verdicts_;
  const Options& options_;
  Pace pace_;
  std::unique_ptr<VisitedSet> visited_;
  RunMemory memory_;
  std::map<uint64_t, std::vector<uint32_t>> bad_states_;  // and what is violated there
  bool judged_by_machine_ = false;
  bool failed_here_ = false;
  Judgement judgement_;
  ShortForm path_;
  Exploration progress_;
  Campaign out_;
};

}  // namespace

Result<Campaign> run_campaign(const monitor::Product& product, const monitor::Verdicts& verdicts,
                              const Options& options) {
  const std::unique_ptr<monitor::MonitoredWorld> world = product.monitored_world();
  // Schedulers may try out a few runs first: in a world of their own, for they do not count.
  const std::unique_ptr<monitor::MonitoredWorld> rehearsal = product.monitored_world();
  Result<Campaign> campaign = Error{};
  const std::string failure = guarded([&] {
    const Result<std::unique_ptr<Scheduler>> scheduler = make_scheduler(options, *rehearsal);
    campaign =
        scheduler ? Runs(*world, **scheduler, verdicts, product.monitor().scenario(), options).run()
                  : scheduler.error();
  });
  if (!failure.empty()) {
    return Error{failure == kOutOfMemory
                     ? out_of_memory()
                     : "a property, or a function of the scenario's own, failed: " + failure};
  }
  if (const auto trusted = may_trust(world->statistics()); !trusted) return trusted.error();
  return campaign;
}

}  // namespace ordeal::explore
