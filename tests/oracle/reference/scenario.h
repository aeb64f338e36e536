// A system under a scenario, a second time: what filters and machines do as the headers
// (ordeal/event.h, filter.h, machine.h, scenario.h, scenario_context.h) tell it, on top of the
// reference explorer, with lists that are searched and states that are compared byte by byte.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "ordeal/scenario.h"
#include "tests/oracle/reference/conditions.h"
#include "tests/oracle/reference/told.h"

namespace ordeal::reference {

// A state of the product.
struct Both {
  State system;
  Memory memory;
};

struct Step {
  Action action;
  bool progress = true;
  bool fails = false;
  Both next;
};

class ScenarioReference {
 public:
  ScenarioReference(const System& system, const Scenario& scenario, const OwnFunctions& own)
      : system_(system),
        reference_(system),
        d_(scenario.declaration()),
        own_(own),
        conditions_(d_, own) {
    draw();
  }

  std::string key(const Both& both) const {
    std::string out;
    put(out, reference_.key(both.system));
    put(out, key_of(both.memory, [&](const Pending& what) { return place(both.system, what); }));
    return out;
  }

  bool within(const Both& both) const { return reference_.within(both.system); }

  // One per way to draw and initial state of the system, in this order. Nothing: it cannot start.
  std::optional<std::vector<Both>> initial() const {
    const auto states = reference_.initial();
    if (!states) return std::nullopt;
    std::vector<Both> out;
    for (uint32_t way = 0; way < cards_.size(); ++way) {
      for (const State& state : *states) {
        if (d_.starts_in && &state != states->data() + *d_.starts_in) continue;
        Both both{state, {}};
        both.memory.way = way;
        both.memory.cards = &cards_[way];
        Story story(reference_);
        story.begin(state);
        see(story, state, both);
        out.push_back(std::move(both));
      }
    }
    return out;
  }

  std::vector<Step> steps(const Both& both) const {
    std::vector<Step> out;
    // What must happen next keeps the run alive, whatever it is.
    const bool must = !both.memory.next.empty() || both.memory.script < d_.script.size();
    for (const Move& move : visible(both.system, both.memory)) {
      Step step{move.action, move.progress || must, move.fails, {}};
      if (!move.fails) {
        step.next = {move.next, both.memory};
        pass(step.next.memory);
        Story story(reference_);
        story.tell(both.system, move);
        see(story, move.next, step.next);
      }
      out.push_back(std::move(step));
    }
    return out;
  }

  // The kind of the machine's state; `over`: after its last event.
  Machine::Kind machine_kind(const Both& both, bool over) const {
    if (d_.machine.empty()) return Machine::Kind::kPlain;
    Memory last = both.memory;
    if (over && !has_failed(last)) {
      ordeal::Event end;
      end.kind = EventKind::kEnd;
      move_machine(end, both.system, last);
    }
    return d_.machine[0].states()[last.machine].kind;
  }

  // The predicate of a property of the system, by name.
  bool holds(const State& state, bool over, const std::string& name) const {
    const auto& properties = system_.properties();
    for (size_t i = 1; i < properties.size(); ++i) {
      if (properties[i].name != name) continue;
      if (properties[i].kind == PropertyKind::kEventually && !over) return true;
      return reference_.holds(state, over, i);
    }
    return true;  // "no handler fails": in a state that there is, none has
  }

 private:
  // --- What is drawn -----------------------------------------------------------------------------

  void draw() {
    cards_.resize(1);
    const auto with_each = [&](const auto& ways, const auto& add) {
      std::vector<Drawn> more;
      for (const Drawn& card : cards_) {
        for (const auto& way : ways) {
          more.push_back(card);
          add(more.back(), way);
        }
      }
      cards_ = more;
    };
    for (const Scenario::Draw& draw : d_.draws) {
      with_each(draw.among.empty() ? reference_.ids() : draw.among,
                [&](Drawn& card, NodeId node) { card.nodes[draw.name] = node; });
    }
    for (const Scenario::DrawnNumber& drawn : d_.numbers) {
      std::vector<uint32_t> numbers;
      for (uint32_t i = 0; i < drawn.below; ++i) numbers.push_back(i);
      with_each(numbers, [&](Drawn& card, uint32_t i) { card.numbers[drawn.name] = i; });
    }
    for (const Scenario::PartitionDeclaration& partition : d_.partitions) {
      with_each(ways_of(partition), [&](Drawn& card, const std::map<int, int>& parts) {
        card.parts[partition.name] = parts;
      });
    }
  }

