// What can be wrong with schedulers, each as a function that tells the first problem it sees, or
// "": for tests, and for those that break the engine on purpose (tests/oracle/mutants).
#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "explore/schedule/schedulers.h"
#include "explore/strategy/strategy.h"
#include "ordeal/check.h"
#include "ordeal/model.h"
#include "ordeal/system.h"
#include "tests/engine/schedulers/guarantee.h"
#include "tests/oracle/random/generator.h"

namespace ordeal::oracle::schedulers {

// --- Chains --------------------------------------------------------------------------------------

// Calls f with every order of the events that their causes allow.
inline void each_extension(const Poset& poset, uint32_t done, Schedule& order,
                           const std::function<void(const Schedule&)>& f) {
  if (static_cast<int>(order.size()) == poset.size) return f(order);
  for (int e = 0; e < poset.size; ++e) {
    if ((done >> e & 1) || (poset.below[e] & ~done) != 0) continue;
    order.push_back(e);
    each_extension(poset, done | 1U << e, order, f);
    order.pop_back();
  }
}

inline std::string problem_with_chains_of(const Poset& poset, const Schedule& order,
                                          const explore::Draw& draw) {
  explore::Chains chains;
  std::vector<explore::Chains::Place> places(poset.size);
  std::vector<int> last(poset.size, -1);  // by chain
  for (const int event : order) {
    explore::Clock past;
    for (int e = 0; e < poset.size; ++e) {
      if (poset.is_below(e, event)) explore::add_to(past, places[e]);
    }
    places[event] = chains.add(past, draw);
    int& before = last[places[event].chain];
    const bool is_chain = before == -1 || poset.is_below(before, event);
    if (!is_chain || places[event].is_first() != (before == -1)) {
      return told(poset, order, "added in this order, they are put into what is no chain");
    }
    before = event;
  }
  const int most = poset.width() * (poset.width() + 1) / 2;
  if (static_cast<int>(chains.count()) <= most) return "";
  return told(poset, order, "added in this order, they take too many chains");
}

// All posets of at most 6 events, in all orders.
inline std::string problem_with_chains() {
  Rng rng(3);
  const explore::Draw draw = [&](uint64_t n) { return rng.below(n); };
  std::string problem;
  for (int size = 1; size <= 6; ++size) {
    for (const Poset& poset : posets(size)) {
      Schedule order;
      each_extension(poset, 0, order, [&](const Schedule& extension) {
        if (problem.empty()) problem = problem_with_chains_of(poset, extension, draw);
      });
    }
  }
  return problem;
}

// Some threads, each a chain, that hear of each other now and then: the width is at most theirs.
inline std::string problem_with_long_chains() {
  for (uint64_t seed = 0; seed < 200; ++seed) {
    Rng rng(seed);
    const explore::Draw draw = [&](uint64_t n) { return rng.below(n); };
    const uint32_t threads = 2 + static_cast<uint32_t>(rng.below(4));
    std::vector<explore::Clock> clocks(threads);
    explore::Chains chains;
    for (int i = 0; i < 300; ++i) {
      explore::Clock& mine = clocks[rng.below(threads)];
      if (rng.below(3) == 0) explore::join_clocks(mine, explore::Clock(clocks[rng.below(threads)]));
      explore::add_to(mine, chains.add(mine, draw));
    }
    if (chains.count() > threads * (threads + 1) / 2) {
      return std::to_string(chains.count()) + " chains for " + std::to_string(threads) + " threads";
    }
  }
  return "";
}

inline std::string problem_with_change_points() {
  Rng rng(1);
  std::vector<int> counts(5, 0);
  for (int i = 0; i < 10'000; ++i) {
    const auto points = explore::draw_points(2, 5, [&](uint64_t n) { return rng.below(n); });
    if (points.size() != 2 || points[0] == points[1]) return "a change point is drawn twice";
    for (const uint64_t point : points) ++counts[point];
  }
  for (const int count : counts) {
    if (std::abs(count - 4000) > 300) return "change points are not equally likely";
  }
  const auto all = explore::draw_points(9, 3, [](uint64_t) { return 0; });
  return all.size() == 3 ? "" : "more change points than events";
}

// --- Runs ----------------------------------------------------------------------------------------

// One run by itself: its choices, as a driver other than check() would get them.
inline ShortForm run_of(explore::Scheduler& scheduler, World& world, uint64_t number,
                        uint32_t most_steps = 200) {
  ShortForm out;
  const auto initial = scheduler.begin(number, std::max<uint32_t>(1, world.initial_count()));
  if (!initial || !world.reset(*initial)) return out;
  out.initial = *initial;
  scheduler.arrive({world, out});
  while (!world.enabled().empty() && out.choices.size() < most_steps) {
    const uint32_t pick = scheduler.pick(world);
    if (pick == explore::Scheduler::kEnd) break;
    scheduler.take(world, pick);
    out.choices.push_back(pick);
    if (!world.apply(pick)) break;
    scheduler.arrive({world, out});
  }
  return out;
}

// A run can be repeated without those before it, and others are different.
inline std::string problem_with_repeating() {
  const Case item = generate(5);
  for (const std::string& name : explore::strategies_where(
           [](const explore::Strategy& strategy) { return strategy.runs_by_number; })) {
    const Options options{.strategy = name, .seed = 9};
    const auto world = item.system.world();
    const auto scheduler = explore::make_scheduler(options, *world);
    if (!scheduler) return scheduler.error().message;
    std::vector<std::vector<uint32_t>> runs;
    for (uint64_t i = 0; i < 20; ++i) runs.push_back(run_of(**scheduler, *world, i).choices);
    for (const uint64_t i : {17, 3, 0}) {
      const auto again = item.system.world();
      const auto alone = explore::make_scheduler(options, *again);
      if (run_of(**alone, *again, i).choices != runs[i]) {
        return name + ": run " + std::to_string(i) + " is another one when it comes alone";
      }
    }
    std::sort(runs.begin(), runs.end());
    if (runs.front() == runs.back()) return name + ": all runs are the same";
  }
  return "";
}

// --- Delays --------------------------------------------------------------------------------------

// Things that can be done once, in any order; the state remembers the order.
struct Chores {
  struct State {
    std::vector<uint32_t> done;
  };
  struct Action {
    uint32_t chore = 0;
  };
  uint32_t count = 0;

