// A client: one request after the other, to the primary first, and to all replicas when it gets
// impatient. It believes what f + 1 replicas say, of which one at least is correct.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <variant>

#include "ordeal/node.h"
#include "protocols/byzantine/signed.h"
#include "protocols/pbft/messages.h"
#include "protocols/pbft/setup.h"

namespace ordeal::protocols::pbft {

// The operations of the client history, and what a counter does.
struct Add {
  int amount = 0;
};
struct Total {
  int total = 0;
};
struct CounterSpec {
  using State = int;
  using Call = Add;
  using Return = Total;
  State initial() const { return 0; }
  std::optional<State> step(const State& total, const Call& add, const Return* result) const {
    const int next = total + add.amount;
    if (result != nullptr && result->total != next) return std::nullopt;
    return next;
  }
};

// What client number `index` adds: 1, 10, 100, …, so that totals tell who was served.
inline int amount_of(int index) {
  int amount = 1;
  for (int i = 0; i < index; ++i) amount *= 10;
  return amount;
}

struct Client {
  using Messages = Types<Reply>;

  Setup setup;  // no part of the state

  int view = 0;    // the last that it knows of
  int number = 0;  // of the request under way; 0: all are done
  int retries = 0;
  std::map<NodeId, int> results;  // for the request under way
  ORDEAL_FIELDS(view, number, retries, results);
  ORDEAL_CONSTANTS(setup);

  void start(Context& ctx) { call(ctx, 1); }

  void on(Context& ctx, const Reply& reply) {
    const NodeId replica = reply.signature.by;
    if (!setup.is_replica(replica) || reply.client != ctx.self() || reply.number != number) return;
    if (!setup.has(Planted::kUnsigned) && !verify(reply)) return;
    results.try_emplace(replica, reply.result);
    int same = 0;
    for (const auto& [other, result] : results) same += result == reply.result ? 1 : 0;
    // Planted: the first reply will do.
    const int enough = setup.has(Planted::kAcceptsOneReply) ? 1 : setup.faults() + 1;
    if (same < enough) return;
    view = reply.view;
    ctx.returns(Total{reply.result});
    ctx.decide(Accepted{number, reply.result});
    call(ctx, number + 1);
  }

  void timer(Context& ctx, const std::string&) {
    --retries;
    for (int id = 1; id <= setup.nodes; ++id) ctx.send(id, current(ctx));
    wait(ctx);
  }

 private:
  void call(Context& ctx, int next) {
    results.clear();
    ctx.cancel_timer("retry");
    if (next > setup.requests) {
      number = 0;
      return;
    }
    number = next;
    retries = setup.retries;
    ctx.invoke(Add{current(ctx).amount});
    ctx.send(setup.primary(view), current(ctx));
    wait(ctx);
  }

  void wait(Context& ctx) const {
    if (retries > 0) ctx.set_timer("retry");
  }

  Request current(const Context& ctx) const {
    return sign(issue_key(ctx.self()),
                Request{ctx.self(), number, amount_of(ctx.self() - setup.nodes - 1)});
  }
};

}  // namespace ordeal::protocols::pbft
