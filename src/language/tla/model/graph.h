// The state graph of a specification: every state and every step, in the order in which they are
// found, breadth first.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "language/tla/model/space.h"

namespace ordeal::tla {

struct GraphState {
  uint64_t fingerprint = 0;
  uint32_t depth = 0;
  bool initial = false;
  bool outside = false;  // of the CONSTRAINT: it is not gone on from
  value::Tree variables;
  std::string text;  // as TLC prints it
};

struct GraphStep {
  uint32_t from = 0;
  uint32_t to = 0;
  std::string action;
  value::Tree arguments;  // kNull: none
};

struct Graph {
  std::string specification;
  std::vector<GraphState> states;
  std::vector<GraphStep> steps;
  bool complete = true;
  std::string bound;  // why it is not complete
};

struct GraphBounds {
  uint64_t max_states = 10'000;
  const std::atomic<bool>* stop = nullptr;
};

// An Error: some expression has no value in a state; with the state.
Result<Graph> graph_of(std::shared_ptr<Specification> specification, const GraphBounds& bounds);

std::string graph_to_dot(const Graph& graph);
std::string graph_to_json(const Graph& graph);

}  // namespace ordeal::tla
