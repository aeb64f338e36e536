// A client of a Raft cluster: does what its plan says, one thing after the other, numbers it, and
// asks again elsewhere where it is sent away or gets no answer. Writes and reads are its history.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "ordeal/node.h"
#include "protocols/raft/ticks.h"
#include "protocols/raft/types.h"

namespace ordeal::protocols::raft {

struct Client {
  using Messages = Types<Answer>;

  // No part of the state.
  std::vector<Wish> plan;
  int servers = 3;
  NodeId first = 1;  // the server that it asks first
  bool timed = false;
  uint32_t patience = 2;  // how often it asks again, for everything together

  uint32_t number = 0;  // of what is under way, from 1; beyond the plan: nothing
  uint32_t again = 0;   // how often it has asked again
  NodeId asked = 0;
  ORDEAL_FIELDS(number, again, asked);
  ORDEAL_CONSTANTS(plan, servers, first, timed, patience);

  void start(Context& ctx) {
    asked = first;
    next(ctx);
  }

  void on(Context& ctx, NodeId, const Answer& answer) {
    if (answer.number != number) return;
    if (!answer.done) {
      ask_again(ctx, answer.leader != 0 ? answer.leader : next_server());
      return;
    }
    if (std::holds_alternative<Write>(wish())) ctx.returns(reg::WriteOk{});
    if (std::holds_alternative<Read>(wish())) ctx.returns(reg::ReadOk<Content>{answer.value});
    ctx.cancel_timer("retry");
    next(ctx);
  }

  void timer(Context& ctx, const std::string&) { ask_again(ctx, next_server()); }

 private:
  const Wish& wish() const { return plan[number - 1]; }
  NodeId next_server() const { return asked % servers + 1; }

  void next(Context& ctx) {
    if (++number > plan.size()) return;
    if (const Write* write = std::get_if<Write>(&wish())) {
      ctx.invoke(reg::Write<Content>{write->value});
    }
    if (std::holds_alternative<Read>(wish())) ctx.invoke(reg::Read{});
    ask(ctx);
  }

  void ask_again(Context& ctx, NodeId whom) {
    if (again == patience) return;
    ++again;
    asked = whom;
    ask(ctx);
  }

  void ask(Context& ctx) {
    ctx.send(asked, Submit{number, wish()});
    // Without time it keeps no run alive: where nothing gets lost, an answer will come.
    if (again < patience) ctx.set_timer("retry", {.after = kRetryTicks, .idle = !timed});
  }
};

}  // namespace ordeal::protocols::raft
