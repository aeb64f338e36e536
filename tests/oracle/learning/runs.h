// Runs against searches: a world that takes runs finds out what handlers do where they are taken,
// asks again only of what has changed, and moves queues up by their places. Here every state of
// random runs is looked at by an explorer that has seen no other, as a search would, and what runs
// go on from is held against the way that led there. Functions that tell the first problem that
// they see, or "".
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "base/rng.h"
#include "ordeal/world.h"
#include "tests/oracle/learning/leaders.h"
#include "tests/oracle/random/generator.h"

namespace ordeal::oracle::learning {

// Where the world is, and a packed state of a space of its own.
struct SideBySide {
  World& world;
  StateSpace& space;
  std::vector<uint32_t> state;

  // The enabled actions, as the explorer has them.
  std::string look(std::vector<Choice>& choices) {
    const auto fresh = space.explorer();
    if (world.fingerprint() != fresh->fingerprint(state)) return "another fingerprint";
    fresh->enumerate(state, choices);
    const std::vector<Choice>& enabled = world.enabled();
    if (enabled.size() != choices.size()) {
      return fmt::format("{} actions instead of {}", enabled.size(), choices.size());
    }
    for (uint32_t i = 0; i < choices.size(); ++i) {
      if (!same_identity(world.action(i), fresh->action(state, choices[i])) ||
          enabled[i].progress != choices[i].progress || enabled[i].sort != choices[i].sort) {
        return fmt::format("another action number {}", i);
      }
    }
    const bool terminal = std::none_of(choices.begin(), choices.end(),
                                       [](const Choice& choice) { return choice.progress; });
    Judgement told;
    Judgement expected;
    world.judge(terminal, told);
    fresh->judge(state, terminal, expected);
    if (told.violated != expected.violated) return "other properties are violated";
    return told.reached == expected.reached ? "" : "other properties are reached";
  }

  // Both take action `picked`. `fails`: the run is over.
  std::string step(uint32_t picked, bool& fails) {
    const auto fresh = space.explorer();
    std::vector<Choice> choices;
    fresh->enumerate(state, choices);
    fails = choices[picked].fails;
    const Result<void> taken = world.apply(picked);
    if (taken.ok() == fails) return fails ? "what fails does not" : "what does not fail does";
    if (fails) {
      const std::string why = fresh->detail(state, choices[picked]).failure;
      return why == taken.error().message ? "" : "it fails for another reason";
    }
    std::vector<uint32_t> next;
    fresh->apply(state, fresh->fingerprint(state), choices[picked], next);
    state = std::move(next);
    return "";
  }
};

inline std::string problem_with_runs_of(const System& system, uint64_t seed) {
  const std::shared_ptr<StateSpace> space = system.space();
  const std::unique_ptr<World> world = system.world();
  const auto initial = space->initial();
  if (!initial) return "";
  Rng rng(seed);
  for (uint64_t run = 0; run < 6; ++run) {
    const auto first = static_cast<uint32_t>(rng.below(initial->size()));
    if (!world->reset(first)) return "it does not start";
    SideBySide both{*world, *space, (*initial)[first].state};
    for (uint64_t step = 0; step < 24; ++step) {
      std::vector<Choice> choices;
      bool fails = false;
      std::string problem = both.look(choices);
      if (problem.empty() && choices.empty()) break;
      if (problem.empty()) {
        problem = both.step(static_cast<uint32_t>(rng.below(choices.size())), fails);
      }
      if (!problem.empty()) return fmt::format("run {}, step {}: {}", run, step, problem);
      if (fails) break;
    }
  }
  return "";
}

inline bool may_choose(const Case& made) {
  return std::any_of(made.features.begin(), made.features.end(), [](const std::string& feature) {
    return feature.find("choose") != std::string::npos;
  });
}

// Random systems, those that never choose also as such.
inline std::string problem_with_runs(uint64_t cases) {
  for (uint64_t seed = 0; seed < cases; ++seed) {
    Case made = generate(seed);
    std::string problem = problem_with_runs_of(made.system, seed);
    if (problem.empty() && !may_choose(made)) {
      made.system.never_chooses();
      problem = problem_with_runs_of(made.system, seed);
    }
    if (!problem.empty()) return fmt::format("system {}: {}", seed, problem);
  }
  return "";
}

// Where a run of branching ends is where its way leads, step by step, wherever it went on from.
class EndBook : public explore::RunObserver {
 public:
  struct End {
    ShortForm path;
    uint64_t fingerprint = 0;
  };
  void end(World& world, const ShortForm& path, explore::RunEnd) override {
    ends.push_back({path, world.fingerprint()});
  }
  std::vector<End> ends;
};

inline std::string problem_with_resuming() {
  const Model<Yard> subject = yard();
  Options options;
  options.strategy = "branching";
  options.strategy_options = {{"waypoints", "X(2), X(4)"}, {"from_start", "0.2"}};
  const auto ready = prepare(subject, options);
  if (!ready) return ready.error().message;
  const auto world = subject.world();
  const auto scheduler = explore::make_scheduler(*ready, *world);
  if (!scheduler) return scheduler.error().message;
  EndBook book;
  explore::Driver driver(*world, **scheduler, {&book}, {.max_depth = 30});
  for (uint64_t run = 0; run < 100; ++run) {
    const auto initial = (*scheduler)->begin(run, world->initial_count());
    if (!initial || !driver.run(*initial)) return "branching does not make its runs";
    // What is kept is come back to even when it is no longer packed.
    if (run % 10 == 9) world->forget();
  }
  const auto again = subject.world();
  for (const EndBook::End& end : book.ends) {
    if (!again->reset(end.path.initial)) return "the yard cannot be entered";
    for (const uint32_t choice : end.path.choices) {
      if (choice >= again->enabled().size() || !again->apply(choice)) {
        return "a way of branching cannot be gone";
      }
    }
    if (again->fingerprint() != end.fingerprint) return "a way of branching leads elsewhere";
  }
  return "";
}

}  // namespace ordeal::oracle::learning
