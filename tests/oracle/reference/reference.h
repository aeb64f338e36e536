// The reference explorer: docs/reference/world-rules.md, word by word, in the plainest containers.
//
// It shares no code with the engine: a state is a struct of standard containers, its identity its
// bytes. Slow and obvious on purpose: where the two disagree, the rules say who is wrong.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "ordeal/system.h"
#include "ordeal/view.h"
#include "tests/oracle/reference/declared.h"
#include "tests/oracle/reference/state.h"

namespace ordeal::reference {

class Reference {
 public:
  explicit Reference(const System& system) : d_(system.declaration()) {
    for (size_t i = 0; i < d_.nodes.size(); ++i) {
      if (!d_.nodes[i].component) ids_.push_back(id_of(i));
    }
  }

  // All initial states, equal ones once. Nothing: a node cannot start.
  std::optional<std::vector<State>> initial() const {
    State fresh;
    for (size_t i = 0; i < d_.nodes.size(); ++i) fresh.nodes.push_back(new_node(i));
    for (const auto& [to, request] : d_.requests) {
      fresh.pending.push_back({ActionKind::kRequest, to, kNobody, request});
    }
    fresh.crashes = d_.crashes;
    fresh.recoveries = d_.recoveries;
    fresh.drops = d_.drops;
    fresh.duplicates = d_.duplicates;
    fresh.partitions = d_.partition_budget;
    if (d_.detector == Detector::kEventuallyPerfect) {
      for (int told : ids_) {
        for (int about : ids_) {
          if (told != about) fresh.suspicions[{told, about}] = d_.wrong_suspicions;
        }
      }
    }
    std::vector<State> states = {fresh};
    for (size_t i = 0; i < d_.nodes.size(); ++i) {
      const auto start = type(i).start;
      if (start == nullptr) continue;
      std::vector<State> next;
      for (const State& state : states) {
        for (const Path& path : paths(state, i, kNobody, start)) {
          State after = state;
          if (path.fails || !perform(after, i, path, path.effects.size())) return std::nullopt;
          next.push_back(std::move(after));
        }
      }
      states = std::move(next);
    }
    std::vector<State> distinct;
    std::set<std::string> seen;
    for (State& state : states) {
      if (seen.insert(key(state)).second) distinct.push_back(std::move(state));
    }
    return distinct;
  }

  // All enabled actions of a state, in the order of the rules.
  std::vector<Move> moves(const State& s) const {
    std::vector<Move> out;
    crashes(s, out);
    recoveries(s, out);
    drops_and_duplicates(s, out);
    suspicions(s, out);
    partitions(s, out);
    const size_t faults = out.size();
    events(s, out);
    if (!d_.prompt || out.size() == faults) timers(s, out);
    return out;
  }

  bool within(const State& s) const {
    const Viewed viewed(*this, s, false);
    return std::all_of(d_.constraints.begin(), d_.constraints.end(),
                       [&](const auto& constraint) { return constraint(viewed.view()); });
  }

  // Whether the predicate of property number `index` holds in the state. Number 0, "no handler
  // fails", is about actions and has no predicate.
  bool holds(const State& s, bool terminal, size_t index) const {
    const Viewed viewed(*this, s, terminal);
    const auto& form = d_.properties[index - 1].predicate.form();
    if (const auto* global = std::get_if<Predicate::Global>(&form)) {
      return global->holds(viewed.view()).ok();
    }
    if (const auto* history = std::get_if<Predicate::OverHistory>(&form)) {
      return history->holds(s.history).ok();
    }
    if (const auto* unary = std::get_if<Predicate::Unary>(&form)) {
      for (const void* node : members(s, unary->type, unary->over)) {
        if (!unary->holds(node).ok()) return false;
      }
      return true;
    }
    const auto& binary = std::get<Predicate::Binary>(form);
    const std::vector<const void*> nodes = members(s, binary.type, binary.over);
    for (size_t i = 0; i < nodes.size(); ++i) {
      for (size_t j = i + 1; j < nodes.size(); ++j) {
        if (!binary.holds(nodes[i], nodes[j]).ok()) return false;
      }
    }
    return true;
  }

  std::string key(const State& s) const { return key_of(s, d_.network); }

  // --- For scenarios -----------------------------------------------------------------------------

