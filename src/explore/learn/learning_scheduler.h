// LearningScheduler: the learning loop (algorithm 1 of the thesis). A run is an episode: the
// environment says what the state looks like and what can be done, the agent picks, the environment
// takes the steps of the world that this comes to, and in the end the agent learns.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/rng.h"
#include "explore/learn/agent.h"
#include "explore/learn/environment.h"
#include "explore/learn/episode.h"
#include "explore/learn/reward_machine.h"
#include "explore/learn/waypoints.h"
#include "explore/strategy/abstract_coverage.h"
#include "explore/strategy/scheduler.h"

namespace ordeal::explore {

struct LearningSetup {
  uint64_t seed = 0;
  uint64_t episodes = 0;
  uint64_t horizon = 0;  // steps of the learner
  double reward = 0;     // for coming to a waypoint
  std::string environment = {};
  std::string colouring = {};  // what the learner sees
  std::string measured = {};   // what coverage counts
  std::vector<Goal> waypoints = {};
  std::shared_ptr<RewardMachine> machine = {};  // in place of waypoints; null: there is none
  std::optional<Goal> target = {};              // of target coverage
  std::vector<std::string> notes = {};          // what should be told of the settings
  // A file with what was learned before, and left there in the end; "": none. `about`: with what.
  std::string table = {};
  std::string about = {};
};

class LearningScheduler : public Scheduler {
 public:
  // REQUIRES: bind() was content with the setup for a world of the same subject, in which the
  // environment was made.
  LearningScheduler(LearningSetup setup, std::unique_ptr<Environment> environment,
                    std::unique_ptr<Agent> agent);

  std::optional<uint32_t> begin(uint64_t run, uint32_t initials) override;
  bool arrive(const Arrival& at) override;
  uint32_t pick(World& world) override;
  void take(World& world, uint32_t index) override { environment_->step(world, index); }
  void end(World& world, const ShortForm& path, RunEnd how) override;

  std::string covers() const override;
  std::vector<std::string> notes() const override;
  uint64_t bytes() const override;
  std::optional<Learning> learning() const override;
  Result<void> finish() override;

 private:
  // Notes a moment at which the learner decides, or would.
  void look(World& world, bool is_last);
  // How far along the waypoints, or in which state of the machine, this moment is.
  void place(World& world, Episode::Moment& moment);
  bool has_failed() const { return setup_.machine && setup_.machine->failed(); }

  LearningSetup setup_;
  std::unique_ptr<Environment> environment_;
  std::unique_ptr<Agent> agent_;
  World* bound_ = nullptr;  // the world that numbers of predicates are of
  Rng rng_{0};

  // This episode.
  Episode episode_;
  bool begun_ = false;
  bool acting_ = false;  // what was picked is being taken
  size_t taken_ = 0;     // steps of the world

  // All of them.
  AbstractCoverage coverage_;
  Learning learned_;
  WaypointTally waypoints_;
};

// Makes what the setup asks for known to the world, always in the same order, so that numbers are
// the same in every world of a subject. Returns the number of the measured colouring; that of the
// learner's is `seen`. An Error: there is no such colouring or predicate.
Result<uint32_t> bind(World& world, LearningSetup& setup, uint32_t& seen);

}  // namespace ordeal::explore
