// The enabled actions of a state, in canonical order.
#include <algorithm>

#include "base/mutant.h"
#include "system/actor/explorer.h"

namespace ordeal::actor {

void ActorExplorer::enumerate(StateRef state, std::vector<Choice>& out) {
  refresh();
  ways_.clear();
  enumerate_faults(state, out);
  const size_t faults = out.size();
  enumerate_pending(state, out);
  const bool time_stands = space_->declaration().prompt && out.size() > faults;
  if (!time_stands || mutant(Mutant::kTimePassesAnyway)) enumerate_timers(state, out);
  if (space_->declaration().repeat_requests) enumerate_repeats(state, out);
}

// Requests that were made may be made again. What waits for a person keeps no run alive.
void ActorExplorer::enumerate_repeats(StateRef state, std::vector<Choice>& out) {
  const auto pending = state.begin() + kFirstPart + space_->part_count();
  std::vector<uint32_t> made;
  for (const auto& [id, request] : space_->declaration().requests) {
    const int to = space_->position_of(id);
    const uint32_t event = space_->intern_event(ActionKind::kRequest, -1, to, request);
    if (!space_->part(state[kFirstPart + to]).up) continue;
    if (std::find(pending, state.end(), event) == state.end()) made.push_back(event);
  }
  std::sort(made.begin(), made.end(), [&](uint32_t a, uint32_t b) { return space_->before(a, b); });
  made.erase(std::unique(made.begin(), made.end()), made.end());
  for (const uint32_t event : made) {
    const Event& request = space_->event(event);
    add_handler_choices(
        state,
        {ActionKind::kRequest, event, static_cast<uint32_t>(request.to), request.sort, false}, out);
  }
}

std::string ActorExplorer::failure_of(StateRef state, const HandlerOutcome& outcome) {
  if (!outcome.failure.empty()) return outcome.failure;
  if (outcome.calls.empty() &&
      (outcome.history_ops == 0 ||
       history_after(state[kHistoryWord], outcome.history_ops) != kFails)) {
    return "";
  }
  Working trial;
  unpack(state, trial);
  return perform(trial, outcome, space_->part(outcome.part).node);
}

void ActorExplorer::add_handler_choices(StateRef state, const Handled& what,
                                        std::vector<Choice>& out) {
  if (leaves_open_) {
    Choice& choice = out.emplace_back();
    choice.kind = what.kind;
    choice.progress = what.progress;
    choice.sort = what.sort;
    choice.a = what.event;
    choice.c = static_cast<uint32_t>(ways_.size());
    ways_.push_back(nullptr);
    return;
  }
  const uint32_t part = state[kFirstPart + what.to];
  const bool skip_noops = skip_noops_ && what.kind == ActionKind::kDeliver;
  const uint32_t* known = memo_.find(memo_key(part, what.event));
  if (known != nullptr && *known % 2 == 1 && skip_noops) return;
  const Ways ways = known != nullptr ? known_[*known / 2] : outcomes(part, what.event);
  for (uint32_t i = 0; i < ways.size(); ++i) {
    const HandlerOutcome& way = ways[i];
    if (way.noop && skip_noops) continue;
    if (way.crash_at_persist > 0 &&
        !can_crash(space_->environment(state[kEnvironmentWord]), what.to)) {
      continue;
    }
    Choice choice;
    choice.kind = what.kind;
    choice.progress = what.progress && way.crash_at_persist == 0;
    choice.fails = !way.plain && !failure_of(state, way).empty();
    choice.sort = what.sort;
    choice.a = what.event;
    choice.b = i;
    choice.c = static_cast<uint32_t>(ways_.size());
    ways_.push_back(&way);
    out.push_back(choice);
  }
}

void ActorExplorer::enumerate_pending(StateRef state, std::vector<Choice>& out) {
  const detail::Declaration& declaration = space_->declaration();
  const uint32_t first = kFirstPart + space_->part_count();
  const uint32_t partition = declaration.partition_budget == 0
                                 ? 0
                                 : space_->environment(state[kEnvironmentWord]).partition;
  for (uint32_t i = first; i < state.size(); ++i) {
    if (i > first && state[i] == state[i - 1]) continue;  // one action per distinct event
    const Event& event = space_->event(state[i]);
    const uint32_t to = static_cast<uint32_t>(event.to);
    if (!all_up_ && !space_->part(state[kFirstPart + to]).up) continue;
    if (event.kind == ActionKind::kDeliver) {
      if (declaration.network == Network::kOrdered && i > first &&
          space_->same_queue(space_->event(state[i - 1]), event)) {
        continue;
      }
      const bool cut_off = partition != 0 && space_->cut_off(partition, event.from, event.to);
      if (cut_off && !mutant(Mutant::kPartitionIgnored)) continue;
    }
    add_handler_choices(state, {event.kind, state[i], to, event.sort, true}, out);
  }
}

void ActorExplorer::enumerate_timers(StateRef state, std::vector<Choice>& out) {
  if (!space_->any_timers()) return;
  // Asynchronous systems keep no delays: every timer is among the least.
  uint32_t least = space_->declaration().timed ? ~0U : 0;
  if (least != 0) {
    for (uint32_t node = 0; node < space_->part_count(); ++node) {
      const Part& part = space_->part(state[kFirstPart + node]);
      if (!part.up) continue;
      for (const Timer& timer : part.timers) least = std::min(least, timer.remaining);
    }
  }
  for (uint32_t node = 0; node < space_->part_count(); ++node) {
    const Part& part = space_->part(state[kFirstPart + node]);
    if (!part.up) continue;
    for (size_t i = 0; i < part.timers.size(); ++i) {
      if (part.timers[i].remaining != least && !mutant(Mutant::kTimeStandsStill)) continue;
      const bool progress = !part.timers[i].idle || mutant(Mutant::kIdleIsProgress);
      const uint32_t event = part.timer_events[i];
      add_handler_choices(
          state, {ActionKind::kTimer, event, node, space_->event(event).sort, progress}, out);
    }
  }
}

void ActorExplorer::enumerate_faults(StateRef state, std::vector<Choice>& out) {
  const detail::Declaration& declaration = space_->declaration();
  const Environment& environment = space_->environment(state[kEnvironmentWord]);
  const uint32_t first = kFirstPart + space_->part_count();
  const auto fault = [&](ActionKind kind, uint32_t a) {
    Choice choice;
    choice.kind = kind;
    choice.progress = false;
    choice.sort = space_->step_sorts().of_fault(kind);
    choice.a = a;
    out.push_back(choice);
  };
  if (environment.crashes > 0) {
    for (uint32_t node = 0; node < space_->node_count(); ++node) {
      if (can_crash(environment, node) && space_->part(state[kFirstPart + node]).up) {
        fault(ActionKind::kCrash, node);
      }
    }
  }
  if (environment.recoveries > 0) {
    for (uint32_t node = 0; node < space_->node_count(); ++node) {
      if (space_->part(state[kFirstPart + node]).up) continue;
      const uint32_t event =
          space_->intern_event(ActionKind::kRecover, -1, static_cast<int>(node), value::Any());
      add_handler_choices(
          state, {ActionKind::kRecover, event, node, space_->event(event).sort, false}, out);
    }
  }
  const bool duplicates = environment.duplicates > 0 && declaration.network != Network::kSet;
  if (environment.drops > 0 || duplicates || mutant(Mutant::kDropWithoutBudget)) {
    const auto oldest_distinct_message = [&](uint32_t i) {
      const Event& event = space_->event(state[i]);
      if (event.kind != ActionKind::kDeliver) return false;
      if (i == first) return true;
      return state[i] != state[i - 1] && (declaration.network != Network::kOrdered ||
                                          !space_->same_queue(space_->event(state[i - 1]), event));
    };
    const bool drops = environment.drops > 0 || mutant(Mutant::kDropWithoutBudget);
    for (uint32_t i = first; drops && i < state.size(); ++i) {
      if (oldest_distinct_message(i)) fault(ActionKind::kDrop, state[i]);
    }
    for (uint32_t i = first; duplicates && i < state.size(); ++i) {
      if (!oldest_distinct_message(i)) continue;
      if (!space_->part(state[kFirstPart + space_->event(state[i]).to]).up) continue;
      fault(ActionKind::kDuplicate, state[i]);
    }
  }
  if (declaration.detector == Detector::kEventuallyPerfect) enumerate_suspicions(state, out);
  if (environment.partition == 0 && environment.partitions > 0) {
    for (uint32_t i = 0; i < declaration.partitions.size(); ++i) fault(ActionKind::kPartition, i);
  } else if (environment.partition != 0) {
    fault(ActionKind::kHeal, 0);
  }
}

void ActorExplorer::enumerate_suspicions(StateRef state, std::vector<Choice>& out) {
  const Environment& environment = space_->environment(state[kEnvironmentWord]);
  const uint32_t nodes = space_->node_count();
  const uint32_t first = kFirstPart + space_->part_count();
  for (uint32_t q = 0; q < nodes; ++q) {
    if (!space_->part(state[kFirstPart + q]).up || space_->type_of(q).crashed == nullptr) continue;
    for (uint32_t p = 0; p < nodes; ++p) {
      const std::pair<int, int> pair(q, p);
      if (p == q || !space_->part(state[kFirstPart + p]).up) continue;
      if (environment.notified.contains(pair)) continue;
      const auto spent = environment.suspicions.find(pair);
      if (spent != environment.suspicions.end() &&
          spent->second >= space_->declaration().wrong_suspicions &&
          !mutant(Mutant::kSuspicionIsFree)) {
        continue;
      }
      const uint32_t restore = space_->intern_event(ActionKind::kRestore, static_cast<int>(p),
                                                    static_cast<int>(q), value::Any());
      if (std::find(state.begin() + first, state.end(), restore) != state.end()) continue;
      const uint32_t event = space_->intern_event(ActionKind::kSuspect, static_cast<int>(p),
                                                  static_cast<int>(q), value::Any());
      add_handler_choices(state, {ActionKind::kSuspect, event, q, space_->event(event).sort, false},
                          out);
    }
  }
}

}  // namespace ordeal::actor
