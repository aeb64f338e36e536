// ScenarioContext: what a scenario remembers in a run, and what a reaction asks for.
//
// It is a value: part of the state when a scenario is searched exhaustively. Conditions only read
// it. Reactions change it, and say through it what becomes of the event at hand.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ordeal/event.h"
#include "ordeal/node_id.h"
#include "ordeal/value.h"
#include "ordeal/world.h"

namespace ordeal {

struct Message {
  NodeId from = -1;
  NodeId to = -1;
  value::Any payload;

  bool operator==(const Message&) const = default;
};

namespace monitor {
class Evaluator;
class Monitor;
struct Cards;  // what was drawn for a run
}  // namespace monitor

class ScenarioContext {
 public:
  // --- Reading -----------------------------------------------------------------------------------
  int64_t counter(const std::string& name) const;  // 0 until counted
  size_t set_size(const std::string& name) const;
  bool in_set(const std::string& name, const Offer& offer) const;
  // The message recorded under a label; null: none.
  const Message* recorded(const std::string& label) const;
  // A value of your own, put there with keep(); null: none.
  template <Value T>
  const T* kept(const std::string& name) const {
    const auto at = kept_.find(name);
    return at == kept_.end() ? nullptr : at->second.try_get<T>();
  }
  uint32_t machine_state() const { return machine_; }  // its number in the machine
  uint32_t script_line() const { return script_; }     // that comes next, from 0
  // Who was drawn. REQUIRES: the scenario draws a node of that name.
  NodeId drawn(const std::string& name) const;
  // The number that was drawn. REQUIRES: the scenario draws a number of that name.
  uint32_t drawn_number(const std::string& name) const;
  // The part of a partition that a node is in, from 0; -1: none.
  int part(const std::string& partition, NodeId node) const;

  // --- Remembering -------------------------------------------------------------------------------
  void count(const std::string& name, int64_t by = 1) { counters_[name] += by; }
  void record(const std::string& label, Message message) { recorded_[label] = std::move(message); }
  template <Value T>
  void keep(const std::string& name, T value) {
    kept_[name] = value::Any::of(std::move(value));
  }

  // --- What becomes of what is on its way --------------------------------------------------------
  // Of the event at hand; ignored for events that announce nothing. The last of deliver, drop, hold
  // and delay counts; with none of them the strategy decides.
  void deliver() { wish_.fate = Fate::kDeliver; }  // next, before anything else
  void drop() { wish_.fate = Fate::kDrop; }        // never
  void hold(std::string set) {                     // not until the set is released
    wish_.fate = Fate::kHold;
    wish_.set = std::move(set);
  }
  // Not for so many steps, unless nothing else can happen.
  void delay(uint32_t steps) {
    wish_.fate = Fate::kDelay;
    wish_.steps = steps;
  }
  // So many more of a message or posted event, which fare like it.
  void duplicate(uint32_t copies = 1) { wish_.copies += copies; }
  // Another payload for a message or posted event, of a type that the receiver handles.
  void replace(value::Any payload) { wish_.payload = std::move(payload); }

  // --- What happens besides ----------------------------------------------------------------------
  // When all reactions are done: first come the sets that are released, then the event at hand (if
  // it is delivered, held, …), then messages that are injected, then crashes, restarts and timers.
  //
  // All of a set, next, in the order in which it was held: what was in it before this event.
  void release(std::string set) { wish_.released.push_back(std::move(set)); }
  // Filters do not see it being sent. From a component it is a posted event.
  void inject(Message message) { wish_.injected.push_back(std::move(message)); }
  // These happen next, where the system allows them then; see docs/reference/scenarios.md.
  void crash(NodeId node) { next(ActionKind::kCrash, node); }
  void restart(NodeId node) { next(ActionKind::kRecover, node); }
  void fire(NodeId node, const std::string& timer);

 private:
  friend class monitor::Evaluator;
  friend class monitor::Monitor;

  enum class Fate : uint8_t { kFree, kDeliver, kDrop, kHold, kDelay };
  // What reactions asked for; carried out when they are done.
  struct Wish {
    Fate fate = Fate::kFree;
    std::string set;
    uint32_t steps = 0;
    uint32_t copies = 0;
    value::Any payload;
    std::vector<std::string> released;
    std::vector<Message> injected;
    std::vector<Offer> next;
  };
  // `place`: of a message where links keep their order, how many are before it in its queue.
  struct Next {
    Offer offer;
    uint32_t filter = 0;  // who wants it; for counting
    uint32_t place = 0;
  };
  // Pending, but hidden from the strategy.
  struct Hidden {
    Offer offer;
    std::string set;         // held there; or
    uint32_t remaining = 0;  // delayed by so many steps
    uint32_t place = 0;
  };
  void next(ActionKind kind, NodeId node) { wish_.next.push_back(offer_of(kind, node, -1, {})); }
  // Of everything but the wish; for telling contexts apart, and for traces.
  uint64_t hash(uint64_t seed) const;
  uint64_t digest() const;
  template <class By>
  uint64_t hash_by(uint64_t seed, const By& by) const;
  uint64_t owned_bytes() const;  // memory besides its own
  // All of it but the wish and the cards, as bytes: see value::write_any(). False: malformed.
  void write(std::string& bytes) const;
  bool read(std::string_view& bytes);

  std::map<std::string, int64_t> counters_;
  std::map<std::string, Message> recorded_;
  std::map<std::string, value::Any> kept_;
  uint32_t machine_ = 0;
  uint32_t draw_ = 0;                      // which of the ways to draw
  std::vector<uint32_t> spent_;            // `once` conditions and reactions that have had their go
  std::vector<Hidden> hidden_;             // in the order in which they were hidden
  std::vector<Next> next_;                 // must happen next, in this order
  uint32_t script_ = 0;                    // lines done
  uint32_t steps_ = 0;                     // taken, where the scenario ends after so many
  uint32_t lost_line_ = 0;                 // of the script, from 1: it was not possible; 0: none
  const monitor::Cards* cards_ = nullptr;  // what draw_ stands for
  Wish wish_;
};

}  // namespace ordeal