  // All assignments of parts to nodes, in lexicographic order, of which those fit that have the
  // sizes asked for.
  std::vector<std::map<int, int>> ways_of(const Scenario::PartitionDeclaration& partition) const {
    std::vector<std::map<int, int>> ways = {{}};
    if (partition.sizes.empty()) {
      for (size_t part = 0; part < partition.blocks.size(); ++part) {
        for (NodeId node : partition.blocks[part]) ways[0][node.value] = static_cast<int>(part);
      }
      return ways;
    }
    for (NodeId node : reference_.ids()) {
      std::vector<std::map<int, int>> longer;
      for (const auto& way : ways) {
        for (size_t part = 0; part < partition.sizes.size(); ++part) {
          longer.push_back(way);
          longer.back()[node.value] = static_cast<int>(part);
        }
      }
      ways = longer;
    }
    std::erase_if(ways, [&](const std::map<int, int>& way) {
      std::vector<int> sizes(partition.sizes.size(), 0);
      for (const auto& [node, part] : way) ++sizes[static_cast<size_t>(part)];
      return sizes != partition.sizes;
    });
    return ways;
  }

  // --- Seeing events -----------------------------------------------------------------------------

  // A change to what is pending, made when all events of the step have been seen.
  using Change = std::function<void(State&)>;

  bool is_over(const Memory& memory) const {
    return memory.lost > 0 || (d_.ends_after > 0 && memory.steps >= d_.ends_after);
  }

  bool has_failed(const Memory& memory) const {
    return !d_.machine.empty() &&
           d_.machine[0].states()[memory.machine].kind == Machine::Kind::kFailure;
  }

  Holds holds_in(const State& state) const {
    return [this, &state](const std::string& name, bool over) { return holds(state, over, name); };
  }

  // The machine first, then the filters, event by event; then what they want is done.
  void see(const Story& story, const State& after_step, Both& both) const {
    std::vector<Change> changes;
    std::vector<Change> additions;  // which go behind everything
    for (size_t i = 0; i < story.events().size(); ++i) {
      const ordeal::Event& event = story.events()[i];
      move_machine(event, after_step, both.memory);
      if (has_failed(both.memory)) break;
      filter(event, story.serials()[i], after_step, both, changes, additions);
    }
    for (const Change& change : changes) change(both.system);
    for (const Change& addition : additions) addition(both.system);
    if (!has_failed(both.memory) && !is_over(both.memory)) settle(both);
  }

  void move_machine(const ordeal::Event& event, const State& state, Memory& memory) const {
    if (d_.machine.empty()) return;
    for (const Machine::Transition& transition : d_.machine[0].transitions()) {
      if (transition.from != memory.machine) continue;
      if (!conditions_.fires(transition.condition, event, memory, holds_in(state))) continue;
      memory.machine = transition.to;
      return;
    }
  }

  void filter(const ordeal::Event& event, uint64_t serial, const State& state, Both& both,
              std::vector<Change>& changes, std::vector<Change>& additions) const {
    Memory& memory = both.memory;
    if (event.kind == EventKind::kSetTimer || event.kind == EventKind::kCancelTimer) {
      const Pending timer = {ActionKind::kTimer, event.node.value, -1,
                             value::Any::of(std::string(event.text))};
      std::erase_if(memory.hidden, [&](const auto& hidden) { return same(hidden.what, timer); });
    }
    for (uint32_t number = 0; number < d_.filters.size(); ++number) {
      const Filter& filter = d_.filters[number];
      if (!conditions_.fires(filter.condition, event, memory, holds_in(state))) continue;
      memory.wish = {};
      for (const Reaction& reaction : filter.reactions) react(reaction, event, memory);
      grant(event, serial, number, both, changes, additions);
      memory.wish = {};
      return;
    }
  }

