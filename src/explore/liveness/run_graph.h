// RunGraph: the states of a space and the steps between them, by number, with what properties of
// runs ask about them. Numbers are in breadth-first order, from the canonical order of the space
// alone, whoever counts and however many threads searched before.
//
// A state takes 8 bytes, and its steps a few each: what is written is by how much a number differs
// from the one before, in as many bytes as that takes. What is true of states, and what of steps,
// is kept once.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "explore/strategy/findings.h"
#include "ordeal/check.h"
#include "ordeal/world.h"

namespace ordeal::explore {

// Rows of bits, each once, by number.
class BitRows {
 public:
  uint32_t number(const std::vector<bool>& row);
  const std::vector<bool>& operator[](uint32_t number) const { return *rows_[number]; }
  uint32_t size() const { return static_cast<uint32_t>(rows_.size()); }
  uint64_t bytes() const;

 private:
  std::map<std::vector<bool>, uint32_t> known_;
  std::vector<const std::vector<bool>*> rows_;
};

class RunGraph {
 public:
  static constexpr uint32_t kOutside = ~0U;  // enabled, and leads to no state that is followed

  // What steps have in common.
  struct Label {
    uint32_t atoms = 0;  // by number
    uint32_t duty = 0;   // by number; 0: none
    bool progress = true;

    auto operator<=>(const Label&) const = default;
  };
  struct Edge {
    uint32_t to = 0;
    uint32_t label = 0;
    uint32_t choice = 0;
  };
  // Goes through the steps from a state, in canonical order.
  class Cursor {
   public:
    // False: there are no more.
    bool next(Edge& out);

   private:
    friend class RunGraph;
    const uint8_t* at_ = nullptr;
    uint32_t left_ = 0;
    uint32_t to_ = 0;
    uint32_t choice_ = 0;
  };

  struct Task {
    StateSpace& space;
    const std::vector<StateSpace::Initial>& roots;
    const Options& options;
    Pace& pace;
    const Exploration& so_far;
    const Liveness& liveness;
    uint64_t held_bytes = 0;  // by whoever asks
    uint64_t most_bytes = 0;  // with that
  };
  // What keeps it from being made. An Error: the subject could not say what is true.
  Result<std::optional<Bound>> make(const Task& task);

  uint32_t states() const { return count_; }
  uint64_t edges() const { return edges_; }
  // States where runs begin, and which initial state each is.
  const std::vector<std::pair<uint32_t, uint32_t>>& roots() const { return roots_; }
  Cursor edges_from(uint32_t state) const;
  // What is true of a state, by number; and whether a run may end there.
  uint32_t atoms_of(uint32_t state) const { return labels_[state] / 2; }
  bool is_terminal(uint32_t state) const { return labels_[state] % 2 == 1; }
  const BitRows& state_atoms() const { return state_rows_; }
  const BitRows& step_atoms() const { return step_rows_; }
  const Label& label(uint32_t number) const { return edge_labels_[number]; }
  // By number: the first is none.
  const std::vector<Owed>& duties() const { return duties_; }
  uint64_t bytes() const;
  // The most that was held while it was made, with what was held by whoever asked.
  uint64_t most_bytes() const { return most_bytes_; }

 private:
  // States are written in blocks: where each begins is told from the beginning of its block.
  static constexpr uint32_t kBlock = 4096;
  class Maker;

  uint32_t count_ = 0;
  uint64_t edges_ = 0;
  std::vector<std::pair<uint32_t, uint32_t>> roots_;
  std::vector<std::vector<uint8_t>> blocks_;
  uint64_t block_bytes_ = 0;
  std::vector<uint32_t> begins_;
  std::vector<uint32_t> labels_;
  BitRows state_rows_;
  BitRows step_rows_;
  std::vector<Label> edge_labels_;
  std::vector<Owed> duties_;
  uint64_t table_bytes_ = 0;  // of what was interned
  uint64_t most_bytes_ = 0;
};

}  // namespace ordeal::explore
