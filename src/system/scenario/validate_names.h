// What a scenario speaks of must exist: nodes, message types, sets, counters, states, properties.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "ordeal/scenario.h"

namespace ordeal::monitor {

// "test.cc:12: what is wrong; what would be right"
Error error_at(const Where& where, const std::string& text);

std::string show_nodes(const std::vector<NodeId>& nodes);  // "nodes 1 to 3", "nodes 1, 2 and 5"
std::string show_types(const std::vector<const value::Type*>& types);  // "Prepare, Accept"
// Every message type that a node handles, each once.
std::vector<const value::Type*> message_types(const Cast& cast);

class Names {
 public:
  Names(const Scenario::Declaration& scenario, const Cast& cast,
        const std::vector<Property>& properties);

  // Draws and partitions: who is in them, and that the nodes are divided up.
  Result<void> declared() const;
  // `condition` and everything inside it.
  Result<void> in(const Condition& condition) const;
  // `reaction` and everything inside it.
  Result<void> in(const Reaction& reaction) const;
  Result<void> property(const std::string& name, const Where& where) const;
  // `who` is a node: all that may be drawn for it, if it is drawn.
  Result<std::vector<NodeId>> nodes_of(const Who& who, const Where& where) const;

 private:
  Result<void> one(const Condition& condition) const;
  Result<void> message_type(const Condition::Node& node) const;
  Result<void> state_type(const Condition::Node& node) const;
  Result<void> remembered(const Condition::Node& node) const;
  Result<void> machine_state(const Condition::Node& node) const;
  Result<void> part(const Condition::Node& node) const;
  Result<void> one(const Reaction& reaction) const;
  Result<void> inject(const Reaction::Node& node) const;
  Result<void> crash(const Reaction::Node& node) const;
  Result<void> divides(const Scenario::PartitionDeclaration& partition) const;
  // The name is one of those that some reaction makes; `made` says by what.
  Result<void> made(const std::string& name, const std::set<std::string>& known, const Where& where,
                    const char* what, const char* made) const;

  const Scenario::Declaration& scenario_;
  const Cast& cast_;
  const std::vector<Property>& properties_;
  std::vector<NodeId> nodes_;
  std::set<std::string> held_;
  std::set<std::string> counted_;
  std::set<std::string> recorded_;
  bool own_reactions_ = false;  // which may hold, count and record anything
};

}  // namespace ordeal::monitor
