#include "system/actor/rehearsal.h"

#include <algorithm>

#include "base/guard.h"
#include "base/mutant.h"
#include "system/actor/declaration.h"

namespace ordeal::actor {
namespace {

constexpr uint64_t kLongestWalk = 50;
// One step in so many may be a fault; else all budgets were spent before anything has happened.
constexpr uint64_t kFaultEvery = 8;

const value::Any* kept(const std::map<uint32_t, value::Any>& values, uint32_t key) {
  const auto at = values.find(key);
  return at == values.end() ? nullptr : &at->second;
}

std::string count(size_t n, const std::string& what) {
  return std::to_string(n) + " " + what + (n == 1 ? "" : "s");
}

}  // namespace

std::string Rehearsal::run(uint64_t steps) {
  const auto initial = space().initial();
  if (!initial || initial->empty()) return "";  // the check says so
  // Walks may be short: as many as there are steps, at most.
  for (uint64_t left = steps, walks = 0; left > 0 && walks < steps && problem_.empty(); ++walks) {
    walk((*initial)[random_.below(initial->size())].state, left);
  }
  return problem_;
}

void Rehearsal::walk(const std::vector<uint32_t>& initial, uint64_t& left) {
  objects_.clear();
  disks_.clear();
  payloads_.clear();
  begin(initial);
  std::vector<uint32_t> state = initial;
  std::vector<uint32_t> next;
  std::vector<Choice> choices;
  // One long walk, for what shows late; then many short ones.
  const uint64_t longest = std::exchange(walked_, true) ? kLongestWalk : left / 2;
  for (uint64_t i = 0; i < longest && left > 0; ++i, --left) {
    if (!within(state)) return;
    choices.clear();
    enumerate(state, choices);
    std::erase_if(choices, [](const Choice& choice) { return choice.fails; });
    if (choices.empty()) return;
    const auto progress = static_cast<uint64_t>(
        std::stable_partition(choices.begin(), choices.end(),
                              [](const Choice& choice) { return choice.progress; }) -
        choices.begin());
    const bool any = progress == 0 || random_.below(kFaultEvery) == 0;
    const Choice choice = choices[random_.below(any ? choices.size() : progress)];
    next.clear();
    apply(state, fingerprint(state), choice, next);
    act(state, choice);
    if (!problem_.empty()) return;
    state.swap(next);
  }
}

// What is kept at first: of requests that are equal values any one, and of ways to start that lead
// to equal values any one.
void Rehearsal::begin(const std::vector<uint32_t>& initial) {
  const detail::Declaration& declaration = space().declaration();
  for (size_t i = 0; i < declaration.requests.size(); ++i) {
    const auto& [id, request] = declaration.requests[i];
    const uint32_t event =
        space().intern_event(ActionKind::kRequest, -1, space().position_of(id), request);
    if (payloads_.count(event) == 0 || random_.below(2) == 0) payloads_[event] = request;
  }
  for (uint32_t position = 0; position < space().part_count(); ++position) {
    const Part fresh = space().fresh_part(position);
    const Event start =
        space().event(space().intern_event(ActionKind::kStep, -1, int(position), value::Any()));
    HandlerRun run(space(), fresh, start);
    HandlerOutcomes ways = run.all();
    std::erase_if(ways, [&](const HandlerOutcome& way) {
      return !way.failure.empty() || way.part != initial[kFirstPart + position];
    });
    if (ways.empty()) continue;  // others had it do more than that
    run.once(ways[random_.below(ways.size())].choices);
    keep(position, run, run.captured().effects.size());
  }
}

void Rehearsal::act(StateRef state, const Choice& choice) {
  if (choice.kind == ActionKind::kCrash) objects_.erase(choice.a);
  if (!runs_handler(choice.kind)) return;
  const HandlerOutcome way = *taken(state, choice).way;
  const auto position = static_cast<uint32_t>(space().event(choice.a).to);
  repeat(state[kFirstPart + position], choice.a, way);
  // What nodes send to a component is handled within their step, and may lead to more of it.
  std::vector<uint32_t> parts(state.begin() + kFirstPart,
                              state.begin() + kFirstPart + space().part_count());
  std::vector<uint32_t> calls(way.calls.rbegin(), way.calls.rend());
  while (!calls.empty() && problem_.empty()) {
    const uint32_t call = calls.back();
    calls.pop_back();
    const auto component = static_cast<uint32_t>(space().event(call).to);
    const HandlerOutcome answer = outcomes(parts[component], call)[0];
    repeat(parts[component], call, answer);
    parts[component] = answer.part;
    calls.insert(calls.end(), answer.calls.rbegin(), answer.calls.rend());
  }
}

void Rehearsal::repeat(uint32_t part_id, uint32_t event_id, const HandlerOutcome& way) {
  Part part = space().part(part_id);
  Event event = space().event(event_id);
  const uint32_t position = part.node;
  if (const value::Any* object = kept(objects_, position)) part.state = *object;
  if (const value::Any* disk = kept(disks_, position)) part.disk = *disk;
  if (const value::Any* payload = kept(payloads_, event_id)) event.payload = *payload;
  HandlerRun run(space(), part, event);
  const HandlerOutcome again = run.once(way.choices);
  if (way.crash_at_persist > 0) {
    // Only what it has written by then is left of it.
    size_t effects = 0;
    for (uint32_t persists = 0; effects < run.captured().effects.size();) {
      persists += run.captured().effects[effects++].kind == Effect::Kind::kPersist ? 1 : 0;
      if (persists == way.crash_at_persist) break;
    }
    keep(position, run, effects);
    objects_.erase(position);
    return;
  }
  const std::string differs = difference(again, way);
  if (differs.empty()) return keep(position, run, run.captured().effects.size());
  problem_ =
      handler_of(position, event) + " did something else on an object that was kept than on an " +
      "equal value: " + differs +
      ". What it does depends on something that is no part of the state: a field that "
      "ORDEAL_FIELDS "
      "does not name (of the node, a message or its disk), a static or global variable, random "
      "numbers, a clock, an address. A check would be about another program";
}

void Rehearsal::keep(uint32_t position, const HandlerRun& run, size_t effects) {
  if (mutant(Mutant::kNothingKept)) return;
  objects_[position] = run.state();
  for (size_t i = 0; i < effects; ++i) {
    const Effect& effect = run.captured().effects[i];
    if (effect.kind == Effect::Kind::kPersist) disks_[position] = effect.value;
    if (effect.kind != Effect::Kind::kSend && effect.kind != Effect::Kind::kPost) continue;
    payloads_[run.event_of(effect)] = effect.value;
  }
}

std::string Rehearsal::handler_of(uint32_t position, const Event& event) {
  const std::string who = "node " + std::to_string(space().id_of(static_cast<int>(position))) +
                          " (" + std::string(space().type_of(position).name) + "): ";
  switch (event.kind) {
    case ActionKind::kDeliver:
    case ActionKind::kEvent:
      return who + "the handler `on` for " + std::string(event.payload.type_name());
    case ActionKind::kRequest:
      return who + "the handler `request` for " + std::string(event.payload.type_name());
    case ActionKind::kTimer:
      return who + "the handler of timer " + *event.payload.try_get<std::string>();
    case ActionKind::kRestore:
      return who + "the handler `restored`";
    case ActionKind::kRecover:
      return who + "the handler `recover`, or `start`,";
    default:
      return who + "the handler `crashed`";
  }
}

std::string Rehearsal::difference(const HandlerOutcome& now, const HandlerOutcome& before) {
  if (now.failure != before.failure) {
    return now.failure.empty() ? "it did not fail" : "it failed: " + now.failure;
  }
  if (now.choices != before.choices) return "it asked choose for something else";
  if (now.part != before.part) {
    const Part& mine = space().part(now.part);
    const Part& other = space().part(before.part);
    const auto changes = value::diff(other.state.tree(), mine.state.tree());
    if (!changes.empty()) {
      return changes[0].path + " became " + changes[0].after + ", not " + changes[0].before;
    }
    if (!mine.disk.equal(other.disk)) return "it persisted something else";
    if (mine.decisions.size() != other.decisions.size()) {
      return "it decided " + count(mine.decisions.size(), "time") + " so far, not " +
             std::to_string(other.decisions.size());
    }
    return "it left other timers or decisions";
  }
  if (now.sends.size() != before.sends.size()) {
    return "it sent " + count(now.sends.size(), "message") + ", not " +
           std::to_string(before.sends.size());
  }
  for (size_t i = 0; i < now.sends.size(); ++i) {
    if (now.sends[i] == before.sends[i]) continue;
    return "it sent " + value::show(space().event(now.sends[i]).payload.tree()) + ", not " +
           value::show(space().event(before.sends[i]).payload.tree());
  }
  if (now.calls != before.calls) return "it told a component something else";
  if (now.history_ops != before.history_ops) return "its client operations were others";
  return "";
}

}  // namespace ordeal::actor

namespace ordeal {
namespace {

std::string started_otherwise(StateSpace& one, StateSpace& other) {
  const auto first = one.initial();
  const auto second = other.initial();
  if (!first || !second) return "";  // the check says so
  const bool same = std::equal(first->begin(), first->end(), second->begin(), second->end(),
                               [](const StateSpace::Initial& a, const StateSpace::Initial& b) {
                                 return a.fingerprint == b.fingerprint;
                               });
  if (same) return "";
  return "the nodes do not start alike each time: a factory or a handler `start` depends on a "
         "static or global variable, random numbers, a clock or an address";
}

}  // namespace

Result<void> System::rehearse(uint64_t seed, uint64_t steps) const {
  if (actor::is_opaque(declaration())) return {};
  std::string problem;
  const std::string failure = guarded([&] {
    const auto space = std::make_shared<actor::ActorSpace>(settled(), properties_);
    problem = actor::Rehearsal(space, seed).run(steps);
    if (problem.empty()) problem = started_otherwise(*space, *this->space());
  });
  if (!failure.empty()) return Error{"a rehearsal of random runs failed: " + failure};
  if (!problem.empty()) return Error{problem};
  return {};
}

}  // namespace ordeal
