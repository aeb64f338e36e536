// PendingEvents: what waits to happen in a run, recognised from state to state.
//
// Schedulers that give priorities to events need to know that what is enabled now is what was
// enabled before. An event is what an action is about (World::offer()): a message, a timer, a
// request, a fault. Actions about the same thing are alternatives of one event: the answers of
// choose(n) in its handler; delivering, dropping and duplicating one message; which way the network
// splits. An event gets its number when it is first enabled, and keeps it until one of its actions
// is taken, also where it is not enabled in between (its node is down, a partition is in the way).
// What is still there after it was taken is a new event: the next of several equal messages.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "base/rng.h"
#include "ordeal/world.h"

namespace ordeal::explore {

class PendingEvents {
 public:
  // Where an action happens, after all that happened there before: a node's id; kNowhere for what
  // happens in the network; -1 is all of a raw model.
  static constexpr int kNowhere = -2;

  // Begins a new run.
  void clear();
  // REQUIRES: arrive() was called in this state.
  void take(World& world, uint32_t index);
  // Looks at what is enabled now.
  void arrive(World& world);

  // The numbers of the events that are enabled, in the order in which enabled() names them first.
  const std::vector<uint32_t>& enabled() const { return enabled_; }
  // Those of them that were not known before, in ascending order without gaps.
  const std::vector<uint32_t>& fresh() const { return fresh_; }
  // How many events there have been.
  uint32_t size() const { return static_cast<uint32_t>(names_.size()); }

  // The event of action number `index` of the state.
  uint32_t event_at(uint32_t index) const { return event_at_[index]; }
  // One of the actions of an event that is enabled, each with the same probability.
  uint32_t any_action(uint32_t event, Rng& rng) const;

  // The last step. REQUIRES: there was one in this run.
  bool has_step() const { return has_step_; }
  uint32_t taken() const { return taken_; }
  int taken_at() const { return taken_at_; }

 private:
  std::unordered_map<uint64_t, uint32_t> waiting_;  // the number of the event, by name
  std::vector<uint64_t> names_;                     // by event
  std::vector<uint32_t> seen_;                      // by event: when last enabled
  std::vector<uint32_t> event_at_;
  std::vector<uint32_t> enabled_;
  std::vector<uint32_t> fresh_;
  uint32_t now_ = 0;
  bool has_step_ = false;
  uint32_t taken_ = 0;
  int taken_at_ = kNowhere;
};

// Where an action of this kind that is about `offer` happens.
int place_of(ActionKind kind, const Offer& offer);

}  // namespace ordeal::explore
