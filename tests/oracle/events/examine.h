// Events of random systems, said once more from what traces show: pending messages before and after
// a step, and the detail of the step.
#pragma once

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "base/rng.h"
#include "ordeal/event.h"
#include "ordeal/world.h"
#include "tests/oracle/random/generator.h"

namespace ordeal::oracle {

// What is pending, as far as two of them can be told apart.
using PendingKey = std::tuple<ActionKind, int, int, std::string, uint64_t>;

// For people, a type has as much of its scope as tells it from others.
inline std::string without_scope(std::string name) {
  name = name.substr(0, name.find('<'));
  const size_t scope = name.rfind("::");
  return scope == name.npos ? name : name.substr(scope + 2);
}
inline PendingKey key_of(const Sent& sent) {
  return {sent.kind, sent.from, sent.to, without_scope(sent.type), sent.payload_digest};
}
inline PendingKey key_of(const Event& event) {
  const Offer offer = event.offer();
  return {offer.kind, offer.from, offer.node, std::string(type_of(event)), offer.digest};
}

class EventExaminer {
 public:
  struct Totals {
    uint64_t steps = 0;
    std::map<EventKind, uint64_t> events;
  };

  EventExaminer(const System& system, uint64_t seed, Totals& totals)
      : system_(system), rng_(seed), totals_(totals), space_(system.space()) {
    explorer_ = space_->explorer();
  }

  // Walks at random, and looks at every action on the way. The first thing that is wrong, or "".
  std::string walk(uint32_t runs, uint32_t steps) {
    const auto initial = space_->initial();
    if (!initial) return "";  // the system cannot start
    for (uint32_t run = 0; run < runs; ++run) {
      std::vector<uint32_t> state = (*initial)[rng_.below(initial->size())].state;
      for (uint32_t step = 0; step < steps; ++step) {
        std::vector<Choice> enabled;
        explorer_->enumerate(state, enabled);
        const std::string offers = problem_with_offers(state, enabled);
        if (!offers.empty()) return offers;
        std::vector<uint32_t> possible;
        for (uint32_t i = 0; i < enabled.size(); ++i) {
          if (!enabled[i].fails) possible.push_back(i);
        }
        if (possible.empty()) break;
        const uint32_t index = possible[rng_.below(possible.size())];
        std::vector<uint32_t> next;
        explorer_->apply(state, explorer_->fingerprint(state), enabled[index], next);
        const std::string events = problem_with_step(state, index, enabled[index], next);
        if (!events.empty()) return events;
        const std::string amended = problem_with_amending(next);
        if (!amended.empty()) return amended;
        state = std::move(next);
        ++totals_.steps;
      }
    }
    return "";
  }

 private:
  using Timers = std::set<std::pair<int, std::string>>;  // node, name

  static Timers timers_of(const Snapshot& snapshot) {
    Timers out;
    for (const Snapshot::Part& part : snapshot.parts) {
      if (part.node < 0) continue;
      const value::Tree* timers = part.tree.find("(timers)");
      if (timers == nullptr) continue;
      for (const value::Tree& timer : timers->items) {
        out.emplace(part.node, timer.text.substr(0, timer.text.find(' ')));  // "a", "a in 3"
      }
    }
    return out;
  }

  std::string problem_with_offers(StateRef state, const std::vector<Choice>& enabled) {
    std::vector<Event> events;
    explorer_->on_its_way(state, events);
    const Snapshot snapshot = explorer_->observe(state);
    std::vector<PendingKey> told;
    Timers timers;
    for (const Event& event : events) {
      if (event.kind == EventKind::kSetTimer) {
        timers.emplace(event.node, event.text);
      } else {
        told.push_back(key_of(event));
      }
    }
    std::vector<PendingKey> pending;
    for (const Sent& sent : snapshot.pending) pending.push_back(key_of(sent));
    if (told != pending) return "what is on its way is not what is pending";
    if (timers != timers_of(snapshot)) return "the timers on their way are not those that are set";
    for (const Choice& choice : enabled) {
      const Offer offer = explorer_->offer(state, choice);
      const Action action = explorer_->action(state, choice);
      // An action knows the digest of what it carries, and not its type.
      Offer by_action = explorer_->Explorer::offer(state, choice);
      by_action.content = offer.content;
      if (choice.kind != ActionKind::kPartition && offer != by_action) {
        return "the offer of " + show(action) + " is not what the action says";
      }
      const bool pends = is_progress(choice.kind) || choice.kind == ActionKind::kDrop ||
                         choice.kind == ActionKind::kDuplicate;
      const bool found = std::any_of(events.begin(), events.end(),
                                     [&](const Event& event) { return event.offer() == offer; });
      if (pends && !found) return show(action) + " is about nothing that is on its way";
    }
    return "";
  }

