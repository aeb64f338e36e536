// The declarations of a generated system, made in any order in which they can be: it must not
// matter.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/rng.h"
#include "ordeal/system.h"

namespace ordeal::oracle {

class Declarations {
 public:
  // Nodes get their ids in the order in which they are added, and properties are numbered: these
  // keep their order among themselves. All else comes before, between and behind.
  enum class Stage : uint8_t { kNodes, kFaults, kPartitions, kRequests, kProperties };

  void add(Stage stage, std::function<void(System&)> how) {
    all_.push_back({stage, std::move(how), all_.size()});
  }

  // Declares all of it; notes what came before a node that it is about.
  void declare(System& system, Rng& rng, std::set<std::string>& features) {
    for (size_t i = all_.size(); i > 1; --i) std::swap(all_[i - 1], all_[rng.below(i)]);
    put_in_order(Stage::kProperties);
    const size_t last_node = put_in_order(Stage::kNodes);
    for (size_t i = 0; i < last_node; ++i) {
      if (all_[i].stage == Stage::kPartitions) features.insert("partitions before nodes");
      if (all_[i].stage == Stage::kFaults) features.insert("faults before nodes");
      if (all_[i].stage == Stage::kProperties) features.insert("properties before nodes");
    }
    for (const Declaration& one : all_) one.how(system);
  }

 private:
  struct Declaration {
    Stage stage;
    std::function<void(System&)> how;
    size_t number;  // in the order in which they were thought of
  };

  // Those of one stage, in the places that they have. Returns the last of these.
  size_t put_in_order(Stage stage) {
    std::vector<size_t> places;
    std::vector<Declaration> sorted;
    for (size_t i = 0; i < all_.size(); ++i) {
      if (all_[i].stage != stage) continue;
      places.push_back(i);
      sorted.push_back(all_[i]);
    }
    std::sort(sorted.begin(), sorted.end(),
              [](const Declaration& a, const Declaration& b) { return a.number < b.number; });
    for (size_t i = 0; i < places.size(); ++i) all_[places[i]] = sorted[i];
    return places.empty() ? 0 : places.back();
  }

  std::vector<Declaration> all_;
};

}  // namespace ordeal::oracle
