#include <algorithm>
#include <csignal>

#include "base/mutant.h"
#include "explore/explain/follow.h"
#include "explore/explain/recorder.h"
#include "explore/liveness/liveness.h"
#include "ordeal/check.h"

namespace ordeal {
namespace {

std::string show_changes(const std::vector<value::Change>& changes) {
  if (changes.empty()) return "no change";
  std::string text;
  for (const value::Change& change : changes) {
    text += (text.empty() ? "" : ", ") + (change.path.empty() ? "it" : change.path) + ": " +
            change.before + " → " + change.after;
  }
  return text;
}

std::string explain_digest(const TraceStep& expected, const TraceStep& actual) {
  const std::string node = std::to_string(actual.detail.action.node);
  if (expected.node_digest != actual.node_digest) {
    return "node " + node + " ends in another state: the trace has " +
           show_changes(expected.changes) + "; now it is " + show_changes(actual.changes);
  }
  if (expected.detail.sent.size() != actual.detail.sent.size()) {
    return "node " + node + " sends " + std::to_string(actual.detail.sent.size()) +
           " messages, the trace has " + std::to_string(expected.detail.sent.size());
  }
  for (size_t i = 0; i < expected.detail.sent.size(); ++i) {
    const Sent& was = expected.detail.sent[i];
    const Sent& is = actual.detail.sent[i];
    if (was.text != is.text || was.to != is.to) {
      return "node " + node + " sends " + is.text + " to " + std::to_string(is.to) +
             ", the trace has " + was.text + " to " + std::to_string(was.to);
    }
  }
  return "the state after it differs outside node " + node +
         " (network, budgets, history, or a type that was renamed)";
}

}  // namespace

namespace explore {
namespace {

// Takes the steps of a cycle once more: each must lead to where it led before. Returns why not.
std::string repeat_cycle(World& world, const Trace& trace, uint32_t loop_start, size_t& step) {
  if (mutant(Mutant::kCycleNotRepeated)) return "";
  for (step = loop_start; step < trace.steps.size(); ++step) {
    const TraceStep& expected = trace.steps[step];
    const std::string what = "taken once more, " + show(expected.detail.action);
    const std::optional<uint32_t> index =
        find_action(world, expected.detail.action, expected.choice);
    if (!index) return what + " is not enabled; " + list_enabled(world);
    if (const auto done = world.apply(*index); !done)
      return what + " fails: " + done.error().message;
    if (world.observe().digest != expected.digest) {
      return what + " leads to another state: the steps are no cycle";
    }
  }
  return "";
}

// Whether the run that was recorded, gone on with for ever, violates the property. Where states
// cannot be saved, nobody can say.
Result<bool> is_violated_by(const Checkable& subject, const Trace& trace, uint32_t property) {
  const std::shared_ptr<StateSpace> space = subject.space();
  if (space == nullptr) return true;
  ShortForm path;
  path.initial = trace.initial;
  for (const TraceStep& step : trace.steps) path.choices.push_back(step.choice);
  return violates_on_runs(*space, path, *trace.loop_start, property);
}

}  // namespace
}  // namespace explore

Result<ReplayResult> replay(const Checkable& subject, const Trace& trace) {
  return explore::replay_with_break(subject, trace, 0);
}

Result<void> explore::confirm(const Checkable& subject, const Trace& trace) {
  const Result<ReplayResult> again = replay(subject, trace);
  if (!again) return again.error();
  if (again->reproduced) return {};
  const std::string where =
      again->diverged_at > 0 ? "at step " + std::to_string(again->diverged_at) + ", " : "";
  return Error{"the run that violates \"" + trace.verdict.property +
               "\" went another way when it was repeated: " + where + again->why +
               ". The subject depends on something other than its state and its events (a static "
               "or global variable, random numbers, a clock, an address; try --audit)"};
}

Result<ReplayResult> explore::replay_with_break(const Checkable& subject, const Trace& trace,
                                                uint32_t break_at) {
  if (const auto valid = subject.validate(); !valid) return valid.error();
  const std::unique_ptr<World> world = subject.world();
  Options options;
  options.system = trace.system;
  options.parameters = trace.parameters;
  options.strategy = trace.strategy;
  options.seed = trace.seed;
  explore::Recorder recorder(*world, options);
  recorder.trace().scenario = trace.scenario;
  recorder.trace().free_faults = trace.free_faults;
  ReplayResult result;
  const auto diverge = [&](size_t step, std::string why) {
    result.diverged_at = static_cast<uint32_t>(step);
    result.why = std::move(why);
    result.trace = recorder.trace();
    return result;
  };
  if (const auto started = recorder.start(trace.initial); !started) {
    return diverge(1, "the system does not start as in the trace: " + started.error().message);
  }
  if (recorder.trace().initial_digest != trace.initial_digest) {
    return diverge(1, "the initial state differs: digest " + hex(recorder.trace().initial_digest) +
                          ", the trace has " + hex(trace.initial_digest));
  }
  for (size_t i = 0; i < trace.steps.size(); ++i) {
    const TraceStep& expected = trace.steps[i];
    const std::string what = show(expected.detail.action);
    if (recorder.failed())
      return diverge(i + 1, what + " cannot happen: the subject failed before");
    const std::optional<uint32_t> index =
        explore::find_action(*world, expected.detail.action, expected.choice);
    if (!index) return diverge(i + 1, what + " is not enabled; " + explore::list_enabled(*world));
    if (i + 1 == break_at) std::raise(SIGTRAP);
    if (const auto done = recorder.step(*index); !done) {
      return diverge(i + 1, done.error().message);
    }
    const TraceStep& actual = recorder.trace().steps.back();
    if (expected.detail.failure.empty() != actual.detail.failure.empty()) {
      return diverge(i + 1, what + (recorder.failed() ? " fails now: " + actual.detail.failure
                                                      : " does not fail any more; the trace has: " +
                                                            expected.detail.failure));
    }
    if (!recorder.failed() && actual.digest != expected.digest && !mutant(Mutant::kReplayTrusts)) {
      return diverge(i + 1, what + ": " + explain_digest(expected, actual));
    }
  }
  const std::vector<Property>& properties = subject.properties();
  if (trace.verdict.property.empty()) {
    result.reproduced = true;
  } else if (trace.verdict.is_trouble()) {
    result.reproduced = recorder.conclude_trouble();
    if (!result.reproduced) {
      result.why = "the run is the same, but what could not be said at its end can be said now";
    }
  } else {
    const auto judged = std::find_if(
        properties.begin(), properties.end(),
        [&](const Property& property) { return property.name == trace.verdict.property; });
    const auto number = static_cast<uint32_t>(judged - properties.begin());
    if (judged != properties.end() && trace.loop_start) {
      if (const auto closes = recorder.conclude_loop(number, *trace.loop_start); !closes) {
        return diverge(trace.steps.size(), closes.error().message);
      }
      size_t step = 0;
      std::string why = explore::repeat_cycle(*world, recorder.trace(), *trace.loop_start, step);
      if (!why.empty()) return diverge(step + 1, std::move(why));
      const Result<bool> violated = explore::is_violated_by(subject, recorder.trace(), number);
      if (!violated) return violated.error();
      result.reproduced = *violated;
      if (!*violated) {
        result.why = "the run is the same, but \"" + trace.verdict.property +
                     "\" is not violated by it any more";
      }
    } else if (judged == properties.end()) {
      result.why = "the system has no property \"" + trace.verdict.property + "\" any more";
    } else if (recorder.conclude(number)) {
      result.reproduced = true;
    } else {
      result.why = "the run is the same, but \"" + trace.verdict.property +
                   "\" is not violated at its end any more";
    }
  }
  result.trace = recorder.trace();
  result.trace.minimised_from = trace.minimised_from;
  return result;
}

namespace explore {
namespace {

// Writes into the trace which property a run violates that goes on for ever from where this one has
// come: back to where it has been before, or by staying. Nothing: none.
Result<void> conclude_loops(const Checkable& subject, const ShortForm& choices,
                            Recorder& recorder) {
  const std::shared_ptr<StateSpace> space = subject.space();
  if (space == nullptr || recorder.failed()) return {};
  const Result<Liveness> liveness = space->liveness();
  if (!liveness) return liveness.error();
  if (liveness->claims.empty()) return {};
  const Trace& trace = recorder.trace();
  const auto steps = static_cast<uint32_t>(trace.steps.size());
  const bool may_stay = liveness->stutters || recorder.terminal();
  for (uint32_t loop = 0; loop <= steps; ++loop) {
    const uint64_t there = loop == 0 ? trace.initial_digest : trace.steps[loop - 1].digest;
    if (loop == steps ? !may_stay : there != recorder.snapshot().digest) continue;
    for (const Liveness::Claim& claim : liveness->claims) {
      const Result<bool> violated = violates_on_runs(*space, choices, loop, claim.property);
      if (!violated) return violated.error();
      if (*violated) return recorder.conclude_loop(claim.property, loop);
    }
  }
  return {};
}

}  // namespace
}  // namespace explore

Result<Trace> record(const Checkable& subject, const ShortForm& choices, const Options& options) {
  if (const auto valid = subject.validate(); !valid) return valid.error();
  const std::unique_ptr<World> world = subject.world();
  explore::Recorder recorder(*world, options);
  if (const auto started = recorder.start(choices.initial); !started) return started.error();
  for (uint32_t choice : choices.choices) {
    if (recorder.failed()) return Error{"the subject failed before the last choice"};
    if (const auto done = recorder.step(choice); !done) return done.error();
  }
  const bool trouble = recorder.conclude_trouble();
  bool concluded = trouble;
  for (uint32_t i = 0; !concluded && i < subject.properties().size(); ++i) {
    const Property& property = subject.properties()[i];
    if (property.kind == PropertyKind::kSometimes || property.on_runs) continue;
    concluded = recorder.conclude(i);
  }
  if (!concluded) {
    const Result<void> looked = explore::conclude_loops(subject, choices, recorder);
    if (!looked) return looked.error();
  }
  recorder.find_points();
  return std::move(recorder.trace());
}

}  // namespace ordeal
