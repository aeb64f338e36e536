// The parts that a global state is made of, as interned values. A packed state is
//
//   word 0            id of the Environment: budgets, partition, who has been told of which crash
//   word 1            id of the client History
//   words 2 … n+1     id of the Part of each node and component
//   the rest          ids of the pending Events, in canonical order (a queue per pair of nodes
//                     keeps its own order where the network is ordered)
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "ordeal/action.h"
#include "ordeal/history.h"
#include "ordeal/node_id.h"
#include "ordeal/value.h"

namespace ordeal::actor {

inline constexpr uint32_t kEnvironmentWord = 0;
inline constexpr uint32_t kHistoryWord = 1;
inline constexpr uint32_t kFirstPart = 2;

struct Timer {
  std::string name;
  uint32_t remaining = 0;  // 0 in asynchronous systems
  bool idle = false;
};

// Stands for the state of an opaque object, which cannot be looked into.
struct OpaqueState {
  uint64_t digest = 0;  // its own, or a hash of everything that happened to it
  std::string shown;    // what the object says of itself
};

// One node (or component): everything about it that can influence the future.
struct Part {
  uint64_t hash = 0;    // of types and content, the node's position included
  uint64_t mixed = 0;   // its share of the fingerprint
  uint64_t second = 0;  // … of the second one; 0: not worked out (ActorSpace::second_of)
  uint64_t digest = 0;  // as hash, with types by their short names: see value::Any::digest()
  uint32_t node = 0;    // position
  bool up = true;
  std::vector<Timer> timers;           // sorted by name
  std::vector<uint32_t> timer_events;  // ids of the events "this timer fires", by position
  value::Any state;
  value::Any disk;  // empty until the first persist
  std::vector<value::Any> decisions;
};

// What `digest` is, of a part whose state has that digest: live runs know no more of it.
uint64_t part_digest(const Part& part, uint64_t state_digest);

// Something pending (or a timer, recovery, suspicion that runs a handler).
struct Event {
  uint64_t hash = 0;
  uint64_t mixed = 0;
  uint64_t second = 0;  // 0: not worked out
  uint64_t digest = 0;  // decides the canonical order where the key does not
  uint64_t key = 0;     // canonical order: receiver, sender, kind, type, then content
  ActionKind kind = ActionKind::kDeliver;
  int16_t from = -1;  // positions; -1: none
  int16_t to = -1;
  uint16_t sort = 0;   // what the step that handles it is counted by
  value::Any payload;  // empty for notices
};

struct Environment {
  uint32_t crashes = 0;  // budgets left
  uint32_t recoveries = 0;
  uint32_t drops = 0;
  uint32_t duplicates = 0;
  uint32_t partitions = 0;
  uint32_t partition = 0;                              // 0: none; k: the k-th declared split
  std::set<std::pair<int, int>> notified;              // (who, of whose crash)
  std::map<std::pair<int, int>, uint32_t> suspicions;  // wrong suspicions spent, per pair
};

struct EnvironmentEntry {
  uint64_t mixed = 0;
  uint64_t second = 0;
  Environment content;
};

struct HistoryEntry {
  uint64_t mixed = 0;
  uint64_t second = 0;
  uint64_t digest = 0;
  History content;
};

// What a handler adds to the client history.
struct HistoryOp {
  NodeId client;
  bool is_return = false;
  value::Any operation;
};

struct HistoryOps {
  std::vector<HistoryOp> ops;
};

// One way a handler can go: one path of answers to choose(n), perhaps cut by a crash. What every
// step looks at comes first.
struct HandlerOutcome {
  uint32_t part = 0;              // the node afterwards
  uint32_t history_ops = 0;       // id + 1; 0: none
  uint64_t sends_mixed = 0;       // sum of the shares of `sends`
  std::vector<uint32_t> sends;    // pending events it adds, in canonical order
  uint32_t crash_at_persist = 0;  // k > 0: crashes right after the k-th persist
  bool noop = false;
  bool plain = false;           // known not to fail: no calls, and nothing for the history
  std::vector<uint32_t> calls;  // events for components, handled at once, in order
  std::vector<uint32_t> choices;
  std::string failure;  // not empty: the handler failed
};

using HandlerOutcomes = std::vector<HandlerOutcome>;

// The memory that each owns besides its own bytes. A value is counted once, whoever holds it: the
// sum over everything that is stored is what all of it takes.
uint64_t owned_bytes(const Part& part);
uint64_t owned_bytes(const Event& event);
uint64_t owned_bytes(const EnvironmentEntry& entry);
uint64_t owned_bytes(const HistoryEntry& entry);
uint64_t owned_bytes(const HistoryOps& ops);
uint64_t owned_bytes(const HandlerOutcomes& outcomes);

}  // namespace ordeal::actor
