// A small system for the tests of validate(): two servers, a witness, and a clock.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "ordeal/scenario.h"
#include "ordeal/system.h"

namespace ordeal::testing {

struct Ballot {
  int round = 0;
  NodeId leader = -1;
};
struct Ask {
  Ballot ballot;
  std::optional<Ballot> earlier;
};
struct Answer {
  bool yes = false;
};
struct Gone {};  // that nobody handles
struct Go {};
struct Tick {};

struct Server {
  using Messages = Types<Ask, Answer, Tick>;
  using Requests = Types<Go>;
  int answers = 0;
  void on(Context&, NodeId, const Ask&) {}
  void on(Context&, NodeId, const Answer&) { ++answers; }
  void on(Context&, NodeId, const Tick&) {}
  void request(Context&, const Go&) {}
};
struct Witness {
  using Messages = Types<Ask>;
  int seen = 0;
  void on(Context&, NodeId, const Ask&) { ++seen; }
};
struct Clock {
  int ticks = 0;
};

// Servers 1 and 2, of which 2 may crash, witness 3, and the component 'clock', 4.
inline System servers() {
  System system;
  system.add<Server>(2).add<Witness>();
  system.component<Clock>("clock");
  system.request(1, Go{}).crash({2}).recoveries(1);
  system.always("agreement", Predicate([](const View&) { return true; }));
  system.eventually("all answer", Predicate([](const View&) { return true; }));
  return system;
}

}  // namespace ordeal::testing
