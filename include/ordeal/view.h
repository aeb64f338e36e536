// View: a global state as properties see it. Read-only, valid during the call it was passed to.
#pragma once

#include <limits>
#include <vector>

#include "ordeal/history.h"
#include "ordeal/node_id.h"
#include "ordeal/value.h"

namespace ordeal {

struct InFlight {
  NodeId from;
  NodeId to;
  const value::Any* message;
};

class View {
 public:
  // All nodes (mocked components are none), in order of their ids.
  const std::vector<NodeId>& nodes() const { return *nodes_; }
  // A node is up unless it has crashed and not recovered. In crash-stop systems, that is: correct.
  bool up(NodeId node) const { return slot(node).up; }

  // The state of a node. REQUIRES: is<T>(node). A crashed node has lost its state: it shows as new.
  template <class T>
  const T& node(NodeId id) const {
    return *static_cast<const T*>(checked(id, detail::type_id<T>()));
  }
  template <class T>
  bool is(NodeId id) const {
    return slot(id).type == detail::type_id<T>();
  }
  // What the node persisted; null if it never did.
  template <class D>
  const D* disk(NodeId id) const {
    const value::Any* disk = slot(id).disk;
    return disk == nullptr ? nullptr : disk->try_get<D>();
  }
  const value::Any* disk(NodeId id) const { return slot(id).disk; }
  // What the node decided, in order; kept when it crashes.
  const std::vector<value::Any>& decisions(NodeId id) const { return *slot(id).decisions; }

  const History& history() const { return source_->history(); }
  std::vector<InFlight> messages() const { return source_->messages(); }
  // No progress action is enabled.
  bool terminal() const { return terminal_; }

  // Used by the engine.
  struct Slot {
    const void* data = nullptr;
    detail::TypeId type;
    const value::Any* disk = nullptr;
    const std::vector<value::Any>* decisions = nullptr;
    bool up = true;
    const value::Type* state = nullptr;  // what `data` is; null: an opaque object
  };
  class Source {
   public:
    virtual ~Source() = default;
    virtual const History& history() const = 0;
    virtual std::vector<InFlight> messages() const = 0;
  };
  const Slot& slot(NodeId id) const;
  // In place of the first id: ids are in no order, and looked up in `nodes`.
  static constexpr int kByList = std::numeric_limits<int>::min();
  View(const std::vector<NodeId>& nodes, int first_id, const std::vector<Slot>& slots,
       const Source& source, bool terminal)
      : nodes_(&nodes),
        first_id_(first_id),
        slots_(&slots),
        source_(&source),
        terminal_(terminal) {}

 private:
  const void* checked(NodeId id, const detail::TypeId& type) const;

  const std::vector<NodeId>* nodes_;
  int first_id_;
  const std::vector<Slot>* slots_;
  const Source* source_;
  bool terminal_;
};

}  // namespace ordeal
