#include "explore/schedule/priorities.h"

#include <algorithm>
#include <utility>

#include "base/mutant.h"

namespace ordeal::explore {

std::vector<uint64_t> draw_points(uint64_t count, uint64_t bound, const Draw& draw) {
  std::vector<uint64_t> points;
  std::vector<uint64_t> sorted;
  while (points.size() < std::min(count, bound)) {
    // One of those that are left, by its place among them.
    uint64_t point = draw(mutant(Mutant::kPointsRepeat) ? bound : bound - points.size());
    for (const uint64_t taken : sorted) {
      if (taken > point || mutant(Mutant::kPointsRepeat)) break;
      ++point;
    }
    points.push_back(point);
    sorted.insert(std::upper_bound(sorted.begin(), sorted.end(), point), point);
  }
  return points;
}

void Priorities::add(const Draw& draw) {
  const uint32_t rank =
      mutant(Mutant::kNewChainsLast) ? size() : static_cast<uint32_t>(draw(ranks_.size() + 1));
  for (uint32_t& other : ranks_) {
    if (other >= rank) ++other;
  }
  ranks_.push_back(rank);
  lowered_.push_back(0);
}

void Priorities::lower(uint32_t who, uint32_t point) {
  if (mutant(Mutant::kPointsSwap)) {
    std::swap(ranks_[who], ranks_[(who + 1) % size()]);
    return;
  }
  lowered_[who] = point + 1;
}

}  // namespace ordeal::explore
