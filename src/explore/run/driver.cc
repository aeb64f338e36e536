#include "explore/run/driver.h"

#include "base/watch.h"
#include "explore/strategy/findings.h"

namespace ordeal::explore {

Driver::Driver(World& world, Scheduler& scheduler, const std::vector<RunObserver*>& observers,
               const Bounds& bounds)
    : world_(world), scheduler_(scheduler), observers_{&scheduler}, bounds_(bounds) {
  observers_.insert(observers_.end(), observers.begin(), observers.end());
}

Result<RunEnd> Driver::run(uint32_t initial) {
  if (bounds_.guide != nullptr || !scheduler_.resume(world_, path_)) {
    path_.initial = bounds_.guide != nullptr ? bounds_.guide->initial : initial;
    path_.choices.clear();
    if (const Result<void> started = world_.reset(path_.initial); !started) return started.error();
  }
  Result<bool> alive = arrive();
  if (*alive) alive = follow_guide();
  while (alive && *alive) {
    end_ = RunEnd::kOver;
    const bool over = world_.enabled().empty();
    if (over || world_.trouble() != nullptr) break;
    if (path_.choices.size() >= bounds_.max_depth) {
      end_ = RunEnd::kDepth;
      break;
    }
    const uint32_t pick = scheduler_.pick(world_);
    if (pick == Scheduler::kEnd) break;
    if (pick == Scheduler::kHorizon) {
      end_ = RunEnd::kHorizon;
      break;
    }
    alive = take(pick);
  }
  if (!alive) return alive.error();
  if (world_.trouble() != nullptr) end_ = RunEnd::kTrouble;
  for (RunObserver* observer : observers_) observer->end(world_, path_, end_);
  return end_;
}

Result<bool> Driver::follow_guide() {
  if (bounds_.guide == nullptr) return true;
  for (size_t i = 0; i < bounds_.guide->choices.size(); ++i) {
    const uint32_t choice = bounds_.guide->choices[i];
    if (choice >= world_.enabled().size()) {
      return Error{"the guide cannot be followed at step " + std::to_string(i + 1) +
                   ": it takes action " + std::to_string(choice) + " of " +
                   std::to_string(world_.enabled().size())};
    }
    Result<bool> alive = take(choice);
    if (!alive || !*alive) return alive;
  }
  return true;
}

Result<bool> Driver::take(uint32_t index) {
  const Watched watched;
  if (index >= world_.enabled().size()) {
    return Error{"the subject does not do the same again: action " + std::to_string(index) +
                 " was there before at step " + std::to_string(path_.choices.size() + 1) +
                 ", and now there are " + std::to_string(world_.enabled().size())};
  }
  const bool known = scheduler_.retraces();
  for (RunObserver* observer : observers_) observer->take(world_, index);
  path_.choices.push_back(index);
  const uint16_t sort = world_.enabled()[index].sort;
  const bool failed = !world_.apply(index);
  if (!known) {
    for (RunObserver* observer : observers_) observer->step({world_, path_, sort, failed});
  }
  end_ = RunEnd::kFailed;
  return !failed && world_.trouble() == nullptr && arrive();
}

bool Driver::arrive() {
  const Watched watched;
  if (scheduler_.retraces()) return true;  // seen, and heard of, in an earlier run
  end_ = RunEnd::kOutside;
  const bool within = world_.within();
  if (world_.trouble() != nullptr) return false;
  if (!within) {
    if (world_.judges_outside()) {
      for (RunObserver* observer : observers_) observer->leave({world_, path_});
    }
    return false;
  }
  Arrival at{world_, path_};
  if (bounds_.seen != nullptr) {
    at.fingerprint = world_.fingerprint();
    at.is_new = bounds_.seen->put(at.fingerprint).is_new;
  }
  end_ = RunEnd::kEnough;
  bool go_on = true;
  for (RunObserver* observer : observers_) {
    go_on = observer->arrive(at) && go_on;
  }
  return go_on;
}

}  // namespace ordeal::explore
