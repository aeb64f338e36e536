// The actions that touch more than one node and the network: timers of timed systems, faults, and
// everything in systems where nodes may be down.
#include <algorithm>

#include "base/mutant.h"
#include "system/actor/explorer.h"

namespace ordeal::actor {

void ActorExplorer::notice(Working& working, ActionKind kind, uint32_t about, uint32_t to) const {
  const uint32_t event =
      space_->intern_event(kind, static_cast<int>(about), static_cast<int>(to), value::Any());
  add_pending(working, event);
}

void ActorExplorer::apply_slow(Working& working, const Choice& choice) {
  switch (choice.kind) {
    case ActionKind::kDeliver:
    case ActionKind::kRequest:
    case ActionKind::kEvent:
    case ActionKind::kDetect:
    case ActionKind::kRestore: {
      const Event& event = space_->event(choice.a);
      const uint32_t to = static_cast<uint32_t>(event.to);
      const HandlerOutcome& outcome = outcomes(working.parts[to], choice.a)[choice.b];
      const bool stays = space_->declaration().network == Network::kSet &&
                         choice.kind == ActionKind::kDeliver && !mutant(Mutant::kSetConsumes);
      if (!stays) remove_pending(working, choice.a);
      if (choice.kind == ActionKind::kDetect || choice.kind == ActionKind::kRestore) {
        Environment changed = environment(working);
        if (choice.kind == ActionKind::kDetect) {
          if (!mutant(Mutant::kNotToldOnce)) changed.notified.insert({event.to, event.from});
        } else if (!mutant(Mutant::kStaysSuspected)) {
          changed.notified.erase({event.to, event.from});
        }
        working.environment = space_->intern_environment(std::move(changed));
      }
      apply_failure_ = perform(working, outcome, to);
      if (outcome.crash_at_persist > 0) crash(working, to, true);
      return;
    }
    case ActionKind::kTimer: {
      const uint32_t to = static_cast<uint32_t>(space_->event(choice.a).to);
      const HandlerOutcome& outcome = outcomes(working.parts[to], choice.a)[choice.b];
      fire_timer(working, choice, outcome);
      return;
    }
    case ActionKind::kCrash:
      crash(working, choice.a, false);
      return;
    case ActionKind::kRecover:
      recover(working, choice);
      return;
    case ActionKind::kSuspect:
      suspect(working, choice);
      return;
    case ActionKind::kDrop:
    case ActionKind::kDuplicate: {
      Environment changed = environment(working);
      const auto at = std::find(working.pending.begin(), working.pending.end(), choice.a);
      if (choice.kind == ActionKind::kDrop) {
        --changed.drops;
        working.pending.erase(at);
      } else {
        --changed.duplicates;
        if (!mutant(Mutant::kDuplicateIsNone)) working.pending.insert(at, choice.a);
      }
      working.environment = space_->intern_environment(std::move(changed));
      return;
    }
    case ActionKind::kPartition:
    case ActionKind::kHeal: {
      Environment changed = environment(working);
      if (choice.kind == ActionKind::kPartition) {
        --changed.partitions;
        changed.partition = choice.a + 1;
      } else {
        changed.partition = 0;
      }
      working.environment = space_->intern_environment(std::move(changed));
      return;
    }
    default:
      return;
  }
}

void ActorExplorer::fire_timer(Working& working, const Choice& choice,
                               const HandlerOutcome& outcome) {
  const Event& event = space_->event(choice.a);
  const uint32_t to = static_cast<uint32_t>(event.to);
  uint32_t elapsed = 0;
  const Part& part = space_->part(working.parts[to]);
  for (size_t i = 0; i < part.timers.size(); ++i) {
    if (part.timer_events[i] == choice.a) elapsed = part.timers[i].remaining;
  }
  // The handler has taken the time off its own node's timers; the other nodes' follow.
  for (uint32_t node = 0; node < working.parts.size(); ++node) {
    if (node != to && space_->part(working.parts[node]).up && !mutant(Mutant::kOtherClocksStop)) {
      working.parts[node] = space_->later_part(working.parts[node], elapsed);
    }
  }
  apply_failure_ = perform(working, outcome, to);
  if (outcome.crash_at_persist > 0) crash(working, to, true);
}

void ActorExplorer::crash(Working& working, uint32_t position, bool part_is_crashed) {
  const detail::Declaration& declaration = space_->declaration();
  Environment changed = environment(working);
  if (!mutant(Mutant::kCrashIsFree)) --changed.crashes;
  if (!part_is_crashed) {
    working.parts[position] = space_->crashed_part(working.parts[position]);
  }
  const int who = static_cast<int>(position);
  std::erase_if(working.pending, [&](uint32_t id) {
    const Event& event = space_->event(id);
    const bool is_notice = event.kind == ActionKind::kDetect || event.kind == ActionKind::kRestore;
    if (event.to == who) {
      return is_notice || space_->crashes_are_final() || mutant(Mutant::kPendingLost);
    }
    // A suspicion of this node that was to be taken back has become right.
    return event.kind == ActionKind::kRestore && event.from == who;
  });
  std::erase_if(changed.notified, [&](const auto& pair) { return pair.first == who; });
  if (declaration.detector != Detector::kNone) {
    for (uint32_t node = 0; node < space_->node_count(); ++node) {
      if (node == position || !space_->part(working.parts[node]).up) continue;
      if (space_->type_of(node).crashed == nullptr) continue;
      if (changed.notified.contains({static_cast<int>(node), who})) continue;
      notice(working, ActionKind::kDetect, position, node);
    }
  }
  working.environment = space_->intern_environment(std::move(changed));
}

void ActorExplorer::recover(Working& working, const Choice& choice) {
  const int who = space_->event(choice.a).to;
  const uint32_t position = static_cast<uint32_t>(who);
  const HandlerOutcome& outcome = outcomes(working.parts[position], choice.a)[choice.b];
  Environment changed = environment(working);
  if (!mutant(Mutant::kRecoveryIsFree)) --changed.recoveries;
  std::erase_if(working.pending, [&](uint32_t id) {
    const Event& event = space_->event(id);
    return event.kind == ActionKind::kDetect && event.from == who;
  });
  for (uint32_t node = 0; node < space_->node_count(); ++node) {
    const std::pair<int, int> pair(node, who);
    if (!changed.notified.contains(pair)) continue;
    changed.notified.erase(pair);
    if (space_->type_of(node).restored == nullptr) continue;
    notice(working, ActionKind::kRestore, position, node);
  }
  if (space_->declaration().detector != Detector::kNone &&
      space_->type_of(position).crashed != nullptr) {
    for (uint32_t node = 0; node < space_->node_count(); ++node) {
      if (node != position && !space_->part(working.parts[node]).up) {
        notice(working, ActionKind::kDetect, node, position);
      }
    }
  }
  working.environment = space_->intern_environment(std::move(changed));
  apply_failure_ = perform(working, outcome, position);
  if (outcome.crash_at_persist > 0) crash(working, position, true);
}

void ActorExplorer::suspect(Working& working, const Choice& choice) {
  const Event& event = space_->event(choice.a);
  const uint32_t who = static_cast<uint32_t>(event.to);
  const HandlerOutcome& outcome = outcomes(working.parts[who], choice.a)[choice.b];
  Environment changed = environment(working);
  changed.notified.insert({event.to, event.from});
  ++changed.suspicions[{event.to, event.from}];
  working.environment = space_->intern_environment(std::move(changed));
  if (space_->type_of(who).restored != nullptr) {
    notice(working, ActionKind::kRestore, static_cast<uint32_t>(event.from), who);
  }
  apply_failure_ = perform(working, outcome, who);
  if (outcome.crash_at_persist > 0) crash(working, who, true);
}

}  // namespace ordeal::actor