  const detail::Declaration& declaration() const { return d_; }
  const std::vector<NodeId>& ids() const { return ids_; }
  bool exists(int id) const { return id >= d_.first_id && position(id) < d_.nodes.size(); }
  bool is_part(int id) const { return exists(id) && is_component(position(id)); }
  const value::Any* state_of(const State& s, int id) const {
    return exists(id) ? &s.nodes[position(id)].state : nullptr;
  }
  bool handles(int id, const value::Any& message) const {
    return exists(id) && handler(position(id), ActionKind::kDeliver, message) != nullptr;
  }
  bool is_queue(const Event& event) const {
    return event.kind == ActionKind::kDeliver && d_.network == Network::kOrdered;
  }
  bool is_kept(const Event& event) const {
    return event.kind == ActionKind::kDeliver && d_.network == Network::kSet;
  }
  void cancel(State& s, int id, const std::string& timer) const {
    s.nodes[position(id)].timers.erase(timer);
  }

  void add_pending(State& s, Event event) const {
    if (!s.nodes[position(event.to)].up && d_.recoveries == 0) return;
    if (is_kept(event)) {
      for (const Event& other : s.pending) {
        if (same(event, other)) return;
      }
    }
    event.serial = ++s.serials;
    s.pending.push_back(std::move(event));
  }

 private:
  static constexpr int kNobody = -1;

  // A state as properties see it.
  class Viewed : public View::Source {
   public:
    Viewed(const Reference& reference, const State& s, bool terminal)
        : state_(s),
          slots_(reference.slots(s)),
          view_(reference.ids_, reference.d_.first_id, slots_, *this, terminal) {}
    const View& view() const { return view_; }
    const History& history() const override { return state_.history; }
    std::vector<InFlight> messages() const override {
      std::vector<InFlight> out;
      for (const Event& event : state_.pending) {
        if (event.kind == ActionKind::kDeliver) {
          out.push_back({event.from, event.to, &event.content});
        }
      }
      return out;
    }

   private:
    const State& state_;
    std::vector<View::Slot> slots_;
    View view_;
  };

  int id_of(size_t position) const { return d_.first_id + static_cast<int>(position); }
  size_t position(int id) const { return static_cast<size_t>(id - d_.first_id); }
  const detail::NodeType& type(size_t i) const { return *d_.nodes[i].type; }
  bool is_component(size_t i) const { return d_.nodes[i].component; }

  Node new_node(size_t i) const {
    Node node;
    node.state = d_.nodes[i].make_value(id_of(i));
    return node;
  }

  std::vector<View::Slot> slots(const State& s) const {
    std::vector<View::Slot> out;
    for (size_t i = 0; i < s.nodes.size(); ++i) {
      const Node& node = s.nodes[i];
      out.push_back({node.state.data(), type(i).id, node.disk.empty() ? nullptr : &node.disk,
                     &node.decisions, node.up, node.state.type()});
    }
    return out;
  }

  std::vector<const void*> members(const State& s, const detail::TypeId& wanted, Over over) const {
    std::vector<const void*> out;
    for (int id : ids_) {
      const size_t i = position(id);
      if (type(i).id.symbol() != wanted.symbol() || (over == Over::kCorrect && !s.nodes[i].up))
        continue;
      out.push_back(s.nodes[i].state.data());
    }
    return out;
  }

  // --- Handlers ----------------------------------------------------------------------------------

  // Runs a handler of node i once per path of answers to choose(), in lexicographic order.
  // `call(object, context)` is the handler.
  template <class Call>
  std::vector<Path> paths(const State& s, size_t i, int sender, Call call) const {
    std::vector<NodeId> group, peers;
    for (int id : ids_) {
      if (is_component(i) || d_.nodes[position(id)].type != d_.nodes[i].type) continue;
      group.push_back(id);
      if (id != id_of(i)) peers.push_back(id);
    }
    std::vector<Path> out;
    std::vector<uint32_t> answers;
    while (true) {
      Context::Captured captured;
      captured.choices = answers;
      Context ctx(id_of(i), sender, peers, group, captured);
      Path path;
      // A copy that nobody shares yet may still be changed.
      const value::Any& before = s.nodes[i].state;
      path.after = before.type()->copy_any(before.data());
      try {
        call(const_cast<void*>(path.after.data()), ctx);
      } catch (...) {
        path.fails = true;
      }
      path.effects = captured.effects;
      path.choices = answers = captured.choices;
      out.push_back(std::move(path));
      // The next path: the last answer that can grow does, and what came after it is forgotten.
      while (!answers.empty() && answers.back() + 1 >= captured.arities[answers.size() - 1]) {
        answers.pop_back();
      }
      if (answers.empty()) return out;
      ++answers.back();
    }
  }

  const detail::NodeType::Handler* handler(size_t i, ActionKind kind,
                                           const value::Any& content) const {
    const auto& handlers = kind == ActionKind::kRequest ? type(i).requests : type(i).messages;
    for (const auto& handler : handlers) {
      if (handler.type->id().symbol() == content.type()->id().symbol()) return &handler;
    }
    return nullptr;
  }

