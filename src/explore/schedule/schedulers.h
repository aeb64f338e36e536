// The schedulers, one by one; make_scheduler() (scheduler.h) is the usual way to them.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/rng.h"
#include "explore/schedule/pctcp.h"
#include "explore/schedule/pending_events.h"
#include "explore/strategy/scheduler.h"

namespace ordeal::explore {

// A scheduler that draws: every run from the seed and its number.
class Sampler : public Scheduler {
 public:
  explicit Sampler(uint64_t seed) : seed_(seed), rng_(seed) {}
  std::optional<uint32_t> begin(uint64_t run, uint32_t initials) final;

 protected:
  // A new run begins.
  virtual void start() {}
  // Whether to end the run here, as one more alternative to `others`, where that may be done.
  bool ends(World& world, size_t others);
  Rng& rng() { return rng_; }

 private:
  const uint64_t seed_;
  Rng rng_;
};

// In every state, any enabled action with the same probability.
class RandomScheduler : public Sampler {
 public:
  using Sampler::Sampler;
  uint32_t pick(World& world) override;
};

// What change points need to know.
struct ChangePoints {
  uint32_t depth = 3;       // of bugs: one more than there are change points
  uint64_t events = 1;      // in a run, at most
  uint64_t tried_runs = 0;  // where `events` is the most that so many runs had; 0: it is given
};

// A run is events in chains of causes, each chain with a priority (pctcp.h).
class PctcpScheduler : public Sampler {
 public:
  PctcpScheduler(uint64_t seed, const ChangePoints& points) : Sampler(seed), points_(points) {}

  bool arrive(const Arrival& at) override;
  uint32_t pick(World& world) override;
  void take(World& world, uint32_t index) override { events_.take(world, index); }
  std::vector<std::string> notes() const override;

  // --- For tests ---------------------------------------------------------------------------------
  const PendingEvents& events() const { return events_; }
  const Pctcp& chains() const { return *pctcp_; }
  // Whether `a` is in the causal past of `b`.
  bool is_before(uint32_t a, uint32_t b) const;

 protected:
  void start() override;

 private:
  // What every event that the last step made possible comes after.
  Clock past_of_fresh();

  const ChangePoints points_;
  PendingEvents events_;
  std::optional<Pctcp> pctcp_;
  std::vector<Clock> pasts_;       // of what the steps made possible; the first is the start
  std::vector<uint32_t> past_of_;  // which of them, by event
  std::map<int, Clock> nodes_;     // all that happened there, and before that
  uint64_t most_events_ = 0;
  uint32_t most_chains_ = 0;
};

// A node is a thread with a priority; faults are one more thread.
class PctScheduler : public Sampler {
 public:
  PctScheduler(uint64_t seed, const ChangePoints& points) : Sampler(seed), points_(points) {}

  bool arrive(const Arrival& at) override;
  uint32_t pick(World& world) override;
  void take(World& world, uint32_t index) override;
  std::vector<std::string> notes() const override;

 protected:
  void start() override;

 private:
  uint32_t thread_of(World& world, uint32_t index);

  const ChangePoints points_;
  std::vector<uint64_t> lowered_at_;  // steps
  uint64_t step_ = 0;
  PendingEvents events_;
  Priorities priorities_;            // by thread
  std::map<int, uint32_t> threads_;  // by where they are
  std::vector<uint32_t> thread_at_;  // by action of the state
  uint64_t most_steps_ = 0;
};

// Every event has a random priority, and gets another when something that it depends on happens.
class PosScheduler : public Sampler {
 public:
  using Sampler::Sampler;

  bool arrive(const Arrival& at) override;
  uint32_t pick(World& world) override;
  void take(World& world, uint32_t index) override;

 protected:
  void start() override;

 private:
  PendingEvents events_;
  std::vector<uint64_t> priorities_;  // by event
};

// Every run that differs from oldest-first by at most so many delays, in the order of their number.
std::unique_ptr<Scheduler> delay_scheduler(uint32_t delays);

// The change points that the options ask for; where they do not say how long runs are, a few random
// ones are made to find out, and `by_events` tells what is counted of them.
ChangePoints change_points(const Options& options, World& world, bool by_events);
// … as options of a strategy.
struct Strategy;
Strategy with_change_points(Strategy strategy);

// The most events, or steps, that `runs` random runs have.
struct Lengths {
  uint64_t events = 1;
  uint64_t steps = 1;
};
Lengths try_runs(World& world, const Options& options, uint64_t runs);

}  // namespace ordeal::explore
