// ForeignView: a state in which like nodes have ids that no node has. A property that treats nodes
// alike cannot tell; one that asks for a node by its own id does not find it.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "ordeal/context.h"
#include "ordeal/detail/points.h"
#include "ordeal/view.h"
#include "system/actor/space.h"

namespace ordeal::actor {

// Thrown by a View that is asked for a node that it does not have.
class NoSuchNode : public AssertionFailed {
 public:
  explicit NoSuchNode(NodeId node)
      : AssertionFailed("a property asked for node " + std::to_string(node.value) +
                        ", which does not exist"),
        node(node) {}
  NodeId node;
};

class ForeignView : private View::Source {
 public:
  ForeignView(const ActorSpace& space, const detail::Points& points, StateRef state, bool terminal);

  // Lets `look` look at the state. Returns the node that it asked for by its own id, in words, or
  // "". Whatever else it does wrong does not count.
  std::string asked_for(const std::function<void(const View&)>& look);

 private:
  const History& history() const override { return history_; }
  std::vector<InFlight> messages() const override { return messages_; }

  struct Content {
    value::Any state;
    value::Any disk;
    std::vector<value::Any> decisions;
  };
  bool terminal_;
  std::vector<NodeId> nodes_;
  std::vector<Content> contents_;
  std::vector<View::Slot> slots_;
  History history_;
  std::vector<value::Any> payloads_;
  std::vector<InFlight> messages_;
};

}  // namespace ordeal::actor
