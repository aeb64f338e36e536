// A small suite to serve: a ring of nodes, with a bug that is violated and one that throws.
#pragma once

#include <stdexcept>

#include "ordeal/suite.h"
#include "ordeal/system.h"

namespace ordeal::serve {

struct Token {
  int hops = 0;
};

// Every node greets all others, who answer until it is enough.
struct Ring {
  using Messages = Types<Token>;
  int seen = 0;
  bool fails = false;

  void start(Context& ctx) { ctx.broadcast(Token{1}); }
  void on(Context& ctx, NodeId from, const Token& token) {
    if (fails && token.hops == 2) throw std::runtime_error("two <script>hops</script>");
    seen += token.hops;
    if (token.hops < 3) ctx.send(from, Token{token.hops + 1});
  }
};

inline System ring(int nodes, bool few, bool fails) {
  System system;
  system.add<Ring>(nodes, [fails](NodeId) { return Ring{.fails = fails}; });
  if (few) {
    system.always("few", [](const View& view) -> Outcome {
      if (view.node<Ring>(1).seen < 2) return true;
      return violated("it has seen <b>two</b>").node(1);
    });
  }
  system.sometimes("begun", [](const View& view) { return view.node<Ring>(1).seen > 0; });
  return system;
}

// Nobody knocks.
struct Idle {
  using Messages = Types<Token>;
  void on(Context&, NodeId, const Token&) {}
};

inline const Suite& suite() {
  static const Suite all = [] {
    Suite made;
    made.add({.name = "ring",
              .what = "a ring",
              .parameters = {{"nodes", "2", "how many", 2, 6}},
              .bugs = {{"few", "two are too many", "few"}, {"fails", "it throws", ""}},
              .build = [](const Arguments& args) {
                return ring(static_cast<int>(args.number("nodes")), args.bug("few"),
                            args.bug("fails"));
              }});
    made.add({.name = "idle", .what = "nothing happens", .build = [](const Arguments&) {
                System system;
                system.add<Idle>(2);
                return system;
              }});
    made.add(SuiteScenario{.name = "calm",
                           .subject = "ring",
                           .parameters = {{"nodes", "2"}},
                           .catches = "few",
                           .make = [](const Arguments&) {
                             return Scenario("calm").what("nothing special").iterations(5);
                           }});
    return made;
  }();
  return all;
}

}  // namespace ordeal::serve
