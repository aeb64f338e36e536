#include "tests/oracle/reference/explore.h"

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tests/oracle/reference/reference.h"

namespace ordeal::reference {

std::string sort_of(const Action& action) {
  switch (action.kind) {
    case ActionKind::kDeliver:
    case ActionKind::kEvent:
      return action.type;
    case ActionKind::kRequest:
      return "request " + action.type;
    case ActionKind::kTimer:
      return "timer " + action.type;
    case ActionKind::kDetect:
      return "crashed";
    case ActionKind::kSuspect:
      return "crashed, wrongly";
    case ActionKind::kRestore:
      return "restored";
    default:
      return to_string(action.kind);
  }
}

std::string served_by(const Action& action, bool progress) {
  if (!progress || action.crash_at_persist > 0) return "";
  Action one = action;
  one.choices.clear();
  return show_by_digest(one) + " " + std::to_string(one.from);
}

bool has_cycle(const std::vector<std::vector<uint32_t>>& edges) {
  std::vector<uint32_t> incoming(edges.size(), 0);
  for (const auto& targets : edges) {
    for (uint32_t to : targets) ++incoming[to];
  }
  std::vector<uint32_t> free;
  for (uint32_t v = 0; v < edges.size(); ++v) {
    if (incoming[v] == 0) free.push_back(v);
  }
  size_t removed = 0;
  for (; !free.empty(); ++removed) {
    const uint32_t v = free.back();
    free.pop_back();
    for (uint32_t to : edges[v]) {
      if (--incoming[to] == 0) free.push_back(to);
    }
  }
  return removed < edges.size();
}

Exploration explore(const System& system, uint64_t cap, uint32_t max_depth) {
  const Reference reference(system);
  const auto& properties = system.properties();
  Exploration out;
  out.first.resize(properties.size());
  const auto initial = reference.initial();
  if (!initial) {
    out.starts = false;
    return out;
  }

  struct Entry {
    std::string key;
    uint32_t depth;
  };
  std::deque<Entry> queue;
  std::map<std::string, uint32_t> number;  // of each state, in the order in which they were found
  std::vector<std::vector<uint32_t>> progress;
  std::vector<std::vector<RunStep>> steps;
  std::vector<bool> ends;
  const auto visit = [&](const State& state, const std::string& key, uint32_t depth) {
    const auto [at, fresh] = number.emplace(key, number.size());
    if (fresh) {
      queue.push_back({at->first, depth});
      out.states.emplace(at->first, state);
      progress.emplace_back();
      steps.emplace_back();
      ends.push_back(false);
    }
    return at->second;
  };
  for (const State& state : *initial) {
    if (reference.within(state)) visit(state, reference.key(state), 0);
  }

  while (!queue.empty()) {
    const Entry entry = queue.front();
    queue.pop_front();
    const State& state = out.states.at(entry.key);
    const uint32_t from = number.at(entry.key);
    const std::vector<Move> moves = reference.moves(state);
    bool terminal = true;
    for (const Move& move : moves) terminal = terminal && !move.progress;
    out.depth = entry.depth;
    out.terminal += terminal ? 1 : 0;
    ends[from] = terminal;
    for (uint32_t p = 1; p < properties.size(); ++p) {
      const PropertyKind kind = properties[p].kind;
      if (out.first[p] || (kind == PropertyKind::kEventually && !terminal)) continue;
      const bool holds = reference.holds(state, terminal, p);
      if (holds == (kind == PropertyKind::kSometimes)) out.first[p] = entry.depth;
    }
    if (entry.depth >= max_depth) continue;
    for (const Move& move : moves) {
      ++out.kinds[move.action.kind];
      if (move.fails) {
        ++out.failures;
        if (!out.first[kNoFailure]) out.first[kNoFailure] = entry.depth + 1;
        out.failing.try_emplace({move.action.kind, move.action.type}, entry.depth + 1);
        steps[from].push_back(
            {RunStep::kNowhere, move.progress, served_by(move.action, move.progress)});
        continue;
      }
      ++out.transitions;
      ++out.steps[sort_of(move.action)];
      const std::string key = reference.key(move.next);
      if (key != entry.key) ++out.transitions_no_loops;
      if (!reference.within(move.next)) {
        steps[from].push_back(
            {RunStep::kNowhere, move.progress, served_by(move.action, move.progress)});
        continue;
      }
      const uint32_t to = visit(move.next, key, entry.depth + 1);
      steps[from].push_back({to, move.progress, served_by(move.action, move.progress)});
      if (move.progress) progress[from].push_back(to);
      if (out.states.size() > cap) {
        out.complete = false;
        return out;
      }
    }
  }
  out.distinct = out.states.size();
  out.progress_cycle = has_cycle(progress);
  out.round.resize(properties.size());
  std::vector<uint32_t> begins;
  for (const State& state : *initial) {
    if (reference.within(state)) begins.push_back(number.at(reference.key(state)));
  }
  for (uint32_t p = 1; p < properties.size(); ++p) {
    const bool asks = properties[p].kind == PropertyKind::kEventually && !out.first[p] &&
                      properties[p].name != "no deadlock";
    if (!asks || max_depth != ~0U) continue;
    std::vector<bool> fine(steps.size());
    for (const auto& [key, at] : number) {
      fine[at] = reference.holds(out.states.at(key), ends[at], p);
    }
    out.round[p] = goes_round(steps, begins, fine);
  }
  return out;
}

}  // namespace ordeal::reference
