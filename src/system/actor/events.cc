// Steps as filters and property machines see them, and the changes that filters make. What each
// event holds: docs/reference/events.md.
#include <algorithm>

#include "base/mutant.h"
#include "system/actor/explorer.h"
#include "system/actor/handler_run.h"

namespace ordeal::actor {
namespace {

EventKind handled_as(ActionKind kind) {
  switch (kind) {
    case ActionKind::kDeliver:
      return EventKind::kReceive;
    case ActionKind::kRequest:
      return EventKind::kRequest;
    case ActionKind::kEvent:
      return EventKind::kPosted;
    case ActionKind::kTimer:
      return EventKind::kTimer;
    case ActionKind::kDetect:
      return EventKind::kDetect;
    case ActionKind::kRestore:
      return EventKind::kRestore;
    case ActionKind::kSuspect:
      return EventKind::kSuspect;
    case ActionKind::kCrash:
      return EventKind::kCrash;
    case ActionKind::kRecover:
      return EventKind::kRecover;
    case ActionKind::kDrop:
      return EventKind::kDrop;
    case ActionKind::kDuplicate:
      return EventKind::kDuplicate;
    case ActionKind::kPartition:
      return EventKind::kPartition;
    case ActionKind::kHeal:
      return EventKind::kHeal;
    default:
      return EventKind::kStep;
  }
}

bool is_about_pending_message(ActionKind kind) {
  return kind == ActionKind::kDrop || kind == ActionKind::kDuplicate;
}

}  // namespace

// --- What an action is about -------------------------------------------------------------------

Offer ActorExplorer::offer(StateRef, const Choice& choice) {
  switch (choice.kind) {
    case ActionKind::kCrash:
      return offer_of(choice.kind, space_->id_of(static_cast<int>(choice.a)), -1, {});
    case ActionKind::kPartition:
    case ActionKind::kHeal:
      return {choice.kind, -1, -1, choice.a, choice.a};
    default:
      break;
  }
  const Event& event = space_->event(choice.a);
  const int from = mutant(Mutant::kOfferWithoutSender) ? -1 : event.from;
  return offer_of(is_about_pending_message(choice.kind) ? ActionKind::kDeliver : choice.kind,
                  space_->id_of(event.to), space_->id_of(from), event.payload);
}

// --- What a step did -----------------------------------------------------------------------------

const value::Any* ActorExplorer::state_of(int position, StateRef state) const {
  if (position < 0 || is_unknown(static_cast<uint32_t>(position))) return nullptr;
  return &space_->part(state[kFirstPart + position]).state;
}

const HandlerEvents& ActorExplorer::done_by(uint32_t part, uint32_t event,
                                            const HandlerOutcome& way) {
  const uint64_t key = mutant(Mutant::kDoneOnAnotherWay) ? static_cast<uint64_t>(part) << 32 | event
                                                         : reinterpret_cast<uintptr_t>(&way);
  if (const uint32_t* known = done_memo_.find(key)) return done_[*known];
  // The memo keeps what the engine needs for going on; the rest comes from running it again.
  HandlerRun run(*space_, space_->part(part), space_->event(event));
  run.run(way.choices);
  const std::vector<Effect>& effects = run.captured().effects;
  done_memo_.insert(key, static_cast<uint32_t>(done_.size()));
  done_.push_back(handler_events(*space_, space_->id_of(space_->event(event).to), effects,
                                 effects_before_crash(effects, way.crash_at_persist), way.part));
  done_bytes_ += sizeof(HandlerEvents) + owned_bytes(done_.back());
  return done_.back();
}

ActorExplorer::Taken ActorExplorer::taken(StateRef before, const Choice& choice) {
  const HandlerOutcome& way = chosen(before, choice);
  const uint32_t part = before[kFirstPart + space_->event(choice.a).to];
  return {&way, &done_by(part, choice.a, way)};
}

void ActorExplorer::events(StateRef before, const Choice& choice, StateRef after,
                           std::vector<ordeal::Event>& out) {
  refresh();
  tell_handled(choice, after, out);
  if (!runs_handler(choice.kind)) {
    tell_pending(before, choice, after, out);
    return;
  }
  const uint32_t position = static_cast<uint32_t>(space_->event(choice.a).to);
  const Taken taken = this->taken(before, choice);
  tell_done(*taken.did, position, after, out);
  set_.clear();
  if (!taken.way->calls.empty()) tell_calls(before, choice, *taken.way, after, out);
  if (taken.way->crash_at_persist > 0) tell_crash(position, after, out);
  tell_pending(before, choice, after, out);
  tell_timers(taken, position, after, out);
}

void ActorExplorer::tell_handled(const Choice& choice, StateRef after,
                                 std::vector<ordeal::Event>& out) {
  if (choice.kind == ActionKind::kCrash) return tell_crash(choice.a, after, out);
  ordeal::Event& told = out.emplace_back();
  told.kind = handled_as(choice.kind);
  if (choice.kind == ActionKind::kHeal) return;
  if (choice.kind == ActionKind::kPartition) {
    while (splits_.size() < space_->declaration().partitions.size()) {
      splits_.push_back(show_split(*space_, static_cast<uint32_t>(splits_.size())));
    }
    told.text = splits_[choice.a];
    return;
  }
  const Event& event = space_->event(choice.a);
  const bool is_timer = choice.kind == ActionKind::kTimer;
  if (!is_about_pending_message(choice.kind)) {
    told.node = space_->id_of(event.to);
    told.state = state_of(event.to, after);
  }
  if (is_timer || choice.kind == ActionKind::kRecover) {
    if (is_timer) told.text = event.payload.get<std::string>();
    return;
  }
  told.from = space_->id_of(event.from);
  told.to = space_->id_of(event.to);
  told.payload = event.payload;
}

void ActorExplorer::tell_crash(uint32_t position, StateRef after,
                               std::vector<ordeal::Event>& out) const {
  ordeal::Event& told = out.emplace_back();
  told.kind = EventKind::kCrash;
  told.node = space_->id_of(static_cast<int>(position));
  told.state = state_of(static_cast<int>(position), after);
}

void ActorExplorer::tell_done(const HandlerEvents& did, uint32_t position, StateRef after,
                              std::vector<ordeal::Event>& out) const {
  const size_t first = out.size();
  out.insert(out.end(), did.events.begin(), did.events.end());
  const value::Any* state = state_of(static_cast<int>(position), after);
  for (size_t i = first; i < out.size(); ++i) out[i].state = state;
}

// Components are called when the handler has ended, one call after the other.
void ActorExplorer::tell_calls(StateRef before, const Choice& choice, const HandlerOutcome& way,
                               StateRef after, std::vector<ordeal::Event>& out) {
  uint32_t elapsed = 0;  // a timer that fires takes its time off the timers of components first
  if (choice.kind == ActionKind::kTimer) {
    const Part& part = space_->part(before[kFirstPart + space_->event(choice.a).to]);
    for (size_t i = 0; i < part.timers.size(); ++i) {
      if (part.timer_events[i] == choice.a) elapsed = part.timers[i].remaining;
    }
  }
  called_parts_.clear();
  for (uint32_t i = 0; i < space_->part_count(); ++i) {
    const uint32_t part = before[kFirstPart + i];
    const bool component = space_->is_component(static_cast<int>(i));
    called_parts_.push_back(component ? space_->later_part(part, elapsed) : part);
  }
  for (uint32_t call : way.calls) {
    const uint32_t component = static_cast<uint32_t>(space_->event(call).to);
    const HandlerOutcome& went = outcomes(called_parts_[component], call)[0];
    const HandlerEvents& did = done_by(called_parts_[component], call, went);
    tell_done(did, component, after, out);
    for (std::string_view timer : did.timers) set_.emplace_back(component, timer);
    called_parts_[component] = went.part;
  }
  // A later call may have set one again, or cancelled it.
  std::sort(set_.begin(), set_.end());
  set_.erase(std::unique(set_.begin(), set_.end()), set_.end());
  std::erase_if(set_, [&](const auto& set) {
    const std::vector<Timer>& timers = space_->part(after[kFirstPart + set.first]).timers;
    return std::none_of(timers.begin(), timers.end(),
                        [&](const Timer& timer) { return timer.name == set.second; });
  });
}

void ActorExplorer::tell_pending(StateRef before, const Choice& choice, StateRef after,
                                 std::vector<ordeal::Event>& out) {
  const detail::Declaration& declaration = space_->declaration();
  const uint32_t first = kFirstPart + space_->part_count();
  const uint32_t* was = before.data() + first;
  const uint32_t* was_end = before.data() + before.size();
  const uint32_t* const now_end = after.data() + after.size();
  // The copy that was handled is gone: one that is there again is new.
  bool taken = runs_handler(choice.kind) &&
               !(choice.kind == ActionKind::kDeliver && declaration.network == Network::kSet);
  if (declaration.network == Network::kOrdered) {
    // Queues have an order of their own.
    was_pending_.assign(was, was_end);
    const auto drop = [&](uint32_t id) {
      const auto at = std::find(was_pending_.begin(), was_pending_.end(), id);
      if (at == was_pending_.end()) return false;
      if (!mutant(Mutant::kCopiesNotAnnounced)) was_pending_.erase(at);
      return true;
    };
    if (taken) drop(choice.a);
    for (const uint32_t* now = after.data() + first; now != now_end; ++now) {
      if (!drop(*now)) out.push_back(announcement(*now, after));
    }
    return;
  }
  for (const uint32_t* now = after.data() + first; now != now_end; ++now) {
    for (; was != was_end; ++was) {
      if (taken && *was == choice.a) {
        taken = false;
      } else if (*was == *now || !space_->before(*was, *now)) {
        break;
      }
    }
    if (was == was_end || *was != *now) {
      out.push_back(announcement(*now, after));
    } else if (!mutant(Mutant::kCopiesNotAnnounced)) {
      ++was;
    }
  }
}

void ActorExplorer::tell_timers(const Taken& taken, uint32_t position, StateRef after,
                                std::vector<ordeal::Event>& out) {
  for (std::string_view name : taken.did->timers) {
    out.push_back(timer_announcement(position, name, after));
  }
  for (const auto& [component, name] : set_) {
    out.push_back(timer_announcement(component, name, after));
  }
}

// --- What is on its way --------------------------------------------------------------------------

ordeal::Event ActorExplorer::announcement(uint32_t id, StateRef state) const {
  const Event& event = space_->event(id);
  ordeal::Event out;
  int where = event.from;
  switch (event.kind) {
    case ActionKind::kRequest:
      out.kind = EventKind::kSubmit;
      where = event.to;
      break;
    case ActionKind::kEvent:
      out.kind = EventKind::kPost;
      break;
    case ActionKind::kDetect:
    case ActionKind::kRestore:
      out.kind = EventKind::kNotice;
      out.text = event.kind == ActionKind::kDetect ? "detect" : "restore";
      where = event.to;
      break;
    default:
      out.kind = EventKind::kSend;
  }
  out.node = space_->id_of(where);
  out.from = space_->id_of(event.from);
  out.to = space_->id_of(event.to);
  out.payload = event.payload;
  out.state = state_of(where, state);
  return out;
}

ordeal::Event ActorExplorer::timer_announcement(uint32_t position, std::string_view name,
                                                StateRef state) const {
  ordeal::Event out;
  out.kind = EventKind::kSetTimer;
  out.node = space_->id_of(static_cast<int>(position));
  out.text = name;
  out.state = state_of(static_cast<int>(position), state);
  return out;
}

void ActorExplorer::on_its_way(StateRef state, std::vector<ordeal::Event>& out) {
  for (size_t i = kFirstPart + space_->part_count(); i < state.size(); ++i) {
    out.push_back(announcement(state[i], state));
  }
  for (uint32_t node = 0; node < space_->part_count(); ++node) {
    for (const Timer& timer : space_->part(state[kFirstPart + node]).timers) {
      out.push_back(timer_announcement(node, timer.name, state));
    }
  }
}

// --- Changes that no action makes ----------------------------------------------------------------

uint64_t ActorExplorer::amend(StateRef state, std::span<const Amendment> changes,
                              std::vector<uint32_t>& out) {
  unpack(state, working_);
  for (const Amendment& change : changes) amend(working_, change);
  const size_t begin = out.size();
  pack(working_, out);
  if (mutant(Mutant::kAmendKeepsFingerprint)) return space_->fingerprint(state);
  return space_->fingerprint(StateRef(out).subspan(begin));
}

void ActorExplorer::amend(Working& working, const Amendment& change) const {
  const int to = space_->position_of(change.to);
  if (to < 0) return;
  if (change.what == ActionKind::kTimer) {
    const std::string* name = change.payload.try_get<std::string>();
    if (name == nullptr || change.kind != Amendment::Kind::kRemove) return;
    Part part = space_->part(working.parts[to]);
    std::erase_if(part.timers, [&](const Timer& timer) { return timer.name == *name; });
    working.parts[to] = space_->intern_part(std::move(part));
    return;
  }
  const int from = space_->position_of(change.from);
  if (from < 0 && change.what != ActionKind::kRequest) return;
  const bool carries = change.what == ActionKind::kDeliver || change.what == ActionKind::kEvent ||
                       change.what == ActionKind::kRequest;
  const uint32_t event = space_->intern_event(change.what, from, to, change.payload);
  if (change.kind == Amendment::Kind::kAdd) {
    if (carries && !change.payload.empty()) add_pending(working, event);
    return;
  }
  const bool queued =
      change.what == ActionKind::kDeliver && space_->declaration().network == Network::kOrdered;
  const auto newest = std::find(working.pending.rbegin(), working.pending.rend(), event);
  if (newest == working.pending.rend()) return;
  auto at = std::next(newest).base();
  if (queued && change.place >= 0) {
    const auto front =
        std::find_if(working.pending.begin(), working.pending.end(), [&](uint32_t pending) {
          return space_->same_queue(space_->event(pending), space_->event(event));
        });
    if (working.pending.end() - front <= change.place || *(front + change.place) != event) return;
    at = front + change.place;
  }
  if (change.kind == Amendment::Kind::kRemove) {
    working.pending.erase(at);
  } else if (!carries) {
    return;
  } else if (change.kind == Amendment::Kind::kCopy) {
    queued ? static_cast<void>(working.pending.insert(at, event)) : add_pending(working, event);
  } else if (!change.other.empty()) {
    const uint32_t other = space_->intern_event(change.what, from, to, change.other);
    if (queued) {
      *at = other;
    } else {
      working.pending.erase(at);
      add_pending(working, other);
    }
  }
}

}  // namespace ordeal::actor
