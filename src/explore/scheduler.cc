#include "explore/scheduler.h"

#include <algorithm>

#include "base/rng.h"

namespace ordeal::explore {
namespace {

// In every state any enabled action with the same probability; where only faults are left, ending
// the run is one more alternative.
class RandomScheduler : public Scheduler {
 public:
  explicit RandomScheduler(uint64_t seed) : seed_(seed), rng_(seed) {}

  std::optional<uint32_t> begin(uint64_t run, uint32_t initials) override {
    rng_ = Rng(combine(seed_, run));
    return initials <= 1 ? 0 : static_cast<uint32_t>(rng_.below(initials));
  }

  uint32_t pick(World& world) override {
    const size_t count = world.enabled().size();
    const uint64_t picked = rng_.below(count + (may_end(world) ? 1 : 0));
    return picked == count ? kEnd : static_cast<uint32_t>(picked);
  }

 private:
  uint64_t seed_;
  Rng rng_;
};

}  // namespace

bool may_end(World& world) {
  const std::vector<Choice>& enabled = world.enabled();
  return std::none_of(enabled.begin(), enabled.end(),
                      [](const Choice& choice) { return choice.progress; });
}

const std::vector<std::string>& scheduler_names() {
  static const std::vector<std::string> names = {"random"};
  return names;
}

Result<std::unique_ptr<Scheduler>> make_scheduler(const Options& options, World&) {
  if (options.strategy == "random") {
    return std::unique_ptr<Scheduler>(std::make_unique<RandomScheduler>(options.seed));
  }
  std::string names;
  for (const std::string& name : scheduler_names()) names += (names.empty() ? "" : ", ") + name;
  return Error{"strategy " + options.strategy + " is no scheduler of single runs; there are " +
               names};
}

}  // namespace ordeal::explore
