// What small random systems do not reach: levels of many chunks, and programs that change between
// a checkpoint and the search that goes on from it.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "tests/random/extras.h"
#include "tests/reductions/modes.h"

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
  watched->stop_after = 1000;
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

}  // namespace ordeal::oracle