  std::vector<State> initial() const { return {{}}; }
  void actions(const State& s, std::vector<Action>& out) const {
    for (uint32_t i = 0; i < count; ++i) {
      if (std::find(s.done.begin(), s.done.end(), i) == s.done.end()) out.push_back({i});
    }
  }
  std::optional<State> next(const State& s, const Action& a) const {
    State out = s;
    out.done.push_back(a.chore);
    return out;
  }
};

// With k delays, n chores have as many runs as n things have orders with k inversions.
inline std::string problem_with_delayed_chores() {
  constexpr uint32_t kChores = 5;
  std::vector<uint64_t> orders = {1};  // by inversions, of 1 thing, then of 2, …
  for (uint32_t n = 2; n <= kChores; ++n) {
    std::vector<uint64_t> more(orders.size() + n - 1, 0);
    for (size_t k = 0; k < orders.size(); ++k) {
      for (uint32_t j = 0; j < n; ++j) more[k + j] += orders[k];
    }
    orders = std::move(more);
  }
  uint64_t expected = 0;
  for (uint32_t delays = 0; delays < orders.size() + 2; ++delays) {
    expected += delays < orders.size() ? orders[delays] : 0;
    const Model<Chores> model(Chores{kChores});
    const auto report = check(model, {.strategy = "delay", .delays = delays});
    if (!report) return report.error().message;
    const std::string who = std::to_string(delays) + " delays: ";
    if (report->runs != expected) {
      return who + std::to_string(report->runs) + " runs instead of " + std::to_string(expected);
    }
    // Each of them is another order.
    if (report->terminal_states != expected) return who + "two runs are the same";
    if (report->verdict != Verdict::kUndecided) return who + "claims to have seen everything";
  }
  return expected == 120 ? "" : "the test cannot count";
}

// Two requests at node 1; node 2 may crash. Without delays: both requests, and the run ends. With
// one: the second first, or the crash at any of three moments.
struct Idle {
  struct Ask {
    int n = 0;
  };
  using Requests = Types<Ask>;
  int sum = 0;
  void request(Context&, const Ask& ask) { sum = 2 * sum + ask.n; }
};

inline std::string problem_with_delayed_faults() {
  System system;
  system.add<Idle>(2).request(1, Idle::Ask{1}).request(1, Idle::Ask{2}).crash({2});
  // With two: crash, then the second request first; or the other way round, before or after it; the
  // second first and a crash at the end.
  const std::vector<uint64_t> expected = {1, 5, 8};
  for (uint32_t delays = 0; delays < expected.size(); ++delays) {
    const auto report = check(system, {.strategy = "delay", .delays = delays});
    if (!report) return report.error().message;
    if (report->runs != expected[delays]) {
      return std::to_string(report->runs) + " runs with " + std::to_string(delays) + " delays";
    }
  }
  return "";
}

// What is delayed goes to the back, behind all that waits: one delay lets the first chore come
// last.
inline std::string problem_with_the_back_of_the_queue() {
  Model<Chores> model(Chores{6});
  model.sometimes("the first comes last", [](const Chores::State& s) {
    return s.done == std::vector<uint32_t>{1, 2, 3, 4, 5, 0};
  });
  for (const uint32_t delays : {0U, 1U}) {
    const auto report = check(model, {.strategy = "delay", .delays = delays});
    if (!report) return report.error().message;
    const bool reached = report->properties.back().verdict == Verdict::kHolds;
    if (reached != (delays == 1)) return "with " + std::to_string(delays) + " delays";
  }
  return "";
}

// --- Priorities ----------------------------------------------------------------------------------

struct Counter {
  uint32_t count = 0;
  uint32_t limit = 0;

