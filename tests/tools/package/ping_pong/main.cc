// The example of the README, built outside the tree against the installed package.
// [program]
#include <ordeal/ordeal.h>

#include <iostream>

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

int main() {
  ordeal::System system;
  system.add<Player>(2).crash({2});
  system.always("one pong", ordeal::each<Player>([](const Player& p) { return p.pongs <= 1; }));
  const auto report = ordeal::check(system, {.system = "ping-pong"});
  std::cout << ordeal::to_text(*report);
  return report->verdict == ordeal::Verdict::kHolds ? 0 : 1;
}
// [/program]