  static NodeId who(const Who& who, const Memory& memory) {
    return who.is_drawn() ? memory.drawn(who.name()) : who.id();
  }

  void react(const Reaction& reaction, const ordeal::Event& event, Memory& memory) const {
    const Reaction::Node& node = reaction.node();
    switch (node.kind) {
      case Reaction::Kind::kDeliver:
        return memory.deliver();
      case Reaction::Kind::kDrop:
        return memory.drop();
      case Reaction::Kind::kHold:
        return memory.hold(node.name);
      case Reaction::Kind::kDelay:
        return memory.delay(node.number);
      case Reaction::Kind::kDuplicate:
        return memory.duplicate(node.number);
      case Reaction::Kind::kRelease:
        return memory.release(node.name);
      case Reaction::Kind::kCount:
        return memory.count(node.name);
      case Reaction::Kind::kRecord:
        if (is_about_message(event.kind)) {
          memory.record(node.name, {event.from, event.to, event.payload});
        }
        return;
      case Reaction::Kind::kResend:
        if (memory.recorded(node.name) != nullptr) memory.inject(*memory.recorded(node.name));
        return;
      case Reaction::Kind::kMutate:
        return mutate(reaction, event, memory);
      case Reaction::Kind::kInject:
        return memory.inject({who(node.who, memory), who(node.to, memory), node.payload});
      case Reaction::Kind::kCrash:
        return memory.crash(who(node.who, memory));
      case Reaction::Kind::kRestart:
        return memory.restart(who(node.who, memory));
      case Reaction::Kind::kFire:
        return memory.fire(who(node.who, memory), node.name);
      case Reaction::Kind::kCustom:
        return own_.reactions.at(reaction.id())(event, memory);
      case Reaction::Kind::kOnce:
        if (conditions_.first_time(reaction, memory)) react(node.inner[0], event, memory);
        return;
    }
  }

  // What an earlier reaction has changed is changed further.
  void mutate(const Reaction& reaction, const ordeal::Event& event, Memory& memory) const {
    ordeal::Event changed = event;
    if (!memory.wish.payload.empty()) changed.payload = memory.wish.payload;
    const Reaction::Node& node = reaction.node();
    if (node.path.empty()) return own_.reactions.at(reaction.id())(changed, memory);
    value::Tree tree = changed.payload.tree();
    for (size_t i = 0; i < tree.names.size(); ++i) {
      if (tree.names[i] != node.path) continue;
      tree.items[i] = node.tree;
      const auto other = changed.payload.type()->any_from_tree(tree);
      if (other.ok()) memory.replace(*other);
    }
  }

  // First what is released, then the event at hand, then what is invented, then the rest.
  void grant(const ordeal::Event& event, uint64_t serial, uint32_t filter, Both& both,
             std::vector<Change>& changes, std::vector<Change>& additions) const {
    Memory& memory = both.memory;
    for (const std::string& set : memory.wish.released) {
      std::vector<Memory::Hidden> stay;
      for (const Memory::Hidden& hidden : memory.hidden) {
        if (hidden.held && hidden.set == set) {
          memory.next.push_back({hidden.what, filter});
        } else {
          stay.push_back(hidden);
        }
      }
      memory.hidden = stay;
    }
    if (is_on_its_way(event.kind)) decide(event, serial, filter, both, changes);
    for (const Message& message : memory.wish.injected) {
      if (!reference_.handles(message.to.value, message.payload)) continue;
      if (!reference_.exists(message.from.value)) continue;
      const ActionKind kind =
          reference_.is_part(message.from.value) ? ActionKind::kEvent : ActionKind::kDeliver;
      const Pending added = {kind, message.to.value, message.from.value, message.payload};
      additions.push_back([this, added](State& state) { reference_.add_pending(state, added); });
    }
    for (const Pending& next : memory.wish.next) memory.next.push_back({next, filter});
  }