  void start(Context& ctx) { ctx.set_timer("tick"); }
  void timer(Context& ctx, const std::string&) {
    if (++count < limit) ctx.set_timer("tick");
  }
};

// `limit` steps at node 1, and one at node 2: reached when node 2 comes last.
inline System race(uint32_t limit) {
  System system;
  system.add<Counter>(2, [limit](NodeId id) { return Counter{0, id.value == 1 ? limit : 1}; });
  system.sometimes("node 2 comes last", [limit](const View& view) {
    return view.node<Counter>(1).count == limit && view.node<Counter>(2).count == 0;
  });
  return system;
}

inline bool reaches(const System& system, const Options& options) {
  const auto report = check(system, options);
  return report.ok() && report->properties.back().verdict == Verdict::kHolds;
}

// A random walk lets node 2 come last in one of 2^30 runs; with priorities that stay as long as
// nothing races it is one of 31 or better.
inline std::string problem_with_priorities() {
  for (const std::string name : {"pct", "pctcp", "pos"}) {
    if (!reaches(race(30), {.strategy = name, .max_runs = 300})) {
      return name + " does not let one node wait for the other";
    }
  }
  if (reaches(race(30), {.strategy = "random", .max_runs = 300})) return "random does";
  return "";
}

// At one node everything races: there a random walk is what is wanted, and to be last for long is
// as unlikely as it is there.
struct Both {
  uint32_t count = 0;
  bool fired = false;

