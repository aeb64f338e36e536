#include "explore/learn/causal_order.h"

#include <algorithm>

#include "base/hash.h"
#include "base/mutant.h"

namespace ordeal::explore {

CausalOrder::CausalOrder(uint32_t depth) : layers_(depth == 0 ? 1 : depth), all_(depth == 0) {}

void CausalOrder::clear() {
  steps_.clear();
  resources_.clear();
  added_.clear();
  floor_ = kNobody;
}

CausalOrder::Access& CausalOrder::access(uint64_t resource) {
  const auto [at, is_new] = resources_.try_emplace(resource);
  if (is_new) at->second.writer = floor_;
  return at->second;
}

void CausalOrder::find_causes(const Footprint& touched) {
  causes_.clear();
  if (touched.everything || mutant(Mutant::kOrderOfSteps)) {
    for (uint32_t i = 0; i < steps_.size(); ++i) {
      if (steps_[i].is_last) causes_.push_back(i);
    }
    return;
  }
  causes_.push_back(floor_);
  for (const uint64_t resource : touched.reads) causes_.push_back(access(resource).writer);
  for (const uint64_t resource : touched.writes) {
    const Access& known = access(resource);
    causes_.push_back(known.writer);
    causes_.insert(causes_.end(), known.readers.begin(), known.readers.end());
  }
  // What is there are the units that were added last; the oldest of them is taken.
  for (const Footprint::Taken& taken : touched.takes) {
    const std::vector<uint32_t>& makers = added_[taken.thing];
    if (taken.present > 0 && taken.present <= makers.size()) {
      causes_.push_back(makers[makers.size() - taken.present]);
    }
  }
  std::sort(causes_.begin(), causes_.end());
  causes_.erase(std::unique(causes_.begin(), causes_.end()), causes_.end());
  if (!causes_.empty() && causes_.back() == kNobody) causes_.pop_back();
}

void CausalOrder::remember(uint32_t step, const Footprint& touched) {
  if (touched.everything) {
    resources_.clear();
    floor_ = step;
    return;
  }
  for (const uint64_t resource : touched.reads) {
    std::vector<uint32_t>& readers = access(resource).readers;
    if (readers.empty() || readers.back() != step) readers.push_back(step);
  }
  for (const uint64_t resource : touched.writes) {
    Access& known = access(resource);
    known.writer = step;
    known.readers.clear();
  }
  for (const uint64_t thing : touched.adds) added_[thing].push_back(step);
}

void CausalOrder::add(uint64_t label, const Footprint& touched) {
  find_causes(touched);
  Step step;
  step.layers.resize(layers_);
  for (uint32_t layer = 0; layer < layers_; ++layer) {
    uint64_t causes = 0;  // a sum: they have no order
    if (all_ || layer > 0) {
      for (const uint32_t cause : causes_) {
        causes += mix64(steps_[cause].layers[all_ ? 0 : layer - 1]);
      }
    }
    step.layers[layer] = combine(label, causes);
  }
  if (!mutant(Mutant::kFrontGrows)) {
    for (const uint32_t cause : causes_) steps_[cause].is_last = false;
  }
  steps_.push_back(std::move(step));
  remember(static_cast<uint32_t>(steps_.size() - 1), touched);
}

uint64_t CausalOrder::summary() const {
  uint64_t sum = 0;
  for (const Step& step : steps_) {
    if (step.is_last) sum += mix64(step.layers.back());
  }
  return mix64(sum);
}

uint64_t CausalOrder::bytes() const {
  return steps_.capacity() * (sizeof(Step) + layers_ * sizeof(uint64_t)) +
         resources_.size() * (sizeof(uint64_t) + sizeof(Access) + 2 * sizeof(void*)) +
         added_.size() * (sizeof(uint64_t) + sizeof(std::vector<uint32_t>) + 2 * sizeof(void*));
}

}  // namespace ordeal::explore