  // Whether what is pending is what is meant: in a queue that very message, elsewhere any that is
  // equal.
  bool is_meant(const Event& event, const Pending& what) const {
    return reference_.is_queue(what) ? reference_.is_queue(event) && event.serial == what.serial
                                     : same(event, what);
  }

  // -1: there is none.
  int find(const State& state, const Pending& what) const {
    for (int i = static_cast<int>(state.pending.size()) - 1; i >= 0; --i) {
      if (is_meant(state.pending[static_cast<size_t>(i)], what)) return i;
    }
    return -1;
  }

  // How many messages are before it in its queue.
  int place(const State& state, const Pending& what) const {
    int before = 0;
    if (!reference_.is_queue(what)) return before;
    for (const Event& event : state.pending) {
      if (is_meant(event, what)) return before;
      const bool same_link = event.from == what.from && event.to == what.to;
      before += reference_.is_queue(event) && same_link ? 1 : 0;
    }
    return -1;  // it is gone
  }

  void remove(State& state, const Pending& what) const {
    if (what.kind == ActionKind::kTimer) {
      return reference_.cancel(state, what.to, what.content.get<std::string>());
    }
    const int at = find(state, what);
    if (at >= 0) state.pending.erase(state.pending.begin() + at);
  }

  // What becomes of what is on its way.
  void decide(const ordeal::Event& event, uint64_t serial, uint32_t filter, Both& both,
              std::vector<Change>& changes) const {
    Memory& memory = both.memory;
    const Memory::Wish& wish = memory.wish;
    const bool is_message = event.kind == EventKind::kSend || event.kind == EventKind::kPost;
    Pending what = pending_of(event);
    what.serial = serial;
    if (!wish.payload.empty() && is_message && reference_.handles(what.to, wish.payload)) {
      Pending other = what;
      other.content = wish.payload;
      changes.push_back([this, what, other](State& state) {
        const int at = find(state, what);
        if (at < 0) return;
        if (reference_.is_kept(what)) {
          remove(state, what);
          reference_.add_pending(state, other);
        } else {
          state.pending[static_cast<size_t>(at)] = other;
        }
      });
      what = other;
    }
    if (wish.fate == Memory::Fate::kDrop) {
      changes.push_back([this, what](State& state) { remove(state, what); });
      return;
    }
    std::vector<Pending> all = {what};
    for (uint32_t i = 0; i < (is_message ? wish.copies : 0); ++i) {
      Pending copy = what;
      copy.serial = ++both.system.serials;
      changes.push_back([this, copy, behind = all.back()](State& state) {
        const int at = find(state, behind);
        if (at < 0 || reference_.is_kept(copy)) return;
        state.pending.insert(state.pending.begin() + at + 1, copy);
      });
      all.push_back(copy);
    }
    for (const Pending& one : all) {
      if (wish.fate == Memory::Fate::kDeliver) memory.next.push_back({one, filter});
      if (wish.fate == Memory::Fate::kHold) memory.hidden.push_back({one, true, wish.set, 0});
      if (wish.fate == Memory::Fate::kDelay && wish.steps > 0) {
        memory.hidden.push_back({one, false, "", wish.steps});
      }
    }
  }

  // --- Between steps -----------------------------------------------------------------------------

  // A step is taken: what had to happen is happening, and delays are one shorter.
  void pass(Memory& memory) const {
    if (!memory.next.empty()) {
      memory.next.erase(memory.next.begin());
    } else if (memory.script < d_.script.size()) {
      ++memory.script;
    }
    if (d_.ends_after > 0) ++memory.steps;
    shorten(memory, 1);
  }

