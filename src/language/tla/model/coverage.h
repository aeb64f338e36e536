// What of a specification was evaluated: each action with how often it was taken and how many new
// states it found, each expression with how often it was evaluated.
//
// The states are gone through once more, breadth first and in one thread, on a specification of
// its own whose formulas count: one that is only checked has nothing of this in it.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "language/tla/model/specification.h"
#include "ordeal/result.h"

namespace ordeal::tla {

struct ActionCoverage {
  std::string name;
  Place place;            // of the definition; line 0: of none
  uint64_t taken = 0;     // successors that it made
  uint64_t distinct = 0;  // … that were new
};

struct ExpressionCoverage {
  Place place;
  std::string where;  // "Spec.tla:12:7"
  std::string text;   // of its first line
  uint64_t count = 0;
  bool within_unvisited = false;  // what is around it was never evaluated either
};

struct Coverage {
  std::vector<ActionCoverage> actions;  // in the order of the text
  std::vector<ExpressionCoverage> expressions;
  uint64_t states = 0;  // that were gone through
};

struct CoverageBounds {
  uint64_t max_states = UINT64_MAX;
  const std::atomic<bool>* stop = nullptr;
};

// REQUIRES: nobody else uses the specification, from now on. An Error: an expression has no value
// where none should be missing any more.
Result<Coverage> measure_coverage(std::shared_ptr<Specification> specification,
                                  const CoverageBounds& bounds);

std::string coverage_text(const Coverage& coverage);
// An object, over several lines, each behind `margin`.
std::string coverage_json(const Coverage& coverage, const std::string& margin);

}  // namespace ordeal::tla
