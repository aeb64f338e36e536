#include "system/scenario/monitor.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/guard.h"
#include "base/mutant.h"
#include "base/text.h"

namespace ordeal::monitor {
namespace {

Amendment change(Amendment::Kind kind, const Event& event, value::Any payload, int place) {
  Amendment out;
  out.kind = kind;
  out.place = place;
  const Offer offer = event.offer();
  out.what = offer.kind;
  out.from = offer.from;
  out.to = offer.node;
  out.payload = event.kind == EventKind::kSetTimer ? value::Any::of(std::string(event.text))
                                                   : std::move(payload);
  return out;
}

// The action lets happen what is offered; losing and doubling a message are about it, too.
bool handles_offer(Surroundings& system, uint32_t index, const Offer& offer) {
  const ActionKind kind = system.enabled()[index].kind;
  return kind != ActionKind::kDrop && kind != ActionKind::kDuplicate &&
         system.offer(index) == offer;
}

}  // namespace

void Tally::add(const Tally& other) {
  const auto sum = [](std::vector<uint64_t>& to, const std::vector<uint64_t>& from) {
    to.resize(std::max(to.size(), from.size()));
    for (size_t i = 0; i < from.size(); ++i) to[i] += from[i];
  };
  sum(fired, other.fired);
  sum(in_vain, other.in_vain);
  sum(taken, other.taken);
}

Result<std::shared_ptr<const Monitor>> Monitor::make(const Scenario& scenario,
                                                     const Checkable& subject) {
  auto cards = all_cards(scenario.declaration(), subject.cast());
  if (!cards) return cards.error();
  return std::shared_ptr<const Monitor>(new Monitor(scenario, subject, std::move(*cards)));
}

Monitor::Monitor(const Scenario& scenario, const Checkable& subject, std::vector<Cards> cards)
    : scenario_(scenario.declaration()),
      lexicon_(scenario_, subject.properties()),
      cast_(subject.cast()),
      names_(cast_),
      cards_(std::move(cards)),
      is_value_(ordeal::is_value(scenario)) {
  for (const std::string& line : scenario_.script) script_.push_back(script_line(line));
}

std::string Monitor::identity() const {
  std::string all;
  const auto add = [&](const std::string& text) { all += text + '\n'; };
  for (const Filter& filter : scenario_.filters) add(show(filter));
  for (const Machine& machine : scenario_.machine) {
    for (const Machine::State& state : machine.states()) {
      add(fmt::format("{} {}", state.name, static_cast<int>(state.kind)));
    }
    for (const Machine::Transition& transition : machine.transitions()) {
      add(fmt::format("{} {} {}", transition.from, transition.to, show(transition.condition)));
    }
  }
  for (const Scenario::Draw& draw : scenario_.draws) {
    add(draw.name + value::show(draw.among));
  }
  for (const Scenario::PartitionDeclaration& partition : scenario_.partitions) {
    add(partition.name + value::show(partition.sizes) + value::show(partition.blocks));
  }
  for (const std::string& line : scenario_.script) add(line);
  for (const auto& [property, where] : scenario_.required) add(property);
  add(fmt::format("{} {}", static_cast<int>(scenario_.faults), show(scenario_.expectation)));
  return fmt::format("{} ({:016x})", scenario_.name, value::hash(all));
}

Tally Monitor::new_tally() const {
  Tally tally;
  tally.fired.resize(scenario_.filters.size());
  tally.in_vain.resize(scenario_.filters.size());
  tally.taken.resize(scenario_.machine.empty() ? 0 : scenario_.machine[0].transitions().size());
  return tally;
}

// --- Steps --------------------------------------------------------------------------------------

Result<void> Monitor::has_start(uint32_t initial, uint32_t count) {
  if (initial < count || count == 0) return {};  // what cannot start says so itself
  return Error{fmt::format("starts_in({}): the system has {} initial states, numbered from 0",
                           initial, count)};
}

ScenarioContext Monitor::begin(uint32_t draw) const {
  ScenarioContext context;
  context.draw_ = draw;
  context.cards_ = &cards_[draw];
  return context;
}

void Monitor::take(ScenarioContext& context, ActionKind kind, const Offer& offer) const {
  if (!context.next_.empty()) {
    context.next_.erase(context.next_.begin());
  } else if (context.script_ < scenario_.script.size()) {
    ++context.script_;
  }
  if (scenario_.ends_after > 0) ++context.steps_;
  if (is_queued(offer)) shift_queue(context, kind, offer);
  if (!mutant(Mutant::kDelaysStand)) wait(context, 1);
}

void Monitor::shift_queue(ScenarioContext& context, ActionKind kind, const Offer& offer) const {
  const auto shift = [&](auto& entry) {
    if (!is_queued(entry.offer) || link_of(entry.offer) != link_of(offer) || entry.place == 0)
      return;
    entry.place = kind == ActionKind::kDuplicate ? entry.place + 1 : entry.place - 1;
  };
  std::for_each(context.hidden_.begin(), context.hidden_.end(), shift);
  std::for_each(context.next_.begin(), context.next_.end(), shift);
}

void Monitor::wait(ScenarioContext& context, uint32_t steps) {
  std::vector<ScenarioContext::Hidden> rest;
  for (ScenarioContext::Hidden& hidden : context.hidden_) {
    const bool is_held = hidden.remaining == 0;
    if (!is_held) hidden.remaining -= steps;
    if (is_held || hidden.remaining > 0) rest.push_back(std::move(hidden));
  }
  context.hidden_ = std::move(rest);
}

void Monitor::observe(ScenarioContext& context, std::span<const Event> events, Evaluator& evaluator,
                      Surroundings& system, std::vector<Amendment>& out, Tally& tally,
                      std::vector<std::string>* story) const {
  Changes changes;
  if (cast_.ordered && !mutant(Mutant::kHeldByContent)) {
    std::vector<Event> pending;
    system.on_its_way(pending);
    changes.places = Places(events, pending);
  }
  for (size_t i = 0; i < events.size(); ++i) {
    const bool late = mutant(Mutant::kFiltersBeforeMachine);
    if (late) filter(context, events[i], i, evaluator, system, changes, tally, story);
    move_machine(context, events[i], evaluator, system, tally, story);
    if (has_failed(context)) break;
    if (!late) filter(context, events[i], i, evaluator, system, changes, tally, story);
  }
  out.insert(out.end(), changes.to_pending.begin(), changes.to_pending.end());
  out.insert(out.end(), changes.added.begin(), changes.added.end());
}

void Monitor::move_machine(ScenarioContext& context, const Event& event, Evaluator& evaluator,
                           Inside& inside, Tally& tally, std::vector<std::string>* story) const {
  if (scenario_.machine.empty()) return;
  const Machine& machine = scenario_.machine[0];
  const std::vector<Machine::Transition>& transitions = machine.transitions();
  for (size_t first = 0; first < transitions.size();) {
    const auto taken = evaluator.leaves(machine, context.machine_, first, event, context, inside);
    if (!taken) return;
    const Machine::Transition& transition = transitions[*taken];
    context.machine_ = transition.to;
    ++tally.taken[*taken];
    if (story != nullptr) {
      story->push_back(fmt::format("machine: {} → {} ({})", machine.states()[transition.from].name,
                                   machine.states()[transition.to].name, show(event)));
    }
    if (!mutant(Mutant::kTwoTransitions)) return;
    first = *taken + 1;
  }
}

void Monitor::filter(ScenarioContext& context, const Event& event, size_t number,
                     Evaluator& evaluator, Inside& inside, Changes& changes, Tally& tally,
                     std::vector<std::string>* story) const {
  // A timer that is set again or cancelled is not the one that was hidden.
  if (event.kind == EventKind::kSetTimer || event.kind == EventKind::kCancelTimer) {
    Event set = event;
    set.kind = EventKind::kSetTimer;
    const Offer offer = set.offer();
    if (!mutant(Mutant::kSetAgainStaysHeld)) {
      std::erase_if(context.hidden_, [&](const auto& hidden) { return hidden.offer == offer; });
    }
  }
  const auto filters = static_cast<uint32_t>(scenario_.filters.size());
  for (uint32_t n = 0; n < filters; ++n) {
    const uint32_t i = mutant(Mutant::kFiltersLastFirst) ? filters - 1 - n : n;
    const Filter& filter = scenario_.filters[i];
    try {
      if (!evaluator.fires(filter.condition, event, context, inside)) continue;
      context.wish_ = {};
      for (const Reaction& reaction : filter.reactions) evaluator.react(reaction, event, context);
      if (stops_time(event, context.wish_.fate)) {
        throw Failure(cast_.prompt
                          ? "nothing can be held or delayed in a prompt system: time would "
                            "stop"
                          : "a timer of a timed system cannot be held or delayed: virtual "
                            "time says when it fires");
      }
    } catch (const Failure& failure) {
      throw Failure(fmt::format("filter {} ({}:{}): {}", i + 1,
                                short_path(filter.where.file_name()), filter.where.line(),
                                failure.what()));
    }
    ++tally.fired[i];
    if (story != nullptr) {
      std::string done;
      for (const Reaction& reaction : filter.reactions) {
        done += (done.empty() ? "" : ", ") + show(reaction);
      }
      story->push_back(fmt::format("filter {}: {}: {}", i + 1, show(event), done));
    }
    grant(context, event, number, i, changes, tally);
    context.wish_ = {};
    return;
  }
}

// validate() refuses what it can see; what a function of the user's does is seen here.
bool Monitor::stops_time(const Event& event, ScenarioContext::Fate fate) const {
  const bool waits = fate == ScenarioContext::Fate::kHold || fate == ScenarioContext::Fate::kDelay;
  if (!waits || !is_on_its_way(event.kind)) return false;
  return cast_.prompt || (cast_.timed && event.kind == EventKind::kSetTimer);
}

void Monitor::grant(ScenarioContext& context, const Event& event, size_t number, uint32_t filter,
                    Changes& changes, Tally& tally) const {
  using Hidden = ScenarioContext::Hidden;
  const ScenarioContext::Wish& wish = context.wish_;
  for (const std::string& set : wish.released) {
    if (mutant(Mutant::kReleasedBackwards)) {
      std::reverse(context.hidden_.begin(), context.hidden_.end());
    }
    const auto is_released = [&](const Hidden& hidden) {
      return hidden.remaining == 0 && hidden.set == set;
    };
    for (const Hidden& hidden : context.hidden_) {
      if (is_released(hidden)) context.next_.push_back({hidden.offer, filter, hidden.place});
    }
    std::erase_if(context.hidden_, is_released);
  }
  if (is_on_its_way(event.kind)) decide_fate(context, event, number, filter, changes, tally);
  for (const Message& message : wish.injected) {
    if (!handles(message.to, message.payload)) {
      ++tally.in_vain[filter];
      continue;
    }
    // What a component has to say is an event, which no fault touches.
    const Cast::Member* sender = cast_.find(message.from);
    const ActionKind what =
        (sender != nullptr && sender->component) || mutant(Mutant::kInjectedIsEvent)
            ? ActionKind::kEvent
            : ActionKind::kDeliver;
    changes.added.push_back(
        {Amendment::Kind::kAdd, what, message.from, message.to, message.payload});
  }
  for (const Offer& offer : wish.next) context.next_.push_back({offer, filter});
}

// What becomes of what is on its way: it is replaced, doubled, lost, hidden or due at once.
void Monitor::decide_fate(ScenarioContext& context, const Event& event, size_t number,
                          uint32_t filter, Changes& changes, Tally& tally) const {
  using Fate = ScenarioContext::Fate;
  const ScenarioContext::Wish& wish = context.wish_;
  std::vector<Amendment>& out = changes.to_pending;
  const int place = changes.places.of(number);
  Offer offer = event.offer();
  value::Any payload = event.payload;
  if (!wish.payload.empty()) {
    const bool can_be_changed = event.kind == EventKind::kSend || event.kind == EventKind::kPost;
    if (can_be_changed && handles(event.to, wish.payload)) {
      if (mutant(Mutant::kPlaceNotKept)) {
        out.push_back(change(Amendment::Kind::kRemove, event, payload, place));
        out.push_back(change(Amendment::Kind::kAdd, event, wish.payload, place));
      } else {
        out.push_back(change(Amendment::Kind::kReplace, event, payload, place));
        out.back().other = wish.payload;
      }
      payload = wish.payload;
      offer = offer_of(offer.kind, offer.node, offer.from, payload);
    } else {
      ++tally.in_vain[filter];
    }
  }
  if (wish.fate == Fate::kDrop) {
    out.push_back(change(Amendment::Kind::kRemove, event, payload, place));
    changes.places.change(event, -1);
    return;
  }
  const bool can_be_doubled = event.kind == EventKind::kSend || event.kind == EventKind::kPost;
  const uint32_t more = can_be_doubled ? wish.copies : 0;
  for (uint32_t i = 0; i < more; ++i) {
    out.push_back(change(Amendment::Kind::kCopy, event, payload, place));
  }
  changes.places.change(event, static_cast<int>(more));
  // All copies fare alike.
  for (uint32_t i = 0; i <= (mutant(Mutant::kOneCopyHeld) ? 0 : more); ++i) {
    const uint32_t at = place == Places::kNone ? 0 : static_cast<uint32_t>(place) + i;
    if (wish.fate == Fate::kDeliver) context.next_.push_back({offer, filter, at});
    if (wish.fate == Fate::kHold) context.hidden_.push_back({offer, wish.set, 0, at});
    if (wish.fate == Fate::kDelay && wish.steps > 0) {
      context.hidden_.push_back({offer, "", wish.steps, at});
    }
  }
}

bool Monitor::handles(NodeId node, const value::Any& message) const {
  const Cast::Member* member = cast_.find(node);
  if (member == nullptr || message.empty()) return false;
  return std::any_of(member->messages.begin(), member->messages.end(),
                     [&](const value::Type* type) { return type->same_as(*message.type()); });
}

// --- Between steps ------------------------------------------------------------------------------

void Monitor::settle(ScenarioContext& context, Surroundings& system, Tally& tally) const {
  if (has_failed(context) || is_over(context)) return;
  if (!context.hidden_.empty() && !mutant(Mutant::kGoneStaysHeld)) {
    forget_what_is_gone(context, system);
  }
  const std::vector<Choice>& enabled = system.enabled();
  const auto is_possible = [&](const ScenarioContext::Next& next) {
    if (next.place > 0) return false;  // others come first in its queue
    for (uint32_t i = 0; i < enabled.size(); ++i) {
      if (handles_offer(system, i, next.offer)) return true;
    }
    return false;
  };
  while (!context.next_.empty() && !is_possible(context.next_.front())) {
    ++tally.in_vain[context.next_.front().filter];
    context.next_.erase(context.next_.begin());
  }
  if (mutant(Mutant::kFiredNotForced)) context.next_.clear();
  if (!context.next_.empty()) return;
  while (!mutant(Mutant::kScriptWaits) && context.script_ < scenario_.script.size() &&
         find_scripted(context, system, context.script_) < 0) {
    if (!script_[context.script_].may_be_left_out && !mutant(Mutant::kScriptForgives)) {
      context.lost_line_ = context.script_ + 1;
      return;
    }
    ++context.script_;
  }
  if (context.script_ < scenario_.script.size()) return;
  while (wait_for_delayed(context, system)) {
  }
}

// What is hidden may have gone with a node that crashed.
void Monitor::forget_what_is_gone(ScenarioContext& context, Surroundings& system) const {
  std::vector<Event> pending;
  system.on_its_way(pending);
  std::vector<Offer> offers;
  std::map<Link, std::vector<Offer>> queues;
  for (const Event& event : pending) {
    const Offer offer = event.offer();
    (is_queued(offer) ? queues[link_of(offer)] : offers).push_back(offer);
  }
  std::erase_if(context.hidden_, [&](const ScenarioContext::Hidden& hidden) {
    if (is_queued(hidden.offer)) {
      const std::vector<Offer>& queue = queues[link_of(hidden.offer)];
      return hidden.place >= queue.size() || queue[hidden.place] != hidden.offer;
    }
    const auto at = std::find(offers.begin(), offers.end(), hidden.offer);
    if (at == offers.end()) return true;
    offers.erase(at);
    return false;
  });
}

// Where nothing but what is delayed keeps the run alive, the least delay is over. True: one was.
bool Monitor::wait_for_delayed(ScenarioContext& context, Surroundings& system) const {
  if (mutant(Mutant::kDelaysNeverEnd)) return false;
  uint32_t least = 0;
  for (const ScenarioContext::Hidden& hidden : context.hidden_) {
    if (hidden.remaining == 0) continue;
    if (least == 0 || hidden.remaining < least) least = hidden.remaining;
  }
  if (least == 0) return false;
  std::vector<uint32_t> seen;
  visible(context, system, seen);
  const std::vector<Choice>& enabled = system.enabled();
  if (std::any_of(seen.begin(), seen.end(), [&](uint32_t i) { return enabled[i].progress; })) {
    return false;
  }
  wait(context, least);
  return true;
}

int Monitor::find_scripted(const ScenarioContext& context, Surroundings& system,
                           uint32_t line) const {
  const std::vector<Choice>& enabled = system.enabled();
  const ScriptLine& wanted = script_[line];
  for (uint32_t i = 0; i < enabled.size(); ++i) {
    const Action action = system.action(i);
    if ((wanted.by_digest ? show_by_digest(action) : show(action)) != wanted.text) continue;
    if (mutant(Mutant::kScriptTakesHidden) || !is_hidden(context, system.offer(i), system)) {
      return static_cast<int>(i);
    }
  }
  return -1;
}

bool Monitor::is_hidden(const ScenarioContext& context, const Offer& offer,
                        Surroundings& system) const {
  if (is_queued(offer)) {
    // Only the oldest of a queue can be next.
    return std::any_of(context.hidden_.begin(), context.hidden_.end(),
                       [&](const ScenarioContext::Hidden& hidden) {
                         return is_queued(hidden.offer) && hidden.place == 0 &&
                                link_of(hidden.offer) == link_of(offer);
                       });
  }
  const auto copies =
      std::count_if(context.hidden_.begin(), context.hidden_.end(),
                    [&](const ScenarioContext::Hidden& hidden) { return hidden.offer == offer; });
  if (copies == 0) return false;
  if (mutant(Mutant::kHidesAllCopies)) return true;
  // There may be more of them than are hidden.
  std::vector<Event> pending;
  system.on_its_way(pending);
  const auto all = std::count_if(pending.begin(), pending.end(),
                                 [&](const Event& event) { return event.offer() == offer; });
  return all <= copies;
}

bool Monitor::allows_fault(Surroundings& system, uint32_t index) const {
  if (scenario_.faults == Scenario::Faults::kAlsoByStrategy) return true;
  if (mutant(Mutant::kFaultsAnyway)) return true;
  return !system.enabled()[index].is_fault() && allows_crash_within(system, index);
}

// A handler cut short by a crash is a fault too, also where a filter says that it runs next.
bool Monitor::allows_crash_within(Surroundings& system, uint32_t index) const {
  return scenario_.faults == Scenario::Faults::kAlsoByStrategy ||
         system.enabled()[index].progress || system.action(index).crash_at_persist == 0;
}

void Monitor::visible(const ScenarioContext& context, Surroundings& system,
                      std::vector<uint32_t>& out) const {
  out.clear();
  if (has_failed(context) || is_over(context)) return;
  const std::vector<Choice>& enabled = system.enabled();
  if (!context.next_.empty()) {
    const Offer& offer = context.next_.front().offer;
    for (uint32_t i = 0; i < enabled.size(); ++i) {
      if (handles_offer(system, i, offer) && allows_crash_within(system, i)) out.push_back(i);
    }
    return;
  }
  if (context.script_ < scenario_.script.size()) {
    const int scripted = find_scripted(context, system, context.script_);
    if (scripted >= 0) out.push_back(static_cast<uint32_t>(scripted));
    return;
  }
  for (uint32_t i = 0; i < enabled.size(); ++i) {
    if (!allows_fault(system, i)) continue;
    if (!context.hidden_.empty() && is_hidden(context, system.offer(i), system)) continue;
    out.push_back(i);
  }
}

// --- The machine --------------------------------------------------------------------------------

Machine::Kind Monitor::kind_of(uint32_t machine_state) const {
  return scenario_.machine.empty() ? Machine::Kind::kPlain
                                   : scenario_.machine[0].states()[machine_state].kind;
}

std::string Monitor::name_of(uint32_t machine_state) const {
  return scenario_.machine.empty() ? "" : scenario_.machine[0].states()[machine_state].name;
}

bool Monitor::has_failed(const ScenarioContext& context) const {
  return !mutant(Mutant::kFailureGoesOn) && kind_of(context.machine_) == Machine::Kind::kFailure;
}

uint32_t Monitor::machine_at_end(const ScenarioContext& context, Evaluator& evaluator,
                                 Inside& inside, Tally* tally) const {
  if (scenario_.machine.empty() || has_failed(context)) return context.machine_;
  if (mutant(Mutant::kEndNotSeen)) return context.machine_;
  ScenarioContext last = context;
  Tally ignored = new_tally();
  Event end;
  end.kind = EventKind::kEnd;
  move_machine(last, end, evaluator, inside, tally == nullptr ? ignored : *tally, nullptr);
  return last.machine_;
}

value::Tree Monitor::tree(const ScenarioContext& context) const {
  using value::Tree;
  Tree out = Tree::record("Scenario");
  if (!scenario_.machine.empty()) out.add("machine", Tree::string(name_of(context.machine_)));
  for (const auto& [name, count] : context.counters_) out.add(name, Tree::number(count));
  const auto message = [](const Message& m) {
    return Tree::string(
        fmt::format("{} {}→{}", value::show(m.payload.tree()), m.from.value, m.to.value));
  };
  for (const auto& [label, recorded] : context.recorded_) out.add(label, message(recorded));
  for (const auto& [name, kept] : context.kept_) out.add(name, kept.tree());
  std::map<std::string, int64_t> sets;
  for (const ScenarioContext::Hidden& hidden : context.hidden_) {
    ++sets[hidden.remaining > 0 ? "(delayed)" : hidden.set + " (held)"];
  }
  for (const auto& [name, size] : sets) out.add(name, Tree::number(size));
  const std::string drawn = context.cards_->show();
  if (!drawn.empty()) out.add("(drawn)", Tree::string(drawn));
  return out;
}

}  // namespace ordeal::monitor
