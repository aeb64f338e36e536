// Explores a system with the reference: every state, every action, every verdict.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "ordeal/action.h"
#include "ordeal/system.h"
#include "tests/oracle/reference/rounds.h"
#include "tests/oracle/reference/state.h"

namespace ordeal::reference {

struct Exploration {
  bool starts = true;    // false: a node's start fails, and there is nothing to explore
  bool complete = true;  // false: there are more states than the cap
  uint64_t distinct = 0;
  uint64_t transitions = 0;
  uint64_t transitions_no_loops = 0;
  uint64_t terminal = 0;
  uint64_t failures = 0;  // actions whose handler fails
  uint32_t depth = 0;
  bool progress_cycle = false;
  std::map<ActionKind, uint64_t> kinds;   // how often each kind of action was taken
  std::map<std::string, uint64_t> steps;  // the transitions, as reports name them; see sort_of()
  // After how many steps an action of this kind and type fails first.
  std::map<std::pair<ActionKind, std::string>, uint32_t> failing;

  // Per declared property (number 0 is "no handler fails"): the depth of the first state (or
  // failing action) that violates it, or that reaches it where it is a `sometimes`.
  std::vector<std::optional<uint32_t>> first;

  // … and whether a run that goes round for ever violates it, where it is an `eventually`.
  std::vector<bool> round;

  std::map<std::string, State> states;  // by key
};

// What a step is counted as, whatever type its node has.
std::string sort_of(const Action& action);

// Whether a directed graph has a cycle, a loop from a vertex to itself included.
bool has_cycle(const std::vector<std::vector<uint32_t>>& edges);

// To whom it is owed that the move happens in the end; "": to nobody.
std::string served_by(const Action& action, bool progress);

Exploration explore(const System& system, uint64_t cap, uint32_t max_depth = ~0U);

}  // namespace ordeal::reference