  std::string problem_with_step(StateRef before, uint32_t index, const Choice& choice,
                                StateRef after) {
    const StepDetail detail = explorer_->detail(before, choice);
    const std::string where = " in the events of " + show(detail.action);
    std::vector<Event> events;
    explorer_->events(before, choice, after, events);
    for (const Event& event : events) ++totals_.events[event.kind];
    // Somebody who remembers nothing tells the same.
    const auto fresh = space_->explorer();
    std::vector<Choice> enabled;
    fresh->enumerate(before, enabled);
    std::vector<Event> again;
    fresh->events(before, enabled[index], after, again);
    if (!same(events, again)) return "remembered ones differ" + where;
    if (events.empty() || to_string(events[0].kind) != handled(choice.kind)) {
      return "what was handled does not come first" + where;
    }
    for (const Event& event : events) {
      if ((event.state == nullptr) != (event.node < 0)) return "a state is missing" + where;
    }
    std::string problem = problem_with_announcements(before, choice, after, events);
    if (problem.empty()) problem = problem_with_timers(before, detail, after, events);
    if (problem.empty()) problem = problem_with_effects(detail, events);
    return problem.empty() ? "" : problem + where;
  }

  static bool same(const std::vector<Event>& a, const std::vector<Event>& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const Event& x, const Event& y) {
      return x.kind == y.kind && x.node == y.node && x.from == y.from && x.to == y.to &&
             x.payload == y.payload && x.text == y.text && x.state == y.state;
    });
  }

  static std::string handled(ActionKind kind) {
    return kind == ActionKind::kDeliver ? "receive" : to_string(kind);
  }

  std::string problem_with_announcements(StateRef before, const Choice& choice, StateRef after,
                                         const std::vector<Event>& events) {
    std::map<PendingKey, int> stays;
    for (const Sent& sent : explorer_->observe(before).pending) ++stays[key_of(sent)];
    const bool set = system_.declaration().network == Network::kSet;
    const bool takes = is_progress(choice.kind) && choice.kind != ActionKind::kTimer &&
                       !(choice.kind == ActionKind::kDeliver && set);
    if (takes) {
      const Action action = explorer_->action(before, choice);
      --stays[{action.kind, action.from, action.node, without_scope(action.type),
               action.payload_digest}];
    }
    // In the order in which it is pending; of equal ones the last are new.
    std::vector<PendingKey> expected;
    for (const Sent& sent : explorer_->observe(after).pending) {
      if (stays[key_of(sent)]-- <= 0) expected.push_back(key_of(sent));
    }
    std::vector<PendingKey> told;
    for (const Event& event : events) {
      if (is_on_its_way(event.kind) && event.kind != EventKind::kSetTimer) {
        told.push_back(key_of(event));
      }
    }
    return told == expected ? "" : "something that was sent is missing, or too much";
  }

  std::string problem_with_timers(StateRef before, const StepDetail& detail, StateRef after,
                                  const std::vector<Event>& events) {
    const Timers was = timers_of(explorer_->observe(before));
    const Timers is = timers_of(explorer_->observe(after));
    std::map<std::string, bool> last;  // of the acting node: whether it was set last
    for (const std::string& timer : detail.timers) last[timer.substr(1)] = timer[0] == '+';
    Timers told;
    for (const Event& event : events) {
      if (event.kind != EventKind::kSetTimer) continue;
      const std::pair<int, std::string> timer(event.node, event.text);
      if (!told.insert(timer).second) return "a timer is told twice";
      if (!is.contains(timer)) return "a timer is told that is not set";
    }
    for (const auto& timer : is) {
      if (!was.contains(timer) && !told.contains(timer)) return "a timer that was set is not told";
      if (timer.first != detail.action.node) continue;
      const auto set = last.find(timer.second);
      const bool expected = set != last.end() && set->second;
      if (told.contains(timer) != expected) return "a timer of the node is told wrongly";
    }
    return "";
  }

  static std::string problem_with_effects(const StepDetail& detail,
                                          const std::vector<Event>& events) {
    std::vector<std::string> log;
    std::vector<std::string> decided;
    std::vector<std::string> cancelled;
    std::vector<std::pair<bool, std::string>> history;
    for (const Event& event : events) {
      if (event.node != detail.action.node) continue;
      const auto payload = [&] { return value::show(event.payload.tree()); };
      if (event.kind == EventKind::kLog) log.emplace_back(event.text);
      if (event.kind == EventKind::kDecide) decided.push_back(payload());
      if (event.kind == EventKind::kCancelTimer) cancelled.push_back("-" + std::string(event.text));
      if (event.kind == EventKind::kInvoke) history.emplace_back(false, payload());
      if (event.kind == EventKind::kReturn) history.emplace_back(true, payload());
    }
    std::vector<std::string> expected;
    for (const std::string& timer : detail.timers) {
      if (timer[0] == '-') expected.push_back(timer);
    }
    std::vector<std::pair<bool, std::string>> operations;
    for (const HistoryEvent& op : detail.history) operations.emplace_back(op.is_return, op.text);
    if (log != detail.log) return "other lines are logged";
    if (decided != detail.decided) return "other values are decided";
    if (cancelled != expected) return "other timers are cancelled";
    if (history != operations) return "other operations";
    const bool cut = detail.action.crash_at_persist > 0;
    const bool crashes = std::any_of(events.begin(), events.end(), [](const Event& event) {
      return event.kind == EventKind::kCrash;
    });
    return crashes == (cut || detail.action.kind == ActionKind::kCrash) ? "" : "a crash is missing";
  }

  // Takes one thing away that is on its way, and puts it back.
  std::string problem_with_amending(StateRef state) {
    std::vector<Event> events;
    explorer_->on_its_way(state, events);
    if (events.empty()) return "";
    const size_t which = rng_.below(events.size());
    const Event& event = events[which];
    const std::string what = "amending: " + show(event);
    const Offer offer = event.offer();
    Amendment change;
    change.kind = Amendment::Kind::kRemove;
    change.what = offer.kind;
    change.from = offer.from;
    change.to = offer.node;
    change.payload = event.kind == EventKind::kSetTimer ? value::Any::of(std::string(event.text))
                                                        : event.payload;
    std::vector<Offer> expected;
    for (const Event& other : events) expected.push_back(other.offer());
    expected.erase(std::find(expected.begin(), expected.end(), offer));
    std::vector<uint32_t> without;
    const uint64_t fingerprint = explorer_->amend(state, {&change, 1}, without);
    if (fingerprint != explorer_->fingerprint(without)) return what + ": a wrong fingerprint";
    if (fingerprint == explorer_->fingerprint(state)) return what + ": nothing changed";
    if (sorted(offers_of(without)) != sorted(expected)) return what + ": not what was to go";
    if (!event.payload.empty()) {
      change.kind = Amendment::Kind::kAdd;
      std::vector<uint32_t> with;
      const uint64_t back = explorer_->amend(without, {&change, 1}, with);
      if (system_.declaration().network != Network::kOrdered &&
          back != explorer_->fingerprint(state)) {
        return what + ": taken away and put back is another state";
      }
      if (sorted(offers_of(with)) != sorted(offers_of(state))) return what + ": not put back";
    }
    return "";
  }

  std::vector<Offer> offers_of(StateRef state) {
    std::vector<Event> events;
    explorer_->on_its_way(state, events);
    std::vector<Offer> out;
    for (const Event& event : events) out.push_back(event.offer());
    return out;
  }
  static std::vector<Offer> sorted(std::vector<Offer> offers) {
    std::sort(offers.begin(), offers.end(), [](const Offer& a, const Offer& b) {
      return std::tuple(a.kind, a.node.value, a.from.value, a.content) <
             std::tuple(b.kind, b.node.value, b.from.value, b.content);
    });
    return offers;
  }

  const System& system_;
  Rng rng_;
  Totals& totals_;
  std::shared_ptr<StateSpace> space_;
  std::unique_ptr<Explorer> explorer_;
};

// The first thing that is wrong with the events of random systems; empty: nothing is.
inline std::string problem_with_events(uint64_t systems, EventExaminer::Totals& totals) {
  for (uint64_t seed = 0; seed < systems; ++seed) {
    const Case random = generate(seed);
    const std::string problem = EventExaminer(random.system, seed, totals).walk(3, 30);
    if (!problem.empty()) return "system " + std::to_string(seed) + ": " + problem;
  }
  return "";
}

}  // namespace ordeal::oracle
