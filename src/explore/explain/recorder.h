// Recording: from choices to a Trace with everything people want to see, and back.
#pragma once

#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "explore/strategy/findings.h"
#include "ordeal/check.h"
#include "ordeal/trace.h"
#include "ordeal/world.h"
#include "trace/state_log.h"

namespace ordeal::explore {

// Runs a World step by step and writes down each: identity, effects, digests, causes.
class Recorder {
 public:
  Recorder(World& world, const Options& options);

  Result<void> start(uint32_t initial);
  // Takes enabled action number `index`. An Error: there is no such action. A handler that fails is
  // recorded as the last step; failed() is then true.
  Result<void> step(uint32_t index);
  bool failed() const { return failed_; }

  // Judges the state reached by one property and writes the verdict into the trace.
  // True: it is violated here.
  bool conclude(uint32_t property);
  // Likewise of a run that goes on for ever, from `loop_start` on (ordeal/trace.h). An Error: the
  // state reached is not the one that it goes back to.
  Result<void> conclude_loop(uint32_t property, uint32_t loop_start);
  // Likewise of what cannot be said of the state reached, or of the last step. True: something.
  bool conclude_trouble();
  // With states: writes down where operations took effect, if a property is about that.
  void find_points();

  bool terminal();
  const Trace& trace() const { return trace_; }
  Trace& trace() { return trace_; }
  const Snapshot& snapshot() const { return snapshot_; }

 private:
  void find_causes(TraceStep& step);
  void remember_sent(const TraceStep& step);
  uint32_t count_alike(const Action& action);

  World& world_;
  const bool states_;
  trace::StateLog log_;
  std::unordered_map<std::string, uint32_t> alike_;  // how many steps, by their identity
  Trace trace_;
  Snapshot snapshot_;
  bool failed_ = false;
  struct Pending {
    Sent sent;
    uint32_t step;
  };
  std::vector<Pending> pending_;                          // oldest first
  std::vector<Pending> delivered_;                        // without their texts; oldest first
  std::vector<std::pair<int, uint32_t>> last_step_;       // of each node
  std::vector<std::pair<std::string, uint32_t>> timers_;  // "node/name" and who set it
};

// The trace of a finding. An Error means that the world did not do the same again.
Result<Trace> record_finding(World& world, const Finding& finding, const Options& options);

// Shrinks the path of a finding: a shorter run that violates the same property.
Finding minimise(World& world, const Finding& finding, const Options& options);

// The violation that a finding is, with its trace, shrunk where asked.
Result<Violation> explain_finding(World& world, const Finding& finding, bool shrink,
                                  const Options& options);

// Takes the run of a violation once more, in a world of its own. An Error: it went another way, so
// that the trace would not replay; it says where.
Result<void> confirm(const Checkable& subject, const Trace& trace);

// Applies random prefixes twice, in two worlds of their own. A Violation names the step and the
// node where they differ.
std::optional<Violation> audit(const Checkable& subject, const Options& options);

}  // namespace ordeal::explore
