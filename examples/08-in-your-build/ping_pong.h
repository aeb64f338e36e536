// The system under test.
#pragma once

#include <ordeal/ordeal.h>

struct Ping {};
struct Pong {};

struct Player {
  using Messages = ordeal::Types<Ping, Pong>;

  int pongs = 0;

  void start(ordeal::Context& ctx) {
    if (ctx.self() == 1) ctx.broadcast(Ping{});
  }
  void on(ordeal::Context& ctx, ordeal::NodeId, const Ping&) { ctx.reply(Pong{}); }
  void on(ordeal::Context&, ordeal::NodeId, const Pong&) { ++pongs; }
};

inline ordeal::System ping_pong(uint32_t duplicates) {
  ordeal::System system;
  system.add<Player>(2).duplicates(duplicates);
  system.always("one pong", ordeal::each<Player>([](const Player& p) { return p.pongs <= 1; }));
  return system;
}
