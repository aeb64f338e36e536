#include "ordeal/predicate.h"

namespace ordeal {

Reads Predicate::reads() const {
  if (std::holds_alternative<Unary>(form_)) return Reads::kEachNode;
  if (std::holds_alternative<Binary>(form_)) return Reads::kNodes;
  if (std::holds_alternative<OverHistory>(form_)) return Reads::kHistory;
  return std::get<Global>(form_).reads;
}

Predicate agreement(Over over) {
  const auto holds = [over](const View& view) -> Outcome {
    const value::Any* first = nullptr;
    NodeId first_node;
    for (NodeId node : view.nodes()) {
      if (over == Over::kCorrect && !view.up(node)) continue;
      for (const value::Any& decision : view.decisions(node)) {
        if (first == nullptr) {
          first = &decision;
          first_node = node;
        } else if (!first->equal(decision)) {
          std::string one = value::show(first->tree());
          std::string other = value::show(decision.tree());
          if (one == other) {  // of two types
            one += " (a " + first->type()->full_name() + ")";
            other += " (a " + decision.type()->full_name() + ")";
          }
          return violated("node " + std::to_string(first_node.value) + " decided " + one +
                          ", node " + std::to_string(node.value) + " decided " + other)
              .node(first_node)
              .node(node);
        }
      }
    }
    return true;
  };
  return Predicate::Global{holds, Reads::kDecisions, over, true};
}

Predicate every_correct_node_decides() {
  const auto holds = [](const View& view) -> Outcome {
    Outcome outcome(true);
    std::string undecided;
    for (NodeId node : view.nodes()) {
      if (!view.up(node) || !view.decisions(node).empty()) continue;
      if (outcome.ok()) outcome = Outcome(false);
      outcome = std::move(outcome).node(node);
      undecided += (undecided.empty() ? "" : ", ") + std::to_string(node.value);
    }
    if (outcome.ok()) return outcome;
    const bool one = outcome.nodes().size() == 1;
    return std::move(outcome).because((one ? "node " : "nodes ") + undecided +
                                      " never decided, and nothing is left to happen");
  };
  return Predicate::Global{holds, Reads::kAnything, Over::kAll, true};
}

Predicate decides_at_most_once() {
  const auto holds = [](const View& view) -> Outcome {
    for (NodeId node : view.nodes()) {
      const auto& decisions = view.decisions(node);
      if (decisions.size() < 2) continue;
      return violated("node " + std::to_string(node.value) + " decided " +
                      value::show(decisions[0].tree()) + " and then " +
                      value::show(decisions[1].tree()))
          .node(node);
    }
    return true;
  };
  return Predicate::Global{holds, Reads::kEachNode, Over::kAll, true};
}

}  // namespace ordeal
