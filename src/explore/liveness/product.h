// The product of a graph of states with an automaton. Where a subject stutters, each state has an
// edge to itself; where it does not, a run that ends is asked for by itself. Its nodes are numbered
// by the state and the automaton's: nothing of it is stored.
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "explore/liveness/automaton.h"
#include "explore/liveness/fairness.h"
#include "explore/liveness/run_graph.h"

namespace ordeal::explore {

class Product {
 public:
  Product(const RunGraph& graph, const Liveness& liveness, const Formula& formula);

  // False: the automaton is too large.
  bool close();

  bool is_empty() const { return automaton_.is_empty(); }
  uint64_t nodes() const { return uint64_t{graph_.states()} * width_; }
  uint32_t state_of(uint64_t node) const { return static_cast<uint32_t>(node / width_); }
  uint32_t acceptance_sets() const { return automaton_.acceptance_sets(); }
  uint64_t root(size_t number) const { return uint64_t{graph_.roots()[number].first} * width_; }

  // Goes through the edges from a node, in a fixed order.
  class Cursor {
   public:
    bool next(ProductEdge& out);

   private:
    friend class Product;
    const Product* product_ = nullptr;
    RunGraph::Cursor edges_;
    RunGraph::Edge edge_;
    const std::vector<Automaton::Move>* moves_ = nullptr;
    uint32_t move_ = 0;
    uint32_t state_ = 0;
    uint32_t of_automaton_ = 0;
    bool may_stay_ = false;
    bool stays_ = false;
  };
  Cursor edges_from(uint64_t node) const;
  // Whether a run is accepted that has come there and stays in the state for ever.
  bool accepts_staying(uint64_t node);

  // Every edge from a node, until f says no.
  template <class F>
  void each_edge(uint64_t node, const F& f) const {
    Cursor cursor = edges_from(node);
    for (ProductEdge edge; cursor.next(edge);) {
      if (!f(edge)) return;
    }
  }

 private:
  using Moves = std::vector<Automaton::Move>;
  const Moves& moves(uint32_t of_automaton, uint32_t atoms, uint32_t step_atoms) const {
    const uint32_t letter = letters_[uint64_t{atoms} * graph_.step_atoms().size() + step_atoms];
    return moves_[uint64_t{of_automaton} * letter_count_ + letter];
  }

  const RunGraph& graph_;
  const Liveness& liveness_;
  Automaton automaton_;
  uint32_t width_ = 1;
  uint32_t letter_count_ = 0;
  std::vector<uint32_t> letters_;             // by what is true of the state, and of the step
  std::vector<Moves> moves_;                  // by state of the automaton and letter
  std::unordered_map<uint64_t, bool> stays_;  // by what is true of the state, and the automaton's
};

}  // namespace ordeal::explore
