// A generated system, and what it is generated for.
#pragma once

#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "ordeal/system.h"
#include "tests/oracle/random/program.h"

namespace ordeal::oracle {

struct Case {
  uint64_t seed = 0;
  std::unique_ptr<Program> program;
  System system;
  std::set<std::string> features;  // what is in it
  std::vector<NodeId> nodes;
  std::vector<std::vector<NodeId>> alike;  // groups of nodes that only their ids tell apart
  NodeId component = kNoComponent;

  static constexpr int kNoComponent = -1;
};

// What a system is generated for.
struct Purpose {
  // Nodes of one type are interchangeable: one role, no rule names one of them, faults strike all
  // or none of them, requests and properties treat them alike.
  bool alike = false;
  // Only properties of single nodes and of terminal states, and no constraint.
  bool local = false;
  // Progress goes round in many of them, and whether it does is asked of every one.
  bool rounds = false;
  // Nothing that opaque objects cannot do …
  bool may_live = false;
  // … and opaque objects instead of values: with both, the same system as with the first alone.
  bool lives = false;
  // … which have digests of their own.
  bool digested = false;
  // Nodes that are put together at run time: else the same system as without it.
  bool made = false;
};

}  // namespace ordeal::oracle
