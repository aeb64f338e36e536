// Points: the nodes and names that a system declares alike, numbered from 0, class by class.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ordeal/symmetry.h"
#include "ordeal/system.h"
#include "ordeal/value.h"

namespace ordeal::actor {

class Points {
 public:
  using Permutation = Symmetry::Permutation;

  // An Error where nothing is alike, or more than can be handled.
  static Result<Points> of(const detail::Declaration& declaration);

  size_t size() const { return positions_.size(); }
  const std::vector<std::vector<uint8_t>>& classes() const { return classes_; }
  // -1 where there is none.
  int of_position(int position) const {
    return position < 0 || position >= static_cast<int>(of_positions_.size())
               ? -1
               : of_positions_[static_cast<size_t>(position)];
  }
  int of_node(NodeId id) const { return of_position(id.value - first_id_); }
  int of_name(value::NameTag tag, uint32_t value) const;

  // Where the node at a position goes.
  int renamed(int position, const Permutation& to) const {
    const int point = of_position(position);
    return point < 0 ? position : positions_[to[static_cast<size_t>(point)]];
  }
  value::Renaming renaming(const Permutation& to) const;

  std::string name(uint8_t point) const;  // "node 2", "Colour 0"
  std::string what() const;               // "nodes 1 to 3 and the 3 names Colour"

 private:
  struct Names {
    value::NameTag tag;
    std::string name;
    uint32_t count;
    uint32_t first;  // point
  };

  int first_id_ = 0;
  std::vector<std::vector<uint8_t>> classes_;
  std::vector<int> positions_;     // by point; -1: a name
  std::vector<int> of_positions_;  // the point of each node; -1: none
  std::vector<Names> names_;
};

// The nodes that are declared alike, class by class, those given by their type included.
std::vector<std::vector<NodeId>> like_nodes(const detail::Declaration& declaration);
// What is wrong with the declaration of what is alike, for System::validate.
Result<void> validate_alike(const detail::Declaration& declaration);

}  // namespace ordeal::actor
