#include "explore/run/campaign.h"

#include <algorithm>
#include <map>
#include <memory>
#include <utility>

#include "base/guard.h"
#include "base/mutant.h"
#include "base/out_of_memory.h"
#include "base/text.h"
#include "explore/run/driver.h"
#include "explore/run/run_memory.h"
#include "explore/store/visited.h"
#include "explore/strategy/claims.h"
#include "explore/strategy/coverage.h"
#include "explore/strategy/failures.h"
#include "explore/strategy/scheduler.h"

namespace ordeal::explore {
namespace {

// Judges every run to its end, and counts.
class CampaignRuns : public RunObserver {
 public:
  CampaignRuns(monitor::MonitoredWorld& world, Scheduler& scheduler,
               const monitor::Verdicts& verdicts, const Scenario::Declaration& scenario,
               const Options& options)
      : world_(world),
        scheduler_(scheduler),
        verdicts_(verdicts),
        options_(options),
        pace_(options, world.properties()),
        visited_(std::make_unique<VisitedSet>()),
        memory_(world, *visited_, pace_.max_bytes()),
        judges_steps_(any_on_steps(world.properties())),
        driver_(world, scheduler, {this}, {options.max_depth, nullptr, visited_.get()}) {
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
      out_.stopped = Bound{Bound::Kind::kInterrupted};
    } else if (!failure.empty() && progress_.findings.empty()) {
      return Error{broken_off(failure, driver_.path())};
    } else if (!failure.empty()) {
      out_.stopped = {.kind = Bound::Kind::kBroken, .text = broken_off(failure, driver_.path())};
    }
    out_.complete = failure.empty() && (out_.complete || out_.runs == options_.max_runs);
    out_.tally = world_.tally();
    out_.steps_by_sort = step_counts(world_.sorts(), progress_);
    for (std::string& note : scheduler_.notes()) out_.notes.push_back(std::move(note));
    out_.findings = std::move(progress_.findings);
    return std::move(out_);
  }

  // Judges the state just reached, as far as it is not known.
  bool arrive(const Arrival& at) override {
    failed_here_ = std::exchange(failed_in_step_, false);
    if (failed_here_) return false;
    ++progress_.states;
    progress_.depth = std::max(progress_.depth, static_cast<uint32_t>(at.path.choices.size()));
    if (at.is_new) {
      ++progress_.distinct_states;
      judgement_.clear();
      world_.judge(false, judgement_);
      if (world_.trouble() != nullptr) return false;
      if (!judgement_.violated.empty()) bad_states_[at.fingerprint] = judgement_.violated;
    }
    if (const auto bad = bad_states_.find(at.fingerprint); bad != bad_states_.end()) {
      for (uint32_t property : bad->second) found(property, at.path);
      failed_here_ = true;
      return false;
    }
    abandoned_ = at.path.choices.size() % 64 == 63 && !go_on();
    return !abandoned_;
  }

  void step(const StepTaken& taken) override {
    ++out_.steps;
    ++progress_.transitions;
    progress_.steps.add(taken.sort);
    if (!judges_steps_ || taken.failed) return;
    judgement_.clear();
    world_.judge_step(judgement_);
    if (world_.trouble() != nullptr) return;
    failed_in_step_ = !judgement_.violated.empty();
    for (uint32_t property : judgement_.violated) found(property, taken.path);
  }

  void end(World&, const ShortForm& path, RunEnd how) override {
    switch (how) {
      case RunEnd::kEnough:
        if (failed_here_) count(path, Ending::kFailed);
        break;
      case RunEnd::kFailed: {
        const monitor::Tally before = world_.tally();
        found(kNoFailure, path, failure_kind(world_, path));
        world_.go_back_to(before);
        count(path, Ending::kFailed);
        break;
      }
      case RunEnd::kHorizon:
        ++out_.at_horizon;
        count(path, Ending::kCut);
        break;
      case RunEnd::kDepth:
      case RunEnd::kOutside:
        count(path, Ending::kCut);
        break;
      case RunEnd::kTrouble:  // the campaign ends
        break;
      case RunEnd::kOver:
        count(path, judge_end(path) ? Ending::kFailed : Ending::kOver);
        break;
    }
  }

 private:
  enum class Ending { kOver, kCut, kFailed };

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
      const Result<RunEnd> end = driver_.run(*initial);
      if (!end) return end.error();
      if (*end == RunEnd::kTrouble) {
        return Error{"run " + grouped(out_.runs + 1) + ": " + *world_.trouble() +
                     in_run(driver_.path())};
      }
      if (abandoned_) break;
    }
    return {};
  }

  // What can be said only where the run is over. True: the run has failed; that it did not succeed
  // where it should have, or the other way round, is a matter of the expectation.
  bool judge_end(const ShortForm& path) {
    bool failed = false;
    judgement_.clear();
    world_.judge(true, judgement_);
    for (uint32_t property : judgement_.violated) {
      found(property, path);
      failed = failed || (property != verdicts_.succeeds && property != verdicts_.never_succeeds);
    }
    return failed;
  }

  void found(uint32_t property, const ShortForm& path, uint64_t failure = 0) {
    Finding* finding = progress_.found(property, failure);
    if (finding == nullptr) return;
    finding->path = path;
    finding->by = scheduler_.member();
    finding->fails = property == kNoFailure;
  }

  void count(const ShortForm& path, Ending ending) {
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
    out_.unsuccessful = path;
    out_.unsuccessful_was_cut = cut;
    out_.unsuccessful_state = world_.machine_state(!cut);
  }

  bool go_on() {
    std::optional<Bound> stop;
    if (options_.max_states > 0 && progress_.distinct_states >= options_.max_states) {
      stop = {Bound::Kind::kStates, options_.max_states};
    } else {
      stop = pace_.look(progress_, 0, memory_.bytes());
    }
    if (stop) out_.stopped = stop;
    return !stop;
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
  const bool judges_steps_;
  bool failed_in_step_ = false;
  bool failed_here_ = false;
  bool abandoned_ = false;  // this run: whether to go on was answered with no
  Judgement judgement_;
  Driver driver_;
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
    campaign = scheduler ? CampaignRuns(*world, **scheduler, verdicts, product.monitor().scenario(),
                                        options)
                               .run()
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
