// What a state is, in the plainest containers, and its identity as bytes.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ordeal/action.h"
#include "ordeal/history.h"
#include "ordeal/system.h"

namespace ordeal::reference {

struct Timer {
  uint32_t left = 0;  // timed systems only, else 0
  bool idle = false;
  friend bool operator==(const Timer&, const Timer&) = default;
};

struct Node {
  bool up = true;
  value::Any state;
  value::Any disk;  // empty: it never persisted
  std::map<std::string, Timer> timers;
  std::vector<value::Any> decisions;
};

struct Event {
  ActionKind kind = ActionKind::kDeliver;  // the action that consumes it
  int to = 0;
  int from = 0;        // the sender; whom a detector speaks about
  value::Any content;  // empty for what a detector says
  // Of messages: no two have one. Tells equal messages of a queue apart; no part of what the state
  // is.
  uint64_t serial = 0;
};

using Pair = std::pair<int, int>;  // (who is told, about whom)

struct State {
  std::vector<Node> nodes;     // by position; components last
  std::vector<Event> pending;  // oldest first
  uint64_t serials = 0;        // given so far
  uint32_t crashes = 0, recoveries = 0, drops = 0, duplicates = 0, partitions = 0;
  std::map<Pair, uint32_t> suspicions;  // left
  std::vector<int> partition;           // a block per node; empty: none
  std::set<Pair> notified;
  History history;
};

// What a handler did on one path of answers to choose().
struct Path {
  value::Any after;  // the node's state
  std::vector<Effect> effects;
  std::vector<uint32_t> choices;
  bool fails = false;
};

// What a handler did.
struct Done {
  int node = 0;
  Effect effect;
};

// One enabled action and where it leads.
struct Move {
  Action action;
  bool progress = true;
  bool fails = false;
  State next;  // if it does not fail
  // What it is about: the pending event, of drops and duplicates too; the name of a timer. Others
  // stand for themselves.
  Event about = {};
  std::vector<Done> done = {};
};

// A partition as traces show it: "1,3 | 2".
inline std::string shape_of(const std::vector<int>& blocks, int first_id) {
  std::map<int, std::string> members;
  for (size_t i = 0; i < blocks.size(); ++i) {
    std::string& block = members[blocks[i]];
    block += (block.empty() ? "" : ",") + std::to_string(first_id + static_cast<int>(i));
  }
  std::string out;
  for (const auto& [number, block] : members) out += (out.empty() ? "" : " | ") + block;
  return out;
}

// --- Identity ------------------------------------------------------------------------------------

// Bytes that no other value has: lengths come first.
inline void put(std::string& out, std::string_view text) {
  out += std::to_string(text.size());
  out += ':';
  out += text;
}
inline void put(std::string& out, int64_t number) {
  out += std::to_string(number);
  out += ',';
}
inline void put(std::string& out, const value::Any& any) {
  put(out, any.empty() ? std::string_view() : std::string_view(any.type()->id().symbol()));
  std::string bytes;
  if (!any.empty()) any.type()->write(any.data(), bytes);
  put(out, bytes);
}

// Ordered as the rules list actions: by receiver, sender, kind, type name, content.
inline std::string event_key(const Event& event) {
  std::string out;
  for (const int number : {event.to, event.from, static_cast<int>(event.kind)}) {
    out += static_cast<char>(number + 2);
  }
  out += event.content.type_name();
  out += ' ';
  put(out, event.content);
  return out;
}

inline bool same(const Event& a, const Event& b) { return event_key(a) == event_key(b); }

inline std::string node_key(const Node& node) {
  std::string out;
  put(out, node.up ? 1 : 0);
  put(out, node.state);
  put(out, node.disk);
  for (const auto& [name, timer] : node.timers) {
    put(out, name);
    put(out, timer.left);
    put(out, timer.idle ? 1 : 0);
  }
  out += ";";
  for (const value::Any& decision : node.decisions) put(out, decision);
  out += ";";
  return out;
}

inline std::string history_key(const History& history) {
  std::string out;
  const auto put_operation = [&](const History::Operation& operation) {
    put(out, operation.call);
    put(out, operation.result);
    for (const History::Seen& seen : operation.seen) {
      put(out, seen.client);
      put(out, seen.completed);
    }
    out += ";";
  };
  for (const History::Client& client : history.clients()) {
    put(out, client.id);
    for (const History::Operation& operation : client.completed) put_operation(operation);
    if (client.pending) put_operation(*client.pending);
    out += client.pending ? "pending;" : ";";
  }
  return out;
}

// Everything that makes the state what it is: equal keys, equal states.
inline std::string key_of(const State& s, Network network) {
  std::string out;
  for (const Node& node : s.nodes) put(out, node_key(node));
  std::map<Pair, std::string> queues;  // an ordered network keeps the order of each
  std::vector<std::string> bag;
  for (const Event& event : s.pending) {
    if (event.kind == ActionKind::kDeliver && network == Network::kOrdered) {
      put(queues[{event.from, event.to}], event_key(event));
    } else {
      bag.push_back(event_key(event));
    }
  }
  for (const auto& [pair, queue] : queues) put(out, queue);
  out += "|";
  std::sort(bag.begin(), bag.end());
  for (const std::string& event : bag) put(out, event);
  out += "|";
  for (uint32_t budget : {s.crashes, s.recoveries, s.drops, s.duplicates, s.partitions}) {
    put(out, budget);
  }
  for (const auto& [pair, left] : s.suspicions) put(out, left);
  for (int block : s.partition) put(out, block);
  out += "|";
  for (const auto& [told, about] : s.notified) {
    put(out, told);
    put(out, about);
  }
  put(out, history_key(s.history));
  return out;
}

}  // namespace ordeal::reference
