#include "explore/schedule/pctcp.h"

#include <numeric>
#include <utility>

#include "base/mutant.h"

namespace ordeal::explore {

Pctcp::Pctcp(uint32_t depth, uint64_t events, Draw draw) : draw_(std::move(draw)) {
  if (depth > 1) points_ = draw_points(depth - 1, events, draw_);
}

void Pctcp::add(uint32_t count, const std::function<const Clock&(uint32_t)>& past) {
  const uint32_t first = size();
  places_.resize(first + count);
  std::vector<uint32_t> order(count);
  std::iota(order.begin(), order.end(), first);
  for (uint32_t i = count; i > 1; --i) std::swap(order[i - 1], order[draw_(i)]);
  for (const uint32_t event : order) {
    places_[event] = chains_.add(past(event), draw_);
    const uint32_t chain = places_[event].chain;
    if (places_[event].is_first()) priorities_.add(draw_);
    for (uint32_t i = 0; i < points_.size(); ++i) {
      // All of the chain before is in the event's past and done: from here on the chain waits.
      if (points_[i] == joined_ && !mutant(Mutant::kPointsDoNothing)) priorities_.lower(chain, i);
    }
    ++joined_;
  }
}

}  // namespace ordeal::explore
