// What is wrong with what the engine makes of random expressions and specifications; "": nothing
// is.
#pragma once

#include <cstdint>
#include <map>
#include <string>

namespace ordeal::oracle::naive {

struct Tally {
  uint64_t cases = 0, values = 0, without_value = 0, skipped = 0;
  // What occurred and how often: forms of expressions that were evaluated, features of
  // specifications, verdicts.
  std::map<std::string, uint64_t> seen;
};

// Modules of random expressions: each has the same value by both evaluators, or none by both, in
// three states; what is printed reads back as the same value.
std::string problem_with_expressions(uint64_t first_seed, uint64_t modules, Tally& tally);

// Random specifications: on one thread and on two, the search finds what a naive one does, and its
// traces replay; of small ones, Next is true of the successors that it says and of no others.
std::string problem_with_specs(uint64_t first_seed, uint64_t specs, Tally& tally);

// Random specifications with fairness: each formula about behaviours is violated where some fair
// behaviour violates it, and what is shown is one.
std::string problem_with_behaviours(uint64_t first_seed, uint64_t specs, Tally& tally);

// All of these, some of each in turn.
std::string problem_with_tla();

}  // namespace ordeal::oracle::naive
