// ActorSpace: a declared system as a StateSpace. Holds what all threads share: interned values and
// the memo of handler calls. ActorExplorer (explorer.h) does the work of one thread.
#pragma once

#include <atomic>
#include <deque>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <string>
#include <utility>
#include <vector>

#include "base/intern.h"
#include "ordeal/system.h"
#include "ordeal/world.h"
#include "system/actor/memo.h"
#include "system/actor/parts.h"
#include "system/actor/sorts.h"
#include "world/type_names.h"

namespace ordeal::actor {

class ActorSpace : public StateSpace, public std::enable_shared_from_this<ActorSpace> {
 public:
  explicit ActorSpace(std::shared_ptr<const detail::Declaration> declaration,
                      std::vector<Property> properties);

  const std::vector<Property>& properties() const override { return properties_; }
  Result<std::string> interprets() const override;
  Result<Liveness> liveness() const override;
  Result<std::vector<Initial>> initial() override;
  std::unique_ptr<Explorer> explorer() override;
  SpaceStatistics statistics() const override;
  std::vector<StepSort> sorts() const override { return sorts_->all(); }
  bool can_travel() const override { return true; }
  void encode(StateRef state, std::string& bytes) override;
  Result<uint64_t> decode(std::string_view bytes, std::vector<uint32_t>& out) override;
  void forget() override;

  // --- What the explorers use ---------------------------------------------------------------
  const detail::Declaration& declaration() const { return *declaration_; }
  uint32_t node_count() const { return node_count_; }  // components not included
  uint32_t part_count() const { return part_count_; }  // components included
  bool is_component(int position) const { return position >= static_cast<int>(node_count_); }
  int id_of(int position) const { return position < 0 ? -1 : position + declaration_->first_id; }
  // -1 where there is no such node.
  int position_of(NodeId id) const;
  const detail::NodeType& type_of(uint32_t position) const {
    return *declaration_->nodes[position].type;
  }
  const std::vector<NodeId>& node_ids() const { return node_ids_; }
  const std::vector<NodeId>& peers(uint32_t position) const { return peers_[position]; }
  const std::vector<NodeId>& group(uint32_t position) const { return groups_[position]; }
  bool may_crash(uint32_t position) const { return may_crash_[position]; }
  // What is pending for a crashed node can never be delivered.
  bool crashes_are_final() const { return declaration_->recoveries == 0; }
  // Whether `a` and `b` (positions) are in different blocks of split number `partition`.
  bool cut_off(uint32_t partition, int a, int b) const;

  const Part& part(uint32_t id) const { return parts_[id]; }
  const Event& event(uint32_t id) const { return events_[id]; }
  const Environment& environment(uint32_t id) const { return environments_[id].content; }
  uint64_t environment_mixed(uint32_t id) const { return environments_[id].mixed; }
  const History& history(uint32_t id) const { return histories_[id].content; }
  uint64_t history_mixed(uint32_t id) const { return histories_[id].mixed; }
  const HistoryOps& history_ops(uint32_t id_plus_one) const { return ops_[id_plus_one - 1]; }

  uint32_t intern_part(Part part);
  uint32_t intern_event(ActionKind kind, int from, int to, const value::Any& payload);
  uint32_t intern_environment(Environment environment);
  uint32_t intern_history(History history);
  uint32_t intern_ops(HistoryOps ops);  // id + 1

  // Canonical order of pending events; depends on content alone.
  bool before(uint32_t a, uint32_t b) const {
    if (a == b) return false;
    const Event& x = events_[a];
    const Event& y = events_[b];
    return x.key != y.key ? x.key < y.key : before_by_content(x, y);
  }
  bool same_queue(const Event& a, const Event& b) const {
    return a.kind == ActionKind::kDeliver && b.kind == ActionKind::kDeliver && a.from == b.from &&
           a.to == b.to;
  }

