// The determinism audit: random prefixes, each applied in two worlds that share nothing.
#include <algorithm>

#include "base/rng.h"
#include "explore/explain/recorder.h"
#include "explore/run/runs.h"

namespace ordeal::explore {
namespace {

constexpr uint64_t kAuditRuns = 200;

std::string show_difference(const Snapshot& a, const Snapshot& b) {
  for (size_t i = 0; i < std::min(a.parts.size(), b.parts.size()); ++i) {
    if (a.parts[i].digest == b.parts[i].digest) continue;
    const auto changes = value::diff(a.parts[i].tree, b.parts[i].tree);
    std::string text = a.parts[i].name + " differs";
    for (const value::Change& change : changes) {
      text += ": " + (change.path.empty() ? "it" : change.path) + " is " + change.before +
              " the first time, " + change.after + " the second";
      break;
    }
    return text;
  }
  return "the enabled actions differ";
}

int differing_node(const Snapshot& a, const Snapshot& b) {
  for (size_t i = 0; i < std::min(a.parts.size(), b.parts.size()); ++i) {
    if (a.parts[i].digest != b.parts[i].digest && a.parts[i].node >= 0) return a.parts[i].node;
  }
  return -1;
}

}  // namespace

std::optional<Violation> audit(const Checkable& subject, const Options& options) {
  const std::unique_ptr<World> first = subject.world();
  const std::unique_ptr<World> second = subject.world();
  Rng rng(options.seed);
  const uint32_t depth = options.max_depth > 0 ? options.max_depth : kDefaultRunDepth;
  Recorder recorder(*first, options);
  const auto differs = [&](const std::string& why) {
    const Snapshot a = first->observe();
    const Snapshot b = second->observe();
    Violation violation;
    violation.property = "repeating a run gives the same run";
    violation.kind = "audit";
    violation.step = static_cast<uint32_t>(recorder.trace().steps.size());
    const std::string where = recorder.trace().steps.empty()
                                  ? "at the start"
                                  : show(recorder.trace().steps.back().detail.action);
    violation.why = "step " + std::to_string(violation.step) + " (" + where +
                    "), done twice: " + (why.empty() ? show_difference(a, b) : why);
    if (const int node = differing_node(a, b); node >= 0) violation.nodes = {node};
    Trace& trace = recorder.trace();
    trace.verdict.property = violation.property;
    trace.verdict.kind = violation.kind;
    trace.verdict.why = violation.why;
    trace.verdict.nodes = violation.nodes;
    trace.verdict.step = violation.step;
    violation.trace = trace;
    return violation;
  };
  for (uint64_t run = 0; run < kAuditRuns; ++run) {
    if (options.stop != nullptr && options.stop->load()) return std::nullopt;
    if (!recorder.start(0) || !second->reset(0)) return std::nullopt;
    if (first->fingerprint() != second->fingerprint()) return differs("");
    for (uint32_t step = 0; step < depth; ++step) {
      const size_t count = first->enabled().size();
      if (count != second->enabled().size()) return differs("");
      if (count == 0) break;
      const uint32_t index = static_cast<uint32_t>(rng.below(count));
      if (!same_identity(first->action(index), second->action(index))) return differs("");
      if (!recorder.step(index)) break;
      const Result<void> again = second->apply(index);
      if (recorder.failed() == again.ok()) {
        return differs("the handler fails one time and not the other");
      }
      if (recorder.failed()) break;
      if (first->fingerprint() != second->fingerprint()) return differs("");
    }
  }
  return std::nullopt;
}

}  // namespace ordeal::explore
