// The events of a step, as ordeal/event.h tells them: what was handled, what the handler did, what
// is on its way because of it.
#pragma once

#include <algorithm>
#include <deque>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "base/hash.h"
#include "tests/oracle/reference/reference.h"

namespace ordeal::reference {

class Story {
 public:
  explicit Story(const Reference& reference) : reference_(reference) {}

  // All that is on its way in a state. It must outlive the story.
  void begin(const State& state) {
    announce(state.pending, state);
    for (size_t i = 0; i < state.nodes.size(); ++i) {
      for (const auto& [name, timer] : state.nodes[i].timers) set_timer(id_of(i), name, state);
    }
  }

  // A step; the move must outlive the story.
  void tell(const State& before, const Move& move) {
    handled(move);
    for (const Done& done : move.done) did(done, move.next);
    if (move.action.crash_at_persist > 0) {
      add(EventKind::kCrash, move.action.node, -1, -1, {}, "", move.next);
    }
    announce(fresh(before, move), move.next);
    for (size_t i = 0; i < move.next.nodes.size(); ++i) {
      for (const auto& [name, timer] : move.next.nodes[i].timers) {
        if (was_set(move, id_of(i), name)) set_timer(id_of(i), name, move.next);
      }
    }
  }

  const std::vector<ordeal::Event>& events() const { return events_; }
  // Of the messages that the events announce; 0 for all else.
  const std::vector<uint64_t>& serials() const { return serials_; }

 private:
  int id_of(size_t position) const {
    return reference_.declaration().first_id + static_cast<int>(position);
  }

  void add(EventKind kind, int node, int from, int to, const value::Any& payload,
           const std::string& text, const State& state) {
    ordeal::Event event;
    event.kind = kind;
    event.node = node;
    event.from = from;
    event.to = to;
    event.payload = payload;
    event.text = texts_.emplace_back(text);
    event.state = reference_.state_of(state, node);
    events_.push_back(event);
    serials_.push_back(0);
  }

  void set_timer(int id, const std::string& name, const State& state) {
    add(EventKind::kSetTimer, id, -1, -1, {}, name, state);
  }

  static bool was_set(const Move& move, int id, const std::string& name) {
    return std::any_of(move.done.begin(), move.done.end(), [&](const Done& done) {
      return done.effect.kind == Effect::Kind::kSetTimer && done.node == id &&
             done.effect.text == name;
    });
  }

  void handled(const Move& move) {
    const Event& about = move.about;
    const auto whole = [&](EventKind kind, int node) {
      add(kind, node, about.from, about.to, about.content, "", move.next);
    };
    switch (move.action.kind) {
      case ActionKind::kDeliver:
        return whole(EventKind::kReceive, about.to);
      case ActionKind::kRequest:
        return whole(EventKind::kRequest, about.to);
      case ActionKind::kEvent:
        return whole(EventKind::kPosted, about.to);
      case ActionKind::kDetect:
        return whole(EventKind::kDetect, about.to);
      case ActionKind::kRestore:
        return whole(EventKind::kRestore, about.to);
      case ActionKind::kSuspect:
        return whole(EventKind::kSuspect, about.to);
      case ActionKind::kDrop:
        return whole(EventKind::kDrop, -1);
      case ActionKind::kDuplicate:
        return whole(EventKind::kDuplicate, -1);
      case ActionKind::kTimer:
        return add(EventKind::kTimer, about.to, -1, -1, {}, move.action.type, move.next);
      case ActionKind::kCrash:
        return add(EventKind::kCrash, about.to, -1, -1, {}, "", move.next);
      case ActionKind::kRecover:
        return add(EventKind::kRecover, about.to, -1, -1, {}, "", move.next);
      case ActionKind::kPartition:
        return add(EventKind::kPartition, -1, -1, -1, {}, move.action.type, move.next);
      default:
        return add(EventKind::kHeal, -1, -1, -1, {}, "", move.next);
    }
  }

