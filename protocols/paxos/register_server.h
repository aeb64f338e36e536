// Single-decree Paxos behind a register: the form whose state count is published. Clients put
// values to different servers; each server that gets a Put becomes a proposer with one ballot. One
// value is chosen; its client alone gets a PutOk, and from then on every Get returns that value.
#pragma once

#include <compare>
#include <map>
#include <optional>
#include <set>

#include "ordeal/node.h"
#include "protocols/paxos/planted.h"
#include "protocols/register/client.h"

namespace ordeal::protocols::paxos {

struct Ballot {
  int number = 0;
  NodeId server = 0;
  friend auto operator<=>(const Ballot& a, const Ballot& b) = default;
};

struct Proposal {
  int request = 0;
  NodeId requester;
  char value = '\0';
};

struct AcceptedProposal {
  Ballot ballot;
  Proposal proposal;
};

struct Prepare {
  Ballot ballot;
};
struct Prepared {
  Ballot ballot;
  std::optional<AcceptedProposal> last;
};
struct Accept {
  Ballot ballot;
  Proposal proposal;
};
struct Accepted {
  Ballot ballot;
};
struct Decided {
  Ballot ballot;
  Proposal proposal;
};

// What a server must not forget: its promise, and what it accepted.
struct Durable {
  Ballot ballot;
  std::optional<AcceptedProposal> accepted;
  bool decided = false;
};

struct Server {
  using Messages = Types<Put, Get, Prepare, Prepared, Accept, Accepted, Decided>;
  using Disk = Durable;

  // The same for all servers, and no part of the state.
  Planted bug = Planted::kNone;
  bool recovers = false;  // crashed servers come back: write to disk what must not be forgotten

  Ballot ballot;
  std::optional<Proposal> proposal;
  std::map<NodeId, std::optional<AcceptedProposal>> prepares;
  std::set<NodeId> accepts;
  std::optional<AcceptedProposal> accepted;
  bool decided = false;
  ORDEAL_FIELDS(ballot, proposal, prepares, accepts, accepted, decided);
  ORDEAL_CONSTANTS(bug, recovers);

  void on(Context& ctx, NodeId from, const Put& put) {
    if (decided || proposal) return;
    ballot = {ballot.number + 1, ctx.self()};
    proposal = Proposal{put.request, from, put.value};
    prepares = {{ctx.self(), accepted}};
    accepts.clear();
    keep(ctx);
    ctx.broadcast(Prepare{ballot});
    if (ctx.majority() == 1) propose(ctx);
  }

  void on(Context& ctx, const Get& get) {
    // Planted: without a decision, what this server has accepted is returned, if anything.
    if (!decided && bug != Planted::kReadUndecided) return;
    ctx.reply(GetOk{get.request, accepted ? Content(accepted->proposal.value) : std::nullopt});
  }

  void on(Context& ctx, const Prepare& prepare) {
    if (decided || prepare.ballot <= ballot) return;
    ballot = prepare.ballot;
    keep(ctx);
    ctx.reply(Prepared{prepare.ballot, accepted});
  }

  void on(Context& ctx, NodeId from, const Prepared& prepared) {
    // A server that came back has forgotten its proposal, and with it its ballot.
    if (decided || prepared.ballot != ballot || !proposal) return;
    prepares[from] = prepared.last;
    if (static_cast<int>(prepares.size()) == ctx.majority()) propose(ctx);
  }

  void on(Context& ctx, const Accept& accept) {
    // Planted: the promise not to accept lower ballots is forgotten.
    const bool promised_more = accept.ballot < ballot && bug != Planted::kForgetPromise;
    if (decided || promised_more) return;
    ballot = accept.ballot;
    accepted = AcceptedProposal{accept.ballot, accept.proposal};
    keep(ctx);
    ctx.reply(Accepted{accept.ballot});
  }

  void on(Context& ctx, NodeId from, const Accepted& accept) {
    if (decided || accept.ballot != ballot || !proposal) return;
    accepts.insert(from);
    if (static_cast<int>(accepts.size()) == quorum(ctx)) choose(ctx);
  }

  void on(Context& ctx, const Decided& decision) {
    if (decided) return;
    ballot = decision.ballot;
    accepted = AcceptedProposal{decision.ballot, decision.proposal};
    decided = true;
    keep(ctx);
  }

  void recover(Context&, const Durable& disk) {
    ballot = disk.ballot;
    accepted = disk.accepted;
    decided = disk.decided;
  }

 private:
  void propose(Context& ctx) {
    const AcceptedProposal* highest = nullptr;
    for (const auto& [server, last] : prepares) {
      if (!last) continue;
      // Planted: of several accepted proposals any will do, not only that of the highest ballot.
      const bool better =
          highest == nullptr || (last->ballot > highest->ballot && bug != Planted::kAdoptAny);
      if (better) highest = &*last;
    }
    // Planted: what others have accepted, and maybe chosen, does not matter.
    if (highest != nullptr && bug != Planted::kIgnoreAccepted) proposal = highest->proposal;
    accepted = AcceptedProposal{ballot, *proposal};
    accepts.insert(ctx.self());
    keep(ctx);
    ctx.broadcast(Accept{ballot, *proposal});
    if (quorum(ctx) <= 1) choose(ctx);
  }

  int quorum(const Context& ctx) const {
    // Planted: one vote less than a majority decides, which is a server's own of three.
    return ctx.majority() - (bug == Planted::kSmallQuorum ? 1 : 0);
  }

  void choose(Context& ctx) {
    decided = true;
    keep(ctx);
    ctx.broadcast(Decided{ballot, *proposal});
    ctx.send(proposal->requester, PutOk{proposal->request});
  }

  void keep(Context& ctx) {
    // Planted: the promise is kept in memory only.
    const Ballot kept = bug == Planted::kVolatilePromise ? Ballot{} : ballot;
    if (recovers) ctx.persist(Durable{kept, accepted, decided});
  }
};

}  // namespace ordeal::protocols::paxos
