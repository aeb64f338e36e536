// What a scenario remembers, a second time: ordeal/scenario_context.h in the plainest containers.
//
// It has the functions of a ScenarioContext, by the same names, so that one generic function of a
// test can be called with either.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "ordeal/event.h"
#include "ordeal/scenario_context.h"
#include "tests/oracle/reference/state.h"

namespace ordeal::reference {

// What was drawn for a run.
struct Drawn {
  std::map<std::string, NodeId> nodes;
  std::map<std::string, uint32_t> numbers;
  std::map<std::string, std::map<int, int>> parts;  // partition, node: part
};

// Something pending, as an event that waits: of a timer, the content is its name. Crashes and
// recoveries stand for themselves.
using Pending = Event;

// What handles what an event of the first five kinds announces.
inline Pending pending_of(const ordeal::Event& event) {
  switch (event.kind) {
    case EventKind::kSubmit:
      return {ActionKind::kRequest, event.to.value, -1, event.payload};
    case EventKind::kPost:
      return {ActionKind::kEvent, event.to.value, event.from.value, event.payload};
    case EventKind::kSetTimer:
      return {ActionKind::kTimer, event.node.value, -1, value::Any::of(std::string(event.text))};
    case EventKind::kNotice:
      return {event.text == "restore" ? ActionKind::kRestore : ActionKind::kDetect, event.to.value,
              event.from.value, value::Any()};
    default:
      return {ActionKind::kDeliver, event.to.value, event.from.value, event.payload};
  }
}

inline Offer offer_of(const Pending& pending) {
  return ordeal::offer_of(pending.kind, pending.to, pending.from, pending.content);
}

struct Memory {
  enum class Fate : uint8_t { kFree, kDeliver, kDrop, kHold, kDelay };
  struct Wish {
    Fate fate = Fate::kFree;
    std::string set;
    uint32_t steps = 0;
    uint32_t copies = 0;
    value::Any payload;
    std::vector<std::string> released;
    std::vector<Message> injected;
    std::vector<Pending> next;
  };
  struct Hidden {
    Pending what;
    bool held = false;
    std::string set;    // held: where
    uint32_t left = 0;  // delayed: by so many steps
  };

  std::map<std::string, int64_t> counters;
  std::map<std::string, Message> records;
  std::map<std::string, value::Any> values;
  uint32_t machine = 0;
  uint32_t way = 0;  // to draw
  std::set<uint32_t> spent;
  struct Wanted {
    Pending what;
    uint32_t filter = 0;  // who wants it
  };
  std::vector<Hidden> hidden;  // oldest first
  std::vector<Wanted> next;
  uint32_t script = 0;  // lines that are done or left out
  uint32_t steps = 0;   // taken
  uint32_t lost = 0;    // the line of the script, from 1, that was not possible
  const Drawn* cards = nullptr;
  Wish wish;

  // --- As ScenarioContext ------------------------------------------------------------------------
  int64_t counter(const std::string& name) const {
    return counters.count(name) > 0 ? counters.at(name) : 0;
  }
  size_t set_size(const std::string& name) const {
    size_t size = 0;
    for (const Hidden& one : hidden) size += one.held && one.set == name ? 1 : 0;
    return size;
  }
  bool in_set(const std::string& name, const Offer& offer) const {
    for (const Hidden& one : hidden) {
      if (one.held && one.set == name && offer_of(one.what) == offer) return true;
    }
    return false;
  }
  const Message* recorded(const std::string& label) const {
    return records.count(label) > 0 ? &records.at(label) : nullptr;
  }
  template <class T>
  const T* kept(const std::string& name) const {
    return values.count(name) > 0 ? values.at(name).try_get<T>() : nullptr;
  }
  uint32_t machine_state() const { return machine; }
  NodeId drawn(const std::string& name) const { return cards->nodes.at(name); }
  uint32_t drawn_number(const std::string& name) const { return cards->numbers.at(name); }
  int part(const std::string& partition, NodeId node) const {
    const auto& parts = cards->parts.at(partition);
    return parts.count(node.value) > 0 ? parts.at(node.value) : -1;
  }

  void count(const std::string& name, int64_t by = 1) { counters[name] += by; }
  void record(const std::string& label, const Message& message) { records[label] = message; }
  template <class T>
  void keep(const std::string& name, T value) {
    values[name] = value::Any::of(std::move(value));
  }
  void deliver() { wish.fate = Fate::kDeliver; }
  void drop() { wish.fate = Fate::kDrop; }
  void hold(const std::string& set) {
    wish.fate = Fate::kHold;
    wish.set = set;
  }
  void delay(uint32_t steps) {
    wish.fate = Fate::kDelay;
    wish.steps = steps;
  }
  void duplicate(uint32_t copies = 1) { wish.copies += copies; }
  void replace(const value::Any& payload) { wish.payload = payload; }
  void release(const std::string& set) { wish.released.push_back(set); }
  void inject(const Message& message) { wish.injected.push_back(message); }
  void crash(NodeId node) { wish.next.push_back({ActionKind::kCrash, node.value, -1, {}}); }
  void restart(NodeId node) { wish.next.push_back({ActionKind::kRecover, node.value, -1, {}}); }
  void fire(NodeId node, const std::string& timer) {
    wish.next.push_back({ActionKind::kTimer, node.value, -1, value::Any::of(timer)});
  }
};

// The user's functions of a scenario, by the id of condition or reaction.
struct OwnFunctions {
  std::map<const void*, std::function<bool(const ordeal::Event&, const Memory&)>> conditions;
  std::map<const void*, std::function<void(const ordeal::Event&, Memory&)>> reactions;
};

// Everything that makes it what it is: equal keys, equal memories. `place` gives the place of what
// is meant in its queue, 0 where it is in none.
template <class Place>
std::string key_of(const Memory& memory, const Place& place) {
  std::string out;
  for (const auto& [name, count] : memory.counters) {
    put(out, name);
    put(out, count);
  }
  out += "|";
  for (const auto& [label, message] : memory.records) {
    put(out, label);
    put(out, message.from.value);
    put(out, message.to.value);
    put(out, message.payload);
  }
  out += "|";
  for (const auto& [name, value] : memory.values) {
    put(out, name);
    put(out, value);
  }
  out += "|";
  put(out, memory.machine);
  put(out, memory.way);
  for (uint32_t spent : memory.spent) put(out, spent);
  out += "|";
  for (const Memory::Hidden& one : memory.hidden) {
    put(out, event_key(one.what));
    put(out, place(one.what));
    put(out, one.held ? 1 : 0);
    put(out, one.set);
    put(out, one.left);
  }
  out += "|";
  for (const Memory::Wanted& next : memory.next) {
    put(out, event_key(next.what));
    put(out, place(next.what));
    put(out, next.filter);
  }
  out += "|";
  put(out, memory.script);
  put(out, memory.steps);
  put(out, memory.lost);
  return out;
}

}  // namespace ordeal::reference
