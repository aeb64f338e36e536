#include "system/scenario/places.h"

namespace ordeal::monitor {

Places::Places(std::span<const Event> events, std::span<const Event> pending) {
  std::map<Link, int> lengths;
  for (const Event& event : pending) {
    if (event.kind == EventKind::kSend) ++lengths[link_of(event.offer())];
  }
  std::map<Link, int> announced;
  for (const Event& event : events) {
    if (event.kind == EventKind::kSend) ++announced[link_of(event.offer())];
  }
  // What is sent goes to the end. Only a copy that a fault makes does not: it is right behind the
  // oldest.
  const bool is_copy = !events.empty() && events[0].kind == EventKind::kDuplicate;
  for (const Event& event : events) {
    const bool is_message = event.kind == EventKind::kSend;
    const Link link = is_message ? link_of(event.offer()) : Link(-1, -1);
    links_.push_back(link);
    places_.push_back(!is_message ? kNone : is_copy ? 1 : lengths[link] - announced[link]--);
  }
}

int Places::of(size_t index) const {
  if (index >= places_.size() || places_[index] == kNone) return kNone;
  const auto moved = moved_.find(links_[index]);
  return places_[index] + (moved == moved_.end() ? 0 : moved->second);
}

void Places::change(const Event& event, int by) {
  if (!places_.empty() && event.kind == EventKind::kSend) moved_[link_of(event.offer())] += by;
}

}  // namespace ordeal::monitor