  // The handler that an event runs.
  std::vector<Path> event_paths(const State& s, const Event& event) const {
    const size_t i = position(event.to);
    return paths(s, i, event.from, [&](void* node, Context& ctx) {
      switch (event.kind) {
        case ActionKind::kDetect:
          return type(i).crashed(node, ctx, event.from);
        case ActionKind::kRestore:
          return type(i).restored(node, ctx, event.from);
        default: {
          const auto* found = handler(i, event.kind, event.content);
          if (found == nullptr) throw std::logic_error("no handler");
          found->call(node, ctx, event.from, event.content.data());
        }
      }
    });
  }

  // Makes the first `count` effects of a path of node i happen. False: the handler fails.
  bool perform(State& s, size_t i, const Path& path, size_t count,
               std::vector<Done>* done = nullptr) const {
    Node& node = s.nodes[i];
    node.state = path.after;
    std::vector<Event> calls;  // what components handle, right after this
    for (size_t e = 0; e < count; ++e) {
      const Effect& effect = path.effects[e];
      if (done != nullptr) done->push_back({id_of(i), effect});
      switch (effect.kind) {
        case Effect::Kind::kSend:
        case Effect::Kind::kPost: {
          const int to = effect.to;
          if (to < d_.first_id || position(to) >= s.nodes.size()) return false;
          const bool event = effect.kind == Effect::Kind::kPost || is_component(i);
          const Event sent = {event ? ActionKind::kEvent : ActionKind::kDeliver, to, id_of(i),
                              effect.value};
          if (is_component(position(to)) && !is_component(i)) {
            calls.push_back(sent);
          } else {
            add_pending(s, sent);
          }
          break;
        }
        case Effect::Kind::kSetTimer:
          node.timers[effect.text] = {is_timed(d_) ? effect.after : 0, effect.idle};
          break;
        case Effect::Kind::kCancelTimer:
          node.timers.erase(effect.text);
          break;
        case Effect::Kind::kPersist:
          if (effect.value.type() != type(i).disk) return false;
          node.disk = effect.value;
          break;
        case Effect::Kind::kDecide:
          node.decisions.push_back(effect.value);
          break;
        case Effect::Kind::kInvoke:
          if (!s.history.invoke(id_of(i), effect.value).ok()) return false;
          break;
        case Effect::Kind::kReturn:
          if (!s.history.ret(id_of(i), effect.value).ok()) return false;
          break;
        case Effect::Kind::kLog:
          break;
      }
    }
    for (const Event& call : calls) {
      const size_t component = position(call.to);
      const Path answer = event_paths(s, call).front();
      if (answer.fails || !answer.choices.empty()) return false;
      if (!perform(s, component, answer, answer.effects.size(), done)) return false;
    }
    return true;
  }

  // The actions that run a handler of node i: one per path, and, where the node may crash in the
  // middle, one more per persist of the path. `s` is the state without what started the handler.
  void handle(const State& s, size_t i, const Action& action, const Event& about, bool progress,
              const std::vector<Path>& all, std::vector<Move>& out) const {
    for (const Path& path : all) {
      Move move{action, progress, path.fails, s, about};
      move.action.choices = path.choices;
      if (!move.fails) move.fails = !perform(move.next, i, path, path.effects.size(), &move.done);
      const bool noop = !move.fails && action.kind == ActionKind::kDeliver && d_.skip_noops &&
                        d_.network != Network::kOrdered && changes_nothing(s, i, path, move.next);
      if (noop) continue;
      out.push_back(move);
      if (!d_.crash_at_persist || !may_crash(s, i)) continue;
      int persists = 0;
      for (size_t e = 0; e < path.effects.size(); ++e) {
        if (path.effects[e].kind != Effect::Kind::kPersist) continue;
        Move split{action, false, false, s, about};
        split.action.choices = path.choices;
        split.action.crash_at_persist = ++persists;
        split.fails = !perform(split.next, i, path, e + 1, &split.done);
        if (!split.fails) crash(split.next, i);
        out.push_back(split);
      }
    }
  }

  bool changes_nothing(const State& before, size_t i, const Path& path, const State& after) const {
    for (const Effect& effect : path.effects) {
      switch (effect.kind) {
        case Effect::Kind::kSend:
        case Effect::Kind::kPost:
        case Effect::Kind::kInvoke:
        case Effect::Kind::kReturn:
          return false;
        default:
          break;
      }
    }
    return node_key(before.nodes[i]) == node_key(after.nodes[i]);
  }

