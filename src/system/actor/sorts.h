// Sorts: what the steps of a system are counted by, so that a report can say what occurred how
// often and what never did. A sort is a handler of one type of nodes and what it handles, or a kind
// of fault. All but timers are known from the declaration; timers get their sort when a node first
// sets them.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ordeal/system.h"
#include "ordeal/world.h"
#include "world/type_names.h"

namespace ordeal::actor {

class Sorts {
 public:
  // REQUIRES: `declaration` outlives it.
  explicit Sorts(const detail::Declaration& declaration);

  // Of an action that befalls a node or a message: it runs no handler.
  uint16_t of_fault(ActionKind kind) const { return faults_[static_cast<size_t>(kind)]; }
  // Of an event that the node at position `to` handles. Any thread.
  uint16_t of_event(ActionKind kind, int from, int to, const value::Any& payload);
  // The handler has run. Only what is no step even so is told in all(): what has no effect, where
  // that is skipped. Handlers also run to find out what is possible. Any thread.
  void ran(uint16_t sort, bool skipped) {
    if (sort >= known_.size()) return;
    ran_[sort].store(true, std::memory_order_relaxed);
    if (skipped) skipped_[sort].store(true, std::memory_order_relaxed);
  }

  // What ran() was told since the last time, for the other side of a process; `told` is empty at
  // first.
  struct Ran {
    uint16_t sort = 0;
    bool skipped = false;
  };
  std::vector<Ran> ran_since(std::vector<uint8_t>& told) const;

  // In the order of their numbers.
  std::vector<StepSort> all() const;
  // The timers that were set so far, from number `first` on; their sorts come after all others.
  using TimerOf = std::pair<uint32_t, std::string>;  // kind of node, name
  std::vector<TimerOf> timers(size_t first) const;
  uint16_t of_timer(const TimerOf& timer);
  uint16_t first_timer() const { return static_cast<uint16_t>(known_.size()); }

 private:
  // The sorts of the handlers of one type of nodes; 0: it has none.
  struct Handlers {
    const detail::NodeType* type = nullptr;
    uint16_t messages = 0;  // the first; one after the other
    uint16_t calls = 0;     // components: the same, handled within the step of a node that sends it
    uint16_t requests = 0;
    uint16_t timer = 0;
    uint16_t crashed = 0;
    uint16_t suspects = 0;
    uint16_t restored = 0;
    uint16_t recover = 0;
  };
  bool is_call(int from, int to) const {
    return from >= 0 && static_cast<size_t>(from) < node_count_ &&
           static_cast<size_t>(to) >= node_count_;
  }
  // A name that is taken says what it is the name of.
  uint16_t add(std::string name, std::string_view what = "");
  void add_handlers(const detail::Declaration& declaration, const detail::NodeType& type,
                    const std::string& at, const TypeNames& names);

  std::vector<uint16_t> of_position_;  // number in handlers_
  std::vector<Handlers> handlers_;
  std::vector<std::string> at_;  // " at Server", by type of nodes
  size_t node_count_ = 0;        // components come after all nodes
  std::vector<uint16_t> faults_;
  std::vector<std::string> known_;  // names; the first has none
  using Flags = std::unique_ptr<std::atomic<bool>[]>;
  Flags ran_;
  Flags skipped_;

  mutable std::mutex mutex_;
  std::vector<TimerOf> timers_;
};

}  // namespace ordeal::actor
