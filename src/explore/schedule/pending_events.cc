#include "explore/schedule/pending_events.h"

#include <algorithm>

#include "base/mutant.h"

namespace ordeal::explore {
namespace {

uint64_t name_of(const Offer& offer) {
  const uint64_t nodes = static_cast<uint64_t>(static_cast<uint32_t>(offer.node.value)) << 32 |
                         static_cast<uint32_t>(offer.from.value);
  // Which way the network splits is a choice.
  const uint64_t content = offer.kind == ActionKind::kPartition ? 0 : offer.content;
  return combine(combine(static_cast<uint64_t>(offer.kind), nodes), content);
}

}  // namespace

int place_of(ActionKind kind, const Offer& offer) {
  switch (kind) {
    case ActionKind::kDrop:
    case ActionKind::kDuplicate:
    case ActionKind::kPartition:
    case ActionKind::kHeal:
      return PendingEvents::kNowhere;
    default:
      return offer.node.value;
  }
}

void PendingEvents::clear() {
  waiting_.clear();
  names_.clear();
  seen_.clear();
  now_ = 0;
  has_step_ = false;
}

void PendingEvents::take(World& world, uint32_t index) {
  has_step_ = true;
  taken_ = event_at_[index];
  taken_at_ = place_of(world.enabled()[index].kind, world.offer(index));
  if (!mutant(Mutant::kCopiesShareAnEvent)) waiting_.erase(names_[taken_]);
}

void PendingEvents::arrive(World& world) {
  ++now_;
  enabled_.clear();
  fresh_.clear();
  event_at_.clear();
  const uint32_t count = static_cast<uint32_t>(world.enabled().size());
  for (uint32_t i = 0; i < count; ++i) {
    const uint64_t name = name_of(world.offer(i));
    const auto [known, is_new] = waiting_.emplace(name, size());
    if (is_new) {
      fresh_.push_back(size());
      names_.push_back(name);
      seen_.push_back(0);
    }
    const uint32_t event = known->second;
    if (seen_[event] != now_) enabled_.push_back(event);
    seen_[event] = now_;
    event_at_.push_back(event);
  }
}

uint32_t PendingEvents::any_action(uint32_t event, Rng& rng) const {
  const auto count = std::count(event_at_.begin(), event_at_.end(), event);
  uint64_t left = count == 1 ? 0 : rng.below(static_cast<uint64_t>(count));
  for (uint32_t i = 0;; ++i) {
    if (event_at_[i] == event && left-- == 0) return i;
  }
}

}  // namespace ordeal::explore
