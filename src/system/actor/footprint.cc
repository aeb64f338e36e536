// What an action of a system of nodes touches. docs/reference/dependence.md says which actions
// depend on each other and why; this file is the table there, in code.
//
// Resources are named by what they are, from content alone:
//   Node(v)    the state, disk, timers and decisions of a node or component
//   Up(v)      whether it is up; only of nodes that may crash
//   Head(x)    the next copy of a message, or the front of a queue: who takes it
//   Tail(x)    the end of it: who adds to it
//   Item(m)    whether a message is in a network that keeps messages
//   Pair(q,p)  what the detector has told q of p, and is going to tell
//   Link(u,v)  whether messages between two nodes can be delivered
//   Split      the partition as a whole
//   Calls(c), Returns(c)   the operations of a client
//   Seen(k)    what property number k looks at, where that matters
#include <algorithm>

#include "base/hash.h"
#include "base/mutant.h"
#include "system/actor/explorer.h"

namespace ordeal::actor {
namespace {

enum class Resource : uint64_t {
  kNode = 1,
  kUp,
  kHead,
  kTail,
  kItem,
  kPair,
  kLink,
  kSplit,
  kCalls,
  kReturns,
  kCrashes,
  kRecoveries,
  kDrops,
  kDuplicates,
  kSeen
};

uint64_t name(Resource kind, uint64_t which = 0) {
  return combine(0x666f6f74 + static_cast<uint64_t>(kind), which);
}

uint64_t pair_name(Resource kind, int a, int b) {
  return name(kind, static_cast<uint64_t>(a + 1) << 20 | static_cast<uint64_t>(b + 1));
}

uint64_t link(int a, int b) { return pair_name(Resource::kLink, std::min(a, b), std::max(a, b)); }

// What an event is a copy of, or the queue it stands in.
uint64_t place_of(const Event& event, Network network) {
  const bool queued = network == Network::kOrdered && event.kind == ActionKind::kDeliver;
  return queued ? static_cast<uint64_t>(event.from + 1) << 20 | static_cast<uint64_t>(event.to + 1)
                : event.hash;
}

}  // namespace

void ActorExplorer::touch_up(uint32_t position, Footprint& out) const {
  if (space_->may_crash(position)) out.reads.push_back(name(Resource::kUp, position));
}

void ActorExplorer::touch_send(StateRef state, uint32_t id, Footprint& out) const {
  const Event& event = space_->event(id);
  const detail::Declaration& declaration = space_->declaration();
  const uint32_t to = static_cast<uint32_t>(event.to);
  // Sending makes a delivery possible: it reads what can make one impossible.
  touch_up(to, out);
  if (event.kind == ActionKind::kDeliver && declaration.partition_budget > 0) {
    out.reads.push_back(link(event.from, event.to));
  }
  if (space_->crashes_are_final() && !space_->part(state[kFirstPart + to]).up) return;  // lost
  if (declaration.network == Network::kSet && event.kind == ActionKind::kDeliver) {
    const auto pending = state.begin() + kFirstPart + space_->part_count();
    const bool there = std::find(pending, state.end(), id) != state.end();
    (there ? out.reads : out.writes).push_back(name(Resource::kItem, event.hash));
    return;
  }
  const uint64_t place = place_of(event, declaration.network);
  out.writes.push_back(name(Resource::kTail, place));
  out.adds.push_back(place);
}

// Everything a handler did but for its own node's part and the components it called.
void ActorExplorer::touch_effects(StateRef state, const HandlerOutcome& outcome,
                                  Footprint& out) const {
  for (uint32_t sent : outcome.sends) touch_send(state, sent, out);
  if (outcome.history_ops == 0) return;
  for (const HistoryOp& op : space_->history_ops(outcome.history_ops).ops) {
    const int client = space_->position_of(op.client);
    out.writes.push_back(name(Resource::kCalls, static_cast<uint64_t>(client)));
    if (op.is_return) {
      out.writes.push_back(name(Resource::kReturns, static_cast<uint64_t>(client)));
      continue;
    }
    // A call knows which operations of the others were complete.
    if (mutant(Mutant::kCallsSeeNoReturns)) continue;
    for (uint32_t other = 0; other < space_->part_count(); ++other) {
      if (static_cast<int>(other) != client) out.reads.push_back(name(Resource::kReturns, other));
    }
  }
}

void ActorExplorer::touch_calls(StateRef state, const HandlerOutcome& outcome, Footprint& out) {
  if (outcome.calls.empty()) return;
  const auto parts = state.begin() + kFirstPart;
  called_parts_.assign(parts, parts + space_->part_count());
  for (uint32_t call : outcome.calls) {
    const uint32_t component = static_cast<uint32_t>(space_->event(call).to);
    const uint32_t before = called_parts_[component];
    const Ways ways = outcomes(before, call);
    const bool fails = ways.size() != 1 || !ways[0].choices.empty() || !ways[0].failure.empty();
    const bool changed = !fails && ways[0].part != before;
    (changed ? out.writes : out.reads).push_back(name(Resource::kNode, component));
    if (fails) return;
    called_parts_[component] = ways[0].part;
    touch_effects(state, ways[0], out);
  }
}

// A handler of an opaque object may do anything that a handler can, but for calls and returns of
// clients: who relies on this has to look whether there are any.
void ActorExplorer::touch_unknown(uint32_t position, Footprint& out) const {
  out.writes.push_back(name(Resource::kNode, position));
  for (uint32_t other = 0; other < space_->part_count(); ++other) {
    if (space_->is_component(static_cast<int>(other))) {
      out.writes.push_back(name(Resource::kNode, other));
      continue;
    }
    touch_up(other, out);
    if (space_->declaration().partition_budget > 0 && other != position) {
      out.reads.push_back(link(static_cast<int>(position), static_cast<int>(other)));
    }
  }
}

// What an opaque object sends is not known before either: what it has sent depends on all it does.
// The same goes for a component, which opaque objects may have called.
void ActorExplorer::touch_sender(const Event& event, Footprint& out) const {
  if (event.from < 0) return;
  const uint32_t from = static_cast<uint32_t>(event.from);
  bool unknown = is_unknown(from);
  for (uint32_t node = 0; space_->is_component(event.from) && node < space_->node_count(); ++node) {
    unknown = unknown || is_unknown(node);
  }
  if (unknown) out.reads.push_back(name(Resource::kNode, from));
}

void ActorExplorer::touch_handler(StateRef state, const Choice& choice, Footprint& out) {
  const uint32_t at = static_cast<uint32_t>(space_->event(choice.a).to);
  const uint32_t before = state[kFirstPart + at];
  touch_up(at, out);
  if (is_unknown(at)) return touch_unknown(at, out);
  const HandlerOutcome& outcome = outcomes(before, choice.a)[choice.b];
  // A handler that leaves its node as it was has only read it. One that fails ends what the node
  // does.
  const bool changes = choice.fails || outcome.part != before;
  const uint64_t node = name(Resource::kNode, at);
  if (!changes || !mutant(Mutant::kHandlersCommute)) {
    (changes ? out.writes : out.reads).push_back(node);
  }
  const bool crashes = outcome.crash_at_persist > 0;
  if (outcome.failure.empty()) {
    touch_effects(state, outcome, out);
    // Running a component's handler may move the outcomes of opaque objects; `outcome` is not used
    // afterwards.
    touch_calls(state, outcome, out);
  }
  if (crashes) touch_crash(state, at, out);
}

// Something is done with the oldest copy of the event.
void ActorExplorer::touch_taken(StateRef state, uint32_t id, Footprint& out) const {
  const Event& event = space_->event(id);
  const Network network = space_->declaration().network;
  if (network == Network::kSet && event.kind == ActionKind::kDeliver) {
    out.reads.push_back(name(Resource::kItem, event.hash));
    touch_sender(event, out);
    return;
  }
  const uint64_t place = place_of(event, network);
  touch_sender(event, out);
  out.writes.push_back(name(Resource::kHead, place));
  uint32_t present = 0;
  for (size_t i = kFirstPart + space_->part_count(); i < state.size(); ++i) {
    const bool same = state[i] == id || (network == Network::kOrdered &&
                                         space_->same_queue(space_->event(state[i]), event));
    present += same ? 1 : 0;
  }
  out.takes.push_back({place, present});
}

void ActorExplorer::touch_crash(StateRef state, uint32_t position, Footprint& out) const {
  const Environment& environment = space_->environment(state[kEnvironmentWord]);
  out.writes.push_back(name(Resource::kNode, position));
  out.writes.push_back(name(Resource::kUp, position));
  out.spends.push_back({name(Resource::kCrashes), environment.crashes});
  if (space_->declaration().detector == Detector::kNone) return;
  for (uint32_t other = 0; other < space_->node_count(); ++other) {
    if (other == position) continue;
    touch_up(other, out);
    out.writes.push_back(pair_name(Resource::kPair, int(other), int(position)));
  }
}

void ActorExplorer::touch_partition(uint32_t partition, Footprint& out) const {
  out.writes.push_back(name(Resource::kSplit));
  if (mutant(Mutant::kPartitionsCutNothing)) return;
  for (int a = 0; a < static_cast<int>(space_->node_count()); ++a) {
    for (int b = a + 1; b < static_cast<int>(space_->node_count()); ++b) {
      if (space_->cut_off(partition, a, b)) out.writes.push_back(link(a, b));
    }
  }
}

void ActorExplorer::watch_properties() {
  const detail::Declaration& declaration = space_->declaration();
  watching_ = true;
  watched_nodes_.assign(space_->part_count(), {});
  for (uint32_t i = 0; i < declaration.properties.size(); ++i) {
    const auto& [property, predicate] = declaration.properties[i];
    const bool sometimes = property.kind == PropertyKind::kSometimes;
    // `eventually` is judged where runs end; `always` of single nodes needs nothing more.
    if (property.kind == PropertyKind::kEventually) continue;
    if (property.kind == PropertyKind::kAlways && property.reads == Reads::kEachNode) continue;
    if (property.reads == Reads::kHistory) {
      watched_history_.push_back(i);
      continue;
    }
    if (const auto* global = std::get_if<Predicate::Global>(&predicate.form())) {
      if (property.reads == Reads::kDecisions) {
        watched_decisions_.push_back(i);
        if (global->over == Over::kCorrect) watched_crashes_.push_back(i);
      } else {
        for (uint32_t node = 0; node < space_->node_count(); ++node) {
          watched_nodes_[node].push_back(i);
        }
      }
      continue;
    }
    const auto* unary = std::get_if<Predicate::Unary>(&predicate.form());
    const auto* binary = std::get_if<Predicate::Binary>(&predicate.form());
    if (binary == nullptr && !sometimes) continue;
    const detail::TypeId& type = binary != nullptr ? binary->type : unary->type;
    for (uint32_t node = 0; node < space_->node_count(); ++node) {
      if (space_->type_of(node).id == type) watched_nodes_[node].push_back(i);
    }
  }
}

void ActorExplorer::touch_watched(StateRef state, const Choice& choice, Footprint& out) {
  const auto see = [&](const std::vector<uint32_t>& properties) {
    for (uint32_t i : properties) out.writes.push_back(name(Resource::kSeen, i));
  };
  const auto written = [&](uint64_t resource) {
    return std::find(out.writes.begin(), out.writes.end(), resource) != out.writes.end();
  };
  const bool plain = choice.kind == ActionKind::kCrash;
  const bool on_network = choice.kind == ActionKind::kDrop ||
                          choice.kind == ActionKind::kDuplicate ||
                          choice.kind == ActionKind::kPartition || choice.kind == ActionKind::kHeal;
  if (on_network) return;
  const uint32_t at = plain ? choice.a : static_cast<uint32_t>(space_->event(choice.a).to);
  // A component's calls and returns count too: whoever writes any client's operations.
  if (!watched_history_.empty()) {
    for (uint32_t client = 0; client < space_->part_count(); ++client) {
      if (!written(name(Resource::kCalls, client))) continue;
      see(watched_history_);
      break;
    }
  }
  const std::vector<uint32_t>& of_node = watched_nodes_[at];
  if (!of_node.empty() && written(name(Resource::kNode, at))) see(of_node);
  if (!watched_crashes_.empty() && written(name(Resource::kUp, at))) see(watched_crashes_);
  if (plain || watched_decisions_.empty()) return;
  if (is_unknown(at)) return see(watched_decisions_);
  if (choice.fails) return;
  const uint32_t before = state[kFirstPart + at];
  const HandlerOutcome& outcome = outcomes(before, choice.a)[choice.b];
  if (space_->part(outcome.part).decisions.size() != space_->part(before).decisions.size()) {
    see(watched_decisions_);
  }
}

void ActorExplorer::footprint(StateRef state, const Choice& choice, Footprint& out) {
  touch(state, choice, out);
  if (watching_ && !out.everything) touch_watched(state, choice, out);
}

void ActorExplorer::touch(StateRef state, const Choice& choice, Footprint& out) {
  out.clear();
  const detail::Declaration& declaration = space_->declaration();
  // Firing a timer takes time off all others: the clock couples everything. A request that may be
  // made again is enabled before and after it was made.
  if (declaration.timed || (declaration.repeat_requests && choice.kind == ActionKind::kRequest)) {
    out.everything = true;
    return;
  }
  const Environment& environment = space_->environment(state[kEnvironmentWord]);
  switch (choice.kind) {
    case ActionKind::kDeliver:
    case ActionKind::kRequest:
    case ActionKind::kEvent: {
      const Event& event = space_->event(choice.a);
      touch_taken(state, choice.a, out);
      if (choice.kind == ActionKind::kDeliver && declaration.partition_budget > 0) {
        out.reads.push_back(link(event.from, event.to));
      }
      touch_handler(state, choice, out);
      return;
    }
    case ActionKind::kDetect:
    case ActionKind::kRestore:
    case ActionKind::kSuspect: {
      const Event& event = space_->event(choice.a);
      out.writes.push_back(pair_name(Resource::kPair, event.to, event.from));
      if (choice.kind == ActionKind::kSuspect) touch_up(static_cast<uint32_t>(event.from), out);
      touch_handler(state, choice, out);
      return;
    }
    case ActionKind::kTimer:
      touch_handler(state, choice, out);
      return;
    case ActionKind::kCrash:
      touch_crash(state, choice.a, out);
      return;
    case ActionKind::kRecover: {
      const uint32_t position = static_cast<uint32_t>(space_->event(choice.a).to);
      out.writes.push_back(name(Resource::kUp, position));
      out.spends.push_back({name(Resource::kRecoveries), environment.recoveries});
      if (declaration.detector != Detector::kNone) {
        for (uint32_t other = 0; other < space_->node_count(); ++other) {
          if (other == position) continue;
          touch_up(other, out);
          out.writes.push_back(pair_name(Resource::kPair, int(other), int(position)));
        }
      }
      touch_handler(state, choice, out);
      return;
    }
    case ActionKind::kDrop:
    case ActionKind::kDuplicate: {
      const Event& event = space_->event(choice.a);
      const uint64_t place = place_of(event, declaration.network);
      const bool drop = choice.kind == ActionKind::kDrop;
      out.spends.push_back(
          drop ? Footprint::Spent{name(Resource::kDrops), environment.drops}
               : Footprint::Spent{name(Resource::kDuplicates), environment.duplicates});
      // Where crashes are final, one takes the message away.
      if (!drop || space_->crashes_are_final()) touch_up(static_cast<uint32_t>(event.to), out);
      if (declaration.network == Network::kSet) {
        out.writes.push_back(name(Resource::kItem, event.hash));
        touch_sender(event, out);
        return;
      }
      touch_taken(state, choice.a, out);
      if (drop) return;
      out.writes.push_back(name(Resource::kTail, place));
      out.adds.push_back(place);
      return;
    }
    case ActionKind::kPartition:
      touch_partition(choice.a + 1, out);
      return;
    case ActionKind::kHeal:
      touch_partition(environment.partition, out);
      return;
    default:
      out.everything = true;
      return;
  }
}

}  // namespace ordeal::actor
