#include "explore/linear_points.h"

#include <algorithm>
#include <map>

namespace ordeal::explore {

std::vector<LinearPoint> points_of(const Trace& trace, const std::vector<OpRef>& order) {
  std::map<int, std::vector<uint32_t>> calls;  // of each client: the steps of its calls
  const auto take = [&](const std::vector<HistoryEvent>& events, uint32_t step) {
    for (const HistoryEvent& event : events) {
      if (!event.is_return) calls[event.client].push_back(step);
    }
  };
  take(trace.initial_history, 0);
  for (size_t i = 0; i < trace.steps.size(); ++i) {
    take(trace.steps[i].detail.history, static_cast<uint32_t>(i) + 1);
  }
  std::vector<LinearPoint> points;
  uint32_t now = 0;
  for (const OpRef& ref : order) {
    const std::vector<uint32_t>& of_client = calls[ref.client.value];
    if (ref.index >= of_client.size()) continue;  // called before the run began: nobody can see it
    now = std::max(now, of_client[ref.index]);
    points.push_back({ref.client.value, ref.index, now});
  }
  return points;
}

}  // namespace ordeal::explore
