// Episode: a run as a learner sees it, from decision to decision.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace ordeal::explore {

struct Episode {
  static constexpr uint32_t kNothing = ~0U;

  // Where the learner decides; the last one is where the episode has ended.
  struct Moment {
    uint64_t state = 0;  // as the environment shows it
    // Waypoints: the highest that is active, from 1 on; 0: none. Of a reward machine: its state.
    uint32_t predicate = 0;
    double pays = 0;  // the step that led here, by coming nearer to the target
    // Where the next waypoints are graded: the least distance to one of them.
    std::optional<uint32_t> distance = {};
    uint32_t picked = kNothing;
    uint32_t first = 0;  // of its actions
    uint32_t count = 0;
  };
  std::vector<Moment> moments;
  std::vector<uint64_t> actions;  // of all moments, by keys

  void clear() {
    moments.clear();
    actions.clear();
  }
  std::span<const uint64_t> actions_at(size_t moment) const {
    return std::span(actions).subspan(moments[moment].first, moments[moment].count);
  }
  uint64_t picked_at(size_t moment) const {
    return actions[moments[moment].first + moments[moment].picked];
  }
  // Steps are between moments.
  size_t steps() const { return moments.empty() ? 0 : moments.size() - 1; }
};

}  // namespace ordeal::explore