  // The share of a pending event that has `place` others before it in its queue.
  uint64_t pending_share(const Event& event, uint64_t place) const;
  uint64_t fingerprint(StateRef state) const;
  uint64_t second_fingerprint(StateRef state) const;
  // What traces keep of a state, and of its pending events and its history alone: as the
  // fingerprint, with types by their short names.
  uint64_t digest(StateRef state) const;
  uint64_t pending_digest(StateRef state) const;
  uint64_t history_digest(uint32_t id) const { return histories_[id].digest; }

  // What its steps are counted by.
  Sorts& step_sorts() { return *sorts_; }
  // What messages and requests are called.
  const TypeNames& names() const { return names_; }

  // What the handler of `event` does in `part`; every path of choose(n), then the crashes at
  // persists. Computed once, then remembered. The pointer stays valid until forget().
  // `may_be_known`: somebody else may have asked for it before.
  const HandlerOutcomes* outcomes(uint32_t part, uint32_t event, bool may_be_known = true);

  // The node new from its factory: up, nothing persisted, nothing decided.
  Part fresh_part(uint32_t position) const;
  // What a crash leaves of a node.
  uint32_t crashed_part(uint32_t part);
  // The part with `elapsed` taken off its timers.
  uint32_t later_part(uint32_t part, uint32_t elapsed);

  // See SpaceStatistics; "" where there is none.
  std::string find_collision() const;

  uint64_t generation() const { return generation_; }
  // Whether a node has ever set a timer.
  bool any_timers() const { return any_timers_.load(std::memory_order_relaxed); }

 private:
  friend class HandlerRun;
  bool read_part(uint32_t position, std::string_view& bytes, uint32_t& id);
  bool read_pending(std::string_view& bytes, uint32_t& id);
  const HandlerOutcomes* remember(uint64_t key, HandlerOutcomes outcomes);
  // The event "this timer fires", looked up by its name.
  uint32_t timer_event(uint32_t node, const std::string& name);
  // The shares of second_fingerprint(): of what was interned before anybody asked for one they are
  // worked out each time.
  uint64_t second_of(const Part& part) const;
  uint64_t second_of(const Event& event) const;
  uint32_t type_rank(const value::Type* type) const;
  uint32_t find_rank(const value::Type* type) const;
  template <class Plain, class Queued>
  uint64_t sum_pending(StateRef state, const Plain& plain, const Queued& queued) const;
  bool before_by_content(const Event& x, const Event& y) const;

  std::shared_ptr<const detail::Declaration> declaration_;
  std::vector<Property> properties_;
  uint32_t node_count_ = 0;
  uint32_t part_count_ = 0;
  std::vector<NodeId> node_ids_;
  std::vector<std::vector<NodeId>> peers_;
  std::vector<std::vector<NodeId>> groups_;
  std::vector<bool> may_crash_;
  std::vector<const value::Type*> types_;  // of messages and requests, sorted by name
  std::vector<uint32_t> type_ranks_;       // … their ranks
  TypeNames names_;
  std::unique_ptr<Sorts> sorts_;

  InternTable<Part> parts_;
  InternTable<Event> events_;
  InternTable<EnvironmentEntry> environments_;
  InternTable<HistoryEntry> histories_;
  InternTable<HistoryOps> ops_;
  SharedMemo<const HandlerOutcomes*> memo_;
  std::mutex outcomes_mutex_;
  std::deque<HandlerOutcomes> outcomes_;
  uint64_t outcomes_bytes_ = 0;
  std::atomic<uint64_t> handler_calls_{0};
  std::atomic<bool> any_timers_{false};
  // Another pass over all that is interned: left out as long as nobody wants to know.
  mutable std::atomic<bool> keeps_second_{false};
  std::shared_mutex timers_mutex_;
  std::vector<std::vector<std::pair<std::string, uint32_t>>> timer_events_;  // by position
  uint64_t generation_ = 0;
  std::string collision_;  // found before forget()
};

}  // namespace ordeal::actor
