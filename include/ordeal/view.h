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
  bool up(NodeId node) const { return slot(node, kUp).up; }

  // The state of a node. REQUIRES: is<T>(node). A crashed node has lost its state: it shows as new.
  template <class T>
  const T& node(NodeId id) const {
    return *static_cast<const T*>(checked(id, detail::type_id<T>()));
  }
  template <class T>
  bool is(NodeId id) const {
    return slot(id, 0).type == detail::type_id<T>();
  }
  // What the node persisted; null if it never did.
  template <class D>
  const D* disk(NodeId id) const {
    const value::Any* disk = slot(id, kDisk).disk;
    return disk == nullptr ? nullptr : disk->try_get<D>();
  }
  const value::Any* disk(NodeId id) const { return slot(id, kDisk).disk; }
  // What the node decided, in order; kept when it crashes.
  const std::vector<value::Any>& decisions(NodeId id) const {
    return *slot(id, kDecisions).decisions;
  }

  const History& history() const {
    if (looked_ != nullptr) looked_->history = true;
    return source_->history();
  }
  std::vector<InFlight> messages() const {
    if (looked_ != nullptr) looked_->messages = true;
    return source_->messages();
  }
  // No progress action is enabled.
  bool terminal() const {
    if (looked_ != nullptr) looked_->terminal = true;
    return terminal_;
  }

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
  // What was asked for: where that is the same, so is what follows from it.
  enum Look : uint8_t { kState = 1, kDisk = 2, kDecisions = 4, kUp = 8 };
  struct Looked {
    std::vector<uint8_t> nodes;  // by position: what of each
    bool history = false;
    bool messages = false;
    bool terminal = false;
  };
  const Slot& slot(NodeId id) const { return slot(id, kState | kDisk | kDecisions | kUp); }
  // In place of the first id: ids are in no order, and looked up in `nodes`.
  static constexpr int kByList = std::numeric_limits<int>::min();
  View(const std::vector<NodeId>& nodes, int first_id, const std::vector<Slot>& slots,
       const Source& source, bool terminal, Looked* looked = nullptr)
      : nodes_(&nodes),
        first_id_(first_id),
        slots_(&slots),
        source_(&source),
        looked_(looked),
        terminal_(terminal) {}

 private:
  const Slot& slot(NodeId id, uint8_t what) const;
  const void* checked(NodeId id, const detail::TypeId& type) const;

  const std::vector<NodeId>* nodes_;
  int first_id_;
  const std::vector<Slot>* slots_;
  const Source* source_;
  Looked* looked_;  // may be null
  bool terminal_;
};

}  // namespace ordeal
