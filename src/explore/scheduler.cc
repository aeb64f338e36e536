#include "explore/scheduler.h"

#include <algorithm>

#include "base/mutant.h"
#include "explore/schedulers.h"

namespace ordeal::explore {

bool may_end(World& world) {
  const std::vector<Choice>& enabled = world.enabled();
  return std::none_of(enabled.begin(), enabled.end(),
                      [](const Choice& choice) { return choice.progress; });
}

std::optional<uint32_t> Sampler::begin(uint64_t run, uint32_t initials) {
  if (!mutant(Mutant::kRunsShareDraws)) rng_ = Rng(combine(seed_, run));
  start();
  return initials <= 1 ? 0 : static_cast<uint32_t>(rng_.below(initials));
}

bool Sampler::ends(World& world, size_t others) {
  return may_end(world) && rng_.below(others + 1) == others;
}

}  // namespace ordeal::explore
