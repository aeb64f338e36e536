// Chains: a partial order of events, split into chains while it grows.
//
// Events are added one by one, each with its causal past, and no event is added before one of its
// past: the order only grows upwards. At most w(w+1)/2 chains are made, where w is the width of the
// order (Agarwal, Garg: Efficient dependency tracking for relevant events in concurrent systems,
// 2007); no method that sees one event at a time does with fewer (Felsner: On-line chain partitions
// of orders, 1997).
//
// There, an event goes to the first chain that it fits. Here, where it fits several, one of them is
// drawn: what comes when depends on the schedule, and so would the chains of a fixed rule, which
// can be such that an event's chain is never the one that waits (guarantee_test.cc has an order of
// five events where this is so).
#pragma once

#include <cstdint>
#include <vector>

#include "explore/schedule/priorities.h"

namespace ordeal::explore {

// A set of events that holds with every event its past: by chain, how many of its first events.
// Chains beyond the end have none in it.
using Clock = std::vector<uint32_t>;

void join_clocks(Clock& clock, const Clock& other);

class Chains {
 public:
  struct Place {
    uint32_t chain = 0;
    uint32_t position = 0;  // in the chain, from 0
    bool is_first() const { return position == 0; }
  };

  // REQUIRES: `past` holds events that were added before, and with each its past.
  Place add(const Clock& past, const Draw& draw);

  uint32_t count() const { return static_cast<uint32_t>(lengths_.size()); }
  void clear() {
    lengths_.clear();
    groups_.clear();
  }

 private:
  // A way to lengthen a chain that keeps what is said of groups_.
  struct Way {
    size_t group = 0;
    uint32_t chain = 0;
    bool moves = false;
  };

  // Whether an event with this past may go to the end of the chain.
  bool fits(const Clock& past, uint32_t chain) const;
  std::vector<Way> ways(const Clock& past) const;
  // Puts the chain, which is in no group and whose last event is not ordered with any of the group
  // before, with those; what was in its group fits into the smaller one.
  void move_into(size_t group, uint32_t chain);

  std::vector<uint32_t> lengths_;  // by chain
  // Group i holds at most i + 1 chains, and no two of their last events are ordered.
  std::vector<std::vector<uint32_t>> groups_;
};

// Adds the event at `place` to a clock.
void add_to(Clock& clock, const Chains::Place& place);

}  // namespace ordeal::explore
