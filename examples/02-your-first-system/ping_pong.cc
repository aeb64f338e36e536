// Two players. One pings, the other answers each ping with a pong; the network may deliver a
// message twice.
#include <ordeal/ordeal.h>

#include <string>

namespace {

using ordeal::Context;
using ordeal::NodeId;
using ordeal::View;

// [node]
struct Ping {
  int number;
};
struct Pong {
  int number;
};

struct Player {
  using Messages = ordeal::Types<Ping, Pong>;

  int rounds = 0;  // pings to send; 0: only answers
  int sent = 0;
  int answered = 0;
  bool careful = true;

  void start(Context& ctx) {
    if (rounds > 0) ctx.broadcast(Ping{++sent});
  }
  void on(Context& ctx, NodeId, const Ping& ping) { ctx.reply(Pong{ping.number}); }
  void on(Context& ctx, NodeId, const Pong& pong) {
    if (careful && pong.number != answered + 1) return;  // an answer that we have had
    ++answered;
    if (sent < rounds) ctx.broadcast(Ping{++sent});
  }
};
// [/node]

// [system]
ordeal::System ping_pong(int rounds, uint32_t duplicates, bool careful) {
  ordeal::System system;
  system.add<Player>(2, [=](NodeId id) {
    Player player;
    player.rounds = id == 1 ? rounds : 0;
    player.careful = careful;
    return player;
  });
  system.duplicates(duplicates);
  system.always("every answer was asked for",
                ordeal::each<Player>([](const Player& p) { return p.answered <= p.sent; }));
  system.eventually("every ping is answered", [](const View& view) {
    const Player& first = view.node<Player>(1);
    return first.answered == first.rounds;
  });
  return system;
}
// [/system]

// [suite]
ordeal::Suite suite() {
  ordeal::Suite suite;
  suite.add({.name = "ping-pong",
             .what = "one node asks, the other answers",
             .parameters = {{"rounds", "1", "pings to send", 1, 9},
                            {"duplicates", "0", "messages that may arrive twice", 0, 9}},
             .bugs = {{"count-all", "an answer that arrives twice is counted twice",
                       "every answer was asked for"}},
             .build = [](const ordeal::Arguments& args) {
               return ping_pong(args.number<int>("rounds"), args.number<uint32_t>("duplicates"),
                                !args.bug("count-all"));
             }});
  return suite;
}
// [/suite]

}  // namespace

// [main]
int main(int argc, char** argv) { return ordeal::main(argc, argv, suite()); }
// [/main]
