#include <algorithm>

#include "base/hash.h"
#include "base/mutant.h"
#include "monitor/cards.h"
#include "ordeal/scenario_context.h"

namespace ordeal {
namespace {

uint64_t hash_of(const Offer& offer) {
  uint64_t hash = combine(static_cast<uint64_t>(offer.kind), offer.content);
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

int ScenarioContext::part(const std::string& partition, NodeId node) const {
  const auto parts = cards_->parts.find(partition);
  if (parts == cards_->parts.end()) return -1;
  const auto at = parts->second.find(node);
  return at == parts->second.end() ? -1 : at->second;
}

void ScenarioContext::fire(NodeId node, const std::string& timer) {
  wish_.next.push_back({ActionKind::kTimer, node, -1, value::Any::of(timer).hash()});
}

uint64_t ScenarioContext::hash(uint64_t seed) const {
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
    add(hash_of({ActionKind::kDeliver, message.to, message.from, message.payload.hash()}));
  }
  add(kept_.size());
  for (const auto& [name, kept] : kept_) {
    add(value::hash(name));
    add(kept.hash());
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
    add(hash_of(hidden.offer));
    add(value::hash(hidden.set));
    add(hidden.remaining);
  }
  add(next_.size());
  for (const Next& next : next_) {
    add(mutant(Mutant::kNextNotHashed) ? 0 : hash_of(next.offer));
    add(next.filter);  // or which filter acted in vain would depend on who came here first
  }
  add(script_);
  return hash;
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
