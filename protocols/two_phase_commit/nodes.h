// Two-phase commit as nodes that exchange messages. Resource managers are nodes 1 … n, the
// transaction manager is node n + 1.
//
// What happens "some time" in the model is a timer here: a working manager's "vote" fires when it
// has done its work, and it then chooses between preparing and aborting; the transaction manager's
// "commit" fires when it knows all votes, its "give up" when it has waited long enough for them. By
// default messages are a set that only grows, as in the model: the two forms then have the same
// states. A transaction manager that crashes leaves prepared managers blocked, as the protocol
// does: for ever silent, or, where they vote again and again, for ever asking.
#pragma once

#include <set>
#include <string>

#include "ordeal/node.h"
#include "protocols/two_phase_commit/model.h"

namespace ordeal::protocols::two_phase_commit {

struct Prepared {};
struct Commit {};
struct Abort {};

enum class Decision : uint8_t { kCommit, kAbort };

struct ResourceManager {
  using Messages = Types<Commit, Abort>;

  // The same for all managers, and no part of the state.
  NodeId transaction_manager;
  bool votes_again = false;  // until it hears what was decided
  Planted bug = Planted::kNone;

  Manager state = Manager::kWorking;
  ORDEAL_FIELDS(state);
  ORDEAL_CONSTANTS(transaction_manager, votes_again, bug);

  void start(Context& ctx) { ctx.set_timer("vote"); }

  void timer(Context& ctx, const std::string&) {
    if (state == Manager::kWorking && ctx.choose(2) == 0) {
      state = Manager::kPrepared;
      ctx.send(transaction_manager, Prepared{});
      // Planted: a prepared manager that has waited long enough aborts on its own after all.
      if (bug == Planted::kChangeMind || votes_again) ctx.set_timer("vote");
      return;
    }
    if (state == Manager::kPrepared && bug != Planted::kChangeMind) {
      ctx.send(transaction_manager, Prepared{});
      ctx.set_timer("vote");
      return;
    }
    finish(ctx, Manager::kAborted);
  }

  void on(Context& ctx, const Commit&) { finish(ctx, Manager::kCommitted); }
  void on(Context& ctx, const Abort&) { finish(ctx, Manager::kAborted); }

 private:
  // Committing and aborting are decisions: they stay visible when the manager crashes.
  void finish(Context& ctx, Manager outcome) {
    if (state == outcome) return;
    state = outcome;
    ctx.cancel_timer("vote");
    ctx.decide(outcome == Manager::kCommitted ? Decision::kCommit : Decision::kAbort);
  }
};

struct TransactionManager {
  using Messages = Types<Prepared>;

  // No part of the state.
  int managers = 0;
  bool votes_again = false;  // the managers do
  Planted bug = Planted::kNone;

  Transaction state = Transaction::kInit;
  std::set<NodeId> prepared;
  ORDEAL_FIELDS(state, prepared);
  ORDEAL_CONSTANTS(managers, votes_again, bug);

  void start(Context& ctx) { ctx.set_timer("give up"); }

  void timer(Context& ctx, const std::string& name) {
    // Planted: it never gives up waiting for votes.
    if (name == "give up" && bug == Planted::kWaitForEver) return ctx.set_timer("give up");
    ctx.cancel_timer("commit");
    ctx.cancel_timer("give up");
    if (name == "commit") {
      state = Transaction::kCommitted;
      tell(ctx, Commit{});
    } else {
      state = Transaction::kAborted;
      tell(ctx, Abort{});
    }
  }

  void on(Context& ctx, NodeId from, const Prepared&) {
    // A vote that comes when all is decided asks what.
    if (state == Transaction::kCommitted && votes_again) ctx.reply(Commit{});
    if (state == Transaction::kAborted && votes_again) ctx.reply(Abort{});
    if (state != Transaction::kInit) return;
    prepared.insert(from);
    // Planted: commits although one manager is not known to be prepared.
    const int needed = managers - (bug == Planted::kCommitEarly ? 1 : 0);
    if (static_cast<int>(prepared.size()) >= needed) ctx.set_timer("commit");
  }

 private:
  template <class M>
  void tell(Context& ctx, const M& message) {
    for (int id = 1; id <= managers; ++id) ctx.send(id, message);
  }
};

}  // namespace ordeal::protocols::two_phase_commit
