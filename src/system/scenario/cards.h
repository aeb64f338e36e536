// Cards: who and which parts were drawn for a run. Every way to draw is an initial state of its
// own, so that a search covers all of them and a trace says which it was.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "ordeal/scenario.h"

namespace ordeal::monitor {

struct Cards {
  std::map<std::string, NodeId> nodes;
  std::map<std::string, uint32_t> numbers;
  std::map<std::string, std::map<NodeId, int>> parts;  // partition, node: part

  std::string show() const;  // "r = 3, halves = 1,2 | 3,4,5"; "": nothing was drawn
};

// All of them. An Error: there are too many, or nothing to draw from.
Result<std::vector<Cards>> all_cards(const Scenario::Declaration& scenario, const Cast& cast);

}  // namespace ordeal::monitor
