// Shadow: follows a live run in the simulator. It turns records into the steps of a trace, judges
// the properties after each, and compares: a live node that is in another state than the
// simulator's, or has sent something else, has a handler that depends on more than its state and
// its events.
#pragma once

#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "explore/explain/recorder.h"
#include "live/budget.h"
#include "live/cluster.h"
#include "live/record.h"
#include "ordeal/check.h"
#include "ordeal/live.h"
#include "ordeal/world.h"

namespace ordeal::live {

class Shadow {
 public:
  // `subject` has free faults, and outlives it; `declared` is as it was before.
  Shadow(const Checkable& subject, const detail::Declaration& declared, const LiveOptions& options);

  uint32_t initial_count() { return world_->initial_count(); }
  Result<void> start(uint32_t initial);
  // What choose(n) answered opaque objects while the nodes started. False: the run is over.
  bool follow_start(const std::vector<Asked>& asked);
  // Follows one record. False: the run is over with it.
  bool follow(const Record& record);
  // Nothing follows. `why`: unless it was over before.
  void end(const std::string& why, const Remains& remains);
  // As end(), from another thread: who follows is in a handler that does not return, and what it
  // does from now on is not heard.
  void abandon(const std::string& why, const Remains& remains);

  // From any thread, at any time: nobody waits for a handler of the simulator.
  LiveNews poll(size_t steps_seen, size_t notes_seen, double wait_seconds) const;
  Trace trace() const;
  void describe(LiveStatus& out) const;  // fills in steps, verdicts, why and what was left

 private:
  bool guard(const std::function<void()>& follow);
  // The index of the enabled action that the record is. None, and why not.
  std::optional<uint32_t> find(const Record& record, std::string& why);
  void step(const Record& record);
  void answer(const std::vector<Asked>& asked);
  void answer_first();
  std::string compare(const Record& record) const;
  std::string compare_sent(const Record& record) const;
  void judge();
  void violate(uint32_t property);
  void differ(const Record& record, const std::string& what);
  void note(std::string text);
  void finish(std::string why);
  // Lets others see what is new.
  void tell();
  void tell_the_end(const std::string& why, const Remains& remains, bool abandoned);
  uint32_t count() const { return static_cast<uint32_t>(recorder_.trace().steps.size()); }

  const LiveOptions options_;
  const bool keeps_messages_;
  const std::unique_ptr<World> world_;

  // --- Of the thread that follows ----------------------------------------------------------------
  explore::Recorder recorder_;  // of steps that were told it has but the number
  size_t sent_from_ = 0;        // the first step of the record that is being followed
  Judgement judgement_;
  std::vector<LiveStatus::Verdict> verdicts_;
  std::vector<std::string> notes_;  // that were not told yet
  Budget budget_;
  bool outside_ = false;  // of the declared constraint
  bool stuck_ = false;    // it was said that nothing can happen any more
  bool over_ = false;
  std::string why_;

  // --- What others see
  // -----------------------------------------------------------------------------
  struct Told {
    Trace trace;
    std::vector<LiveStatus::Verdict> verdicts;
    std::vector<std::string> notes;
    Remains remains;
    bool over = false;
    bool ended = false;  // … and everything is said
    std::string why;
  };
  mutable std::mutex mutex_;
  mutable std::condition_variable changed_;
  Told told_;
};

}  // namespace ordeal::live
