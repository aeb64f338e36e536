#include "explore/dpor/dpor_tree.h"

namespace ordeal::explore {

long Sequence::weak_initial(uint64_t key) const {
  for (size_t i = 0; i < keys.size(); ++i) {
    if (keys[i] == key) return static_cast<long>(i);
    const Act* mine = places[i]->find(key);
    const Act* step = places[i]->find(keys[i]);
    if (mine == nullptr || step == nullptr || !independent(mine->touch, step->touch)) return -1;
  }
  return static_cast<long>(keys.size());
}

void WakeTree::insert(Sequence sequence, std::vector<Branch>& tree) {
  std::vector<Branch>* branches = &tree;
  std::vector<uint64_t>& keys = sequence.keys;
  size_t used = 0;
  for (;;) {
    Branch* match = nullptr;
    long position = -1;
    for (Branch& branch : *branches) {
      position = sequence.weak_initial(branch.key);
      if (position < 0) continue;
      match = &branch;
      break;
    }
    if (match == nullptr) break;
    const Place* at = sequence.places.front();
    if (position < static_cast<long>(keys.size())) keys.erase(keys.begin() + position);
    if (match->below.empty() || keys.empty()) return;
    branches = &match->below;
    if (position == 0) {
      sequence.places.erase(sequence.places.begin());
      continue;
    }
    // Below the branch, the rest of the sequence has places of its own.
    sequence.places.assign(1, &step(*at, match->key, used));
    for (size_t i = 0; i + 1 < keys.size(); ++i) {
      sequence.places.push_back(&step(*sequence.places.back(), keys[i], used));
    }
  }
  for (uint64_t key : keys) {
    branches->push_back({key, {}});
    branches = &branches->back().below;
  }
}

const Place& WakeTree::step(const Place& from, uint64_t key, size_t& used) {
  if (used == pool_.size()) pool_.emplace_back();
  Place& next = pool_[used++];
  const Act* act = from.find(key);
  if (act == nullptr || act->is_end()) {
    next = from;
  } else {
    steps_.take(from, *act, next);
  }
  return next;
}

}  // namespace ordeal::explore
