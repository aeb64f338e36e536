// Symmetry: what it means that nodes, or names, are alike.
//
// The nodes and names that are declared alike are numbered from 0: *points*. A renaming exchanges
// points that are alike; it takes a state to a state that differs in nothing but who is who. The
// states that renamings take to each other are a class, and search needs one of each.
//
// A Symmetry belongs to one space and shares its packed states. It is found out on samples whether
// the declaration is true (explore/audit/alike.h); nothing here decides that.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "ordeal/world.h"

namespace ordeal {

class Symmetry {
 public:
  // Point i becomes point to[i], which is alike.
  using Permutation = std::vector<uint8_t>;

  virtual ~Symmetry() = default;

  // The system as it is.
  virtual std::shared_ptr<StateSpace> states() = 0;
  // One state for each class: apply() gives the one that stands for the class of the successor.
  virtual std::shared_ptr<StateSpace> classes() = 0;

  // Points that are alike, class by class.
  virtual const std::vector<std::vector<uint8_t>>& alike() const = 0;
  virtual std::string name(uint8_t point) const = 0;  // "node 2"
  virtual std::string what() const = 0;               // "nodes 1 to 3", for reports

  // An Error where the declaration of the system tells apart what it declares alike: nodes that are
  // made differently, faults that strike only one of them.
  virtual Result<void> validate() = 0;

  // Appends the renamed state.
  virtual void renamed(StateRef state, const Permutation& to, std::vector<uint32_t>& out) = 0;
  // The fingerprint of the state that stands for the class of this one.
  virtual uint64_t class_of(StateRef state) = 0;
  // The name that an action has in the renamed state (see Explorer::key).
  virtual uint64_t renamed_key(StateRef state, const Choice& choice, const Permutation& to) = 0;

  // Constraints are numbered behind the properties here.
  virtual uint32_t constraints() const = 0;
  // Whether the property treats nodes alike by the way it is built.
  virtual bool is_alike_by_form(uint32_t property) const = 0;
  // After a search through classes(): properties whose functions were tried on some of the ways in
  // which a node can be renamed, not on all.
  virtual std::vector<std::string> tried_in_part() const { return {}; }
  // Why the property does not treat them alike, found by judging this state with foreign ids in
  // place of those of like nodes; "" if it does.
  virtual std::string names_a_node(StateRef state, bool terminal, uint32_t property) = 0;
};

}  // namespace ordeal
