#include "tests/oracle/tla/naive_runs.h"

#include <algorithm>
#include <deque>

namespace ordeal::oracle::naive {

namespace {

using Is = Behaviour::Is;

Behaviour no(Behaviour of) { return {.is = Is::kNot, .parts = {std::move(of)}}; }

// The formulas about the future within it, the innermost first.
void collect(const Behaviour& formula, std::vector<const Behaviour*>& out) {
  for (const Behaviour& part : formula.parts) collect(part, out);
  if (formula.is == Is::kAlways || formula.is == Is::kEventually) out.push_back(&formula);
}

}  // namespace

Runs::Runs(Evaluator& evaluator, const RandomBehaviours& spec, size_t most)
    : naive_(evaluator), spec_(spec) {
  const auto is_inside = [&](const State& state) {
    return !spec.constraint || naive_.truth_of("Within", {&state, nullptr});
  };
  const auto reached = [&](const State& state) {
    const size_t at = number_of(state);
    if (at < states_.size()) return at;
    if (states_.size() == most) throw TooMuch{};
    states_.push_back(state);
    return at;
  };
  std::vector<State> found;
  const Tell tell = [&](const State& state) {
    found.push_back(state);
    return true;
  };
  naive_.steps_of("Init", nullptr, tell);
  for (const State& state : found) {
    if (is_inside(state)) initial_.push_back(reached(state));
  }
  for (size_t at = 0; at < states_.size(); ++at) {
    found.clear();
    const State here = states_[at];
    naive_.steps_of("Next", &here, tell);
    std::vector<size_t> to{at};
    for (const State& state : found) {
      if (!is_inside(state)) continue;
      const size_t next = reached(state);
      if (std::find(to.begin(), to.end(), next) == to.end()) to.push_back(next);
    }
    to_.push_back(std::move(to));
  }
  for (const RandomBehaviours::Fair& fair : spec.fair) fair_.push_back({fair.taken, fair.strong});
}

size_t Runs::number_of(const State& state) {
  for (size_t i = 0; i < states_.size(); ++i) {
    bool same = true;
    for (size_t v = 0; v < state.size() && same; ++v) same = equal(*states_[i][v], *state[v]);
    if (same) return i;
  }
  return states_.size();
}

bool Runs::differs(const State& a, const State& b, const std::vector<size_t>& variables) const {
  return std::any_of(variables.begin(), variables.end(),
                     [&](size_t v) { return !equal(*a[v], *b[v]); });
}

bool Runs::is_true(const Behaviour& leaf, size_t from, size_t to) {
  if (leaf.name == "TRUE") return differs(states_[from], states_[to], leaf.subscript);
  if (leaf.name.starts_with("ENABLED ")) {
    return is_enabled({.is = Is::kStep, .name = leaf.name.substr(8), .subscript = leaf.subscript},
                      from);
  }
  const size_t end = leaf.is == Is::kState ? from : to;
  const auto [known, is_new] =
      known_.try_emplace({leaf.name + (leaf.is == Is::kStep ? "'" : ""), {from, end}});
  if (is_new) {
    known->second =
        naive_.truth_of(leaf.name, {&states_[from], leaf.is == Is::kStep ? &states_[to] : nullptr});
  }
  return known->second &&
         (leaf.is == Is::kState || differs(states_[from], states_[to], leaf.subscript));
}

bool Runs::is_enabled(const Behaviour& taken, size_t state) {
  bool found = false;
  naive_.steps_of(taken.name, &states_[state], [&](const State& to) {
    found = differs(states_[state], to, taken.subscript);
    return !found;
  });
  return found;
}

bool Runs::has_violation(const Behaviour& claim) {
  Behaviour wanted{.is = Is::kAnd, .parts = {no(claim)}};
  for (const Behaviour& assumed : spec_.assumed) wanted.parts.push_back(assumed);
  // Of what is owed strongly: either it is enabled only so often, or it is taken again and again.
  std::vector<const Fair*> strong;
  for (const Fair& fair : fair_) {
    if (fair.strong) strong.push_back(&fair);
  }
  for (size_t choice = 0; choice < size_t{1} << strong.size(); ++choice) {
    std::vector<const Fair*> never;
    for (size_t i = 0; i < strong.size(); ++i) {
      if ((choice >> i & 1) != 0) never.push_back(strong[i]);
    }
    if (has_fair_run(wanted, never)) return true;
  }
  return false;
}

bool Runs::has_fair_run(const Behaviour& formula, const std::vector<const Fair*>& never) {
  std::vector<const Behaviour*> future;
  collect(formula, future);
  constexpr size_t kMostBits = 9;
  if (future.size() > kMostBits) throw TooMuch{};
  const size_t bits = size_t{1} << future.size();
  // A moment: a state, and which of the formulas about the future are said to be true there.
  const auto says = [&](const Behaviour& part, size_t guess, size_t from, size_t to,
                        const auto& self) -> bool {
    switch (part.is) {
      case Is::kState:
      case Is::kStep:
        return is_true(part, from, to);
      case Is::kNot:
        return !self(part.parts[0], guess, from, to, self);
      case Is::kAnd:
      case Is::kOr: {
        const bool is_and = part.is == Is::kAnd;
        for (const Behaviour& one : part.parts) {
          if (self(one, guess, from, to, self) != is_and) return !is_and;
        }
        return is_and;
      }
      case Is::kAlways:
      case Is::kEventually:
        break;
    }
    const auto at = std::find(future.begin(), future.end(), &part);
    return (guess >> (at - future.begin()) & 1) != 0;
  };
  struct Step {
    size_t to;
    uint64_t met;  // what must come again and again, and does here
  };
  std::vector<std::vector<Step>> graph(states_.size() * bits);
  std::vector<bool> starts(graph.size(), false);
  std::vector<bool> ends(graph.size(), true);  // what must come to an end has done so
  const size_t conditions = future.size() + fair_.size();
  for (size_t from = 0; from < states_.size(); ++from) {
    std::vector<bool> enabled;
    for (const Fair& fair : fair_) enabled.push_back(is_enabled(fair.taken, from));
    for (size_t guess = 0; guess < bits; ++guess) {
      const size_t here = from * bits + guess;
      for (size_t i = 0; i < fair_.size(); ++i) {
        const bool is_never = std::find(never.begin(), never.end(), &fair_[i]) != never.end();
        if (is_never && enabled[i]) ends[here] = false;
      }
      for (const size_t to : to_[from]) {
        const bool is_start = says(formula, guess, from, to, says) &&
                              std::find(initial_.begin(), initial_.end(), from) != initial_.end();
        uint64_t met = 0;
        std::vector<bool> now;
        for (size_t i = 0; i < future.size(); ++i) {
          now.push_back(says(future[i]->parts[0], guess, from, to, says));
          const bool is_always = future[i]->is == Is::kAlways;
          const bool said = (guess >> i & 1) != 0;
          // What is put off for ever is not true: <>F without an F, ~[]F without a ~F.
          if (is_always ? said || !now[i] : !said || now[i]) met |= uint64_t{1} << i;
        }
        for (size_t i = 0; i < fair_.size(); ++i) {
          const bool is_never = std::find(never.begin(), never.end(), &fair_[i]) != never.end();
          const bool is_taken = is_true(fair_[i].taken, from, to);
          if (is_never || is_taken || (!fair_[i].strong && !enabled[i])) {
            met |= uint64_t{1} << (future.size() + i);
          }
        }
        for (size_t later = 0; later < bits; ++later) {
          bool fits = true;
          for (size_t i = 0; i < future.size() && fits; ++i) {
            const bool after = (later >> i & 1) != 0;
            const bool said = (guess >> i & 1) != 0;
            fits = said == (future[i]->is == Is::kAlways ? now[i] && after : now[i] || after);
          }
          if (!fits) continue;
          graph[here].push_back({to * bits + later, met});
          // A start is told by its step: no two of a guess differ in what they say of it.
          if (is_start) starts[here] = true;
        }
      }
    }
  }
  const auto reach = [&](size_t begin, const std::vector<bool>* only) {
    std::vector<bool> seen(graph.size(), false);
    std::deque<size_t> waiting{begin};
    while (!waiting.empty()) {
      const size_t at = waiting.front();
      waiting.pop_front();
      for (const Step& step : graph[at]) {
        if (seen[step.to] || (only != nullptr && !(*only)[step.to])) continue;
        seen[step.to] = true;
        waiting.push_back(step.to);
      }
    }
    return seen;
  };
  std::vector<bool> reached = starts;
  for (size_t at = 0; at < graph.size(); ++at) {
    if (!starts[at]) continue;
    const std::vector<bool> seen = reach(at, nullptr);
    for (size_t i = 0; i < seen.size(); ++i) reached[i] = reached[i] || seen[i];
  }
  // Of those from which one comes back: all that is met on the ways there and back.
  std::vector<bool> done(graph.size(), false);
  for (size_t at = 0; at < graph.size(); ++at) {
    if (!reached[at] || !ends[at] || done[at]) continue;
    const std::vector<bool> forth = reach(at, &ends);
    if (!forth[at]) continue;
    std::vector<bool> together(graph.size(), false);
    for (size_t other = 0; other < graph.size(); ++other) {
      if (!forth[other]) continue;
      together[other] = other == at || reach(other, &ends)[at];
      done[other] = done[other] || together[other];
    }
    uint64_t met = 0;
    for (size_t other = 0; other < graph.size(); ++other) {
      if (!together[other]) continue;
      for (const Step& step : graph[other]) {
        if (together[step.to]) met |= step.met;
      }
    }
    if (met == (uint64_t{1} << conditions) - 1) return true;
  }
  return false;
}

bool Runs::holds(const Behaviour& formula, const std::vector<size_t>& word, size_t loop,
                 size_t at) {
  const auto after = [&](size_t i) { return i + 1 < word.size() ? i + 1 : loop; };
  switch (formula.is) {
    case Is::kState:
    case Is::kStep:
      return is_true(formula, word[at], word[after(at)]);
    case Is::kNot:
      return !holds(formula.parts[0], word, loop, at);
    case Is::kAnd:
    case Is::kOr: {
      const bool is_and = formula.is == Is::kAnd;
      for (const Behaviour& part : formula.parts) {
        if (holds(part, word, loop, at) != is_and) return !is_and;
      }
      return is_and;
    }
    case Is::kAlways:
    case Is::kEventually: {
      const bool is_always = formula.is == Is::kAlways;
      for (size_t i = 0, here = at; i < 2 * word.size(); ++i, here = after(here)) {
        if (holds(formula.parts[0], word, loop, here) != is_always) return !is_always;
      }
      return is_always;
    }
  }
  return false;
}

std::string Runs::problem_of(const std::vector<State>& states, size_t loop,
                             const Behaviour& claim) {
  std::vector<size_t> word;
  for (const State& state : states) {
    word.push_back(number_of(state));
    if (word.back() == states_.size()) return "the run goes through a state that is not reached";
  }
  if (std::find(initial_.begin(), initial_.end(), word[0]) == initial_.end()) {
    return "the run does not begin in an initial state";
  }
  if (loop >= word.size()) return "the run goes back to a state that it does not have";
  if (word[loop] != word.back()) return "the run does not close";
  // The last state is the one that it goes back to.
  if (loop + 1 < word.size()) word.pop_back();
  for (size_t i = 0; i < word.size(); ++i) {
    const size_t next = i + 1 < word.size() ? word[i + 1] : word[loop];
    const std::vector<size_t>& to = to_[word[i]];
    if (std::find(to.begin(), to.end(), next) == to.end()) return "the run makes a step of nobody";
  }
  for (const Fair& fair : fair_) {
    bool taken = false, once = false, ever = true;
    for (size_t i = loop; i < word.size(); ++i) {
      taken = taken || is_true(fair.taken, word[i], i + 1 < word.size() ? word[i + 1] : word[loop]);
      const bool enabled = is_enabled(fair.taken, word[i]);
      once = once || enabled;
      ever = ever && enabled;
    }
    if (!taken && (fair.strong ? once : ever)) return "the run is not fair to " + fair.taken.name;
  }
  for (const Behaviour& assumed : spec_.assumed) {
    if (!holds(assumed, word, loop, 0)) return "the run is none that the specification assumes";
  }
  return holds(claim, word, loop, 0) ? "the run does not violate the property" : "";
}

}  // namespace ordeal::oracle::naive
