#include <algorithm>

#include "base/guard.h"
#include "base/hash.h"
#include "base/mutant.h"
#include "ordeal/scenario_context.h"
#include "system/scenario/cards.h"

namespace ordeal {
namespace {

// What values are known by.
struct ByHash {
  static constexpr bool kAll = true;
  static uint64_t of(const value::Any& value) { return value.hash(); }
  static uint64_t of(const Offer& offer) { return offer.content; }
};
struct ByDigest {
  static constexpr bool kAll = false;  // places and steps: older traces know nothing of them
  static uint64_t of(const value::Any& value) { return value.digest(); }
  static uint64_t of(const Offer& offer) { return offer.digest; }
};

template <class By>
uint64_t hash_of(const Offer& offer, By) {
  uint64_t hash = combine(static_cast<uint64_t>(offer.kind), By::of(offer));
  hash = combine(hash, static_cast<uint64_t>(offer.node.value));
  return combine(hash, static_cast<uint64_t>(offer.from.value));
}

}  // namespace

int64_t ScenarioContext::counter(const std::string& name) const {
  const auto at = counters_.find(name);
  return at == counters_.end() ? 0 : at->second;
}

size_t ScenarioContext::set_size(const std::string& name) const {
  return static_cast<size_t>(std::count_if(
      hidden_.begin(), hidden_.end(),
      [&](const Hidden& hidden) { return hidden.remaining == 0 && hidden.set == name; }));
}

bool ScenarioContext::in_set(const std::string& name, const Offer& offer) const {
  return std::any_of(hidden_.begin(), hidden_.end(), [&](const Hidden& hidden) {
    return hidden.remaining == 0 && hidden.set == name && hidden.offer == offer;
  });
}

const Message* ScenarioContext::recorded(const std::string& label) const {
  const auto at = recorded_.find(label);
  return at == recorded_.end() ? nullptr : &at->second;
}

NodeId ScenarioContext::drawn(const std::string& name) const {
  const auto at = cards_->nodes.find(name);
  return at == cards_->nodes.end() ? NodeId(-1) : at->second;
}

uint32_t ScenarioContext::drawn_number(const std::string& name) const {
  const auto at = cards_->numbers.find(name);
  if (at == cards_->numbers.end()) {
    throw Failure("no number called \"" + name + "\" is drawn; declare it with draw_number()");
  }
  return at->second;
}

int ScenarioContext::part(const std::string& partition, NodeId node) const {
  const auto parts = cards_->parts.find(partition);
  if (parts == cards_->parts.end()) return -1;
  const auto at = parts->second.find(node);
  return at == parts->second.end() ? -1 : at->second;
}

void ScenarioContext::fire(NodeId node, const std::string& timer) {
  wish_.next.push_back(offer_of(ActionKind::kTimer, node, -1, value::Any::of(timer)));
}

uint64_t ScenarioContext::hash(uint64_t seed) const { return hash_by(seed, ByHash()); }
uint64_t ScenarioContext::digest() const { return hash_by(1, ByDigest()); }

template <class By>
uint64_t ScenarioContext::hash_by(uint64_t seed, const By& by) const {
  uint64_t hash = seed;
  const auto add = [&](uint64_t word) { hash = combine(hash, word); };
  add(counters_.size());
  for (const auto& [name, count] : counters_) {
    if (mutant(Mutant::kCountersNotHashed)) continue;
    add(value::hash(name));
    add(static_cast<uint64_t>(count));
  }
  add(recorded_.size());
  for (const auto& [label, message] : recorded_) {
    add(value::hash(label));
    add(hash_of(offer_of(ActionKind::kDeliver, message.to, message.from, message.payload), by));
  }
  add(kept_.size());
  for (const auto& [name, kept] : kept_) {
    add(value::hash(name));
    add(By::of(kept));
  }
  if (!mutant(Mutant::kMachineNotHashed)) add(machine_);
  if (!mutant(Mutant::kDrawNotHashed)) add(draw_);
  if (!mutant(Mutant::kSpentNotHashed)) {
    add(spent_.size());
    for (uint32_t spent : spent_) add(spent);
  }
  if (!mutant(Mutant::kHiddenNotHashed)) add(hidden_.size());
  for (const Hidden& hidden : hidden_) {
    if (mutant(Mutant::kHiddenNotHashed)) continue;
    add(hash_of(hidden.offer, by));
    add(value::hash(hidden.set));
    add(hidden.remaining);
    if (By::kAll) add(hidden.place);
  }
  add(next_.size());
  for (const Next& next : next_) {
    add(mutant(Mutant::kNextNotHashed) ? 0 : hash_of(next.offer, by));
    if (By::kAll) add(next.place);
    add(next.filter);  // or which filter acted in vain would depend on who came here first
  }
  add(script_);
  if (By::kAll) add(static_cast<uint64_t>(steps_) << 32 | lost_line_);
  return hash;
}

void ScenarioContext::write(std::string& bytes) const {
  value::write(counters_, bytes);
  ordeal::detail::write_length(recorded_.size(), bytes);
  for (const auto& [label, message] : recorded_) {
    value::write(label, bytes);
    value::write(message.from, bytes);
    value::write(message.to, bytes);
    value::write_any(message.payload, bytes);
  }
  ordeal::detail::write_length(kept_.size(), bytes);
  for (const auto& [name, kept] : kept_) {
    value::write(name, bytes);
    value::write_any(kept, bytes);
  }
  for (const uint32_t number : {machine_, draw_, script_, steps_, lost_line_}) {
    value::write(number, bytes);
  }
  value::write(spent_, bytes);
  ordeal::detail::write_length(hidden_.size(), bytes);
  for (const Hidden& hidden : hidden_) {
    value::write(hidden.offer, bytes);
    value::write(hidden.set, bytes);
    value::write(hidden.remaining, bytes);
    value::write(hidden.place, bytes);
  }
  ordeal::detail::write_length(next_.size(), bytes);
  for (const Next& next : next_) {
    value::write(next.offer, bytes);
    value::write(next.filter, bytes);
    value::write(next.place, bytes);
  }
}

bool ScenarioContext::read(std::string_view& bytes) {
  *this = {};
  const auto length = [&](uint64_t& count) {
    return ordeal::detail::read_length(bytes, count) && count <= bytes.size();
  };
  uint64_t count = 0;
  if (!value::read(bytes, counters_) || !length(count)) return false;
  for (uint64_t i = 0; i < count; ++i) {
    std::string label;
    Message message;
    if (!value::read(bytes, label) || !value::read(bytes, message.from) ||
        !value::read(bytes, message.to) || !value::read_any(bytes, message.payload)) {
      return false;
    }
    recorded_[label] = std::move(message);
  }
  if (!length(count)) return false;
  for (uint64_t i = 0; i < count; ++i) {
    std::string name;
    if (!value::read(bytes, name) || !value::read_any(bytes, kept_[name])) return false;
  }
  for (uint32_t* number : {&machine_, &draw_, &script_, &steps_, &lost_line_}) {
    if (!value::read(bytes, *number)) return false;
  }
  if (!value::read(bytes, spent_) || !length(count)) return false;
  for (uint64_t i = 0; i < count; ++i) {
    Hidden& hidden = hidden_.emplace_back();
    if (!value::read(bytes, hidden.offer) || !value::read(bytes, hidden.set) ||
        !value::read(bytes, hidden.remaining) || !value::read(bytes, hidden.place)) {
      return false;
    }
  }
  if (!length(count)) return false;
  for (uint64_t i = 0; i < count; ++i) {
    Next& next = next_.emplace_back();
    if (!value::read(bytes, next.offer) || !value::read(bytes, next.filter) ||
        !value::read(bytes, next.place)) {
      return false;
    }
  }
  return true;
}

uint64_t ScenarioContext::owned_bytes() const {
  uint64_t sum = value::owned_bytes(counters_) + value::owned_bytes(spent_);
  const auto node = [](const auto& entry) {
    return detail::allocated(4 * sizeof(void*) + sizeof entry) + value::owned_bytes(entry.first);
  };
  for (const auto& entry : recorded_) sum += node(entry) + entry.second.payload.bytes_once();
  for (const auto& entry : kept_) sum += node(entry) + entry.second.bytes_once();
  sum += detail::allocated(hidden_.capacity() * sizeof(Hidden));
  for (const Hidden& hidden : hidden_) sum += value::owned_bytes(hidden.set);
  return sum + detail::allocated(next_.capacity() * sizeof(Next));
}

}  // namespace ordeal
