// Like nodes of which one comes to lead, and a property that names one of them.
#pragma once

#include <string>

#include "ordeal/check.h"
#include "ordeal/system.h"

namespace ordeal::verdicts {

struct Lead {};
struct Hail {};

// Who is asked leads; the others remember whom they heard of first.
struct Server {
  using Messages = Types<Hail>;
  using Requests = Types<Lead>;
  NodeId leader;
  void request(Context& ctx, const Lead&) {
    if (leader != 0) return;
    leader = ctx.self();
    ctx.broadcast(Hail{});
    ctx.decide(ctx.self());
  }
  void on(Context&, NodeId from, const Hail&) {
    if (leader == 0) leader = from;
  }
};

inline System servers(int count) {
  System system;
  system.add<Server>(count).alike<Server>();
  for (int i = 1; i <= count; ++i) system.request(i, Lead{});
  return system;
}

// The verdict of a search of classes with its notes, or why it was refused.
inline std::string told(const System& system) {
  const auto report = check(system, {.strategy = "bfs", .symmetry = true});
  if (!report.ok()) return report.error().message;
  std::string notes = to_string(report->verdict);
  for (const std::string& note : report->notes) notes += "\n" + note;
  return notes;
}

// Leads after twenty lucky answers in a row: no sample gets there, but a search does.
struct Climber {
  using Messages = Types<>;
  int height = 0;
  NodeId leader;
  void start(Context& ctx) { ctx.set_timer("climb"); }
  void timer(Context& ctx, const std::string&) {
    height = ctx.choose(2) == 1 ? height + 1 : 0;
    if (height < 20) ctx.set_timer("climb");
    if (height == 20) leader = ctx.self();
  }
};

// A constant inside of `each` is found out, whichever it is; "": it is.
inline std::string problem_with_constants() {
  for (int node = 1; node <= 3; ++node) {
    System system = servers(3);
    system.always("not him", each<Server>([node](const Server& s) { return s.leader != node; }));
    const std::string says = told(system);
    if (says.find("\"not him\" does not treat like nodes alike") == says.npos) {
      return "a property that names node " + std::to_string(node) + " is believed: " + says;
    }
  }
  for (int node = 1; node <= 2; ++node) {
    System system;
    system.add<Climber>(2).alike<Climber>();
    system.always("not him", each<Climber>([node](const Climber& c) { return c.leader != node; }));
    const std::string says = told(system);
    if (says.find("\"not him\" does not treat like nodes alike") == says.npos) {
      return "what no sample shows of node " + std::to_string(node) + " is believed: " + says;
    }
  }
  return "";
}

}  // namespace ordeal::verdicts
