// Context: what a handler may do. Effects are captured, never performed: a handler is a function
// from (local state, event) to (new local state, effects), which is what makes it checkable.
//
//   void on(Context& ctx, NodeId from, const Ping& ping) {
//     ctx.reply(Pong{ping.number});
//     ctx.set_timer("idle");
//   }
//
// A Context is valid during the handler call it was passed to, and belongs to that thread.
#pragma once

#include <cstdint>
#include <functional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "ordeal/node_id.h"
#include "ordeal/value.h"

namespace ordeal {

// One captured effect, in the order in which the handler asked for it.
struct Effect {
  enum class Kind : uint8_t {
    kSend,
    kPost,
    kSetTimer,
    kCancelTimer,
    kPersist,
    kDecide,
    kInvoke,
    kReturn,
    kLog
  };
  Kind kind = Kind::kLog;
  NodeId to;           // kSend, kPost
  value::Any value;    // message, event, persisted state, decided value, operation
  std::string text;    // timer name, log line
  uint32_t after = 0;  // kSetTimer: delay, in units of virtual time
  bool idle = false;   // kSetTimer: does not keep a run alive
};

struct TimerOptions {
  uint32_t after = 0;  // only meaningful in timed systems (System::timed)
  bool idle = false;   // a periodic timer, such as a heartbeat, that does not keep a run alive
};

class Context {
 public:
  // The node this handler runs on, and the other nodes of the same type, in order.
  NodeId self() const { return self_; }
  const std::vector<NodeId>& peers() const { return *peers_; }
  // How many nodes of this node's type there are, itself included.
  int group_size() const { return static_cast<int>(peers_->size()) + 1; }
  int majority() const { return group_size() / 2 + 1; }
  // Who sent what is being handled.
  NodeId sender() const { return sender_; }

  template <Value M>
  void send(NodeId to, M message) {
    add(Effect::Kind::kSend, to, value::Any::of(std::move(message)));
  }
  template <Value M>
  void reply(M message) {
    send(sender_, std::move(message));
  }
  // To every other node of the same type; broadcast_all also to itself.
  template <Value M>
  void broadcast(const M& message) {
    const value::Any shared = value::Any::of(message);
    for (NodeId peer : *peers_) add(Effect::Kind::kSend, peer, shared);
  }
  template <Value M>
  void broadcast_all(const M& message) {
    const value::Any shared = value::Any::of(message);
    for (NodeId node : *group_) add(Effect::Kind::kSend, node, shared);
  }
  // An event that reaches `to` at some later time: never lost, duplicated or held up by a
  // partition. How a mocked component says "it has decided".
  template <Value E>
  void post(NodeId to, E event) {
    add(Effect::Kind::kPost, to, value::Any::of(std::move(event)));
  }

  // Timers are a set of names per node; setting one again replaces it.
  void set_timer(std::string name, TimerOptions options = {});
  void cancel_timer(std::string name);

  // Replaces what survives a crash. Durable at once, in effect order. D must be the node's Disk.
  template <Value D>
  void persist(D disk) {
    add(Effect::Kind::kPersist, self_, value::Any::of(std::move(disk)));
  }

  // One of 0 … n−1; every answer is explored. REQUIRES: n > 0.
  uint32_t choose(uint32_t n);

  // An output of the node that properties can see, also after the node has crashed.
  template <Value V>
  void decide(V v) {
    add(Effect::Kind::kDecide, self_, value::Any::of(std::move(v)));
  }
  // The client history: this node invokes an operation; its pending operation returns.
  template <Value Call>
  void invoke(Call call) {
    add(Effect::Kind::kInvoke, self_, value::Any::of(std::move(call)));
  }
  template <Value R>
  void returns(R result) {
    add(Effect::Kind::kReturn, self_, value::Any::of(std::move(result)));
  }

  // The same with values whose types come at run time (ordeal/dynamic.h). REQUIRES: not empty.
  void send(NodeId to, value::Any message) { give(Effect::Kind::kSend, to, std::move(message)); }
  void reply(value::Any message) { send(sender_, std::move(message)); }
  void broadcast(const value::Any& message) {
    for (NodeId peer : *peers_) send(peer, message);
  }
  void broadcast_all(const value::Any& message) {
    for (NodeId node : *group_) send(node, message);
  }
  void post(NodeId to, value::Any event) { give(Effect::Kind::kPost, to, std::move(event)); }
  void persist(value::Any disk) { give(Effect::Kind::kPersist, self_, std::move(disk)); }
  void decide(value::Any v) { give(Effect::Kind::kDecide, self_, std::move(v)); }
  void invoke(value::Any call) { give(Effect::Kind::kInvoke, self_, std::move(call)); }
  void returns(value::Any result) { give(Effect::Kind::kReturn, self_, std::move(result)); }

  // Shown in traces; no part of the state.
  void log(std::string line);

  // Used by the engine.
  struct Captured {
    std::vector<Effect> effects;
    std::vector<uint32_t> choices;  // answers given by choose
    std::vector<uint32_t> arities;  // what each was asked for
    // Where an opaque object asks in the middle of a handler: who answers. Empty for value nodes.
    std::function<uint32_t(uint32_t)> ask;
  };
  Context(NodeId self, NodeId sender, const std::vector<NodeId>& peers,
          const std::vector<NodeId>& group, Captured& captured)
      : self_(self), sender_(sender), peers_(&peers), group_(&group), captured_(&captured) {}

 private:
  void add(Effect::Kind kind, NodeId to, value::Any value);
  void give(Effect::Kind kind, NodeId to, value::Any value);  // fails where it is empty

  NodeId self_;
  NodeId sender_;
  const std::vector<NodeId>* peers_;
  const std::vector<NodeId>* group_;
  Captured* captured_;  // choices: the answers to give; grows where it runs out
  size_t next_choice_ = 0;
};

// What ORDEAL_ASSERT throws. Caught by the engine: a failed assertion is a violation with a trace.
class AssertionFailed : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};
[[noreturn]] void assertion_failed(const char* condition, const char* file, int line);

}  // namespace ordeal

#define ORDEAL_ASSERT(condition) \
  ((condition) ? (void)0 : ::ordeal::assertion_failed(#condition, __FILE__, __LINE__))
