#include "explore/explain/recorder.h"

#include <algorithm>

#include "explore/explain/linear_points.h"
#include "history/order_listener.h"

namespace ordeal::explore {
namespace {

const Snapshot::Part* find_part(const Snapshot& snapshot, int node) {
  for (const Snapshot::Part& part : snapshot.parts) {
    if (part.node == node && node >= 0) return &part;
  }
  // Raw models have one part for everything.
  // … and specifications what ALIAS says behind it.
  if (snapshot.parts.size() == 1) return &snapshot.parts[0];
  if (node < 0 && !snapshot.parts.empty() && snapshot.parts[0].name == "state") {
    return &snapshot.parts[0];
  }
  return nullptr;
}

bool same_message(const Sent& sent, const Action& action) {
  const bool about_message =
      action.kind == ActionKind::kDrop || action.kind == ActionKind::kDuplicate;
  const ActionKind kind = about_message ? ActionKind::kDeliver : action.kind;
  return sent.kind == kind && sent.from == action.from && sent.to == action.node &&
         sent.type == action.type && sent.payload_digest == action.payload_digest;
}

std::vector<TraceOperation> of_trace(const std::vector<OpRef>& operations) {
  std::vector<TraceOperation> out;
  for (const OpRef& ref : operations) out.push_back({ref.client.value, ref.index});
  return out;
}

std::string timer_key(int node, const std::string& name) {
  return std::to_string(node) + "/" + name;
}

}  // namespace

Recorder::Recorder(World& world, const Options& options) : world_(world), states_(options.states) {
  trace_.system = options.system;
  trace_.parameters = options.parameters;
  trace_.strategy = options.strategy;
  trace_.seed = options.seed;
}

Result<void> Recorder::start(uint32_t initial) {
  const Result<void> started = world_.reset(initial);
  if (!started) return started;
  failed_ = false;
  snapshot_ = world_.observe();
  trace_.initial = initial;
  trace_.initial_digest = snapshot_.digest;
  trace_.initial_parts = states_ ? log_.start(snapshot_) : "";
  trace_.kinds = world_.kinds();
  trace_.steps.clear();
  alike_.clear();
  trace_.nodes.clear();
  trace_.node_types.clear();
  for (const Snapshot::Part& part : snapshot_.parts) {
    if (part.node < 0) continue;
    trace_.nodes.push_back(part.node);
    trace_.node_types[part.node] = part.component ? part.name : part.type;
  }
  trace_.initially_sent = snapshot_.pending;
  trace_.initial_history = snapshot_.open_operations;
  pending_.clear();
  delivered_.clear();
  for (const Sent& sent : snapshot_.pending) pending_.push_back({sent, 0});
  last_step_.clear();
  timers_.clear();
  return {};
}

Result<void> Recorder::step(uint32_t index) {
  const size_t enabled = world_.enabled().size();
  if (index >= enabled) {
    return Error{"step " + std::to_string(trace_.steps.size() + 1) + " takes action " +
                 std::to_string(index) + ", but " + std::to_string(enabled) + " are enabled"};
  }
  TraceStep step;
  step.detail = world_.detail(index);
  step.choice = index;
  step.enabled = static_cast<uint32_t>(enabled);
  step.occurrence = count_alike(step.detail.action);
  const Result<void> done = world_.apply(index);
  const int node = step.detail.action.node;
  if (!done) {
    failed_ = true;
    step.detail.failure = done.error().message;
    step.digest = snapshot_.digest;
  } else {
    // Opaque objects only tell what they did once they have done it.
    world_.after_step(step.detail);
    Snapshot after = world_.observe();
    step.digest = after.digest;
    const Snapshot::Part* was = find_part(snapshot_, node);
    const Snapshot::Part* is = find_part(after, node);
    if (was != nullptr && is != nullptr) {
      step.changes = value::diff(was->tree, is->tree);
      step.node_digest = is->digest;
    }
    snapshot_ = std::move(after);
    if (states_) step.parts = log_.step(snapshot_);
  }
  find_causes(step);
  remember_sent(step);
  trace_.steps.push_back(std::move(step));
  return {};
}

// How many equal actions came before this one, which is about to become a step.
uint32_t Recorder::count_alike(const Action& action) {
  // Everything that same_identity() compares.
  std::string key = kind_name(action);
  for (const int64_t number :
       {int64_t{action.node}, int64_t{action.from}, int64_t{action.crash_at_persist}}) {
    key += ' ' + std::to_string(number);
  }
  key += ' ' + std::to_string(action.payload_digest);
  for (const uint32_t choice : action.choices) key += ' ' + std::to_string(choice);
  return alike_[key + ' ' + action.type]++;
}

void Recorder::find_causes(TraceStep& step) {
  const Action& action = step.detail.action;
  const auto add = [&](uint32_t cause) {
    if (std::find(step.causes.begin(), step.causes.end(), cause) == step.causes.end()) {
      step.causes.push_back(cause);
    }
  };
  // A delivery consumes the oldest identical send.
  const auto sent = std::find_if(pending_.begin(), pending_.end(), [&](const Pending& pending) {
    return same_message(pending.sent, action);
  });
  if (sent != pending_.end()) {
    add(sent->step);
    if (action.kind != ActionKind::kDuplicate) {
      sent->sent.text.clear();
      delivered_.push_back(std::move(*sent));
      pending_.erase(sent);
    }
  } else if (action.kind == ActionKind::kDeliver || action.kind == ActionKind::kDrop) {
    // Or it stayed in flight when it was delivered.
    const auto before =
        std::find_if(delivered_.begin(), delivered_.end(),
                     [&](const Pending& known) { return same_message(known.sent, action); });
    if (before != delivered_.end()) add(before->step);
  }
  if (action.kind == ActionKind::kTimer) {
    const std::string key = timer_key(action.node, action.type);
    for (const auto& [name, setter] : timers_) {
      if (name == key) add(setter);
    }
  }
  const bool is_local = action.kind != ActionKind::kDrop && action.kind != ActionKind::kDuplicate;
  if (is_local) {
    for (const auto& [node, last] : last_step_) {
      if (node == action.node) add(last);
    }
  }
  std::sort(step.causes.begin(), step.causes.end());
}

void Recorder::remember_sent(const TraceStep& step) {
  const uint32_t number = static_cast<uint32_t>(trace_.steps.size()) + 1;
  const Action& action = step.detail.action;
  for (const Sent& sent : step.detail.sent) pending_.push_back({sent, number});
  for (const Sent& lost : step.detail.lost) {
    const auto at = std::find_if(pending_.rbegin(), pending_.rend(), [&](const Pending& pending) {
      return pending.sent.kind == lost.kind && pending.sent.from == lost.from &&
             pending.sent.to == lost.to && pending.sent.type == lost.type &&
             pending.sent.payload_digest == lost.payload_digest;
    });
    if (at != pending_.rend()) pending_.erase(std::next(at).base());
  }
  for (const std::string& timer : step.detail.timers) {
    const std::string key = timer_key(action.node, timer.substr(1));
    std::erase_if(timers_, [&](const auto& known) { return known.first == key; });
    if (timer[0] == '+') timers_.emplace_back(key, number);
  }
  if (action.node < 0 || action.kind == ActionKind::kDrop ||
      action.kind == ActionKind::kDuplicate) {
    return;
  }
  for (auto& [node, last] : last_step_) {
    if (node != action.node) continue;
    last = number;
    return;
  }
  last_step_.emplace_back(action.node, number);
}

bool Recorder::terminal() {
  const std::vector<Choice>& enabled = world_.enabled();
  return std::none_of(enabled.begin(), enabled.end(),
                      [](const Choice& choice) { return choice.progress; });
}

bool Recorder::conclude(uint32_t property) {
  TraceVerdict& verdict = trace_.verdict;
  verdict = {};
  verdict.step = static_cast<uint32_t>(trace_.steps.size());
  const Property& judged = world_.properties()[property];
  if (property == kNoFailure) {
    if (!failed_) return false;
    verdict.property = judged.name;
    verdict.kind = "failure";
    const StepDetail& last = trace_.steps.back().detail;
    verdict.why = show(last.action) + ": " + last.failure;
    if (last.action.node >= 0) verdict.nodes = {last.action.node};
    return true;
  }
  if (failed_) return false;
  const bool at_end = terminal();
  if (judged.on_steps && trace_.steps.empty()) return false;
  if (judged.kind == PropertyKind::kEventually && !at_end) return false;
  const OrderListener listener;
  const Outcome outcome =
      judged.on_steps ? world_.explain_step(property) : world_.explain(at_end, property);
  if (outcome.ok()) return false;
  verdict.property = judged.name;
  verdict.kind = to_string(judged.kind);
  verdict.word = judged.word;
  verdict.why = outcome.why();
  verdict.nodes = outcome.nodes();
  if (listener.result() && !listener.result()->core.empty()) {
    verdict.operations = of_trace(listener.result()->core);
    verdict.unplaced = of_trace(listener.result()->unplaced);
  } else if (judged.reads == Reads::kHistory) {
    verdict.operations = operations_of(trace_);  // any of them may be the reason
  }
  return true;
}

Result<void> Recorder::conclude_loop(uint32_t property, uint32_t loop_start) {
  const size_t steps = trace_.steps.size();
  if (loop_start > steps) {
    return Error{"it goes back to step " + std::to_string(loop_start) + " of " +
                 std::to_string(steps)};
  }
  const uint64_t back =
      loop_start == 0 ? trace_.initial_digest : trace_.steps[loop_start - 1].digest;
  if (failed_ || back != snapshot_.digest) {
    return Error{"the state after step " + std::to_string(steps) + " is not the one after step " +
                 std::to_string(loop_start)};
  }
  trace_.loop_start = loop_start;
  const Property& judged = world_.properties()[property];
  TraceVerdict& verdict = trace_.verdict;
  verdict = {};
  verdict.step = static_cast<uint32_t>(steps);
  verdict.property = judged.name;
  verdict.kind = to_string(judged.kind);
  verdict.word = judged.word;
  if (loop_start == steps) {
    verdict.why = steps == 0
                      ? "the run may stay for ever where it begins"
                      : "the run may stay for ever where it is after step " + std::to_string(steps);
  } else {
    const std::string place = loop_start == 0
                                  ? "where it began"
                                  : "where it was after step " + std::to_string(loop_start);
    verdict.why = "after step " + std::to_string(steps) + " the run is " + place +
                  " again, and may go on like that for ever: from step " +
                  std::to_string(loop_start + 1) + " once more";
  }
  return {};
}

bool Recorder::conclude_trouble() {
  if (failed_) return false;
  Judgement ignored;
  if (any_on_steps(world_.properties())) world_.judge_step(ignored);
  // As far as exploration asks, and in that order.
  if (world_.trouble() == nullptr) {
    const bool within = world_.within();
    const bool at_end = world_.trouble() == nullptr && within && terminal();
    const bool judged = within || world_.judges_outside();
    if (world_.trouble() == nullptr && judged) world_.judge(at_end, ignored);
  }
  if (world_.trouble() == nullptr) return false;
  trace_.verdict = {};
  trace_.verdict.property = kTroubleName;
  trace_.verdict.kind = kTroubleKind;
  trace_.verdict.why = *world_.trouble();
  trace_.verdict.step = static_cast<uint32_t>(trace_.steps.size());
  return true;
}

void Recorder::find_points() {
  trace_.points.clear();
  if (!states_ || failed_) return;
  const std::vector<Property>& properties = world_.properties();
  for (uint32_t i = 1; i < properties.size() && trace_.points.empty(); ++i) {
    if (properties[i].reads != Reads::kHistory) continue;
    const OrderListener listener;
    world_.explain(terminal(), i);
    if (listener.result()) trace_.points = points_of(trace_, listener.result()->order);
  }
}

Result<Trace> record_finding(World& world, const Finding& finding, const Options& options) {
  const std::string what =
      (finding.is_trouble()
           ? "what could not be said before"
           : "the violation of \"" + world.properties()[finding.property].name + "\"") +
      " did not show when its run was repeated: ";
  const std::string because =
      "the subject depends on something other than its state and its events (try --audit)";
  Recorder recorder(world, options);
  if (const auto started = recorder.start(finding.path.initial); !started) {
    return started.error();
  }
  for (uint32_t choice : finding.path.choices) {
    if (recorder.failed()) break;
    if (const auto done = recorder.step(choice); !done) {
      return Error{what + done.error().message + "; " + because};
    }
  }
  if (finding.loop_start) {
    const Result<void> closes = recorder.conclude_loop(finding.property, *finding.loop_start);
    if (!closes) return Error{what + closes.error().message + "; " + because};
    recorder.find_points();
    return std::move(recorder.trace());
  }
  const bool shows =
      finding.is_trouble() ? recorder.conclude_trouble() : recorder.conclude(finding.property);
  if (!shows) return Error{what + because};
  recorder.find_points();
  return std::move(recorder.trace());
}

}  // namespace ordeal::explore
