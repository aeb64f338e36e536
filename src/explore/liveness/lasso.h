// A run that goes on for ever, as what is true along it: judged by definition.
#pragma once

#include <cstdint>
#include <vector>

#include "ordeal/liveness.h"

namespace ordeal::explore {

// What is true of the states of a run and of the steps from them; the last step leads back to
// position `loop`.
struct LassoWord {
  std::vector<std::vector<bool>> states;
  std::vector<std::vector<bool>> steps;
  size_t loop = 0;
};

// REQUIRES: the run has a step.
bool is_true_of(const Formula& formula, const LassoWord& word);

}  // namespace ordeal::explore