  static void shorten(Memory& memory, uint32_t by) {
    for (Memory::Hidden& hidden : memory.hidden) hidden.left -= hidden.held ? 0 : by;
    std::erase_if(memory.hidden,
                  [](const auto& hidden) { return !hidden.held && hidden.left == 0; });
  }

  // How many of these are pending.
  int pending_count(const State& state, const Pending& what) const {
    int count = 0;
    for (const Event& event : state.pending) count += is_meant(event, what) ? 1 : 0;
    if (what.kind == ActionKind::kTimer) {
      const size_t node = static_cast<size_t>(what.to - reference_.declaration().first_id);
      count += static_cast<int>(state.nodes[node].timers.count(what.content.get<std::string>()));
    }
    return count;
  }
  int hidden_count(const Memory& memory, const Pending& what) const {
    int count = 0;
    for (const Memory::Hidden& hidden : memory.hidden) count += is_meant(hidden.what, what) ? 1 : 0;
    return count;
  }

  void settle(Both& both) const {
    Memory& memory = both.memory;
    // What is gone (with a node that crashed) is no longer hidden.
    std::vector<Memory::Hidden> there;
    for (const Memory::Hidden& hidden : memory.hidden) {
      int earlier = 0;
      for (const Memory::Hidden& other : there)
        earlier += is_meant(other.what, hidden.what) ? 1 : 0;
      if (earlier < pending_count(both.system, hidden.what)) there.push_back(hidden);
    }
    memory.hidden = there;
    // What is not possible when its turn comes is left out.
    while (!memory.next.empty() && visible(both.system, memory).empty()) {
      memory.next.erase(memory.next.begin());
    }
    if (!memory.next.empty()) return;
    while (memory.script < d_.script.size() && visible(both.system, memory).empty()) {
      ++memory.script;
      if (d_.script[memory.script - 1].substr(0, 2) == "? ") continue;
      // A line that had to be possible.
      memory.lost = memory.script--;
      return;
    }
    if (memory.script < d_.script.size()) return;
    // Where nothing else can happen, the shortest delay is over.
    while (true) {
      uint32_t least = 0;
      for (const Memory::Hidden& hidden : memory.hidden) {
        if (!hidden.held && (least == 0 || hidden.left < least)) least = hidden.left;
      }
      if (least == 0) return;
      const std::vector<Move> moves = visible(both.system, memory);
      if (std::any_of(moves.begin(), moves.end(), [](const Move& move) { return move.progress; })) {
        return;
      }
      shorten(memory, least);
    }
  }

  // What the strategy may pick from.
  std::vector<Move> visible(const State& state, const Memory& memory) const {
    if (has_failed(memory) || is_over(memory)) return {};
    std::vector<Move> out;
    for (Move& move : reference_.moves(state)) {
      const bool is_lost =
          move.action.kind == ActionKind::kDrop || move.action.kind == ActionKind::kDuplicate;
      const int hidden = hidden_count(memory, move.about);
      const bool is_hidden = hidden > 0 && pending_count(state, move.about) <= hidden;
      const bool by_filters = d_.faults == Scenario::Faults::kOnlyByFilters;
      // A handler that a crash cuts short is a fault of its own.
      const bool is_cut = by_filters && move.action.crash_at_persist > 0;
      if (!memory.next.empty()) {
        if (!is_lost && !is_cut && is_meant(move.about, memory.next[0].what))
          out.push_back(std::move(move));
      } else if (memory.script < d_.script.size()) {
        std::string line = d_.script[memory.script];
        if (line.substr(0, 2) == "? ") line = line.substr(2);
        if (show(move.action) == line && !is_hidden && out.empty()) {
          out.push_back(std::move(move));
        }
      } else if (!is_hidden && !is_cut && !(by_filters && !is_progress(move.action.kind))) {
        out.push_back(std::move(move));
      }
    }
    return out;
  }

  const System& system_;
  const Reference reference_;
  const Scenario::Declaration& d_;
  const OwnFunctions& own_;
  const Conditions conditions_;
  std::vector<Drawn> cards_;
};

}  // namespace ordeal::reference
