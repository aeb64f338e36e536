// How likely something is, from how often it was so.
#pragma once

#include <cstdint>

namespace ordeal {

struct Proportion {
  double low = 0;
  double high = 1;
};

// The interval of Clopper and Pearson (1934): all probabilities under which neither so many hits or
// more, nor so many or fewer, are rarer than half of what the confidence leaves. It covers the true
// one at least as often as the confidence says, whatever it is. 0 to 1 where there are no trials.
// REQUIRES: hits <= trials; 0 < confidence < 1.
Proportion clopper_pearson(uint64_t hits, uint64_t trials, double confidence);

}  // namespace ordeal
