// Nodes that keep something where no value does, each in another place.
#pragma once

#include <string>

#include "ordeal/check.h"
#include "ordeal/system.h"

namespace ordeal::verdicts {

struct Coin {
  int worth = 1;
  int spent = 0;  // no part of the value
  ORDEAL_FIELDS(worth);
  ORDEAL_CONSTANTS(spent);
};

enum class Kept { kNowhere, kInTheNode, kInAMessage, kOnDisk, kInAStatic };

// Passes a coin on and decides when it has seen it twice, if it can count.
struct Keeper {
  using Messages = Types<Coin>;
  using Disk = Coin;
  Kept where = Kept::kNowhere;
  int seen = 0;
  int own = 0;  // no part of the value, and no constant either
  ORDEAL_FIELDS(where, seen);
  ORDEAL_CONSTANTS(own);
  static inline int shared = 0;

  void start(Context& ctx) {
    if (ctx.self() == 1) ctx.send(2, Coin{});
  }
  void recover(Context& ctx, const Coin& disk) {
    own = disk.spent;
    if (own >= 2) ctx.decide(own);
    ctx.send(ctx.self() == 1 ? 2 : 1, disk);
  }
  void on(Context& ctx, const Coin& coin) {
    Coin next = coin;
    int count = 0;
    switch (where) {
      case Kept::kNowhere:
        break;
      case Kept::kInTheNode:
        count = ++own;
        break;
      case Kept::kInAMessage:
        count = ++next.spent;
        break;
      case Kept::kOnDisk:
        next.spent = ++own;
        ctx.persist(next);
        break;
      case Kept::kInAStatic:
        count = ++shared % 4;
        break;
    }
    if (count == 3) seen = 1;
    if (seen == 0) ctx.send(ctx.self() == 1 ? 2 : 1, next);
  }
};

inline System keepers(Kept where) {
  System system;
  system.add<Keeper>(2, [where](NodeId) {
    Keeper keeper;
    keeper.where = where;
    return keeper;
  });
  if (where == Kept::kOnDisk) system.crash({1, 2}).recoveries(2);
  system.always("it goes on", each<Keeper>([](const Keeper& k) { return k.seen == 0; }));
  return system;
}

// "": no check says that such a system holds.
inline std::string problem_with_keepers() {
  for (const Kept where : {Kept::kInTheNode, Kept::kInAMessage, Kept::kOnDisk, Kept::kInAStatic}) {
    for (const std::string strategy : {"bfs", "dfs", "dpor", "prefix", "random"}) {
      const auto report = check(
          keepers(where), {.strategy = strategy, .threads = 1, .max_depth = 20, .max_runs = 50});
      if (!report.ok() || report->verdict == Verdict::kViolated) continue;
      return strategy + " loses what is kept (" + std::to_string(static_cast<int>(where)) + ")";
    }
  }
  return "";
}

}  // namespace ordeal::verdicts
