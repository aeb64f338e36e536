// What small random systems do not reach: levels of many chunks, and programs that change between
// a checkpoint and the search that goes on from it.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <utility>

#include "tests/oracle/random/extras.h"
#include "tests/oracle/reductions/modes.h"

namespace ordeal::oracle {

// Three nodes that count, with states that violate a property in the middle: many of them on one
// level, so that which one is reported tells the order in which states were found.
inline void compare_large(const std::string& folder, Tally& tally) {
  for (const bool keep_going : {false, true}) {
    Case item;
    item.system = grid(3, 24);
    item.system.always("not far out", [](const View& view) {
      int sum = 0;
      for (const NodeId node : view.nodes()) {
        sum += static_cast<int>(view.node<Counting>(node).count);
      }
      return sum != 40 || view.node<Counting>(1).count % 3 != 2;
    });
    const auto watched = std::make_shared<Watch>();
    watch(item.system, watched);
    Modes modes(item, *watched, folder, tally);
    Options options;
    options.strategy = "bfs";
    options.keep_going = keep_going;
    if (!modes.begin(options)) return;
    for (const int threads : {2, 3}) {
      modes.threads(threads);
      modes.wide(threads);
    }
    modes.spill(1, true);
    modes.spill(2, false);
    modes.checkpoint(modes.options(), "going on in a large space");
    modes.checkpoint(modes.spilling(2, keep_going), "going on from disk in a large space");
  }
}

// The same system to look at, with another program behind it: what a new build may do.
struct Changing {
  uint32_t count = 0;

  static uint32_t& stride() {
    static uint32_t stride = 1;
    return stride;
  }
  void start(Context& ctx) { ctx.set_timer("tick"); }
  void timer(Context& ctx, const std::string&) {
    count += count < 10 ? 1 : stride();
    if (count < 60) ctx.set_timer("tick");
  }
};

// A search must not go on with states that the program does not reach any more.
inline std::string problem_with_a_changed_program(const std::string& folder) {
  System system;
  system.add<Changing>(2);
  const auto watched = std::make_shared<Watch>();
  watch(system, watched);
  Options options;
  options.strategy = "bfs";
  options.threads = 1;
  options.checkpoint = folder + "/changed";
  options.checkpoint_seconds = 0;
  options.stop = &watched->stop;
  watched->stop_after = 300;  // before the two programs can do different numbers of steps
  Changing::stride() = 1;
  const Result<Report> before = check(system, options);
  watched->stop = false;
  watched->stop_after = ~uint64_t{0};
  Changing::stride() = 2;
  const bool left = std::filesystem::exists(options.checkpoint);
  const Result<Report> after = check(system, options);
  Changing::stride() = 1;
  const bool kept = std::filesystem::exists(options.checkpoint);
  std::filesystem::remove(options.checkpoint);
  if (!before.ok()) return before.error().message;
  if (!left) return "a search that was stopped leaves no checkpoint";
  if (after.ok()) return "a search goes on with states of another program";
  return kept ? "" : "a checkpoint that was refused is gone";
}

// A bounded depth-first search comes back to states on shorter ways; one that is stopped while such
// states wait must not take them for new ones when it goes on.
inline std::string problem_with_interrupted_depth(const std::string& folder) {
  System system;
  system.add<Leaping>(3);
  const auto watched = std::make_shared<Watch>();
  watch(system, watched);
  Options options;
  options.strategy = "dfs";
  options.threads = 1;
  options.max_depth = 14;
  const Result<Report> whole = check(system, options);
  if (!whole.ok()) return whole.error().message;
  options.checkpoint = folder + "/bounded";
  options.checkpoint_seconds = 0;
  options.stop = &watched->stop;
  for (uint64_t after = 200; after < whole->distinct_states; after += 600) {
    watched->judged = 0;
    watched->stop_after = after;
    const Result<Report> first = check(system, options);
    watched->stop = false;
    watched->stop_after = ~uint64_t{0};
    const Result<Report> second = check(system, options);
    std::filesystem::remove(options.checkpoint);
    if (!first.ok()) return first.error().message;
    if (!second.ok()) return second.error().message;
    if (second->distinct_states != whole->distinct_states ||
        second->transitions != whole->transitions) {
      return "a bounded depth-first search that was stopped after " + std::to_string(after) +
             " states ends with " + std::to_string(second->transitions) + " transitions, not " +
             std::to_string(whole->transitions);
    }
    for (size_t i = 0; i < whole->steps.size(); ++i) {
      if (i < second->steps.size() && second->steps[i].what == whole->steps[i].what &&
          second->steps[i].count == whole->steps[i].count) {
        continue;
      }
      return "a search that was resumed counts " + whole->steps[i].what + " differently";
    }
  }
  return "";
}

// Nodes that set each other going: what one may do depends on which of the others came first.
struct Waking {
  using Messages = Types<Leaping>;
  uint32_t got = 0;

  void start(Context& ctx) {
    ctx.set_timer("a");
    ctx.set_timer("b");
  }
  void timer(Context& ctx, const std::string& name) {
    got = got * 2 + (name == "a" ? 1 : 0);
    ctx.send(ctx.self().value % 3 + 1, Leaping{name == "a" ? 1U : 0U});
  }
  void on(Context& ctx, const Leaping& message) {
    got = (got * 3 + message.count + 1) % 11;
    if (got % 5 == 0) ctx.set_timer("a");
  }
};

// Depth first, states are met first on ways where more sleeps than on later ones.
inline std::string problem_with_sleep_depth_first() {
  System waking;
  waking.add<Waking>(3);
  const System counting = grid(4, 8);
  for (const System* system : {&counting, &std::as_const(waking)}) {
    Options options;
    options.threads = 1;
    options.max_states = 400'000;
    options.strategy = "bfs";
    const Result<Report> all = check(*system, options);
    if (!all.ok()) return all.error().message;
    if (!all->complete) return "more states than this is meant for";
    options.reduce = "sleep";
    for (const char* strategy : {"bfs", "dfs"}) {
      options.strategy = strategy;
      const Result<Report> reduced = check(*system, options);
      if (!reduced.ok()) return reduced.error().message;
      if (reduced->distinct_states != all->distinct_states ||
          reduced->terminal_states != all->terminal_states) {
        return std::string(strategy) + " with sleep sets finds " +
               std::to_string(reduced->distinct_states) + " states of " +
               std::to_string(all->distinct_states);
      }
    }
  }
  return "";
}

}  // namespace ordeal::oracle
