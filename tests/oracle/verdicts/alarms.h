// A timer that a scenario holds back, and that is set once more.
#pragma once

#include <string>

#include "ordeal/check.h"
#include "ordeal/scenario.h"
#include "ordeal/scenario_run.h"
#include "ordeal/system.h"

namespace ordeal::verdicts {

struct Snooze {};

struct Sleeper {
  using Messages = Types<>;
  using Requests = Types<Snooze>;
  bool awake = false;
  void start(Context& ctx) { ctx.set_timer("alarm"); }
  void request(Context& ctx, const Snooze&) { ctx.set_timer("alarm"); }
  void timer(Context&, const std::string&) { awake = true; }
};

// "": where the first alarm is held, one that is set again wakes the sleeper, and nothing else
// does.
inline std::string problem_with_alarms() {
  Scenario scenario("the first alarm is held");
  scenario.filter(when(once(is_event(EventKind::kSetTimer))).then(hold("late")));
  for (const bool again : {false, true}) {
    System system;
    system.add<Sleeper>(1);
    system.always("asleep", each<Sleeper>([](const Sleeper& s) { return !s.awake; }));
    if (again) system.request(1, Snooze{});
    for (const std::string strategy : {"bfs", "dfs", "prefix", "random", "pctcp"}) {
      const auto report = run(scenario, system, {.strategy = strategy});
      if (!report.ok()) return strategy + ": " + report.error().message;
      const bool wakes = report->verdict == Verdict::kViolated;
      if (wakes != again)
        return strategy + (again ? ": set again, it is held" : ": it is not held");
    }
  }
  return "";
}

}  // namespace ordeal::verdicts
