#include "system/actor/space.h"

#include <algorithm>
#include <map>
#include <optional>

#include "base/hash.h"
#include "base/mutant.h"
#include "ordeal/value.h"
#include "system/actor/declaration.h"
#include "system/actor/explorer.h"
#include "system/actor/handler_run.h"

namespace ordeal::actor {
namespace {

// Different kinds of things get different salts, so that a part and a message with the same
// content hash do not cancel out in the sum.
constexpr uint64_t kPartSalt = 0x51ed270b9f7c1a3dULL;
constexpr uint64_t kEventSalt = 0xa24baed4963ee407ULL;
constexpr uint64_t kEnvironmentSalt = 0x9fb21c651e98df25ULL;
constexpr uint64_t kHistorySalt = 0xd1b54a32d192ed03ULL;
constexpr uint64_t kSecondSalt = 0x2127599bf4325c37ULL;
constexpr uint64_t kQueueSalt = 0x8cb92ba72f3d8dd7ULL;

// Of a node, at most: who gives each timer another name has to wait for the table.
constexpr size_t kKnownTimers = 32;

bool equal_any(const value::Any& a, const value::Any& b) { return a.equal(b); }

bool equal_list(const std::vector<value::Any>& a, const std::vector<value::Any>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), equal_any);
}

bool equal_parts(const Part& a, const Part& b) {
  return a.node == b.node && a.up == b.up && equal_any(a.state, b.state) &&
         (equal_any(a.disk, b.disk) || mutant(Mutant::kDiskNotInIdentity)) &&
         value::equal(a.timers, b.timers) &&
         (equal_list(a.decisions, b.decisions) || mutant(Mutant::kDecisionsNotInIdentity));
}

// Of the same content as the first, by other means: parts and events that share the one do not
// share the other.
uint64_t second_hash_of(const Part& part) {
  uint64_t hash = combine(kSecondSalt, part.node * 2 + (part.up ? 1 : 0));
  hash = combine(hash, part.state.second_hash());
  hash = combine(hash, part.disk.second_hash());
  hash = combine(hash, value::second_hash(part.timers));
  hash = combine(hash, part.decisions.size());
  for (const value::Any& decision : part.decisions) hash = combine(hash, decision.second_hash());
  return mix64(hash);
}

uint64_t second_hash_of(const Event& event) {
  return mix64(combine(combine(kSecondSalt, static_cast<uint64_t>(event.kind)) +
                           static_cast<uint64_t>(event.from + 1) * 1024 +
                           static_cast<uint64_t>(event.to + 1),
                       event.payload.second_hash()));
}

}  // namespace

namespace {

// `of` is what the caller knows values by.
template <class Of>
uint64_t hash_of(const Part& part, uint64_t state, uint64_t timers, const Of& of) {
  uint64_t hash = combine(kPartSalt, part.node * 2 + (part.up ? 1 : 0));
  hash = combine(hash, state);
  if (!mutant(Mutant::kDiskNotInIdentity)) hash = combine(hash, of(part.disk));
  hash = combine(hash, timers);
  if (!mutant(Mutant::kDecisionsNotInIdentity)) {
    hash = combine(hash, part.decisions.size());
    for (const value::Any& decision : part.decisions) hash = combine(hash, of(decision));
  }
  return hash;
}

}  // namespace

uint64_t part_digest(const Part& part, uint64_t state_digest) {
  return hash_of(part, state_digest, value::hash(part.timers),
                 [](const value::Any& any) { return any.digest(); });
}

