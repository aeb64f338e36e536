// Which cycles through a component count: what is owed, and to whom.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "explore/liveness/automaton.h"
#include "explore/liveness/run_graph.h"
#include "ordeal/liveness.h"

namespace ordeal::explore {

// A step of the product of a graph of states with an automaton, or the staying in a state.
struct ProductEdge {
  uint64_t from = 0;
  uint64_t to = 0;
  uint32_t state = 0;  // of `from`
  uint32_t label = 0;
  uint32_t choice = 0;
  const Marks* put_off = nullptr;
  bool stays = false;
};

// Adds up what happens along the edges of a component, or of a walk, and says what is missing for
// it to be a run that counts, gone round for ever.
class FairnessTally {
 public:
  FairnessTally(const RunGraph& graph, const Liveness& liveness, uint32_t acceptance_sets);

  void clear();
  // A state of it. Once for each node of the product.
  void add_node(uint32_t state);
  void add_edge(const ProductEdge& edge);

  // What must be met again and again, in one list: acceptance sets, progress, declared actions,
  // duties. Missing for good: no part of it counts either.
  bool is_hopeless() const;
  // … or else where states are taken away in which this is enabled. In a walk: what to go for.
  bool must_lose(uint32_t state) const;
  bool misses_nothing() const;
  // Whether a run that ends in the state owes nothing to anybody.
  bool lets_stay(uint32_t state) const;
  // Whether the edge has something that is missing.
  bool helps(const ProductEdge& edge) const;

 private:
  bool is_enabled(const FairAction& action, uint32_t state) const {
    return graph_.state_atoms()[graph_.atoms_of(state)][action.enabled];
  }
  bool is_taken(const FairAction& action, const ProductEdge& edge) const {
    return !edge.stays && graph_.step_atoms()[graph_.label(edge.label).atoms][action.taken];
  }
  bool is_strong(Owed owed) const;
  bool misses_duty(uint32_t duty) const;
  template <class F>
  void each_duty(uint32_t state, const F& f) const;

  const RunGraph& graph_;
  const Liveness& liveness_;
  const uint32_t sets_;
  bool stayed_ = false;
  std::vector<bool> met_;       // acceptance sets, then progress
  std::vector<bool> weak_met_;  // by fair action: not enabled somewhere, or taken
  std::vector<bool> taken_;     // by fair action
  std::vector<bool> enabled_;   // by fair action: somewhere
  uint64_t nodes_ = 0;
  // By duty: at how many nodes it is enabled, the last of them, and whether an edge serves it.
  struct Duties {
    uint64_t enabled = 0;
    uint64_t last = 0;
    bool served = false;
  };
  std::vector<Duties> duties_;
  std::vector<uint32_t> touched_;
};

}  // namespace ordeal::explore
