// A handler that goes through competes with more than one that fails: what it would have done to
// others is not done then. Few random systems depend on this; here is one that does.
#pragma once

#include <stdexcept>

#include "ordeal/system.h"

namespace ordeal::oracle::kitchen {

struct Spoil {
  int n = 0;
};
struct Note {};
struct Order {};

// Rings the bell when an order arrives, unless it was spoilt before.
struct Kitchen {
  using Messages = Types<Order>;
  using Requests = Types<Spoil>;
  NodeId bell;
  int spoilt = 0;
  void start(Context& ctx) { ctx.send(ctx.self(), Order{}); }
  void request(Context&, const Spoil& spoil) { spoilt = 2 * spoilt + spoil.n; }
  void on(Context& ctx, const Order&) {
    if (spoilt > 1) throw std::runtime_error("spoilt");
    ctx.send(bell, Note{});
  }
};

// Goes off by itself, which is a mistake before anybody has rung it.
struct Bell {
  using Messages = Types<Note>;
  bool rung = false;
  void start(Context& ctx) { ctx.set_timer("late"); }
  void on(Context&, const Note&) { rung = true; }
  void timer(Context&, const std::string&) {
    if (!rung) throw std::runtime_error("nobody rang");
  }
};

inline System spoilt() {
  System system;
  system.add<Kitchen>(1, [](NodeId) { return Kitchen{.bell = NodeId(2), .spoilt = 0}; });
  system.component("bell", Bell());
  system.request(1, Spoil{2}).request(1, Spoil{1});
  system.drops(1).duplicates(1);
  return system;
}

}  // namespace ordeal::oracle::kitchen
