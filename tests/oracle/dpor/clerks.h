// Clients of whom one may call before or after another has its answer, and nothing else comes
// between: few random systems have two operations that can overlap.
#pragma once

#include <string>

#include "ordeal/history.h"
#include "ordeal/system.h"

namespace ordeal::oracle::desk {

struct Begin {};

// Calls when it is told to, and has its answer some time later.
struct Clerk {
  using Messages = Types<>;
  using Requests = Types<Begin>;
  bool busy = false;
  void request(Context& ctx, const Begin&) {
    busy = true;
    ctx.invoke(reg::Read{});
    ctx.set_timer("answer");
  }
  void timer(Context& ctx, const std::string&) {
    busy = false;
    ctx.returns(reg::ReadOk<char>{});
  }
};

inline System clerks() {
  System system;
  system.add<Clerk>(2);
  system.request(1, Begin{}).request(2, Begin{});
  return system;
}

}  // namespace ordeal::oracle::desk
