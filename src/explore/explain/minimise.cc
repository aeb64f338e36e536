// Delta debugging over actions: leave some out, repeat the rest as far as it goes, keep what still
// violates the property and is shorter. Effort is bounded by steps, not by time: the result must
// not depend on the machine.
#include <algorithm>
#include <optional>

#include "base/mutant.h"
#include "base/watch.h"
#include "explore/explain/follow.h"
#include "explore/explain/recorder.h"
#include "explore/strategy/failures.h"
#include "explore/strategy/scheduler.h"

namespace ordeal::explore {
namespace {

constexpr uint64_t kMostSteps = 300'000;
constexpr size_t kMostCompletion = 400;  // steps to reach a terminal state
constexpr size_t kMostOverdue = 4;       // calls that do not return: each has to be waited for

class Minimiser {
 public:
  Minimiser(World& world, const Finding& finding) : world_(world), best_(finding) {
    if (finding.is_trouble()) {
      trouble_kind_ = failure_kind({}, finding.trouble);
      return;
    }
    const Property& property = world.properties()[finding.property];
    eventually_ = property.kind == PropertyKind::kEventually;
    on_steps_ = property.on_steps;
  }

  Finding run() {
    if (!load(best_)) return best_;
    for (size_t size = std::max<size_t>(1, actions_.size() / 2);; size /= 2) {
      bool shorter = true;
      while (shorter && !is_enough()) {
        shorter = false;
        for (size_t at = 0; at < actions_.size() && !is_enough();) {
          if (without(at, std::min(at + size, actions_.size()))) {
            shorter = true;  // what follows moved to `at`
          } else {
            at += size;
          }
        }
      }
      if (size <= 1 || is_enough()) return best_;
    }
  }

 private:
  bool is_enough() const { return steps_ >= kMostSteps || overdue_ >= kMostOverdue; }

  // Learns the identities of the actions of a run.
  bool load(const Finding& finding) {
    actions_.clear();
    if (!world_.reset(finding.path.initial)) return false;
    for (uint32_t choice : finding.path.choices) {
      if (choice >= world_.enabled().size()) return false;
      actions_.push_back(world_.action(choice));
      ++steps_;
      if (!world_.apply(choice)) break;
    }
    return true;
  }

  // Tries the run without actions [begin, end). True: it is the best now.
  bool without(size_t begin, size_t end) {
    Finding shorter = best_;
    shorter.path.choices.clear();
    if (!world_.reset(shorter.path.initial)) return false;
    if (violated_here()) return accept(shorter);
    for (size_t i = 0; i < actions_.size(); ++i) {
      if (i >= begin && i < end) continue;
      const std::optional<uint32_t> index = find_action(world_, actions_[i]);
      if (!index) continue;  // what caused it was left out
      if (shorter.path.choices.size() + 1 >= best_.path.choices.size()) return false;
      shorter.path.choices.push_back(*index);
      ++steps_;
      if (const Result<void> done = world_.apply(*index); !done) {
        if (is_overdue(done.error().message)) ++overdue_;
        const bool same =
            best_.failure == 0 || best_.failure == failure_kind(actions_[i], done.error().message);
        return best_.property == kNoFailure && !best_.is_trouble() && same && accept(shorter);
      }
      if (violated_here()) return accept(shorter);
    }
    return eventually_ && complete(shorter);
  }

  // For `eventually`: goes on to a terminal state, taking what comes first.
  bool complete(Finding& shorter) {
    for (size_t i = 0; i < kMostCompletion; ++i) {
      const std::vector<Choice>& enabled = world_.enabled();
      const auto next = std::find_if(enabled.begin(), enabled.end(),
                                     [](const Choice& choice) { return choice.progress; });
      if (next == enabled.end()) return false;
      if (shorter.path.choices.size() + 1 >= best_.path.choices.size()) return false;
      const uint32_t index = static_cast<uint32_t>(next - enabled.begin());
      shorter.path.choices.push_back(index);
      ++steps_;
      if (!world_.apply(index)) return false;
      if (violated_here()) return accept(shorter);
    }
    return false;
  }

  bool accept(const Finding& shorter) {
    best_ = shorter;
    return load(best_);
  }

  // Something of the same kind cannot be said of where the run is: numbers may differ.
  bool trouble_here() {
    judgement_.clear();
    if (any_on_steps(world_.properties())) world_.judge_step(judgement_);
    const bool within = world_.trouble() == nullptr && world_.within();
    const bool judged = world_.trouble() == nullptr && (within || world_.judges_outside());
    if (judged) {
      const bool terminal = within && may_end(world_);
      if (world_.trouble() == nullptr) world_.judge(terminal, judgement_);
    }
    return world_.trouble() != nullptr && failure_kind({}, *world_.trouble()) == trouble_kind_;
  }

  bool violated_here() {
    if (best_.is_trouble()) return trouble_here();
    if (best_.property == kNoFailure) return false;
    if (on_steps_) {
      judgement_.clear();
      world_.judge_step(judgement_);
      return is_violated();
    }
    const bool within = world_.within();
    if (!within && !world_.judges_outside()) return false;
    if (mutant(Mutant::kMinimiserLies)) return true;
    const bool terminal = within && may_end(world_);
    if (eventually_ && !terminal) return false;
    judgement_.clear();
    world_.judge(terminal, judgement_);
    return is_violated();
  }

  // What was said where something could not be said counts for nothing.
  bool is_violated() const {
    if (world_.trouble() != nullptr) return false;
    return std::find(judgement_.violated.begin(), judgement_.violated.end(), best_.property) !=
           judgement_.violated.end();
  }

  World& world_;
  Finding best_;
  bool eventually_ = false;
  bool on_steps_ = false;
  uint64_t trouble_kind_ = 0;
  std::vector<Action> actions_;
  Judgement judgement_;
  uint64_t steps_ = 0;
  size_t overdue_ = 0;
};

}  // namespace

Finding minimise(World& world, const Finding& finding, const Options&) {
  // What opaque objects do is not remembered: a call that is given up early is tried again in full
  // when the run is recorded.
  const Hurry hurry(!world.is_value());
  return Minimiser(world, finding).run();
}

Result<Violation> explain_finding(World& world, const Finding& finding, bool shrink,
                                  const Options& options) {
  Finding final = finding;
  // A run that goes on for ever is found by shortest ways, and is none without a step of its cycle.
  shrink = shrink && !finding.loop_start;
  if (shrink) final = minimise(world, finding, options);
  Result<Trace> trace = record_finding(world, final, options);
  if (!trace && shrink && any_overdue()) {
    final = finding;
    trace = record_finding(world, finding, options);
  }
  if (!trace) return trace.error();
  if (shrink) trace->minimised_from = static_cast<uint32_t>(finding.path.choices.size());
  Violation violation;
  if (options.states && final.path.choices != finding.path.choices) {
    Result<Trace> original = record_finding(world, finding, options);
    if (!original) return original.error();
    violation.original = *std::move(original);
  }
  violation.property = trace->verdict.property;
  violation.kind = trace->verdict.kind;
  violation.word = trace->verdict.word;
  violation.why = trace->verdict.why;
  violation.nodes = trace->verdict.nodes;
  violation.step = trace->verdict.step;
  violation.count = finding.count;
  violation.by = finding.by;
  violation.trace = std::move(*trace);
  return violation;
}

}  // namespace ordeal::explore
