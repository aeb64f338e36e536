#include "explore/learn/environment.h"

#include <algorithm>

namespace ordeal::explore {
namespace {

std::vector<EnvironmentKind>& environments() {
  static std::vector<EnvironmentKind> all = {partition_environment(), actions_environment(),
                                             identities_environment(), links_environment(),
                                             causes_environment()};
  return all;
}

}  // namespace

const std::vector<EnvironmentKind>& all_environments() { return environments(); }

const EnvironmentKind* find_environment(const std::string& name) {
  for (const EnvironmentKind& kind : environments()) {
    if (kind.name == name) return &kind;
  }
  return nullptr;
}

void register_environment(EnvironmentKind kind) { environments().push_back(std::move(kind)); }

std::string default_environment(World& world) {
  if (!world.reset(0)) return "actions";
  const Snapshot snapshot = world.observe();
  const auto nodes =
      std::count_if(snapshot.parts.begin(), snapshot.parts.end(),
                    [](const Snapshot::Part& part) { return part.node >= 0 && !part.component; });
  return nodes >= 2 ? "partition" : "actions";
}

}  // namespace ordeal::explore
