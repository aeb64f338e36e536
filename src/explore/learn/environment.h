// Environment: a world as a learner meets it: what a state looks like, which actions there are, and
// which steps of the world an action comes to.
//
// To add one: write a file with a function that returns its EnvironmentKind, and name that function
// in the list in environment.cc; or call register_environment() from a program of your own.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/rng.h"
#include "explore/strategy/strategy.h"
#include "ordeal/result.h"
#include "ordeal/world.h"

namespace ordeal::explore {

class Environment {
 public:
  static constexpr uint32_t kDone = ~0U - 1;  // what was picked has been taken
  static constexpr uint32_t kEnd = Scheduler::kEnd;

  virtual ~Environment() = default;

  // An episode begins; the world is in its first state.
  virtual void begin(World& world) { (void)world; }
  // What the learner sees, and the actions that it may pick, by keys: the same keys for the same
  // actions, each once. None: the episode is over.
  virtual uint64_t look(World& world, std::vector<uint64_t>& actions) = 0;
  // Number `action` of those was picked.
  virtual void take(World& world, uint32_t action, Rng& rng) = 0;
  // The next step of it: an index of world.enabled(), kDone, or kEnd to end the run, where no
  // progress action is enabled. REQUIRES: something is enabled.
  virtual uint32_t next(World& world, Rng& rng) = 0;
  // Action `index` of the world is about to be taken, whoever picked it.
  virtual void step(World& world, uint32_t index) { (void)world, (void)index; }
  virtual std::vector<std::string> notes() const { return {}; }
  virtual uint64_t bytes() const { return 0; }
};

struct EnvironmentKind {
  std::string name = {};
  std::string what = {};  // one line
  std::vector<StrategyOption> options = {};
  // `colouring`: how states look. An Error: it does not fit this world.
  std::function<Result<std::unique_ptr<Environment>>(const Options&, World&, uint32_t colouring)>
      make = {};
};

const std::vector<EnvironmentKind>& all_environments();
const EnvironmentKind* find_environment(const std::string& name);  // null: there is none
// Adds one at the end. REQUIRES: nobody has asked for environments or strategies yet.
void register_environment(EnvironmentKind kind);
// What is taken where none is asked for: partitions where there are nodes, else actions.
std::string default_environment(World& world);

// --- Those that there are, each in a file of its own ---------------------------------------------
EnvironmentKind actions_environment();
EnvironmentKind causes_environment();
EnvironmentKind partition_environment();
EnvironmentKind identities_environment();
EnvironmentKind links_environment();

}  // namespace ordeal::explore