  void did(const Done& done, const State& after) {
    const auto told = [&](EventKind kind) {
      add(kind, done.node, -1, -1, done.effect.value, done.effect.text, after);
    };
    switch (done.effect.kind) {
      case Effect::Kind::kCancelTimer:
        return told(EventKind::kCancelTimer);
      case Effect::Kind::kDecide:
        return told(EventKind::kDecide);
      case Effect::Kind::kInvoke:
        return told(EventKind::kInvoke);
      case Effect::Kind::kReturn:
        return told(EventKind::kReturn);
      case Effect::Kind::kLog:
        return told(EventKind::kLog);
      default:
        return;
    }
  }

  // What is pending now and was not before. The copy that was handled is gone.
  std::vector<Event> fresh(const State& before, const Move& move) const {
    std::vector<std::string> old;
    for (const Event& event : before.pending) old.push_back(event_key(event));
    const bool is_fault =
        move.action.kind == ActionKind::kDrop || move.action.kind == ActionKind::kDuplicate;
    const auto forget = [&](const Event& event) {
      const auto at = std::find(old.begin(), old.end(), event_key(event));
      if (at == old.end()) return false;
      old.erase(at);
      return true;
    };
    if (!is_fault && !reference_.is_kept(move.about)) forget(move.about);
    std::set<uint64_t> serials;
    for (const Event& event : before.pending) serials.insert(event.serial);
    std::vector<Event> out;
    for (const Event& event : move.next.pending) {
      const bool is_old =
          reference_.is_queue(event) ? serials.count(event.serial) > 0 : forget(event);
      if (!is_old) out.push_back(event);
    }
    return out;
  }

  // The fixed order of contents: that of the hash, which is all that is taken from the engine.
  uint64_t place(const Event& event) const {
    const int first = reference_.declaration().first_id;
    const auto from = static_cast<uint64_t>(event.from < 0 ? 0 : event.from - first + 1);
    uint64_t hash = combine(0xa24baed4963ee407ULL, static_cast<uint64_t>(event.kind));
    hash = combine(hash, from);
    hash = combine(hash, static_cast<uint64_t>(event.to - first + 1));
    return event.content.empty() ? hash : combine(hash, event.content.digest());
  }

  // In canonical order: by receiver, sender, kind, type and content; queues in their own.
  void announce(std::vector<Event> pending, const State& state) {
    std::stable_sort(pending.begin(), pending.end(), [&](const Event& a, const Event& b) {
      const auto rank = [&](const Event& event) {
        const bool queue = reference_.is_queue(event);
        return std::make_tuple(
            event.to, event.from, event.kind,
            queue ? std::string_view() : event.content.type_name(), queue ? 0 : place(event),
            queue || event.content.empty() ? std::string_view()
                                           : event.content.type()->id().symbol());
      };
      return rank(a) < rank(b);
    });
    for (const Event& event : pending) {
      const auto announce_as = [&](EventKind kind, int node, const char* text = "") {
        add(kind, node, event.from, event.to, event.content, text, state);
        if (reference_.is_queue(event)) serials_.back() = event.serial;
      };
      switch (event.kind) {
        case ActionKind::kRequest:
          announce_as(EventKind::kSubmit, event.to);
          break;
        case ActionKind::kEvent:
          announce_as(EventKind::kPost, event.from);
          break;
        case ActionKind::kDetect:
          announce_as(EventKind::kNotice, event.to, "detect");
          break;
        case ActionKind::kRestore:
          announce_as(EventKind::kNotice, event.to, "restore");
          break;
        default:
          announce_as(EventKind::kSend, event.from);
          break;
      }
    }
  }

  const Reference& reference_;
  std::deque<std::string> texts_;
  std::vector<ordeal::Event> events_;
  std::vector<uint64_t> serials_;
};

}  // namespace ordeal::reference
