#include "protocols/pbft/traitor.h"

#include <utility>

namespace ordeal::protocols::pbft {
namespace {

constexpr int kWrongResult = -1;
constexpr int kFarAway = 1'000;  // beyond every watermark

Service wrong_service() { return {kWrongResult, {}}; }

}  // namespace

template <class M>
void Traitor::tell_all(Context& ctx, const M& message) const {
  for (int id = 1; id <= setup.nodes; ++id) {
    if (ctx.self() != id) ctx.send(id, message);
  }
}

// Withholding, it leaves the message to the replica whose part it plays.
template <class M>
bool Traitor::is_played(Context& ctx, const M& message) {
  if (behaviour != Behaviour::kWithhold) return false;
  honest.on(ctx, message);
  return true;
}

void Traitor::timer(Context& ctx, const std::string& name) { honest.timer(ctx, name); }

// --- Requests and proposals ---------------------------------------------------------------------

void Traitor::on(Context& ctx, const Request& request) {
  if (is_played(ctx, request)) return;
  const bool is_new = requests.try_emplace(request.client, request).second;
  if (!is_new) return;
  if (behaviour == Behaviour::kLie) {
    ctx.send(request.client,
             sign(issue_key(ctx.self()), Reply{0, request.client, request.number, kWrongResult}));
  }
  if (setup.primary(0) != ctx.self()) return;
  if (behaviour == Behaviour::kLie) {
    propose_wrongly(ctx, request);
  } else if (requests.size() == 2) {
    propose_two(ctx);
  }
}

// Two requests for the first sequence number: every backup hears of the one, the other, or both.
void Traitor::propose_two(Context& ctx) {
  const Request& first = requests.begin()->second;
  const Request& second = requests.rbegin()->second;
  for (int id = 1; id <= setup.nodes; ++id) {
    if (ctx.self() == id) continue;
    const uint32_t which = ctx.choose(3);
    for (const Request& request : {first, second}) {
      const uint32_t not_for = request.client == first.client ? 1 : 0;
      if (which == not_for) continue;
      ctx.send(id, sign(issue_key(ctx.self()), PrePrepare{0, 1, request}));
      ctx.send(id, sign(issue_key(ctx.self()), Commit{0, 1, request.digest()}));
    }
  }
}

// As it should be, with a request that the client did not sign so, or far too high.
void Traitor::propose_wrongly(Context& ctx, Request request) {
  int sequence = static_cast<int>(requests.size());
  const uint32_t how = ctx.choose(3);
  if (how == 1) request.amount = kWrongResult;
  if (how == 2) sequence = kFarAway;
  const PrePrepare proposal = sign(issue_key(ctx.self()), PrePrepare{0, sequence, request});
  tell_all(ctx, proposal);
  tell_all(ctx, sign(issue_key(ctx.self()), Commit{0, sequence, request.digest()}));
}

// --- Votes --------------------------------------------------------------------------------------

// For whatever it hears of.
void Traitor::vote(Context& ctx, int view, int sequence, const Digest& digest) {
  if (!voted.insert({view, sequence, digest}).second) return;
  if (setup.primary(view) != ctx.self()) {
    tell_all(ctx, sign(issue_key(ctx.self()), Prepare{view, sequence, digest}));
  }
  tell_all(ctx, sign(issue_key(ctx.self()), Commit{view, sequence, digest}));
}

void Traitor::on(Context& ctx, const PrePrepare& proposal) {
  if (is_played(ctx, proposal)) return;
  on(ctx, proposal.request);
  vote(ctx, proposal.view, proposal.sequence, proposal.request.digest());
}

void Traitor::on(Context& ctx, const Prepare& prepare) {
  if (is_played(ctx, prepare)) return;
  vote(ctx, prepare.view, prepare.sequence, prepare.digest);
}

void Traitor::on(Context& ctx, const Commit& commit) { is_played(ctx, commit); }

// --- Checkpoints --------------------------------------------------------------------------------

void Traitor::on(Context& ctx, const Checkpoint& checkpoint) {
  if (is_played(ctx, checkpoint)) return;
  if (behaviour == Behaviour::kLie && checkpoints.insert(checkpoint.sequence).second) {
    tell_all(ctx, sign(issue_key(ctx.self()),
                       Checkpoint{checkpoint.sequence, digest_of(wrong_service())}));
  }
}

void Traitor::on(Context& ctx, const FetchState& fetch) {
  if (is_played(ctx, fetch)) return;
  if (behaviour == Behaviour::kLie) {
    ctx.reply(StateCopy{fetch.sequence, wrong_service()});
  }
}

void Traitor::on(Context& ctx, const StateCopy& copy) { is_played(ctx, copy); }

// --- View changes -------------------------------------------------------------------------------

void Traitor::on(Context& ctx, const ViewChange& change) {
  if (is_played(ctx, change)) return;
  std::map<NodeId, ViewChange>& heard = view_changes[change.view];
  if (heard.empty()) {
    const ViewChange mine = wrong_view_change(ctx, change.view);
    heard[ctx.self()] = mine;
    tell_all(ctx, mine);
  }
  heard[change.signature.by] = change;
  if (setup.primary(change.view) != ctx.self()) return;
  if (static_cast<int>(heard.size()) == setup.quorum()) begin_view(ctx, change.view);
}

// Nothing was prepared, or something was that was not.
ViewChange Traitor::wrong_view_change(Context& ctx, int view) {
  ViewChange mine{view, 0, {}, {}};
  if (behaviour == Behaviour::kLie && ctx.choose(2) == 1) {
    Certificate forged;
    forged.proposal.view = view - 1;
    forged.proposal.sequence = 1;
    forged.proposal.signature = {setup.primary(view - 1), 0};
    for (int id = 1; id <= setup.nodes; ++id) {
      Prepare prepare{view - 1, 1, {}};
      prepare.signature = {id, 0};
      forged.prepares.push_back(prepare);
    }
    mine.prepared.push_back(forged);
  }
  return sign(issue_key(ctx.self()), mine);
}

// Begins a view with what the view changes say, or with nothing.
void Traitor::begin_view(Context& ctx, int view) {
  NewView mine{view, {}, {}};
  for (const auto& [other, change] : view_changes[view]) mine.view_changes.push_back(change);
  if (ctx.choose(2) == 0) {
    const Recovered recovered = Replica::recover_from(setup, mine.view_changes);
    for (const auto& [sequence, request] : recovered.requests) {
      mine.proposals.push_back(sign(issue_key(ctx.self()), PrePrepare{view, sequence, request}));
    }
  }
  tell_all(ctx, sign(issue_key(ctx.self()), mine));
}

void Traitor::on(Context& ctx, const NewView& new_view) { is_played(ctx, new_view); }

}  // namespace ordeal::protocols::pbft
