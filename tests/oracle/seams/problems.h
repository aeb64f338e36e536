// What is wrong with what the engine makes of tables; "": nothing is.
#pragma once

#include <string>

#include "tests/oracle/seams/table_space.h"

namespace ordeal::oracle {

// A table by its seed: a random graph in which some things cannot be said, are violated, lie
// outside or look the same.
Table random_table(uint64_t seed);

struct TableTally {
  uint64_t tables = 0, troubles = 0, on_steps = 0, bad_steps = 0, bad_states = 0, outside = 0;
  uint64_t views = 0, both = 0, resumed = 0;
};
// Breadth first, on 1, 2 and 8 threads, on disk, and stopped and gone on with, all do what a naive
// search does; depth first, all threads do the same; runs end in nothing but what is so.
std::string problem_with_tables(uint64_t first_seed, uint64_t count, const std::string& folder,
                                TableTally& tally);

// More than 65,536 initial states and actions of one state.
std::string problem_with_many(uint32_t roots, uint32_t actions, const std::string& folder);

}  // namespace ordeal::oracle
