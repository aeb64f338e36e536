// Walk: one run through a world, taken by hand. Remembers the way, so that it can go back: worlds
// only run forward, hence going back is running again from the start.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "ordeal/check.h"
#include "ordeal/world.h"

namespace ordeal::cli {

class Walk {
 public:
  explicit Walk(const Checkable& subject);

  // To the end of this run. An Error: a choice that does not exist; the walk is then where that
  // choice was asked for.
  Result<void> go(const ShortForm& form);
  // Takes enabled action number `index`. An Error: there is no such action.
  Result<void> take(uint32_t index);
  // One step back. An Error: there is none, or the world did not do the same again.
  Result<void> back();

  const ShortForm& way() const { return way_; }
  uint32_t initial_count() { return world_->initial_count(); }
  // Empty once a handler has failed.
  const std::vector<Action>& enabled() const { return enabled_; }
  bool terminal() const { return terminal_; }
  const std::string& failure() const { return failure_; }  // empty: no handler has failed
  bool within() { return over() || world_->within(); }
  const Snapshot& state() const { return state_; }
  const std::optional<Snapshot>& before() const { return before_; }  // the state one step ago

  struct Verdict {
    Property property;
    bool violated = false;
    bool reached = false;  // `sometimes` only
    Outcome outcome = true;
  };
  // Of every property, in the state as it is now.
  const std::vector<Verdict>& verdicts() const { return verdicts_; }

 private:
  bool over() const { return !failure_.empty(); }
  Result<void> reset(uint32_t initial);
  void look();

  std::unique_ptr<World> world_;
  ShortForm way_;
  std::vector<Action> enabled_;
  std::vector<bool> progress_;
  bool terminal_ = false;
  std::string failure_;
  Snapshot state_;
  std::optional<Snapshot> before_;
  std::vector<Verdict> verdicts_;
};

}  // namespace ordeal::cli
