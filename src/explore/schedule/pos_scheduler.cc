#include <algorithm>

#include "base/mutant.h"
#include "explore/schedule/schedulers.h"
#include "explore/strategy/strategy.h"

namespace ordeal::explore {

void PosScheduler::start() {
  events_.clear();
  priorities_.clear();
}

bool PosScheduler::arrive(const Arrival& at) {
  World& world = at.world;
  events_.arrive(world);
  for (size_t i = 0; i < events_.fresh().size(); ++i) priorities_.push_back(rng().next());
  return true;
}

uint32_t PosScheduler::pick(World& world) {
  const std::vector<uint32_t>& enabled = events_.enabled();
  if (ends(world, enabled.size())) return kEnd;
  const uint32_t first =
      *std::max_element(enabled.begin(), enabled.end(),
                        [this](uint32_t a, uint32_t b) { return priorities_[a] < priorities_[b]; });
  return events_.any_action(first, rng());
}

void PosScheduler::take(World& world, uint32_t index) {
  const uint32_t taken = events_.event_at(index);
  Footprint mine, other;
  world.footprint(index, mine);
  std::vector<uint32_t> racing;
  const uint32_t count = static_cast<uint32_t>(world.enabled().size());
  for (uint32_t i = 0; i < count; ++i) {
    const uint32_t event = events_.event_at(i);
    if (event == taken) continue;
    if (std::find(racing.begin(), racing.end(), event) != racing.end()) continue;
    world.footprint(i, other);
    if (!independent(mine, other)) racing.push_back(event);
  }
  if (!mutant(Mutant::kRacesKeepPriorities)) {
    for (const uint32_t event : racing) priorities_[event] = rng().next();
  }
  events_.take(world, index);
}

Strategy pos_strategy() {
  Strategy strategy = sampler("pos", "random priorities of events, drawn again when they race");
  strategy.schedule = [](const Options& options, World&) -> Result<std::unique_ptr<Scheduler>> {
    return std::unique_ptr<Scheduler>(std::make_unique<PosScheduler>(options.seed));
  };
  return strategy;
}

}  // namespace ordeal::explore
