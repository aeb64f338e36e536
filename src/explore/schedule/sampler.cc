// What all schedulers that draw have in common.
#include "base/mutant.h"
#include "explore/schedule/schedulers.h"

namespace ordeal::explore {

std::optional<uint32_t> Sampler::begin(uint64_t run, uint32_t initials) {
  if (!mutant(Mutant::kRunsShareDraws)) rng_ = Rng(combine(seed_, run));
  start();
  return initials <= 1 ? 0 : static_cast<uint32_t>(rng_.below(initials));
}

bool Sampler::ends(World& world, size_t others) {
  return may_end(world) && rng_.below(others + 1) == others;
}

}  // namespace ordeal::explore
