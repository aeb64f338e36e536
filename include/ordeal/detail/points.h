// Points: the nodes and names that are declared alike, numbered from 0, class by class.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ordeal/symmetry.h"
#include "ordeal/value.h"

namespace ordeal::detail {

// Names that are declared interchangeable.
struct LikeNames {
  value::NameTag tag = nullptr;
  std::string name;
  uint32_t count = 0;
};

class Points {
 public:
  using Permutation = Symmetry::Permutation;

  // An Error where nothing is alike, something twice, or more than can be handled. The position of
  // a node is its id, counted from `first_id`.
  static Result<Points> of(int first_id, std::vector<std::vector<NodeId>> nodes,
                           const std::vector<LikeNames>& names);

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

// Points count by who looks: one is "this", another perhaps "that", the rest are all the same. A
// hash made with it does not depend on the names of the rest. Remembers which points occurred.
class Eye : public value::Naming {
 public:
  explicit Eye(const Points& points, int this_one = -1, int that_one = -1)
      : points_(points), this_(this_one), that_(that_one) {}

  uint64_t node(NodeId id) override;
  uint64_t name(value::NameTag tag, uint32_t value) override;
  uint64_t mentions() const { return mentions_; }

 private:
  uint64_t seen(int point);

  const Points& points_;
  int this_;
  int that_;
  uint64_t mentions_ = 0;
};

}  // namespace ordeal::detail
