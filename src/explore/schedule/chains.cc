#include "explore/schedule/chains.h"

#include <algorithm>

#include "base/mutant.h"

namespace ordeal::explore {

void join_clocks(Clock& clock, const Clock& other) {
  if (clock.size() < other.size()) clock.resize(other.size(), 0);
  for (size_t i = 0; i < other.size(); ++i) clock[i] = std::max(clock[i], other[i]);
}

void add_to(Clock& clock, const Chains::Place& place) {
  if (clock.size() <= place.chain) clock.resize(place.chain + 1, 0);
  clock[place.chain] = std::max(clock[place.chain], place.position + 1);
}

bool Chains::fits(const Clock& past, uint32_t chain) const {
  if (mutant(Mutant::kChainsIgnoreCauses)) return true;
  return chain < past.size() && past[chain] == lengths_[chain];
}

std::vector<Chains::Way> Chains::ways(const Clock& past) const {
  std::vector<Way> out;
  size_t before = 0;  // how many chains of the group before fit
  for (size_t i = 0; i < groups_.size(); ++i) {
    const size_t first = out.size();
    for (const uint32_t chain : groups_[i]) {
      if (fits(past, chain)) out.push_back({i, chain, before == 0});
    }
    const size_t here = out.size() - first;
    // With one that fits in the group before it cannot go there; with another one in its own group
    // it cannot stay.
    if (before > 0 && here > 1) out.resize(first);
    before = here;
  }
  return out;
}

void Chains::move_into(size_t group, uint32_t chain) {
  if (group > 0 && !mutant(Mutant::kGroupsStay)) std::swap(groups_[group - 1], groups_[group]);
  groups_[group].push_back(chain);
}

Chains::Place Chains::add(const Clock& past, const Draw& draw) {
  const std::vector<Way> possible = ways(past);
  if (!possible.empty()) {
    const Way& way = possible[possible.size() == 1 ? 0 : draw(possible.size())];
    if (way.moves) {
      std::erase(groups_[way.group], way.chain);
      move_into(way.group, way.chain);
    }
    return {way.chain, lengths_[way.chain]++};
  }
  size_t group = 0;
  while (group < groups_.size() && groups_[group].size() > group) ++group;
  if (group == groups_.size()) groups_.emplace_back();
  lengths_.push_back(1);
  move_into(group, count() - 1);
  return {count() - 1, 0};
}

}  // namespace ordeal::explore