ActorSpace::ActorSpace(std::shared_ptr<const detail::Declaration> declaration,
                       std::vector<Property> properties)
    : declaration_(std::move(declaration)), properties_(std::move(properties)) {
  const auto& nodes = declaration_->nodes;
  part_count_ = static_cast<uint32_t>(nodes.size());
  peers_.resize(part_count_);
  groups_.resize(part_count_);
  may_crash_.resize(part_count_, false);
  timer_events_.resize(part_count_);
  for (uint32_t i = 0; i < part_count_; ++i) {
    if (!nodes[i].component) {
      ++node_count_;
      node_ids_.emplace_back(id_of(static_cast<int>(i)));
    }
    for (uint32_t j = 0; j < part_count_; ++j) {
      if (!detail::same_kind(*nodes[j].type, *nodes[i].type) ||
          nodes[i].component != nodes[j].component) {
        continue;
      }
      groups_[i].push_back(id_of(static_cast<int>(j)));
      if (i != j) peers_[i].push_back(id_of(static_cast<int>(j)));
    }
    for (const auto* list : {&nodes[i].type->messages, &nodes[i].type->requests}) {
      for (const auto& handler : *list) types_.push_back(handler.type);
    }
  }
  names_ = names_of(*declaration_);
  sorts_ = std::make_unique<Sorts>(*declaration_);
  std::sort(types_.begin(), types_.end(),
            [](const value::Type* a, const value::Type* b) { return a->name() < b->name(); });
  types_.erase(std::unique(types_.begin(), types_.end()), types_.end());
  for (const value::Type* type : types_) type_ranks_.push_back(find_rank(type));
  for (NodeId id : declaration_->may_crash) {
    const int position = position_of(id);
    if (position >= 0) may_crash_[position] = true;
  }
}

Result<std::string> ActorSpace::interprets() const {
  std::string out;
  for (const detail::NodeDeclaration& node : declaration_->nodes) {
    if (!node.type->made) continue;
    if (node.type->source.empty()) {
      return Error{"the node type " + node.type->name +
                   " was made at run time and does not say what it interprets: see "
                   "dynamic::NodeType::source"};
    }
    out += std::to_string(node.type->name.size()) + " " + node.type->name + " " +
           std::to_string(node.type->source.size()) + " " + node.type->source + "\n";
  }
  return out;
}

int ActorSpace::position_of(NodeId id) const {
  const int position = id.value - declaration_->first_id;
  return position >= 0 && position < static_cast<int>(part_count_) ? position : -1;
}

bool ActorSpace::cut_off(uint32_t partition, int a, int b) const {
  if (partition == 0 || a < 0 || b < 0 || is_component(a) || is_component(b)) return false;
  const std::vector<int>& blocks = declaration_->partitions[partition - 1];
  return blocks[a] != blocks[b];
}

uint32_t ActorSpace::type_rank(const value::Type* type) const {
  const auto at = std::find(types_.begin(), types_.end(), type);
  return at != types_.end() ? type_ranks_[static_cast<size_t>(at - types_.begin())]
                            : find_rank(type);
}

uint32_t ActorSpace::find_rank(const value::Type* type) const {
  // Types that no node handles fail when they are delivered; their order does not matter much, but
  // it must not depend on the process: those between two known ones share a rank, content decides.
  const auto at = std::lower_bound(
      types_.begin(), types_.end(), type,
      [](const value::Type* a, const value::Type* b) { return a->name() < b->name(); });
  const bool known = at != types_.end() && (*at)->name() == type->name();
  return 2 * static_cast<uint32_t>(at - types_.begin()) + (known ? 1 : 0);
}

uint32_t ActorSpace::intern_part(Part part) {
  const uint64_t timers = value::hash(part.timers);
  part.hash =
      hash_of(part, part.state.hash(), timers, [](const value::Any& any) { return any.hash(); });
  part.mixed = mix64(part.hash);
  part.second = keeps_second_.load(std::memory_order_relaxed) ? second_hash_of(part) : 0;
  part.digest = hash_of(part, part.state.digest(), timers,
                        [](const value::Any& any) { return any.digest(); });
  part.timer_events.clear();
  for (const Timer& timer : part.timers) {
    part.timer_events.push_back(timer_event(part.node, timer.name));
  }
  if (!part.timers.empty()) any_timers_.store(true, std::memory_order_relaxed);
  const uint64_t hash = part.hash;
  return parts_.intern(hash, std::move(part), equal_parts);
}

