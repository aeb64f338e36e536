// Nodes: plain structs with handlers. All handlers are optional; the engine finds those that exist.
//
//   struct Server {
//     using Messages = ordeal::Types<Prepare, Accept>;  // what `on` handles
//     using Requests = ordeal::Types<Propose>;          // what `request` handles
//     using Disk = Ballot;                              // what `persist` keeps
//
//     Ballot ballot;                                    // the state: any described fields
//
//     void start(Context& ctx);                             // once, before the first action
//     void on(Context& ctx, NodeId from, const Prepare& m); // one per message type
//     void on(Context& ctx, NodeId from, const Accept& m);
//     void request(Context& ctx, const Propose& p);         // a client request
//     void timer(Context& ctx, const std::string& name);
//     void crashed(Context& ctx, NodeId who);               // the failure detector reports
//     void restored(Context& ctx, NodeId who);              // … or takes it back
//     void recover(Context& ctx, const Ballot& disk);       // after a crash, on a fresh node
//   };
//
// A function of one of these names that the engine cannot call so is refused by the compiler, and
// so is an `on` or a `request` for a type that is not listed.
//
// A *value node* is a struct that the value layer can describe: its states are interned, its
// handler calls remembered, and it can be searched statefully. An *opaque node* is any other class
// behind a factory: it is re-executed in worker processes, and only run-based strategies fit. An
// opaque class may offer `std::string show() const` (its state, for people) and
// `uint64_t digest() const` (its state, for telling runs apart).
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "ordeal/context.h"
#include "ordeal/detail/handlers.h"
#include "ordeal/node_id.h"
#include "ordeal/value.h"

namespace ordeal {

namespace detail {

// The handlers of one node type, type-erased. `node` points to an object of that type.
struct NodeType {
  struct Handler {
    const value::Type* type;
    std::function<void(void* node, Context& ctx, NodeId from, const void* payload)> call;
  };
  TypeId id;                          // of its states
  std::string name;                   // for people
  const value::Type* type = nullptr;  // null: opaque
  const value::Type* disk = nullptr;  // null: the node has no Disk
  std::vector<Handler> messages;
  std::vector<Handler> requests;
  std::function<void(void* node, Context& ctx)> start;
  std::function<void(void* node, Context& ctx, const std::string& name)> timer;
  std::function<void(void* node, Context& ctx, NodeId who)> crashed;
  std::function<void(void* node, Context& ctx, NodeId who)> restored;
  std::function<void(void* node, Context& ctx, const value::Any& disk)> recover;
  void (*destroy)(void* node) = nullptr;            // opaque only
  std::string (*show)(const void* node) = nullptr;  // opaque only
  uint64_t (*digest)(const void* node) = nullptr;   // opaque only
  bool made = false;  // at run time (ordeal/dynamic_node.h): one of a kind, whatever its states are
  std::string slip;   // … and what is wrong with it; "": nothing
  std::string source;       // … and what its handlers interpret
  bool reads_disk = false;  // … and its `recover` is given what was persisted
};

// Whether their nodes are of one kind: peers of each other.
inline bool same_kind(const NodeType& a, const NodeType& b) {
  return &a == &b || (!a.made && !b.made && a.id == b.id);
}

template <class T, class M>
void call_on(void* node, Context& ctx, NodeId from, const void* payload) {
  T& self = *static_cast<T*>(node);
  const M& message = *static_cast<const M*>(payload);
  if constexpr (requires { self.on(ctx, from, message); }) {
    self.on(ctx, from, message);
  } else {
    static_assert(
        requires { self.on(ctx, message); },
        "a type in Messages needs a handler: void on(Context&, NodeId from, const M&)");
    self.on(ctx, message);
  }
}

template <class T, class R>
void call_request(void* node, Context& ctx, NodeId, const void* payload) {
  static_cast<T*>(node)->request(ctx, *static_cast<const R*>(payload));
}

template <class T, class... M>
void add_messages(NodeType& out, Types<M...>) {
  (out.messages.push_back({&value::type_of<M>(), &call_on<T, M>}), ...);
}
template <class T, class... R>
void add_requests(NodeType& out, Types<R...>) {
  (out.requests.push_back({&value::type_of<R>(), &call_request<T, R>}), ...);
}

template <class T>
NodeType make_node_type(bool opaque) {
  check_handlers<T>();
  NodeType out;
  out.name = value::type_name<T>();
  out.id = type_id<T>();
  if constexpr (requires { typename T::Messages; }) add_messages<T>(out, typename T::Messages{});
  if constexpr (requires { typename T::Requests; }) add_requests<T>(out, typename T::Requests{});
  if constexpr (requires(T t, Context & c) { t.start(c); }) {
    out.start = [](void* node, Context& ctx) { static_cast<T*>(node)->start(ctx); };
  }
  if constexpr (requires(T t, Context & c, const std::string& n) { t.timer(c, n); }) {
    out.timer = [](void* node, Context& ctx, const std::string& name) {
      static_cast<T*>(node)->timer(ctx, name);
    };
  }
  if constexpr (requires(T t, Context & c, NodeId n) { t.crashed(c, n); }) {
    out.crashed = [](void* node, Context& ctx, NodeId who) {
      static_cast<T*>(node)->crashed(ctx, who);
    };
  }
  if constexpr (requires(T t, Context & c, NodeId n) { t.restored(c, n); }) {
    out.restored = [](void* node, Context& ctx, NodeId who) {
      static_cast<T*>(node)->restored(ctx, who);
    };
  }
  if constexpr (requires { typename T::Disk; }) {
    using Disk = typename T::Disk;
    out.disk = &value::type_of<Disk>();
    if constexpr (requires(T t, Context & c, const Disk& d) { t.recover(c, d); }) {
      out.recover = [](void* node, Context& ctx, const value::Any& disk) {
        // A node that crashes before its first persist recovers from an empty disk.
        if (const Disk* content = disk.try_get<Disk>()) {
          static_cast<T*>(node)->recover(ctx, *content);
        } else {
          static_cast<T*>(node)->recover(ctx, Disk{});
        }
      };
    }
  }
  if constexpr (
      !requires { typename T::Disk; } && requires(T t, Context & c) { t.recover(c); }) {
    out.recover = [](void* node, Context& ctx, const value::Any&) {
      static_cast<T*>(node)->recover(ctx);
    };
  }
  if (opaque) {
    out.destroy = [](void* node) { delete static_cast<T*>(node); };
    if constexpr (requires(const T t) {
                    { t.show() } -> std::convertible_to<std::string>;
                  }) {
      out.show = [](const void* node) -> std::string {
        return static_cast<const T*>(node)->show();
      };
    }
    if constexpr (requires(const T t) {
                    { t.digest() } -> std::convertible_to<uint64_t>;
                  }) {
      out.digest = [](const void* node) -> uint64_t {
        return static_cast<const T*>(node)->digest();
      };
    }
  }
  return out;
}

using SharedNodeType = std::shared_ptr<const NodeType>;

template <class T>
const SharedNodeType& value_node_type() {
  static const SharedNodeType type = [] {
    NodeType out = make_node_type<T>(false);
    out.type = &value::type_of<T>();
    return std::make_shared<const NodeType>(std::move(out));
  }();
  return type;
}

template <class T>
const SharedNodeType& opaque_node_type() {
  static const SharedNodeType type = std::make_shared<const NodeType>(make_node_type<T>(true));
  return type;
}

}  // namespace detail
}  // namespace ordeal