  bool cut_off(const State& s, const Event& event) const {
    return event.kind == ActionKind::kDeliver && !s.partition.empty() &&
           s.partition[position(event.from)] != s.partition[position(event.to)];
  }

  // Indexes into `pending`: one per distinct event that can be next; of an ordered queue the
  // oldest.
  std::vector<size_t> distinct_events(const State& s) const {
    std::map<std::string, size_t> first;  // of equal ones, in the order of their keys
    std::set<Pair> queues;
    for (size_t e = 0; e < s.pending.size(); ++e) {
      const Event& event = s.pending[e];
      if (event.kind == ActionKind::kDeliver && d_.network == Network::kOrdered) {
        if (!queues.insert({event.from, event.to}).second) continue;
      }
      first.emplace(event_key(event), e);
    }
    std::vector<size_t> out;
    for (const auto& [key, e] : first) out.push_back(e);
    return out;
  }

  void events(const State& s, std::vector<Move>& out) const {
    for (size_t e : distinct_events(s)) {
      const Event event = s.pending[e];
      const size_t i = position(event.to);
      if (!s.nodes[i].up || cut_off(s, event)) continue;
      State rest = s;
      if (event.kind != ActionKind::kDeliver || d_.network != Network::kSet) {
        rest.pending.erase(rest.pending.begin() + static_cast<ptrdiff_t>(e));
      }
      if (event.kind == ActionKind::kDetect) rest.notified.insert({event.to, event.from});
      if (event.kind == ActionKind::kRestore) rest.notified.erase({event.to, event.from});
      handle(rest, i, action_of(event), event, true, event_paths(s, event), out);
    }
  }

  void timers(const State& s, std::vector<Move>& out) const {
    std::optional<uint32_t> least;
    for (const Node& node : s.nodes) {
      for (const auto& [name, timer] : node.timers) {
        if (node.up && (!least || timer.left < *least)) least = timer.left;
      }
    }
    for (size_t i = 0; i < s.nodes.size(); ++i) {
      for (const auto& [name, timer] : s.nodes[i].timers) {
        if (!s.nodes[i].up || timer.left != *least) continue;  // untimed: all of them are 0
        State rest = s;
        rest.nodes[i].timers.erase(name);
        for (Node& node : rest.nodes) {
          for (auto& [other_name, other] : node.timers) other.left -= *least;
        }
        Action action;
        action.kind = ActionKind::kTimer;
        action.node = id_of(i);
        action.type = name;
        const auto all = paths(rest, i, kNobody, [&](void* node, Context& ctx) {
          if (type(i).timer == nullptr) throw std::logic_error("no handler");
          type(i).timer(node, ctx, action.type);
        });
        const Event about = {ActionKind::kTimer, id_of(i), kNobody, value::Any::of(name)};
        handle(rest, i, action, about, !timer.idle, all, out);
      }
    }
  }

  bool may_crash(const State& s, size_t i) const {
    return s.nodes[i].up && s.crashes > 0 &&
           std::count(d_.may_crash.begin(), d_.may_crash.end(), NodeId(id_of(i))) > 0;
  }

  void crash(State& s, size_t i) const {
    const int id = id_of(i);
    --s.crashes;
    Node& node = s.nodes[i];
    node.up = false;
    node.state = new_node(i).state;
    node.timers.clear();
    std::erase_if(s.notified, [&](const Pair& pair) { return pair.first == id; });
    std::erase_if(s.pending, [&](const Event& event) {
      const bool notice = event.kind == ActionKind::kDetect || event.kind == ActionKind::kRestore;
      if (event.to == id) return notice || d_.recoveries == 0;
      return event.kind == ActionKind::kRestore && event.from == id;
    });
    if (d_.detector == Detector::kNone) return;
    for (int other : ids_) {
      const size_t j = position(other);
      if (other == id || !s.nodes[j].up || type(j).crashed == nullptr) continue;
      if (s.notified.count({other, id}) > 0) continue;
      s.pending.push_back({ActionKind::kDetect, other, id, {}});
    }
  }

  void crashes(const State& s, std::vector<Move>& out) const {
    for (size_t i = 0; i < s.nodes.size(); ++i) {
      if (!may_crash(s, i)) continue;
      Move move{fault(ActionKind::kCrash, id_of(i)),
                false,
                false,
                s,
                {ActionKind::kCrash, id_of(i), kNobody, {}}};
      crash(move.next, i);
      out.push_back(std::move(move));
    }
  }

