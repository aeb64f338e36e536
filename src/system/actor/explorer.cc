#include "system/actor/explorer.h"

#include <algorithm>

#include "base/mutant.h"

namespace ordeal::actor {
namespace {

// What the slow way of queues does otherwise.
bool breaks_queues() {
  return mutant(Mutant::kNewestFirst) || mutant(Mutant::kQueuesUnordered) ||
         mutant(Mutant::kCopiesMerge);
}

}  // namespace

ActorExplorer::ActorExplorer(std::shared_ptr<ActorSpace> space)
    : space_(std::move(space)),
      judge_(space_),
      steer_(space_, judge_),
      generation_(space_->generation()) {
  const detail::Declaration& declaration = space_->declaration();
  is_ordered_ = declaration.network == Network::kOrdered;
  // A request that is made again was not pending: nothing is taken out of the parent.
  may_be_fast_ = !declaration.repeat_requests && !(is_ordered_ && breaks_queues());
  all_up_ = declaration.may_crash.empty();
  sends_may_be_lost_ = !all_up_ && space_->crashes_are_final();
  skip_noops_ = declaration.skip_noops && declaration.network != Network::kOrdered;
}

void ActorExplorer::refresh() {
  if (generation_ == space_->generation()) return;
  generation_ = space_->generation();
  memo_.clear();
  known_.clear();
  history_memo_.clear();
  done_memo_.clear();
  done_.clear();
  done_bytes_ = 0;
  judge_.forget();
  steer_.forget();
}

void ActorExplorer::take_runs() {
  judge_.take_runs();
  takes_runs_ = true;
  const detail::Declaration& declaration = space_->declaration();
  // Every event is one action then, whatever its handler does.
  leaves_open_ =
      declaration.never_chooses && !declaration.skip_noops && !declaration.crash_at_persist;
}

bool ActorExplorer::fails(StateRef state, const Choice& choice) {
  if (!leaves_open_ || !runs_handler(choice.kind)) return choice.fails;
  const HandlerOutcome& way = chosen(state, choice);
  ways_[choice.c] = &way;
  return !way.plain && !mutant(Mutant::kOpenIsFine) && !failure_of(state, way).empty();
}

uint64_t ActorExplorer::bytes() const {
  return memo_.bytes() + known_.capacity() * sizeof(Ways) + history_memo_.bytes() +
         done_memo_.bytes() + done_bytes_ + judge_.bytes() + steer_.bytes();
}

ActorExplorer::Ways ActorExplorer::outcomes(uint32_t part, uint32_t event) {
  const uint64_t key = memo_key(part, event);
  if (const uint32_t* known = memo_.find(key)) return known_[*known / 2];
  // Of runs, this explorer is the one who knows.
  const HandlerOutcomes& computed = *space_->outcomes(part, event, !takes_runs_);
  const bool nothing = std::all_of(computed.begin(), computed.end(),
                                   [](const HandlerOutcome& way) { return way.noop; });
  memo_.insert(key, static_cast<uint32_t>(known_.size()) * 2 + (nothing ? 1 : 0));
  known_.emplace_back(computed);
  return known_.back();
}

uint32_t ActorExplorer::history_after(uint32_t history, uint32_t ops) {
  if (ops == 0) return history;
  const uint64_t key = static_cast<uint64_t>(history) << 32 | ops;
  if (const uint32_t* known = history_memo_.find(key)) return *known;
  History changed = space_->history(history);
  bool fails = false;
  for (const HistoryOp& op : space_->history_ops(ops).ops) {
    const Result<void> done = op.is_return ? changed.ret(op.client, op.operation)
                                           : changed.invoke(op.client, op.operation);
    fails = fails || !done.ok();
  }
  const uint32_t result = fails ? kFails : space_->intern_history(std::move(changed));
  history_memo_.insert(key, result);
  return result;
}

uint64_t ActorExplorer::key(StateRef, const Choice& choice) {
  const bool by_event = choice.kind != ActionKind::kCrash &&
                        choice.kind != ActionKind::kPartition && choice.kind != ActionKind::kHeal;
  const uint64_t what = by_event ? space_->event(choice.a).hash : choice.a;
  return combine(combine(static_cast<uint64_t>(choice.kind), what), choice.b);
}

bool ActorExplorer::chooses(const Choice& choice) const {
  switch (choice.kind) {
    case ActionKind::kCrash:
    case ActionKind::kDrop:
    case ActionKind::kDuplicate:
    case ActionKind::kPartition:
    case ActionKind::kHeal:
      return false;
    default:
      return ways_[choice.c] != nullptr && !ways_[choice.c]->choices.empty();
  }
}

// --- Applying ----------------------------------------------------------------------------------

const HandlerOutcome& ActorExplorer::chosen(StateRef state, const Choice& choice) {
  const uint32_t to = static_cast<uint32_t>(space_->event(choice.a).to);
  return outcomes(state[kFirstPart + to], choice.a)[choice.b];
}

uint64_t ActorExplorer::apply(StateRef state, uint64_t fingerprint, const Choice& choice,
                              std::vector<uint32_t>& out) {
  if (mutant(Mutant::kOpenIsFine) && runs_handler(choice.kind) &&
      !chosen(state, choice).failure.empty()) {
    out.insert(out.end(), state.begin(), state.end());
    return fingerprint;
  }
  if (may_be_fast_ && touches_one_node(choice.kind)) {
    const HandlerOutcome* known = ways_[choice.c];
    const HandlerOutcome& outcome = known != nullptr ? *known : chosen(state, choice);
    if (is_simple(state, outcome)) {
      return is_ordered_ ? apply_queued(state, fingerprint, choice, outcome, out)
                         : apply_fast(state, fingerprint, choice, outcome, out);
    }
  }
  unpack(state, working_);
  apply_failure_.clear();
  apply_slow(working_, choice);
  const size_t begin = out.size();
  pack(working_, out);
  return space_->fingerprint(StateRef(out).subspan(begin));
}

bool ActorExplorer::touches_one_node(ActionKind kind) const {
  switch (kind) {
    case ActionKind::kDeliver:
    case ActionKind::kRequest:
    case ActionKind::kEvent:
      return true;
    case ActionKind::kTimer:
      return !space_->declaration().timed;
    default:
      return false;
  }
}

bool ActorExplorer::is_simple(StateRef state, const HandlerOutcome& outcome) const {
  if (!outcome.calls.empty() || outcome.crash_at_persist > 0) return false;
  return !sends_may_be_lost_ ||
         std::all_of(outcome.sends.begin(), outcome.sends.end(), [&](uint32_t sent) {
           return space_->part(state[kFirstPart + space_->event(sent).to]).up;
         });
}

// The node and the history after the handler, in the packed state `to`.
uint64_t ActorExplorer::step_node(StateRef state, uint64_t fingerprint, uint32_t position,
                                  const HandlerOutcome& outcome, uint32_t* to) {
  to[kFirstPart + position] = outcome.part;
  fingerprint +=
      space_->part(outcome.part).mixed - space_->part(state[kFirstPart + position]).mixed;
  if (outcome.history_ops != 0) {
    const uint32_t history = history_after(state[kHistoryWord], outcome.history_ops);
    fingerprint += space_->history_mixed(history) - space_->history_mixed(state[kHistoryWord]);
    to[kHistoryWord] = history;
  }
  return fingerprint;
}

// As apply_fast(), where messages wait in queues: the place in its queue is part of what a message
// contributes to the fingerprint.
uint64_t ActorExplorer::apply_queued(StateRef state, uint64_t fingerprint, const Choice& choice,
                                     const HandlerOutcome& outcome, std::vector<uint32_t>& out) {
  const Event& event = space_->event(choice.a);
  const size_t begin = out.size();
  const size_t first = begin + kFirstPart + space_->part_count();
  out.insert(out.end(), state.begin(), state.end());
  fingerprint =
      step_node(state, fingerprint, static_cast<uint32_t>(event.to), outcome, out.data() + begin);
  if (choice.kind != ActionKind::kTimer) {
    size_t gone = first;
    while (out[gone] != choice.a) ++gone;
    fingerprint -= space_->pending_share(event, 0);
    // Who waits behind it moves up.
    uint64_t place = 0;
    for (size_t i = gone + 1; i < out.size(); ++i, ++place) {
      const Event& behind = space_->event(out[i]);
      if (!space_->same_queue(event, behind) || mutant(Mutant::kPlacesKept)) break;
      fingerprint +=
          space_->pending_share(behind, place) - space_->pending_share(behind, place + 1);
    }
    out.erase(out.begin() + static_cast<ptrdiff_t>(gone));
  }
  for (const uint32_t sent : outcome.sends) {
    const Event& message = space_->event(sent);
    const auto pending = out.begin() + static_cast<ptrdiff_t>(first);
    auto at = pending;
    uint64_t place = 0;
    if (message.kind == ActionKind::kDeliver) {
      for (; at != out.end(); ++at) {
        if (space_->same_queue(space_->event(*at), message)) {
          ++place;
        } else if (space_->before(sent, *at)) {
          break;
        }
      }
    } else {
      at = std::lower_bound(pending, out.end(), sent,
                            [&](uint32_t a, uint32_t b) { return space_->before(a, b); });
    }
    fingerprint += space_->pending_share(message, place);
    out.insert(at, sent);
  }
  if (mutant(Mutant::kXorInsteadOfSum)) return space_->fingerprint(StateRef(out).subspan(begin));
  return fingerprint;
}

// One node changes, one event goes, some come: the fingerprint follows from the parent's.
uint64_t ActorExplorer::apply_fast(StateRef state, uint64_t fingerprint, const Choice& choice,
                                   const HandlerOutcome& outcome, std::vector<uint32_t>& out) {
  const Event& event = space_->event(choice.a);
  const uint32_t first = kFirstPart + space_->part_count();
  const size_t begin = out.size();
  // A timer is part of its node; in a set network messages stay.
  const bool is_set = space_->declaration().network == Network::kSet;
  const bool consumes =
      choice.kind != ActionKind::kTimer && !(is_set && choice.kind == ActionKind::kDeliver);
  const bool sends = !outcome.sends.empty();
  if (sends) {
    out.resize(begin + state.size() - (consumes ? 1 : 0) + outcome.sends.size());
    std::copy(state.begin(), state.begin() + first, out.data() + begin);
  } else {
    out.insert(out.end(), state.begin(), state.end());
  }
  uint32_t* to = out.data() + begin;
  fingerprint = step_node(state, fingerprint, static_cast<uint32_t>(event.to), outcome, to);
  if (!sends) {
    if (consumes) {
      uint32_t* gone = to + first;
      while (*gone != choice.a) ++gone;
      std::copy(gone + 1, to + state.size(), gone);
      out.pop_back();
      fingerprint -= event.mixed;
    }
    if (mutant(Mutant::kXorInsteadOfSum)) return space_->fingerprint(StateRef(out).subspan(begin));
    return fingerprint;
  }
  // Merge what is sent into what stays, both in canonical order.
  uint32_t* write = to + first;
  const uint32_t* stays = state.data() + first;
  const uint32_t* const stays_end = state.data() + state.size();
  const uint32_t* sent = outcome.sends.data();
  const uint32_t* const sent_end = sent + outcome.sends.size();
  bool removed = !consumes;
  while (stays != stays_end) {
    if (!removed && *stays == choice.a) {
      removed = true;
      ++stays;
      continue;
    }
    while (sent != sent_end && space_->before(*sent, *stays)) *write++ = *sent++;
    *write++ = *stays++;
  }
  write = std::copy(sent, sent_end, write);
  fingerprint += outcome.sends_mixed - (consumes ? event.mixed : 0);
  if (is_set) {
    // What was sent before is no second message; equal ones are neighbours now.
    uint32_t* keep = to + first;
    for (uint32_t* at = to + first; at != write; ++at) {
      const bool known =
          at != to + first && keep[-1] == *at && space_->event(*at).kind == ActionKind::kDeliver;
      if (known) {
        fingerprint -= space_->event(*at).mixed;
      } else {
        *keep++ = *at;
      }
    }
    out.resize(static_cast<size_t>(keep - out.data()));
  }
  if (mutant(Mutant::kXorInsteadOfSum)) return space_->fingerprint(StateRef(out).subspan(begin));
  return fingerprint;
}

void ActorExplorer::unpack(StateRef state, Working& working) const {
  working.environment = state[kEnvironmentWord];
  working.history = state[kHistoryWord];
  const auto parts = state.begin() + kFirstPart;
  working.parts.assign(parts, parts + space_->part_count());
  working.pending.assign(parts + space_->part_count(), state.end());
}

void ActorExplorer::pack(const Working& working, std::vector<uint32_t>& out) const {
  out.push_back(working.environment);
  out.push_back(working.history);
  out.insert(out.end(), working.parts.begin(), working.parts.end());
  out.insert(out.end(), working.pending.begin(), working.pending.end());
}

void ActorExplorer::add_pending(Working& working, uint32_t id) const {
  const Event& event = space_->event(id);
  const Network network = space_->declaration().network;
  if (space_->crashes_are_final() && !space_->part(working.parts[event.to]).up) return;
  auto at = std::lower_bound(working.pending.begin(), working.pending.end(), id,
                             [&](uint32_t a, uint32_t b) { return space_->before(a, b); });
  if (event.kind == ActionKind::kDeliver) {
    const bool once = network == Network::kSet || mutant(Mutant::kCopiesMerge);
    if (once && at != working.pending.end() && *at == id) return;
    if (network == Network::kOrdered) {
      // Behind the last of its queue; queues are kept together and in canonical order.
      at = std::find_if(working.pending.begin(), working.pending.end(), [&](uint32_t other) {
        const Event& there = space_->event(other);
        if (space_->same_queue(there, event)) return mutant(Mutant::kNewestFirst);
        return space_->before(id, other);
      });
    }
  }
  working.pending.insert(at, id);
}

void ActorExplorer::remove_pending(Working& working, uint32_t id) const {
  const auto at = std::find(working.pending.begin(), working.pending.end(), id);
  if (at != working.pending.end()) working.pending.erase(at);
}

std::string ActorExplorer::perform(Working& working, const HandlerOutcome& outcome,
                                   uint32_t position) {
  if (!outcome.failure.empty()) return outcome.failure;
  working.parts[position] = outcome.part;
  for (uint32_t sent : outcome.sends) add_pending(working, sent);
  working.history = history_after(working.history, outcome.history_ops);
  if (working.history == kFails) {
    return "the client history makes no sense: an operation was invoked while one was pending, "
           "or returned without one";
  }
  for (uint32_t call : outcome.calls) {
    if (mutant(Mutant::kCallsDropped)) break;
    const uint32_t component = static_cast<uint32_t>(space_->event(call).to);
    const Ways ways = outcomes(working.parts[component], call);
    if (ways.size() != 1 || !ways[0].choices.empty()) {
      return "component " + space_->declaration().nodes[component].name +
             " called choose while it was called by a node; post an event to itself instead";
    }
    std::string failure = perform(working, ways[0], component);
    if (!failure.empty()) return failure;
  }
  return "";
}

}  // namespace ordeal::actor
