// Nodes whose handlers are closures: interpreters, nodes in other processes, whatever is put
// together at run time. They are nodes like those of ordeal/node.h, to every strategy.
//
//   dynamic::NodeType player("Player", state);  // of run time, or of the compiler
//   player
//       .start([=](dynamic::Ref, Context& ctx) { ctx.broadcast(ping); })
//       .on(ping.type(), [](dynamic::Ref self, Context&, NodeId, dynamic::ConstRef) {
//         self["pings"].as<int>() += 1;
//       });
//   system.add(player, 2);
//   system.always("one", dynamic::each(state, [](dynamic::ConstRef node) {
//                   return node["pings"].as<int>() <= 1;
//                 }));
//
// What a handler captures is constant: it is called any number of times, in any order, on several
// threads, and what it does must follow from the node's state and from what it handles. A program
// that is interpreted is such a constant; what it does belongs into the state.
//
// Copies of a NodeType are the same node type. It may be changed until a system with it is checked:
// all nodes of it have all handlers.
// What is wrong with it (two handlers for one message, a type that is null) is an Error of
// System::validate(), which check() asks first.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>

#include "ordeal/context.h"
#include "ordeal/dynamic.h"
#include "ordeal/node.h"
#include "ordeal/predicate.h"
#include "ordeal/property.h"
#include "ordeal/view.h"

namespace ordeal::dynamic {

class NodeType {
 public:
  using Start = std::function<void(Ref, Context&)>;
  using On = std::function<void(Ref, Context&, NodeId, ConstRef)>;
  using Request = std::function<void(Ref, Context&, ConstRef)>;
  using Timer = std::function<void(Ref, Context&, const std::string&)>;
  using Notice = std::function<void(Ref, Context&, NodeId)>;
  using Recover = std::function<void(Ref, Context&, ConstRef)>;

  // `state` is what a node of it is: the type of the `self` of its handlers. Several node types may
  // have one.
  NodeType(std::string name, const Type* state);

  template <class F>  // (Ref self, Context&): once, before the first action
  NodeType& start(F handler) {
    detail::require_const<F, Ref, Context&>();
    return add_start(std::move(handler));
  }
  template <class F>  // (Ref self, Context&, NodeId from, ConstRef message)
  NodeType& on(const Type* message, F handler) {
    detail::require_const<F, Ref, Context&, NodeId, ConstRef>();
    return add_on(message, std::move(handler));
  }
  template <class F>  // (Ref self, Context&, ConstRef request)
  NodeType& request(const Type* type, F handler) {
    detail::require_const<F, Ref, Context&, ConstRef>();
    return add_request(type, std::move(handler));
  }
  template <class F>  // (Ref self, Context&, const std::string& name)
  NodeType& timer(F handler) {
    detail::require_const<F, Ref, Context&, const std::string&>();
    return add_timer(std::move(handler));
  }
  template <class F>  // (Ref self, Context&, NodeId who): the failure detector reports
  NodeType& crashed(F handler) {
    detail::require_const<F, Ref, Context&, NodeId>();
    return add_crashed(std::move(handler));
  }
  template <class F>  // (Ref self, Context&, NodeId who): … or takes it back
  NodeType& restored(F handler) {
    detail::require_const<F, Ref, Context&, NodeId>();
    return add_restored(std::move(handler));
  }
  // What `persist` keeps. Without one, nothing can be persisted.
  NodeType& disk(const Type* type);
  // After a crash, on a fresh node: (Ref self, Context&, ConstRef disk) where there is a disk,
  // which is new if nothing was persisted; else (Ref self, Context&).
  template <class F>
  NodeType& recover(F handler) {
    if constexpr (std::is_invocable_v<const F&, Ref, Context&>) {
      return add_recover(Start(std::move(handler)));
    } else {
      detail::require_const<F, Ref, Context&, ConstRef>();
      return add_recover(Recover(std::move(handler)));
    }
  }

  // What the handlers interpret, where that is no part of the program: a text, or its digest. A
  // search goes on from a checkpoint only if it is the same; without it, there are no checkpoints.
  NodeType& source(std::string text);

  // Used by the engine.
  const std::shared_ptr<detail::NodeType>& declared() const { return declared_; }

 private:
  NodeType& add_start(Start handler);
  NodeType& add_on(const Type* message, On handler);
  NodeType& add_request(const Type* type, Request handler);
  NodeType& add_timer(Timer handler);
  NodeType& add_crashed(Notice handler);
  NodeType& add_restored(Notice handler);
  NodeType& add_recover(Start handler);
  NodeType& add_recover(Recover handler);

  std::shared_ptr<detail::NodeType> declared_;
};

// The state of a node, whatever its type; of a value node.
ConstRef state(const View& view, NodeId id);

// Every node (that is up) whose state is of that type: F(ConstRef).
template <class F>
Predicate each(const Type* state, F holds, Over over = Over::kAll) {
  detail::require_const<F, ConstRef>();
  return Predicate::Unary{state == nullptr ? ordeal::detail::TypeId() : state->id(), over,
                          [state, f = std::move(holds)](const void* node) {
                            return Outcome(f(ConstRef(*state, node)));
                          }};
}
// Every two different nodes of these, in order of their ids: F(ConstRef, ConstRef).
template <class F>
Predicate pairs(const Type* state, F hold, Over over = Over::kAll) {
  detail::require_const<F, ConstRef, ConstRef>();
  return Predicate::Binary{state == nullptr ? ordeal::detail::TypeId() : state->id(), over,
                           [state, f = std::move(hold)](const void* a, const void* b) {
                             return Outcome(f(ConstRef(*state, a), ConstRef(*state, b)));
                           }};
}

}  // namespace ordeal::dynamic