  void recoveries(const State& s, std::vector<Move>& out) const {
    for (size_t i = 0; i < s.nodes.size(); ++i) {
      if (s.nodes[i].up || s.recoveries == 0) continue;
      const int id = id_of(i);
      State up = s;
      --up.recoveries;
      up.nodes[i].up = true;
      std::erase_if(up.pending, [&](const Event& event) {
        return event.kind == ActionKind::kDetect && event.from == id;
      });
      for (int other : ids_) {
        const size_t j = position(other);
        if (up.notified.erase({other, id}) > 0 && type(j).restored != nullptr) {
          up.pending.push_back({ActionKind::kRestore, other, id, {}});
        }
        if (d_.detector != Detector::kNone && !up.nodes[j].up && type(i).crashed != nullptr) {
          up.pending.push_back({ActionKind::kDetect, id, other, {}});
        }
      }
      const auto all = paths(up, i, kNobody, [&](void* node, Context& ctx) {
        if (type(i).recover != nullptr) {
          type(i).recover(node, ctx, up.nodes[i].disk);
        } else if (type(i).start != nullptr) {
          type(i).start(node, ctx);
        }
      });
      const Event about = {ActionKind::kRecover, id, kNobody, {}};
      handle(up, i, fault(ActionKind::kRecover, id), about, false, all, out);
    }
  }

  void drops_and_duplicates(const State& s, std::vector<Move>& out) const {
    const std::vector<size_t> distinct = distinct_events(s);
    for (size_t e : distinct) {
      if (s.pending[e].kind != ActionKind::kDeliver || s.drops == 0) continue;
      Move move{action_of(s.pending[e]), false, false, s, s.pending[e]};
      move.action.kind = ActionKind::kDrop;
      --move.next.drops;
      move.next.pending.erase(move.next.pending.begin() + static_cast<ptrdiff_t>(e));
      out.push_back(std::move(move));
    }
    for (size_t e : distinct) {
      const Event& event = s.pending[e];
      if (event.kind != ActionKind::kDeliver || s.duplicates == 0) continue;
      if (d_.network == Network::kSet || !s.nodes[position(event.to)].up) continue;
      Move move{action_of(event), false, false, s, event};
      move.action.kind = ActionKind::kDuplicate;
      --move.next.duplicates;
      Event copy = event;
      copy.serial = ++move.next.serials;
      move.next.pending.insert(move.next.pending.begin() + static_cast<ptrdiff_t>(e) + 1, copy);
      out.push_back(std::move(move));
    }
  }

  void suspicions(const State& s, std::vector<Move>& out) const {
    for (const auto& [pair, left] : s.suspicions) {
      const auto [told, about] = pair;
      const size_t i = position(told);
      if (left == 0 || !s.nodes[i].up || !s.nodes[position(about)].up) continue;
      if (type(i).crashed == nullptr || s.notified.count(pair) > 0) continue;
      const Event restore = {ActionKind::kRestore, told, about, {}};
      if (std::any_of(s.pending.begin(), s.pending.end(),
                      [&](const Event& event) { return same(event, restore); })) {
        continue;
      }
      State rest = s;
      --rest.suspicions[pair];
      rest.notified.insert(pair);
      if (type(i).restored != nullptr) rest.pending.push_back(restore);
      Action action = fault(ActionKind::kSuspect, told);
      action.from = about;
      const auto all = event_paths(s, {ActionKind::kDetect, told, about, {}});
      handle(rest, i, action, {ActionKind::kSuspect, told, about, {}}, false, all, out);
    }
  }

  void partitions(const State& s, std::vector<Move>& out) const {
    if (!s.partition.empty()) {
      Move move{fault(ActionKind::kHeal, -1), false, false, s, {ActionKind::kHeal, -1, -1, {}}};
      move.next.partition.clear();
      out.push_back(std::move(move));
      return;
    }
    if (s.partitions == 0) return;
    for (const std::vector<int>& split : splits_of(d_, ids_)) {
      Move move{
          fault(ActionKind::kPartition, -1), false, false, s, {ActionKind::kPartition, -1, -1, {}}};
      move.action.type = shape_of(split, d_.first_id);
      --move.next.partitions;
      move.next.partition = split;
      out.push_back(std::move(move));
    }
  }

  static Action fault(ActionKind kind, int node) {
    Action action;
    action.kind = kind;
    action.node = node;
    return action;
  }
  Action action_of(const Event& event) const {
    Action action = fault(event.kind, event.to);
    action.from = event.from;
    if (event.content.empty()) return action;
    action.type = name_of(d_, *event.content.type());
    action.payload = event.content.tree();
    action.payload.text = action.type;  // all that is sent here is a record
    return action;
  }

  const detail::Declaration& d_;
  std::vector<NodeId> ids_;  // of the nodes; components are none
};

}  // namespace ordeal::reference