uint32_t ActorSpace::timer_event(uint32_t node, const std::string& name) {
  const auto known = [&]() -> std::optional<uint32_t> {
    for (const auto& [other, event] : timer_events_[node]) {
      if (other == name) return event;
    }
    return std::nullopt;
  };
  {
    const std::shared_lock lock(timers_mutex_);
    if (const auto event = known()) return *event;
  }
  const uint32_t event =
      intern_event(ActionKind::kTimer, -1, static_cast<int>(node), value::Any::of(name));
  const std::unique_lock lock(timers_mutex_);
  if (!known() && timer_events_[node].size() < kKnownTimers) {
    timer_events_[node].emplace_back(name, event);
  }
  return event;
}

uint32_t ActorSpace::intern_event(ActionKind kind, int from, int to, const value::Any& payload) {
  Event event;
  event.kind = kind;
  event.from = static_cast<int16_t>(from);
  event.to = static_cast<int16_t>(to);
  event.payload = payload;
  event.sort = sorts_->of_event(kind, from, to, payload);
  uint64_t place = combine(kEventSalt, static_cast<uint64_t>(kind));
  place = combine(place, static_cast<uint64_t>(from + 1));
  place = combine(place, static_cast<uint64_t>(to + 1));
  event.hash = payload.empty() ? place : combine(place, payload.hash());
  event.digest = payload.empty() ? place : combine(place, payload.digest());
  event.mixed = mix64(event.hash);
  event.second = keeps_second_.load(std::memory_order_relaxed) ? second_hash_of(event) : 0;
  const uint64_t rank = payload.empty() ? 0 : std::min<uint64_t>(type_rank(payload.type()), 0xfff);
  event.key = static_cast<uint64_t>(to + 1) << 54 | static_cast<uint64_t>(from + 1) << 44 |
              static_cast<uint64_t>(kind) << 40 | rank << 28 | event.digest >> 36;
  const uint64_t hash = event.hash;
  return events_.intern(hash, std::move(event), [](const Event& a, const Event& b) {
    return a.kind == b.kind && a.from == b.from && a.to == b.to && equal_any(a.payload, b.payload);
  });
}

uint32_t ActorSpace::intern_environment(Environment environment) {
  const uint64_t hash = value::hash(environment);
  const uint64_t mixed =
      mutant(Mutant::kBudgetsNotInFingerprint) ? 0 : mix64(hash ^ kEnvironmentSalt);
  const uint64_t second = mix64(value::second_hash(environment) ^ kEnvironmentSalt);
  return environments_.intern(hash, EnvironmentEntry{mixed, second, std::move(environment)},
                              [](const EnvironmentEntry& a, const EnvironmentEntry& b) {
                                return value::equal(a.content, b.content);
                              });
}

uint32_t ActorSpace::intern_history(History history) {
  const uint64_t hash = history.hash();
  const uint64_t mixed = mutant(Mutant::kHistoryNotInFingerprint) ? 0 : mix64(hash ^ kHistorySalt);
  const uint64_t second = mix64(history.second_hash() ^ kHistorySalt);
  const uint64_t digest = mix64(history.digest() ^ kHistorySalt);
  return histories_.intern(
      hash, HistoryEntry{mixed, second, digest, std::move(history)},
      [](const HistoryEntry& a, const HistoryEntry& b) { return a.content == b.content; });
}

uint32_t ActorSpace::intern_ops(HistoryOps ops) {
  uint64_t hash = ops.ops.size();
  for (const HistoryOp& op : ops.ops) {
    hash = combine(hash, static_cast<uint64_t>(op.client.value) * 2 + (op.is_return ? 1 : 0));
    hash = combine(hash, op.operation.hash());
  }
  return 1 + ops_.intern(hash, std::move(ops), [](const HistoryOps& a, const HistoryOps& b) {
    return std::equal(a.ops.begin(), a.ops.end(), b.ops.begin(), b.ops.end(),
                      [](const HistoryOp& x, const HistoryOp& y) {
                        return x.client == y.client && x.is_return == y.is_return &&
                               equal_any(x.operation, y.operation);
                      });
  });
}

