#include "explore/schedule/schedulers.h"
#include "explore/strategy/strategy.h"

namespace ordeal::explore {

uint32_t RandomScheduler::pick(World& world) {
  const size_t count = world.enabled().size();
  const uint64_t picked = rng().below(count + (may_end(world) ? 1 : 0));
  return picked == count ? kEnd : static_cast<uint32_t>(picked);
}

Strategy random_strategy() {
  Strategy strategy = sampler("random", "random runs: finds, never proves");
  strategy.schedule = [](const Options& options, World&) -> Result<std::unique_ptr<Scheduler>> {
    return std::unique_ptr<Scheduler>(std::make_unique<RandomScheduler>(options.seed));
  };
  return strategy;
}

}  // namespace ordeal::explore
