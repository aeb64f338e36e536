// Walk: one run through a world, taken by hand. Remembers the way, so that it can go back: worlds
// only run forward, hence going back is running again from the start. Records as it goes.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "explore/explain/recorder.h"
#include "ordeal/check.h"
#include "ordeal/world.h"

namespace ordeal::explore {

class Walk {
 public:
  // Of the options: what record() uses. REQUIRES: the subject outlives the walk.
  explicit Walk(const Checkable& subject, const Options& options = {});
  Walk(const Walk&) = delete;
  Walk& operator=(const Walk&) = delete;

  // To the end of this run; from where it is, if that lies on the way. An Error: a choice that does
  // not exist; the walk is then where that choice was asked for.
  Result<void> go(const ShortForm& form);
  // Takes enabled action number `index`. An Error: there is no such action.
  Result<void> take(uint32_t index);
  // One step back. An Error: there is none, or the world did not do the same again.
  Result<void> back();

  const ShortForm& way() const { return way_; }
  // Whether go() need not start again.
  bool leads_to(const ShortForm& form) const;
  uint32_t initial_count() { return world_->initial_count(); }
  // Empty once a handler has failed.
  const std::vector<Action>& enabled() const { return enabled_; }
  // Whether enabled action number `index` keeps the run alive.
  bool progress(uint32_t index) const { return progress_[index]; }
  bool terminal() const { return terminal_; }
  const std::string& failure() const { return failure_; }  // empty: no handler has failed
  // What the subject cannot say of the state as it is now, or of the last step; "": it says all.
  const std::string& trouble() const { return trouble_; }
  bool within() { return over() || world_->within(); }
  const Snapshot& state() const { return recorder_.snapshot(); }
  const std::optional<Snapshot>& before() const { return before_; }  // the state one step ago

  struct Verdict {
    Property property;
    bool violated = false;
    bool reached = false;  // `sometimes` only
    Outcome outcome = true;
  };
  // Of every property, in the state as it is now.
  const std::vector<Verdict>& verdicts() const { return verdicts_; }

  // The run so far. Its verdict is about the state as it is now.
  const Trace& trace() const { return recorder_.trace(); }
  // What the trace is to say besides: under which scenario, and whether faults were free.
  void label(const std::string& scenario, bool free_faults) {
    recorder_.trace().scenario = scenario;
    recorder_.trace().free_faults = free_faults;
  }

 private:
  bool over() const { return !failure_.empty(); }
  Result<void> reset(uint32_t initial);
  Result<void> step(uint32_t index);
  void look();
  void list_actions();
  void judge();

  std::unique_ptr<World> world_;
  Recorder recorder_;
  bool started_ = false;
  ShortForm way_;
  std::vector<Action> enabled_;
  std::vector<bool> progress_;
  bool terminal_ = false;
  std::string failure_;
  std::string trouble_;
  std::optional<Snapshot> before_;
  std::vector<Verdict> verdicts_;
};

}  // namespace ordeal::explore
