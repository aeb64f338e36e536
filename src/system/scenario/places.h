// Places: which of several equal messages is meant, where links keep the order of messages. In a
// bag nothing tells equal messages apart; in a queue their places do, the number of messages before
// each.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "ordeal/event.h"

namespace ordeal::monitor {

using Link = std::pair<int, int>;  // from, to

inline Link link_of(const Offer& offer) { return {offer.from.value, offer.node.value}; }

// Where the messages are that a step announced, while filters decide about one after the other.
class Places {
 public:
  static constexpr int kNone = -1;  // in no queue: any of those that are equal

  // Of a system whose links keep no order.
  Places() = default;
  // `pending`: all that is on its way after the step, before filters change it.
  Places(std::span<const Event> events, std::span<const Event> pending);

  // The place of what event number `index` announces, after what was done about those before it.
  int of(size_t index) const;
  // The message of that event is gone, or there are so many more of it right behind it.
  void change(const Event& event, int by);

 private:
  std::vector<int> places_;    // by event
  std::vector<Link> links_;    // by event
  std::map<Link, int> moved_;  // by how much those behind have moved
};

}  // namespace ordeal::monitor
