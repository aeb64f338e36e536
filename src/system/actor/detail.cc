// Steps and states in words: what traces, reports and explorers show.
#include <algorithm>

#include "base/hash.h"
#include "system/actor/explorer.h"
#include "system/actor/handler_run.h"

namespace ordeal::actor {
bool runs_handler(ActionKind kind) {
  switch (kind) {
    case ActionKind::kDeliver:
    case ActionKind::kRequest:
    case ActionKind::kEvent:
    case ActionKind::kTimer:
    case ActionKind::kDetect:
    case ActionKind::kRestore:
    case ActionKind::kRecover:
    case ActionKind::kSuspect:
      return true;
    default:
      return false;
  }
}

std::string show_split(const ActorSpace& space, uint32_t split) {
  const std::vector<int>& blocks = space.declaration().partitions[split];
  std::string out;
  const int most = blocks.empty() ? -1 : *std::max_element(blocks.begin(), blocks.end());
  for (int block = 0; block <= most; ++block) {
    if (block > 0) out += " | ";
    bool first = true;
    for (size_t i = 0; i < blocks.size(); ++i) {
      if (blocks[i] != block) continue;
      if (!first) out += ",";
      first = false;
      out += std::to_string(space.id_of(static_cast<int>(i)));
    }
  }
  return out;
}

Action ActorExplorer::action(StateRef state, const Choice& choice) {
  Action action;
  action.kind = choice.kind;
  const auto take_event = [&] {
    const Event& event = space_->event(choice.a);
    action.node = space_->id_of(event.to);
    action.from = space_->id_of(event.from);
    if (event.payload.empty()) return;
    if (choice.kind == ActionKind::kTimer) {
      action.type = event.payload.get<std::string>();
      return;
    }
    action.type = space_->names().of(event.payload);
    action.payload = space_->names().tree(event.payload);
    action.payload_digest = event.payload.digest();
  };
  switch (choice.kind) {
    case ActionKind::kCrash:
      action.node = space_->id_of(static_cast<int>(choice.a));
      break;
    case ActionKind::kPartition:
      action.type = show_split(*space_, choice.a);
      break;
    case ActionKind::kHeal:
      break;
    default:
      take_event();
  }
  if (runs_handler(choice.kind)) {
    const HandlerOutcome& outcome = chosen(state, choice);
    action.choices = outcome.choices;
    action.crash_at_persist = static_cast<int>(outcome.crash_at_persist);
  }
  return action;
}

Sent sent_of(const ActorSpace& space, const Event& event) {
  Sent sent;
  sent.kind = event.kind;
  sent.from = space.id_of(event.from);
  sent.to = space.id_of(event.to);
  if (!event.payload.empty()) {
    sent.type = space.names().of(event.payload);
    sent.text = value::show(space.names().tree(event.payload));
    sent.payload_digest = event.payload.digest();
  }
  return sent;
}

void collect_effects(const Context::Captured& captured, size_t count, int client, StepDetail& out) {
  for (size_t i = 0; i < count; ++i) {
    const Effect& effect = captured.effects[i];
    switch (effect.kind) {
      case Effect::Kind::kSetTimer:
        out.timers.push_back("+" + effect.text);
        break;
      case Effect::Kind::kCancelTimer:
        out.timers.push_back("-" + effect.text);
        break;
      case Effect::Kind::kDecide:
        out.decided.push_back(value::show(effect.value.tree()));
        break;
      case Effect::Kind::kInvoke:
      case Effect::Kind::kReturn:
        out.history.push_back(
            {client, effect.kind == Effect::Kind::kReturn, value::show(effect.value.tree())});
        break;
      case Effect::Kind::kLog:
        out.log.push_back(effect.text);
        break;
      default:
        break;
    }
  }
}

void ActorExplorer::take_handled(const Choice& choice, std::vector<uint32_t>& pending) const {
  const bool taken =
      runs_handler(choice.kind) && choice.kind != ActionKind::kTimer &&
      choice.kind != ActionKind::kRecover && choice.kind != ActionKind::kSuspect &&
      !(choice.kind == ActionKind::kDeliver && space_->declaration().network == Network::kSet);
  if (!taken) return;
  const auto at = std::find(pending.begin(), pending.end(), choice.a);
  if (at != pending.end()) pending.erase(at);
}

StepDetail ActorExplorer::detail(StateRef state, const Choice& choice) {
  StepDetail out;
  out.action = action(state, choice);
  std::vector<uint32_t> before(state.begin() + kFirstPart + space_->part_count(), state.end());
  if (runs_handler(choice.kind)) {
    const HandlerOutcome& outcome = chosen(state, choice);
    const Event& event = space_->event(choice.a);
    // The memo keeps what the engine needs; what people want to see comes from running it again.
    HandlerRun run(*space_, space_->part(state[kFirstPart + event.to]), event);
    run.run(outcome.choices);
    const size_t count = effects_before_crash(run.captured().effects, outcome.crash_at_persist);
    collect_effects(run.captured(), count, out.action.node, out);
    if (choice.fails) {
      out.failure = failure_of(state, outcome);
      return out;
    }
  }
  // What is pending afterwards and was not before has been sent in this step.
  std::vector<uint32_t> next;
  apply(state, space_->fingerprint(state), choice, next);
  std::vector<uint32_t> after(next.begin() + kFirstPart + space_->part_count(), next.end());
  take_handled(choice, before);
  for (uint32_t id : after) {
    const auto at = std::find(before.begin(), before.end(), id);
    if (at != before.end()) {
      before.erase(at);
    } else {
      out.sent.push_back(sent_of(*space_, space_->event(id)));
    }
  }
  return out;
}

namespace {

// The environment knows nodes by position; people know them by id.
Environment with_ids(const ActorSpace& space, const Environment& environment) {
  const auto ids = [&](const std::pair<int, int>& pair) {
    return std::pair(space.id_of(pair.first), space.id_of(pair.second));
  };
  Environment out = environment;
  out.notified.clear();
  out.suspicions.clear();
  for (const auto& pair : environment.notified) out.notified.insert(ids(pair));
  for (const auto& [pair, count] : environment.suspicions) out.suspicions[ids(pair)] = count;
  return out;
}

// Of an opaque object, people want to see what it says of itself; its digest only if it says
// nothing.
value::Tree shown_state(const value::Any& state, const std::string& type) {
  const OpaqueState* opaque = state.try_get<OpaqueState>();
  if (opaque == nullptr) return state.tree();
  value::Tree tree = value::Tree::record(type);
  if (opaque->shown.empty()) {
    tree.add("digest", value::Tree::number_unsigned(opaque->digest));
  } else {
    tree.add("state", value::Tree::string(opaque->shown));
  }
  return tree;
}

}  // namespace

Snapshot ActorExplorer::observe(StateRef state) {
  using value::Tree;
  Snapshot out;
  out.digest = space_->digest(state);
  const detail::Declaration& declaration = space_->declaration();
  for (uint32_t node = 0; node < space_->part_count(); ++node) {
    const Part& part = space_->part(state[kFirstPart + node]);
    Snapshot::Part seen;
    seen.node = space_->id_of(static_cast<int>(node));
    seen.component = space_->is_component(static_cast<int>(node));
    seen.name = seen.component ? declaration.nodes[node].name : "node " + std::to_string(seen.node);
    seen.type = std::string(space_->type_of(node).name);
    seen.up = part.up;
    seen.digest = part.digest;
    seen.tree = shown_state(part.state, seen.type);
    if (seen.tree.kind == Tree::Kind::kRecord) {
      // What belongs to the node but is none of its fields.
      if (!part.up) seen.tree.add("(up)", Tree::boolean(false));
      if (!part.disk.empty()) seen.tree.add("(disk)", part.disk.tree());
      if (!part.timers.empty()) {
        Tree timers = Tree::of(Tree::Kind::kSet);
        for (const Timer& timer : part.timers) {
          std::string text = timer.name;
          if (declaration.timed) text += " in " + std::to_string(timer.remaining);
          timers.items.push_back(Tree::string(text));
        }
        seen.tree.add("(timers)", std::move(timers));
      }
      if (!part.decisions.empty()) {
        Tree decisions = Tree::of(Tree::Kind::kList);
        for (const value::Any& decision : part.decisions) {
          decisions.items.push_back(decision.tree());
        }
        seen.tree.add("(decided)", std::move(decisions));
      }
    }
    out.parts.push_back(std::move(seen));
  }
  Snapshot::Part network;
  network.name = "network";
  network.tree = Tree::of(Tree::Kind::kList);
  const uint32_t first = kFirstPart + space_->part_count();
  for (uint32_t i = first; i < state.size(); ++i) {
    const Sent sent = sent_of(*space_, space_->event(state[i]));
    std::string text = to_string(sent.kind);
    if (!sent.text.empty()) text += " " + sent.text;
    if (sent.from >= 0) text += " from " + std::to_string(sent.from);
    text += " to " + std::to_string(sent.to);
    network.tree.items.push_back(Tree::string(text));
    out.pending.push_back(sent);
  }
  network.digest = space_->pending_digest(state);
  out.parts.push_back(std::move(network));
  Snapshot::Part faults;
  faults.name = "faults";
  faults.tree = value::tree(with_ids(*space_, space_->environment(state[kEnvironmentWord])));
  faults.digest = space_->environment_mixed(state[kEnvironmentWord]);
  out.parts.push_back(std::move(faults));
  Snapshot::Part history;
  history.name = "history";
  const History& operations = space_->history(state[kHistoryWord]);
  history.tree = operations.tree();
  for (const History::Client& client : operations.clients()) {
    if (!client.pending) continue;
    out.open_operations.push_back(
        {client.id.value, false, value::show(client.pending->call.tree())});
  }
  history.digest = space_->history_digest(state[kHistoryWord]);
  out.parts.push_back(std::move(history));
  return out;
}

}  // namespace ordeal::actor
