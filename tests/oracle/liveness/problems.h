// The engine's answers about runs of random mazes, compared with those of brute force.
#pragma once

#include <fmt/format.h>

#include <string>

#include "ordeal/check.h"
#include "ordeal/trace.h"
#include "tests/oracle/liveness/blurred.h"
#include "tests/oracle/liveness/naive.h"
#include "tests/oracle/liveness/players.h"

namespace ordeal::oracle::liveness {

struct LivenessTally {
  uint64_t holds = 0;
  uint64_t violated = 0;
  uint64_t stays = 0;  // of those: the last state stays
  uint64_t vacuous = 0;
};

// What is wrong with a run that is said to violate the claim; "": nothing.
inline std::string problem_with_lasso(const Maze& maze, const Model<Maze>& model,
                                      const Trace& found) {
  const Result<Trace> read = trace_from_json(to_json(found));
  if (!read) return "the trace cannot be read back: " + read.error().message;
  if (read->loop_start != found.loop_start) return "the trace lost where its run goes back to";
  const Result<ReplayResult> again = replay(model, *read);
  if (!again) return "replaying: " + again.error().message;
  if (!again->reproduced) return "replaying: " + again->why;
  if (!read->loop_start) return "";
  std::vector<uint32_t> rooms = {maze.begins[read->initial]};
  std::vector<int> passages;
  for (const TraceStep& step : read->steps) {
    std::vector<Maze::Action> actions;
    maze.actions({rooms.back()}, actions);
    passages.push_back(static_cast<int>(actions[step.choice].passage));
    rooms.push_back(maze.passages[passages.back()].to);
  }
  if (*read->loop_start == passages.size()) {
    passages.push_back(-1);
  } else {
    if (rooms.back() != rooms[*read->loop_start]) return "the cycle is not closed";
    rooms.pop_back();
  }
  const auto from = static_cast<ptrdiff_t>(*read->loop_start);
  NaiveRuns naive(maze);
  if (!naive.is_fair({rooms.begin() + from, rooms.end()},
                     {passages.begin() + from, passages.end()})) {
    return "the cycle is not fair";
  }
  return "";
}

inline std::string problem_with_maze(uint64_t seed, LivenessTally& tally) {
  const Maze maze = random_maze(seed);
  NaiveRuns naive(maze);
  bool expected = naive.any(formula::negation(maze.claim));
  if (maze.is_eventually && !expected) {
    // Where runs end it is judged, too: also of those that do not count.
    std::vector<bool> reached(maze.rooms);
    bool more = true;
    for (const uint32_t room : maze.begins) reached[room] = maze.inside[room];
    while (std::exchange(more, false)) {
      for (const Passage& one : maze.passages) {
        if (!reached[one.from] || reached[one.to] || !maze.inside[one.to]) continue;
        more = reached[one.to] = true;
      }
    }
    for (uint32_t room = 0; room < maze.rooms; ++room) {
      const bool ends =
          std::none_of(maze.passages.begin(), maze.passages.end(),
                       [&](const Passage& one) { return one.from == room && !one.fault; });
      expected = expected || (reached[room] && ends && !maze.in_room[0][room]);
    }
  }
  const Model<Maze> model = model_of(maze);
  for (const std::string strategy : {"bfs", "dfs"}) {
    Result<Report> report = Error{""};
    try {
      report = check(model, {.strategy = strategy, .threads = strategy == "bfs" ? 1 : 2});
    } catch (const std::exception& error) {
      return fmt::format("maze {}, {}: {}", seed, strategy, error.what());
    }
    if (!report) return fmt::format("maze {}, {}: {}", seed, strategy, report.error().message);
    const PropertyResult& result = report->properties.back();
    const Verdict wanted = expected ? Verdict::kViolated : Verdict::kHolds;
    if (result.verdict != wanted) {
      return fmt::format("maze {}, {}: the engine says {}, brute force says {} ({})", seed,
                         strategy, to_string(result.verdict), to_string(wanted), result.note);
    }
    if (!expected) {
      if (strategy == "bfs") ++tally.holds;
      const bool vacuous = result.note.find("no run that counts") != std::string::npos;
      if (!maze.is_eventually && vacuous == naive.any({})) {
        return fmt::format("maze {}: whether a run counts is told wrong", seed);
      }
      if (strategy == "bfs" && vacuous) ++tally.vacuous;
      continue;
    }
    if (report->violations.size() != 1 || !report->violations[0].trace) {
      return fmt::format("maze {}: no run is shown", seed);
    }
    const Trace& trace = *report->violations[0].trace;
    if (strategy == "bfs") ++tally.violated;
    if (trace.loop_start == trace.steps.size()) ++tally.stays;
    const std::string problem = problem_with_lasso(maze, model, trace);
    if (!problem.empty()) return fmt::format("maze {}, {}: {}", seed, strategy, problem);
  }
  return "";
}

inline std::string problem_with_liveness(uint64_t first, uint64_t mazes, LivenessTally& tally) {
  for (uint64_t seed = first; seed < first + mazes; ++seed) {
    std::string problem = problem_with_maze(seed, tally);
    if (!problem.empty()) return problem;
  }
  return "";
}

// For broken engines: what is quick and catches many comes first.
inline std::string problem_with_runs(uint64_t mazes) {
  LivenessTally tally;
  std::string problem = problem_with_the_default();
  if (problem.empty()) problem = problem_with_false_cycle();
  if (problem.empty()) problem = problem_with_liveness(0, mazes, tally);
  return problem;
}

}  // namespace ordeal::oracle::liveness