bool ActorSpace::before_by_content(const Event& x, const Event& y) const {
  if (x.digest != y.digest) return x.digest < y.digest;
  return x.payload.compare(y.payload) == std::strong_ordering::less;
}

uint64_t ActorSpace::pending_share(const Event& event, uint64_t place) const {
  const bool queued =
      declaration_->network == Network::kOrdered && event.kind == ActionKind::kDeliver;
  return queued ? mix64(event.hash + (place + 1) * kQueueSalt) : event.mixed;
}

// Adds up what the pending events share in. `plain` is an event's share, `queued` that of a message
// with so many before it in its queue: there the place counts.
template <class Plain, class Queued>
uint64_t ActorSpace::sum_pending(StateRef state, const Plain& plain, const Queued& queued) const {
  uint64_t sum = 0;
  uint64_t place = 0;
  const uint32_t first = kFirstPart + part_count_;
  for (uint32_t i = first; i < state.size(); ++i) {
    const Event& event = events_[state[i]];
    if (declaration_->network != Network::kOrdered || event.kind != ActionKind::kDeliver) {
      sum = mutant(Mutant::kXorInsteadOfSum) ? sum ^ plain(event) : sum + plain(event);
      continue;
    }
    place = i > first && same_queue(events_[state[i - 1]], event) ? place + 1 : 0;
    if (mutant(Mutant::kQueuesUnordered)) place = 0;
    sum += queued(event, place);
  }
  return sum;
}

uint64_t ActorSpace::fingerprint(StateRef state) const {
  uint64_t sum =
      environments_[state[kEnvironmentWord]].mixed + histories_[state[kHistoryWord]].mixed;
  for (uint32_t i = 0; i < part_count_; ++i) sum += parts_[state[kFirstPart + i]].mixed;
  return sum +
         sum_pending(
             state, [](const Event& event) { return event.mixed; },
             [this](const Event& event, uint64_t place) { return pending_share(event, place); });
}

uint64_t ActorSpace::second_of(const Part& part) const {
  return part.second != 0 ? part.second : second_hash_of(part);
}

uint64_t ActorSpace::second_of(const Event& event) const {
  return event.second != 0 ? event.second : second_hash_of(event);
}

uint64_t ActorSpace::second_fingerprint(StateRef state) const {
  if (!keeps_second_.load(std::memory_order_relaxed)) keeps_second_ = true;
  uint64_t sum =
      environments_[state[kEnvironmentWord]].second + histories_[state[kHistoryWord]].second;
  for (uint32_t i = 0; i < part_count_; ++i) sum += second_of(parts_[state[kFirstPart + i]]);
  return sum + sum_pending(
                   state, [this](const Event& event) { return second_of(event); },
                   [this](const Event& event, uint64_t place) {
                     return mix64(second_of(event) + (place + 1) * kQueueSalt);
                   });
}

uint64_t ActorSpace::pending_digest(StateRef state) const {
  return sum_pending(
      state, [](const Event& event) { return mix64(event.digest); },
      [](const Event& event, uint64_t place) {
        return mix64(event.digest + (place + 1) * kQueueSalt);
      });
}

uint64_t ActorSpace::digest(StateRef state) const {
  uint64_t sum =
      environments_[state[kEnvironmentWord]].mixed + histories_[state[kHistoryWord]].digest;
  for (uint32_t i = 0; i < part_count_; ++i) sum += mix64(parts_[state[kFirstPart + i]].digest);
  return sum + pending_digest(state);
}

