#include "ordeal/dynamic_node.h"

#include <algorithm>

#include "ordeal/system.h"

namespace ordeal::dynamic {
namespace {

// The first slip is told.
void note(detail::NodeType& type, const std::string& what) {
  if (type.slip.empty()) type.slip = "the node type " + type.name + " " + what;
}

template <class Made, class Handler>
bool is_new(detail::NodeType& type, const Made& known, const Handler& handler,
            const std::string& name) {
  if (known) note(type, "has two handlers `" + name + "`");
  if (!handler) note(type, "has a handler `" + name + "` that is empty");
  return handler && type.type != nullptr;
}

template <class Handler>
bool is_new(detail::NodeType& type, const std::vector<detail::NodeType::Handler>& known,
            const Type* handled, const Handler& handler, const std::string& name) {
  if (handled == nullptr) {
    note(type, "has a handler `" + name + "` for a type that is null");
    return false;
  }
  const std::string full = "`" + name + "` for " + handled->full_name();
  const bool twice = std::any_of(known.begin(), known.end(),
                                 [&](const auto& other) { return other.type->same_as(*handled); });
  if (twice) note(type, "has two handlers " + full);
  if (!handler) note(type, "has a handler " + full + " that is empty");
  return handler && !twice && type.type != nullptr;
}

}  // namespace

NodeType::NodeType(std::string name, const Type* state)
    : declared_(std::make_shared<detail::NodeType>()) {
  declared_->made = true;
  declared_->name = std::move(name);
  declared_->type = state;
  if (declared_->name.empty()) {
    declared_->slip = "a node type has no name";
  } else if (state == nullptr) {
    note(*declared_, "has no type for its state");
  } else {
    declared_->id = state->id();
  }
}

NodeType& NodeType::add_start(Start handler) {
  if (!is_new(*declared_, declared_->start, handler, "start")) return *this;
  declared_->start = [state = declared_->type, handler = std::move(handler)](
                         void* node, Context& ctx) { handler(Ref(*state, node), ctx); };
  return *this;
}

NodeType& NodeType::add_on(const Type* message, On handler) {
  if (!is_new(*declared_, declared_->messages, message, handler, "on")) return *this;
  declared_->messages.push_back(
      {message, [state = declared_->type, message, handler = std::move(handler)](
                    void* node, Context& ctx, NodeId from, const void* payload) {
         handler(Ref(*state, node), ctx, from, ConstRef(*message, payload));
       }});
  return *this;
}

NodeType& NodeType::add_request(const Type* type, Request handler) {
  if (!is_new(*declared_, declared_->requests, type, handler, "request")) return *this;
  declared_->requests.push_back(
      {type, [state = declared_->type, type, handler = std::move(handler)](
                 void* node, Context& ctx, NodeId, const void* payload) {
         handler(Ref(*state, node), ctx, ConstRef(*type, payload));
       }});
  return *this;
}

NodeType& NodeType::add_timer(Timer handler) {
  if (!is_new(*declared_, declared_->timer, handler, "timer")) return *this;
  declared_->timer = [state = declared_->type, handler = std::move(handler)](
                         void* node, Context& ctx, const std::string& name) {
    handler(Ref(*state, node), ctx, name);
  };
  return *this;
}

NodeType& NodeType::add_crashed(Notice handler) {
  if (!is_new(*declared_, declared_->crashed, handler, "crashed")) return *this;
  declared_->crashed = [state = declared_->type, handler = std::move(handler)](
                           void* node, Context& ctx, NodeId who) {
    handler(Ref(*state, node), ctx, who);
  };
  return *this;
}

NodeType& NodeType::add_restored(Notice handler) {
  if (!is_new(*declared_, declared_->restored, handler, "restored")) return *this;
  declared_->restored = [state = declared_->type, handler = std::move(handler)](
                            void* node, Context& ctx, NodeId who) {
    handler(Ref(*state, node), ctx, who);
  };
  return *this;
}

NodeType& NodeType::disk(const Type* type) {
  if (type == nullptr) note(*declared_, "has a disk whose type is null");
  if (declared_->disk != nullptr) note(*declared_, "has two disks");
  declared_->disk = type;
  return *this;
}

NodeType& NodeType::source(std::string text) {
  declared_->source = std::move(text);
  return *this;
}

NodeType& NodeType::add_recover(Start handler) {
  if (!is_new(*declared_, declared_->recover, handler, "recover")) return *this;
  declared_->recover = [declared = declared_.get(), handler = std::move(handler)](
                           void* node, Context& ctx, const value::Any&) {
    handler(Ref(*declared->type, node), ctx);
  };
  return *this;
}

NodeType& NodeType::add_recover(Recover handler) {
  if (!is_new(*declared_, declared_->recover, handler, "recover")) return *this;
  declared_->reads_disk = true;
  declared_->recover = [declared = declared_.get(), handler = std::move(handler)](
                           void* node, Context& ctx, const value::Any& disk) {
    ORDEAL_ASSERT(declared->disk != nullptr);
    if (!disk.empty()) return handler(Ref(*declared->type, node), ctx, ConstRef(disk));
    // A node that crashes before its first persist recovers from an empty disk.
    const Value fresh(declared->disk);
    handler(Ref(*declared->type, node), ctx, fresh);
  };
  return *this;
}

ConstRef state(const View& view, NodeId id) {
  const View::Slot& slot = view.slot(id);
  if (slot.state == nullptr) {
    throw AssertionFailed("a property asked for the state of node " + std::to_string(id.value) +
                          ", which is an opaque object");
  }
  return {*slot.state, slot.data};
}

}  // namespace ordeal::dynamic

namespace ordeal {
namespace {

// What is no state of its nodes is never taken for one.
value::Any checked_state(const detail::NodeType& type, value::Any made) {
  if (type.type == nullptr || (!made.empty() && made.type()->same_as(*type.type))) return made;
  throw AssertionFailed("it makes " + (made.empty() ? "nothing" : "a " + made.type()->full_name()) +
                        ", and the state of a " + type.name + " is a " + type.type->full_name());
}

}  // namespace

System& System::add_made(const dynamic::NodeType& type, int count,
                         std::function<value::Any(NodeId)> make) {
  const std::shared_ptr<detail::NodeType>& declared = type.declared();
  return add_nodes(count, {declared,
                           [declared, make = std::move(make)](NodeId id) {
                             return checked_state(*declared, make(id));
                           },
                           nullptr, false, ""});
}

System& System::add(const dynamic::NodeType& type, int count) {
  const value::Type* state = type.declared()->type;
  return add_made(type, count, [state](NodeId) {
    return state == nullptr ? value::Any() : dynamic::Value(state).any();
  });
}

NodeId System::component(std::string name, const dynamic::NodeType& type, value::Any initial) {
  const std::shared_ptr<detail::NodeType>& declared = type.declared();
  return add_component({declared,
                        [declared, initial = std::move(initial)](NodeId) {
                          return checked_state(*declared, initial);
                        },
                        nullptr, true, std::move(name)});
}

System& System::alike(const dynamic::NodeType& type) {
  return add_alike({type.declared()->id, type.declared()});
}

}  // namespace ordeal
