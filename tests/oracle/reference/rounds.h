// Whether a run that goes round for ever, and owes nothing to anybody, never comes where a
// predicate is true: by definition, and by comparing every state with every other.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

namespace ordeal::reference {

struct RunStep {
  static constexpr uint32_t kNowhere = ~0U;  // it fails, or leads out of the constraint
  uint32_t to = 0;
  bool progress = true;
  std::string serves = {};  // to whom it is owed that it happens in the end; "": to nobody
};

// `fine`: where the predicate is true. What is owed is owed weakly.
inline bool goes_round(const std::vector<std::vector<RunStep>>& steps,
                       const std::vector<uint32_t>& begins, const std::vector<bool>& fine) {
  const size_t size = steps.size();
  const auto ahead = [&](const std::vector<uint32_t>& from, bool from_counts) {
    std::vector<bool> seen(size);
    std::vector<uint32_t> waiting;
    const auto meet = [&](uint32_t state) {
      if (state == RunStep::kNowhere || fine[state] || seen[state]) return;
      seen[state] = true;
      waiting.push_back(state);
    };
    for (const uint32_t state : from) {
      if (from_counts) meet(state);
      if (from_counts || fine[state]) continue;
      for (const RunStep& step : steps[state]) meet(step.to);
    }
    while (!waiting.empty()) {
      const uint32_t state = waiting.back();
      waiting.pop_back();
      for (const RunStep& step : steps[state]) meet(step.to);
    }
    return seen;
  };
  const std::vector<bool> reached = ahead(begins, true);
  std::vector<std::vector<bool>> from(size);
  for (uint32_t state = 0; state < size; ++state) {
    if (reached[state]) from[state] = ahead({state}, false);
  }
  for (uint32_t centre = 0; centre < size; ++centre) {
    if (!reached[centre] || !from[centre][centre]) continue;
    // All that can be gone round through with it; more is never unfair that less is not.
    std::vector<uint32_t> round;
    for (uint32_t state = 0; state < size; ++state) {
      if (from[centre][state] && from[state][centre]) round.push_back(state);
    }
    std::set<std::string> served;
    bool progress = false;
    for (const uint32_t state : round) {
      bool ends = true;
      for (const RunStep& step : steps[state]) {
        ends = ends && !step.progress;
        const bool inside =
            step.to != RunStep::kNowhere && from[centre][step.to] && from[step.to][centre];
        if (!inside) continue;
        progress = progress || step.progress;
        served.insert(step.serves);
      }
      progress = progress || ends;
    }
    bool fair = progress;
    for (const RunStep& owed : steps[centre]) {
      if (owed.serves.empty() || served.count(owed.serves) > 0) continue;
      bool everywhere = true;
      for (const uint32_t state : round) {
        bool here = false;
        for (const RunStep& step : steps[state]) here = here || step.serves == owed.serves;
        everywhere = everywhere && here;
      }
      fair = fair && !everywhere;
    }
    if (fair) return true;
  }
  return false;
}

}  // namespace ordeal::reference
