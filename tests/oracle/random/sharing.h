// Random systems are so small that one thread would do all the work: in some of them, several share
// the smallest rounds nevertheless.
#pragma once

#include <cstdint>

#include "explore/search/search.h"

namespace ordeal::oracle {

class SharedRounds {
 public:
  explicit SharedRounds(uint64_t seed) { explore::share_small_rounds = seed / 4 % 8 == 0; }
  ~SharedRounds() { explore::share_small_rounds = false; }
  SharedRounds(const SharedRounds&) = delete;
  SharedRounds& operator=(const SharedRounds&) = delete;
};

}  // namespace ordeal::oracle
