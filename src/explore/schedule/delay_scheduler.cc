// Delay-bounded scheduling (Emmi, Qadeer, Rakamarić: Delay-bounded scheduling, 2011).
//
// Without delays there is one run: the progress action that waits longest is taken, and the run
// ends where there is none. A delay sends the action whose turn it is to the back, as if it had
// only just become possible. A fault never has its turn by itself: it is taken instead of what has
// its turn, and the first of them costs one delay, the second two, and so on.
//
// A run is known by where it departs from what comes by itself. Each run that was executed shows
// where it could have departed once more, later; so no run is executed twice, none in vain, and all
// with fewer delays come before all with more.
#include <algorithm>
#include <deque>
#include <map>
#include <unordered_map>

#include "base/mutant.h"
#include "base/text.h"
#include "explore/schedule/schedulers.h"
#include "explore/strategy/findings.h"
#include "explore/strategy/strategy.h"

namespace ordeal::explore {
namespace {

class DelayScheduler : public Scheduler {
 public:
  explicit DelayScheduler(uint32_t delays) : delays_(delays) {}

  std::optional<uint32_t> begin(uint64_t run, uint32_t initials) override {
    if (run == 0) {
      for (uint32_t i = 0; i < initials; ++i) keep({i, 0, {}});
    } else {
      plan_departures();
    }
    turns_.clear();
    events_.clear();
    ages_.clear();
    last_age_ = 0;
    next_departure_ = 0;
    if (plans_.empty()) return std::nullopt;
    const auto fewest = plans_.begin();
    plan_ = std::move(fewest->second.front());
    fewest->second.pop_front();
    if (fewest->second.empty()) plans_.erase(fewest);
    bytes_ -= bytes_of(plan_);
    return plan_.initial;
  }

  bool arrive(const Arrival& at) override {
    World& world = at.world;
    events_.arrive(world);
    const uint32_t count = static_cast<uint32_t>(world.enabled().size());
    names_.clear();
    for (uint32_t i = 0; i < count; ++i) {
      // An action of another event is another action, even where it is equal.
      names_.push_back(combine(world.key(i), events_.event_at(i)));
      if (ages_.emplace(names_.back(), last_age_ + 1).second) ++last_age_;
    }
    return true;
  }

  uint32_t pick(World& world) override {
    std::vector<uint32_t> progress, faults;
    for (uint32_t i = 0; i < names_.size(); ++i) {
      (world.enabled()[i].progress ? progress : faults).push_back(i);
    }
    const auto older = [this](uint32_t a, uint32_t b) {
      return ages_[names_[a]] < ages_[names_[b]];
    };
    std::sort(progress.begin(), progress.end(), older);
    std::sort(faults.begin(), faults.end(), older);
    Departure way;  // by itself: the first progress action
    const uint32_t turn = static_cast<uint32_t>(turns_.size());
    turns_.push_back(
        {static_cast<uint32_t>(progress.size()), static_cast<uint32_t>(faults.size())});
    if (next_departure_ < plan_.departures.size() &&
        plan_.departures[next_departure_].turn == turn) {
      way = plan_.departures[next_departure_++];
    }
    if (way.fault && way.place < faults.size()) return faults[way.place];
    if (progress.empty()) return kEnd;
    // A world that is not deterministic may have less to offer than when this was planned.
    way.place = std::min(way.place, static_cast<uint32_t>(progress.size() - 1));
    const uint32_t delayed = mutant(Mutant::kDelayedStaysFirst) ? 0 : way.place;
    for (uint32_t i = 0; i < delayed; ++i) ages_[names_[progress[i]]] = ++last_age_;
    return progress[way.place];
  }

  void take(World& world, uint32_t index) override { events_.take(world, index); }

  std::string covers() const override {
    return "all runs with at most " + grouped(delays_) + (delays_ == 1 ? " delay" : " delays");
  }
  uint64_t bytes() const override { return bytes_; }

 private:
  // Something else than what has its turn.
  struct Departure {
    uint32_t turn = 0;   // at which pick of the run
    uint32_t place = 0;  // by age, among progress actions or faults
    bool fault = false;
  };
  struct Plan {
    uint32_t initial = 0;
    uint32_t delays = 0;
    std::vector<Departure> departures;
  };
  struct Turn {
    uint32_t progress = 0;
    uint32_t faults = 0;
  };

  static uint64_t bytes_of(const Plan& plan) {
    return sizeof(Plan) + detail::allocated(plan.departures.capacity() * sizeof(Departure));
  }

  void plan_departures() {
    const uint32_t first = plan_.departures.empty() ? 0 : plan_.departures.back().turn + 1;
    const uint32_t left = delays_ - plan_.delays;
    for (uint32_t turn = first; turn < turns_.size(); ++turn) {
      if (mutant(Mutant::kLastTurnNotDelayed) && turn + 2 == turns_.size()) continue;
      for (uint32_t place = 1; place < turns_[turn].progress && place <= left; ++place) {
        plan({turn, place, false}, place);
      }
      for (uint32_t place = 0; place < turns_[turn].faults && place + 1 <= left; ++place) {
        plan({turn, place, true}, place + 1);
      }
    }
  }

  void plan(const Departure& departure, uint32_t delays) {
    Plan next = {plan_.initial, plan_.delays + delays, {}};
    next.departures.reserve(plan_.departures.size() + 1);
    next.departures = plan_.departures;
    next.departures.push_back(departure);
    keep(std::move(next));
  }

  void keep(Plan plan) {
    bytes_ += bytes_of(plan);
    std::deque<Plan>& same = plans_[plan.delays];
    same.push_back(std::move(plan));
  }

  const uint32_t delays_;
  std::map<uint32_t, std::deque<Plan>> plans_;  // that wait, by the number of their delays
  uint64_t bytes_ = 0;
  Plan plan_;
  size_t next_departure_ = 0;
  std::vector<Turn> turns_;
  PendingEvents events_;
  std::vector<uint64_t> names_;                  // of the actions of the state
  std::unordered_map<uint64_t, uint64_t> ages_;  // smaller: waits longer
  uint64_t last_age_ = 0;
};

StrategyOption most_delays() {
  StrategyOption option;
  option.name = option.field = "delays";
  option.noun = "a number of delays";
  option.value = "N";
  option.what = "at most N delays in a run";
  option.fallback = "2";
  option.kept_in(&Options::delays);
  return option;
}

}  // namespace

std::unique_ptr<Scheduler> delay_scheduler(uint32_t delays) {
  return std::make_unique<DelayScheduler>(delays);
}

Strategy delay_strategy() {
  Strategy strategy = sampler("delay", "every run with at most --delays delays, fewest first");
  strategy.needs_seed = false;
  strategy.runs_by_number = false;
  strategy.options = {most_delays()};
  strategy.schedule = [](const Options& options, World&) -> Result<std::unique_ptr<Scheduler>> {
    return delay_scheduler(static_cast<uint32_t>(number_of(most_delays(), options)));
  };
  return strategy;
}

}  // namespace ordeal::explore
