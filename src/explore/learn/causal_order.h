// CausalOrder: what happened before what in a run, summed up in a number: steps in the order of
// their causes (ordeal/footprint.h), not in the order in which they were taken. Runs that differ in
// the order of independent steps have the same.
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "ordeal/footprint.h"

namespace ordeal::explore {

class CausalOrder {
 public:
  // `depth`: how much is kept of a step: itself and its causes, in so many layers; 0: all of them.
  explicit CausalOrder(uint32_t depth);

  void clear();
  // A step was taken. `label`: its name, the same wherever it is taken among independent others.
  void add(uint64_t label, const Footprint& touched);
  // Of the steps of which nothing has come so far, each with its causes. Does not depend on the
  // order of independent steps.
  uint64_t summary() const;
  size_t steps() const { return steps_.size(); }
  uint64_t bytes() const;

 private:
  static constexpr uint32_t kNobody = ~0U;  // it was so from the start

  struct Step {
    std::vector<uint64_t> layers;  // with no causes, with its causes, with theirs, …
    bool is_last = true;           // nothing has come of it
  };
  struct Access {
    uint32_t writer = kNobody;
    std::vector<uint32_t> readers;  // since then
  };

  Access& access(uint64_t resource);
  void find_causes(const Footprint& touched);
  void remember(uint32_t step, const Footprint& touched);

  const uint32_t layers_;  // that are kept; 1 where all causes count: of them all
  const bool all_;
  std::vector<Step> steps_;
  std::unordered_map<uint64_t, Access> resources_;             // never gone through
  std::unordered_map<uint64_t, std::vector<uint32_t>> added_;  // who made what, in their order
  uint32_t floor_ = kNobody;      // the last step that all that follow depend on
  std::vector<uint32_t> causes_;  // of the step at hand, each once
};

}  // namespace ordeal::explore
