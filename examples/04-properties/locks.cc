// Two locks and two clients that need both. Taking them in opposite orders, the clients wait for
// each other for ever.
#include <ordeal/ordeal.h>

#include <deque>
#include <optional>
#include <string>
#include <utility>

namespace {

using ordeal::Context;
using ordeal::NodeId;
using ordeal::View;

struct Acquire {};
struct Granted {};
struct Release {};

struct Lock {
  using Messages = ordeal::Types<Acquire, Release>;

  std::optional<NodeId> holder;
  std::deque<NodeId> waiting;

  void on(Context& ctx, NodeId from, const Acquire&) {
    waiting.push_back(from);
    grant(ctx);
  }
  void on(Context& ctx, NodeId, const Release&) {
    holder.reset();
    grant(ctx);
  }
  void grant(Context& ctx) {
    if (holder || waiting.empty()) return;
    holder = waiting.front();
    waiting.pop_front();
    ctx.send(*holder, Granted{});
  }
};

struct Client {
  using Messages = ordeal::Types<Granted>;

  NodeId first;
  NodeId second;
  int held = 0;
  bool done = false;

  void start(Context& ctx) { ctx.send(first, Acquire{}); }
  void on(Context& ctx, NodeId, const Granted&) {
    if (++held == 1) ctx.send(second, Acquire{});
    // With both, the work is done when the client finds the time for it.
    if (held == 2) ctx.set_timer("work");
  }
  void timer(Context& ctx, const std::string&) {
    held = 0;
    done = true;
    ctx.send(first, Release{});
    ctx.send(second, Release{});
  }
};

ordeal::System locks(bool opposite) {
  ordeal::System system;
  system.add<Lock>(2);
  system.add<Client>(2, [=](NodeId id) {
    Client client{1, 2};
    if (opposite && id == 4) std::swap(client.first, client.second);
    return client;
  });
  // [properties]
  system.always("one at work", ordeal::pairs<Client>([](const Client& a, const Client& b) {
                  return a.held < 2 || b.held < 2;
                }));
  system.sometimes("somebody waits",
                   [](const View& view) { return !view.node<Lock>(1).waiting.empty(); });
  system.no_deadlock(
      [](const View& view) { return !view.node<Lock>(1).holder && !view.node<Lock>(2).holder; });
  system.eventually("all are done", ordeal::each<Client>([](const Client& c) { return c.done; }));
  // [/properties]
  return system;
}

ordeal::Suite suite() {
  ordeal::Suite suite;
  suite.add({.name = "locks",
             .what = "two clients that need the same two locks",
             .bugs = {{"opposite", "one client takes them the other way round", "no deadlock"}},
             .build = [](const ordeal::Arguments& args) { return locks(args.bug("opposite")); }});
  return suite;
}

}  // namespace

int main(int argc, char** argv) { return ordeal::main(argc, argv, suite()); }
