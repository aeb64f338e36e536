// Why a formula is false, for people.
#pragma once

#include <string>
#include <vector>

#include "language/tla/eval/node.h"

namespace ordeal::tla {

// The smallest part of a formula that is to blame, and what decides it.
struct Reason {
  const Node* node = nullptr;
  std::vector<std::string> bindings;  // "n = 3": for which elements, the outermost first
  std::string values;                 // "the left side is 3, the right side 4"; "": not known
};

// "this is not true for n = 3: the left side is 3, the right side 4"
std::string to_text(const Reason& reason);

// REQUIRES: the formula is false in the state of the machine. May fail (EvalError).
Reason reason_of(Machine& m, const Node& formula, Frame* frame);

}  // namespace ordeal::tla