  void start(Context& ctx) {
    ctx.set_timer("tick");
    ctx.set_timer("once");
  }
  void timer(Context& ctx, const std::string& name) {
    if (name == "once") {
      fired = true;
    } else if (++count < 20) {
      ctx.set_timer("tick");
    }
  }
};

inline std::string problem_with_races() {
  System system;
  system.add<Both>(1).sometimes("one comes last", [](const View& view) {
    return view.node<Both>(1).count == 20 && !view.node<Both>(1).fired;
  });
  const bool last = reaches(system, {.strategy = "pos", .max_runs = 300});
  return last ? "pos: what races with a step keeps its priority" : "";
}

// --- Causes --------------------------------------------------------------------------------------

// Before whom each step of the trace comes by its causes: [later][earlier].
inline std::vector<std::vector<bool>> order_of(const Trace& trace) {
  std::vector<std::vector<bool>> before;
  for (const TraceStep& step : trace.steps) {
    std::vector<bool> mine(trace.steps.size(), false);
    for (const uint32_t cause : step.causes) {
      if (cause == 0) continue;
      mine[cause - 1] = true;
      for (size_t i = 0; i < cause - 1; ++i) mine[i] = mine[i] || before[cause - 1][i];
    }
    before.push_back(std::move(mine));
  }
  return before;
}

// The step that sent what `step` delivers (0: it was there at the start); -1 where that cannot be
// told, because there are equal messages.
inline int sender_of(const Trace& trace, const Action& delivery) {
  int sender = -1;
  int sends = 0;
  const auto look = [&](const std::vector<Sent>& sent, int step) {
    for (const Sent& one : sent) {
      const bool same = one.kind == ActionKind::kDeliver && one.from == delivery.from &&
                        one.to == delivery.node && one.type == delivery.type &&
                        one.payload_digest == delivery.payload_digest;
      if (same) sender = step;
      if (same) ++sends;
    }
  };
  look(trace.initially_sent, 0);
  for (size_t i = 0; i < trace.steps.size(); ++i) {
    look(trace.steps[i].detail.sent, static_cast<int>(i) + 1);
  }
  return sends == 1 ? sender : -1;
}

// The causal pasts that the scheduler finds by watching what is enabled, against those that a trace
// has from what handlers sent. `compared` counts deliveries.
inline std::string problem_with_pasts(uint64_t systems, uint64_t& compared) {
  for (uint64_t seed = 0; seed < systems; ++seed) {
    const Case item = generate(seed);
    // Traces do not know the causes of copies; what is sent while it cannot be delivered is met
    // late, and so are timers that wait until nothing can be delivered, or until an earlier one of
    // another node has fired or was cancelled.
    const bool skip = std::any_of(item.features.begin(), item.features.end(), [](const auto& has) {
      return has == "duplicates" || has == "drops" || has == "recoveries" || has == "skip no-ops" ||
             has == "prompt" || has == "timed" || has.starts_with("partitions");
    });
    if (skip) continue;
    const bool is_bag = item.features.count("network bag") > 0;
    const auto world = item.system.world();
    explore::PctcpScheduler scheduler(seed, {3, 30, 0});
    const auto initial = scheduler.begin(0, std::max<uint32_t>(1, world->initial_count()));
    if (!world->reset(*initial)) continue;
    ShortForm path;
    path.initial = *initial;
    std::vector<uint32_t> events;
    scheduler.arrive({*world, path});
    while (!world->enabled().empty() && path.choices.size() < 40) {
      const uint32_t pick = scheduler.pick(*world);
      if (pick == explore::Scheduler::kEnd) break;
      scheduler.take(*world, pick);
      if (!world->apply(pick)) break;
      path.choices.push_back(pick);
      events.push_back(scheduler.events().taken());
      scheduler.arrive({*world, path});
    }
    const Result<Trace> trace = record(item.system, path, {});
    if (!trace) return trace.error().message;
    const std::vector<std::vector<bool>> before = order_of(*trace);
    for (size_t j = 0; j < events.size(); ++j) {
      const Action& action = trace->steps[j].detail.action;
      const int sender =
          action.kind == ActionKind::kDeliver && is_bag ? sender_of(*trace, action) : -1;
      if (sender >= 0) ++compared;
      for (size_t i = 0; i < j; ++i) {
        const bool seen = scheduler.is_before(events[i], events[j]);
        const std::string where = "system " + std::to_string(seed) + ", steps " +
                                  std::to_string(i + 1) + " and " + std::to_string(j + 1) + " (" +
                                  show(action) + "): ";
        if (seen && !before[j][i]) return where + "a cause that is none";
        if (sender < 0) continue;
        const size_t from = static_cast<size_t>(sender);
        const bool expected = from > 0 && (i + 1 == from || before[from - 1][i]);
        if (seen != expected) return where + (expected ? "a cause is missing" : "one too many");
      }
    }
  }
  return "";
}

// Everything that is quick enough to be asked of every broken engine.
inline std::string problem_with_schedulers() {
  uint64_t compared = 0;
  for (const std::function<std::string()>& look : std::vector<std::function<std::string()>>{
           problem_with_change_points, problem_with_chains, problem_with_long_chains,
           problem_with_delayed_chores, problem_with_delayed_faults,
           problem_with_the_back_of_the_queue, problem_with_priorities, problem_with_races,
           problem_with_repeating, [&] { return problem_with_pasts(300, compared); },
           [] { return broken_promise(schedule_by_pctcp, 6, 1); },
           [] { return broken_promise(schedule_by_pctcp, 5, 3); },
           [] { return broken_promise(schedule_by_pctcp, 6, 3); }}) {
    const std::string problem = look();
    if (!problem.empty()) return problem;
  }
  return "";
}

}  // namespace ordeal::oracle::schedulers
