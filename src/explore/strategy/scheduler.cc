#include "explore/strategy/scheduler.h"

#include <algorithm>

namespace ordeal::explore {

bool may_end(World& world) {
  const std::vector<Choice>& enabled = world.enabled();
  return std::none_of(enabled.begin(), enabled.end(),
                      [](const Choice& choice) { return choice.progress; });
}

}  // namespace ordeal::explore