const HandlerOutcomes* ActorSpace::outcomes(uint32_t part, uint32_t event, bool may_be_known) {
  const uint64_t key = static_cast<uint64_t>(part) << 32 | event;
  if (may_be_known) {
    if (const auto known = memo_.find(key)) return *known;
  }
  HandlerOutcomes ways = HandlerRun(*this, part, events_[event]).all();
  // As ActorExplorer skips them.
  const bool skipped =
      declaration_->skip_noops && declaration_->network != Network::kOrdered &&
      events_[event].kind == ActionKind::kDeliver &&
      std::all_of(ways.begin(), ways.end(), [](const HandlerOutcome& way) { return way.noop; });
  sorts_->ran(events_[event].sort, skipped);
  return remember(key, std::move(ways));
}

const HandlerOutcomes* ActorSpace::remember(uint64_t key, HandlerOutcomes outcomes) {
  // Kept once, although several threads may have found it out at the same time.
  return memo_.insert(key, [&] {
    const std::lock_guard lock(outcomes_mutex_);
    outcomes_.push_back(std::move(outcomes));
    outcomes_bytes_ += sizeof(HandlerOutcomes) + owned_bytes(outcomes_.back());
    return &outcomes_.back();
  });
}

Part ActorSpace::fresh_part(uint32_t position) const {
  Part part;
  part.node = position;
  const detail::NodeDeclaration& node = declaration_->nodes[position];
  part.state = node.make_value ? node.make_value(id_of(static_cast<int>(position)))
                               : value::Any::of(OpaqueState{});
  return part;
}

uint32_t ActorSpace::crashed_part(uint32_t id) {
  const Part& before = parts_[id];
  Part part = fresh_part(before.node);
  part.up = false;
  part.disk = before.disk;
  if (!mutant(Mutant::kDecisionsLost)) part.decisions = before.decisions;
  if (mutant(Mutant::kTimersSurvive)) part.timers = before.timers;
  return intern_part(std::move(part));
}

uint32_t ActorSpace::later_part(uint32_t id, uint32_t elapsed) {
  if (elapsed == 0 || parts_[id].timers.empty()) return id;
  Part part = parts_[id];
  for (Timer& timer : part.timers) timer.remaining -= std::min(timer.remaining, elapsed);
  return intern_part(std::move(part));
}

std::unique_ptr<Explorer> ActorSpace::explorer() {
  return std::make_unique<ActorExplorer>(shared_from_this());
}

std::string ActorSpace::find_collision() const {
  if (!collision_.empty()) return collision_;
  const auto say = [](const value::Any& a, const value::Any& b) {
    const auto one = [](const value::Any& any) {
      return any.empty() ? std::string("nothing")
                         : value::show(any.tree()) + " (a " + any.type()->full_name() + ")";
    };
    return one(a) + " and " + one(b);
  };
  if (const auto events = events_.collision()) {
    return say(events_[events->first].payload, events_[events->second].payload);
  }
  if (const auto parts = parts_.collision()) {
    const Part& a = parts_[parts->first];
    const Part& b = parts_[parts->second];
    for (size_t i = 0; i < std::min(a.decisions.size(), b.decisions.size()); ++i) {
      if (!a.decisions[i].equal(b.decisions[i])) return say(a.decisions[i], b.decisions[i]);
    }
    return say(a.state, b.state);
  }
  if (const auto histories = histories_.collision()) {
    return "the histories " + value::show(histories_[histories->first].content.tree()) + " and " +
           value::show(histories_[histories->second].content.tree());
  }
  return "";
}

SpaceStatistics ActorSpace::statistics() const {
  SpaceStatistics out;
  out.collision = find_collision();
  out.handler_calls = handler_calls_;
  out.bytes = parts_.bytes() + events_.bytes() + environments_.bytes() + histories_.bytes() +
              ops_.bytes() + memo_.bytes() + outcomes_bytes_;
  return out;
}

void ActorSpace::forget() {
  collision_ = find_collision();
  memo_.clear();
  outcomes_.clear();
  outcomes_bytes_ = 0;
  parts_.clear();
  events_.clear();
  for (auto& known : timer_events_) known.clear();
  environments_.clear();
  histories_.clear();
  ops_.clear();
  ++generation_;
}

}  // namespace ordeal::actor
