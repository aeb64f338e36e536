// How replicas change views: the primary of the next one collects what a quorum has prepared, and
// proposes all of it again.
#include <algorithm>
#include <utility>

#include "protocols/pbft/broadcast.h"
#include "protocols/pbft/replica.h"

namespace ordeal::protocols::pbft {

void Replica::timer(Context& ctx, const std::string&) { ask_for_view(ctx, view + 1); }

int Replica::view_change_quorum() const {
  // Planted: one correct replica that asks is enough.
  return setup.has(Planted::kSmallViewChangeQuorum) ? setup.faults() + 1 : setup.quorum();
}

void Replica::ask_for_view(Context& ctx, int next) {
  leave_for_view(ctx, next);
  count_view_changes(ctx);
}

void Replica::leave_for_view(Context& ctx, int next) {
  view = next;
  changing = true;
  ctx.cancel_timer("view change");
  if (!setup.has(Planted::kStaysInView)) slots.clear();
  ViewChange mine{view, stable, stable_proof, {}};
  for (const auto& [sequence, certificate] : certificates) {
    // Planted: what was prepared is left out.
    if (!setup.has(Planted::kForgetsPrepared)) mine.prepared.push_back(certificate);
  }
  mine = signed_by(ctx, mine);
  if (setup.primary(view) == ctx.self()) view_changes[ctx.self()] = mine;
  broadcast(ctx, mine);
}

void Replica::on(Context& ctx, const ViewChange& change) {
  const bool open = change.view > view || (change.view == view && changing);
  if (!open || change.view >= setup.views || !is_valid(change)) return;
  int& last = asked[change.signature.by];
  if (change.view <= last) return;
  last = change.view;
  if (setup.primary(change.view) == ctx.self()) view_changes[change.signature.by] = change;
  count_view_changes(ctx);
}

void Replica::count_view_changes(Context& ctx) {
  int ahead = 0;
  int nearest = setup.views;
  int with_me = 1;
  for (const auto& [other, its] : asked) {
    with_me += its >= view ? 1 : 0;
    if (its <= view) continue;
    ++ahead;
    nearest = std::min(nearest, its);
  }
  // One of them at least is correct and has waited long enough.
  if (ahead >= setup.faults() + 1) {
    ask_for_view(ctx, nearest);
    return;
  }
  if (!changing) return;
  if (setup.primary(view) == ctx.self()) {
    begin_view_as_primary(ctx);
  } else if (with_me >= setup.quorum() && may_suspect(ctx)) {
    ctx.set_timer("view change");  // the new view should begin soon
  }
}

// --- The new view -------------------------------------------------------------------------------

Recovered Replica::recover_from(const Setup& setup, const std::vector<ViewChange>& view_changes) {
  Recovered out;
  for (const ViewChange& change : view_changes) {
    if (change.stable <= out.stable) continue;
    out.stable = change.stable;
    out.proof = change.proof;
  }
  std::map<int, int> views;  // in which it was prepared, by sequence number
  for (const ViewChange& change : view_changes) {
    for (const auto& [proposal, prepares] : change.prepared) {
      if (proposal.sequence <= out.stable) continue;
      const auto [known, is_new] = views.try_emplace(proposal.sequence, proposal.view);
      // Planted: of several certificates for a sequence number, the oldest counts.
      const bool better = setup.has(Planted::kOldestCertificate) ? proposal.view < known->second
                                                                 : proposal.view > known->second;
      if (!is_new && !better) continue;
      known->second = proposal.view;
      out.requests[proposal.sequence] = proposal.request;
    }
  }
  // Gaps are filled with null requests.
  const int last = out.requests.empty() ? 0 : out.requests.rbegin()->first;
  for (int sequence = out.stable + 1; sequence < last; ++sequence) {
    out.requests.try_emplace(sequence);
  }
  return out;
}

void Replica::begin_view_as_primary(Context& ctx) {
  NewView mine{view, {}, {}};
  for (const auto& [other, change] : view_changes) {
    if (change.view == view) mine.view_changes.push_back(change);
  }
  if (static_cast<int>(mine.view_changes.size()) < view_change_quorum()) return;
  const Recovered recovered = recover_from(setup, mine.view_changes);
  for (const auto& [sequence, request] : recovered.requests) {
    mine.proposals.push_back(signed_by(ctx, PrePrepare{view, sequence, request}));
  }
  broadcast(ctx, signed_by(ctx, mine));
  enter_view(ctx, view, recovered, mine.proposals);
}

void Replica::on(Context& ctx, const NewView& new_view) {
  const bool open = new_view.view > view || (new_view.view == view && changing);
  if (!open || new_view.view >= setup.views || !is_valid(new_view)) return;
  // It may be the first that it hears of. Others, whom the primary has not told, must not wait for
  // its view change in vain.
  if (new_view.view > view) leave_for_view(ctx, new_view.view);
  enter_view(ctx, new_view.view, recover_from(setup, new_view.view_changes), new_view.proposals);
}

void Replica::enter_view(Context& ctx, int next, const Recovered& recovered,
                         const std::vector<PrePrepare>& proposals) {
  view = next;
  changing = false;
  slots.clear();
  // Planted: those for later views go, too.
  const int last = setup.has(Planted::kForgetsViewChanges) ? setup.views : next;
  std::erase_if(view_changes, [last](const auto& entry) { return entry.second.view <= last; });
  std::erase_if(asked, [next](const auto& entry) { return entry.second <= next; });
  ctx.cancel_timer("view change");
  if (recovered.stable > stable) make_stable(ctx, recovered.stable, recovered.proof);
  for (const PrePrepare& proposal : proposals) {
    if (proposal.sequence > stable) accept(ctx, proposal);
  }
  propose_what_is_pending(ctx);
  if (!pending.empty()) watch(ctx);
}

// --- What others claim --------------------------------------------------------------------------

bool Replica::proves(const std::vector<Checkpoint>& proof, int sequence) const {
  std::set<NodeId> voters;
  for (const Checkpoint& vote : proof) {
    const bool same = vote.sequence == sequence && vote.state == proof.front().state;
    if (same && is_from_replica(vote)) voters.insert(vote.signature.by);
  }
  return sequence == 0 || static_cast<int>(voters.size()) >= checkpoint_quorum();
}

bool Replica::is_valid(const Certificate& certificate, const ViewChange& change) const {
  const PrePrepare& proposal = certificate.proposal;
  const NodeId primary = setup.primary(proposal.view);
  const bool fits = proposal.view < change.view && proposal.sequence > change.stable &&
                    proposal.sequence <= change.stable + setup.window;
  if (!fits || proposal.signature.by != primary || !authentic(proposal)) return false;
  std::set<NodeId> voters;
  for (const Prepare& prepare : certificate.prepares) {
    const bool same = prepare.view == proposal.view && prepare.sequence == proposal.sequence &&
                      prepare.digest == proposal.request.digest();
    if (same && prepare.signature.by != primary && is_from_replica(prepare)) {
      voters.insert(prepare.signature.by);
    }
  }
  return static_cast<int>(voters.size()) >= prepare_votes();
}

bool Replica::is_valid(const ViewChange& change) const {
  return is_from_replica(change) && proves(change.proof, change.stable) &&
         std::all_of(change.prepared.begin(), change.prepared.end(),
                     [&](const Certificate& c) { return is_valid(c, change); });
}

bool Replica::is_valid(const NewView& new_view) const {
  if (new_view.signature.by != setup.primary(new_view.view) || !authentic(new_view)) return false;
  // Planted: whatever the new primary proposes is taken for what its view changes say.
  if (setup.has(Planted::kTrustsNewView)) return true;
  std::set<NodeId> askers;
  for (const ViewChange& change : new_view.view_changes) {
    if (change.view != new_view.view || !is_valid(change)) return false;
    askers.insert(change.signature.by);
  }
  if (static_cast<int>(askers.size()) < view_change_quorum()) return false;
  const Recovered recovered = recover_from(setup, new_view.view_changes);
  if (new_view.proposals.size() != recovered.requests.size()) return false;
  return std::all_of(
      new_view.proposals.begin(), new_view.proposals.end(), [&](const PrePrepare& proposal) {
        const auto right = recovered.requests.find(proposal.sequence);
        return right != recovered.requests.end() && proposal.view == new_view.view &&
               proposal.signature.by == new_view.signature.by && authentic(proposal) &&
               proposal.request.digest() == right->second.digest();
      });
}

}  // namespace ordeal::protocols::pbft
