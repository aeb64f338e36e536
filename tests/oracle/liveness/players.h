// Two who throw a ball to and fro for ever: what is owed to whom, by default.
#pragma once

#include <string>

#include "ordeal/check.h"
#include "ordeal/system.h"

namespace ordeal::oracle::liveness {

struct Ball {};
struct Stop {};
struct Go {};

// Two who throw a ball to and fro, and a message that is on its way to the second.
struct Player {
  using Messages = Types<Ball, Stop>;
  using Requests = Types<Go>;
  bool stopped = false;

  void request(Context& ctx, const Go&) {
    ctx.send(2, Ball{});
    ctx.send(2, Stop{});
  }
  void on(Context& ctx, NodeId from, const Ball&) { ctx.send(from, Ball{}); }
  void on(Context&, const Stop&) { stopped = true; }
};

inline System players() {
  System system;
  system.add<Player>(2).request(1, Go{});
  system.eventually("told to stop", [](const View& view) { return view.node<Player>(2).stopped; });
  return system;
}

// What the default makes of them; "": what it should.
inline std::string problem_with_the_default() {
  const auto differs = [](const System& system, const std::string& who, Verdict wanted) {
    const Result<Report> report =
        check(system, {.strategy = "bfs", .threads = 1, .keep_going = true});
    if (!report) return who + ": " + report.error().message;
    const Verdict verdict = report->properties.back().verdict;
    return verdict == wanted ? std::string() : who + ": " + to_string(verdict);
  };
  std::string problem = differs(players(), "a message beside others", Verdict::kHolds);
  if (!problem.empty()) return problem;
  System system = players();
  system.crash({2}).recoveries(1);
  system.leads_to(
      "comes back", [](const View& view) { return !view.up(2); },
      [](const View& view) { return view.up(2); });
  return differs(system, "a recovery that nobody owes", Verdict::kViolated);
}

}  // namespace ordeal::oracle::liveness
