// The three phases, execution and checkpoints. View changes are in view_change.cc.
#include "protocols/pbft/replica.h"

#include <algorithm>
#include <utility>

#include "protocols/pbft/broadcast.h"

namespace ordeal::protocols::pbft {

bool Replica::in_window(int sequence) const {
  // Planted: the high watermark is not checked.
  const bool below = sequence <= stable + setup.window || setup.has(Planted::kNoWatermarks);
  return sequence > stable && below;
}

// Whether a vote or proposal is for the view that is under way.
bool Replica::is_now(int other_view) const {
  if (other_view == view) return !changing;
  // Planted: it has asked for the next view, and still votes in the one before.
  return other_view == view - 1 && changing && setup.has(Planted::kStaysInView);
}

// --- Requests -----------------------------------------------------------------------------------

bool Replica::is_request_of_client(const Request& request) const {
  return request.client > setup.nodes && request.signature.by == request.client &&
         authentic(request);
}

void Replica::on(Context& ctx, const Request& request) {
  if (!is_request_of_client(request)) return;
  const auto last = service.replies.find(request.client);
  const bool known = last != service.replies.end() && request.number <= last->second.number;
  // Planted: nobody looks whether a request has been executed before.
  if (known && !setup.has(Planted::kExecutesTwice)) {
    if (request.number == last->second.number) send_reply(ctx, request.client, last->second);
    return;
  }
  expect_execution_of(ctx, request);
  // Planted: nobody's patience is tried before there is a proposal.
  if (setup.has(Planted::kWaitsForProposal)) ctx.cancel_timer("view change");
  propose_what_is_pending(ctx);
}

void Replica::expect_execution_of(Context& ctx, const Request& request) {
  const bool was_idle = pending.empty();
  Request& expected = pending[request.client];
  if (request.number > expected.number) expected = request;
  if (was_idle) watch(ctx);
}

// Patience with a view is limited, for those who may suspect it and where there is one left to
// change to. That of the primary, too: when all others have executed a request but for one that has
// asked for the next view, only the primary has a reason to ask for it as well.
void Replica::watch(Context& ctx) const {
  if (may_suspect(ctx) && !changing) ctx.set_timer("view change");
}

bool Replica::may_suspect(const Context& ctx) const {
  return setup.suspects.count(ctx.self()) > 0 && view + 1 < setup.views;
}

bool Replica::is_proposed(const Request& request) const {
  return std::any_of(slots.begin(), slots.end(), [&](const auto& entry) {
    // Planted: a request that has been executed is proposed again when it comes again.
    if (setup.has(Planted::kExecutesTwice) && entry.first <= executed) return false;
    return entry.second.proposal.request.digest() == request.digest();
  });
}

void Replica::propose_what_is_pending(Context& ctx) {
  if (!leads(ctx)) return;
  for (const auto& [client, request] : std::map<NodeId, Request>(pending)) {
    if (is_proposed(request)) continue;
    const int sequence = (slots.empty() ? stable : slots.rbegin()->first) + 1;
    if (!in_window(sequence)) return;
    const PrePrepare proposal = signed_by(ctx, PrePrepare{view, sequence, request});
    broadcast(ctx, proposal);
    accept(ctx, proposal);
  }
}

// --- The three phases ---------------------------------------------------------------------------

void Replica::on(Context& ctx, const PrePrepare& proposal) {
  if (proposal.signature.by != setup.primary(proposal.view) || !authentic(proposal)) return;
  // Planted: proposals of earlier views are accepted.
  const bool passes = setup.has(Planted::kOldProposals) && proposal.view < view && !changing;
  if (!is_request_of_client(proposal.request) || !(is_now(proposal.view) || passes)) return;
  if (!in_window(proposal.sequence)) return;
  // Planted: a second proposal for the same sequence number and view is accepted, too.
  if (slots.count(proposal.sequence) > 0 && !setup.has(Planted::kTwoProposals)) return;
  accept(ctx, proposal);
}

// Votes for the proposal. That of the primary is its vote.
void Replica::accept(Context& ctx, const PrePrepare& proposal) {
  const int sequence = proposal.sequence;
  Slot& slot = slots[sequence];
  slot.proposal = proposal;
  slot.prepared = false;
  const Request& request = proposal.request;
  const auto last = service.replies.find(request.client);
  const bool done = last != service.replies.end() && request.number <= last->second.number;
  if (!request.is_null() && !done) expect_execution_of(ctx, request);
  if (setup.primary(proposal.view) != ctx.self()) {
    const Prepare prepare = signed_by(ctx, Prepare{proposal.view, sequence, request.digest()});
    slot.prepares[ctx.self()] = prepare;
    broadcast(ctx, prepare);
  }
  count_prepares(ctx, sequence);
}

void Replica::on(Context& ctx, const Prepare& prepare) {
  const NodeId by = prepare.signature.by;
  if (!is_from_replica(prepare) || by == setup.primary(prepare.view)) return;
  const auto slot = slots.find(prepare.sequence);
  if (!is_now(prepare.view) || slot == slots.end() || slot->second.prepared) return;
  slot->second.prepares.try_emplace(by, prepare);
  count_prepares(ctx, prepare.sequence);
}

// Besides the proposal.
int Replica::prepare_votes() const {
  // Planted: f votes less.
  return setup.quorum() - 1 - (setup.has(Planted::kSmallPrepareQuorum) ? setup.faults() : 0);
}

void Replica::count_prepares(Context& ctx, int sequence) {
  Slot& slot = slots[sequence];
  const Digest digest = slot.proposal.request.digest();
  const size_t enough = static_cast<size_t>(prepare_votes());
  Certificate certificate{slot.proposal, {}};
  for (const auto& [by, prepare] : slot.prepares) {
    if (prepare.digest == digest && certificate.prepares.size() < enough) {
      certificate.prepares.push_back(prepare);
    }
  }
  if (certificate.prepares.size() < enough) return;
  slot.prepared = true;
  slot.prepares.clear();
  const int in_view = slot.proposal.view;
  if (setup.views > 1) certificates[sequence] = std::move(certificate);
  // Planted: what is prepared is as good as executed, and nobody waits for it.
  if (setup.has(Planted::kContentWhenPrepared)) ctx.cancel_timer("view change");
  broadcast(ctx, signed_by(ctx, Commit{in_view, sequence, digest}));
  slot.commits[ctx.self()] = digest;
  count_commits(ctx, sequence);
}

void Replica::on(Context& ctx, const Commit& commit) {
  if (!is_from_replica(commit) || !is_now(commit.view)) return;
  const auto found = slots.find(commit.sequence);
  if (found == slots.end() || !found->second.prepared || found->second.committed) return;
  found->second.commits.try_emplace(commit.signature.by, commit.digest);
  count_commits(ctx, commit.sequence);
}

void Replica::count_commits(Context& ctx, int sequence) {
  Slot& slot = slots[sequence];
  const Digest digest = slot.proposal.request.digest();
  int same = 0;
  for (const auto& [by, other] : slot.commits) same += other == digest ? 1 : 0;
  // Planted: f votes less.
  const int missing = setup.has(Planted::kSmallCommitQuorum) ? setup.faults() : 0;
  if (same < setup.quorum() - missing) return;
  slot.committed = true;
  slot.commits.clear();
  // Planted: what is committed is executed, whatever is missing before it.
  if (setup.has(Planted::kOutOfOrder) && sequence > executed) execute_slot(ctx, sequence);
  execute(ctx);
}

// --- Execution ----------------------------------------------------------------------------------

// In the order of sequence numbers, as far as there are no gaps.
void Replica::execute(Context& ctx) {
  for (auto next = slots.find(executed + 1); next != slots.end() && next->second.committed;
       next = slots.find(executed + 1)) {
    execute_slot(ctx, executed + 1);
  }
}

void Replica::execute_slot(Context& ctx, int sequence) {
  const PrePrepare proposal = slots[sequence].proposal;
  executed = sequence;
  Executed done{sequence, proposal.view, proposal.request.digest()};
  if (!proposal.request.is_null()) apply(ctx, proposal.request, done);
  ctx.decide(done);
  forget_executed_requests(ctx);
  if (setup.checkpoint_interval > 0 && sequence % setup.checkpoint_interval == 0)
    take_checkpoint(ctx);
}

void Replica::apply(Context& ctx, const Request& request, Executed& done) {
  LastReply& last = service.replies[request.client];
  if (request.number <= last.number && !setup.has(Planted::kExecutesTwice)) return;
  service.total += request.amount;
  last = {request.number, service.total};
  done.result = service.total;
  done.applied = true;
  send_reply(ctx, request.client, last);
}

void Replica::forget_executed_requests(Context& ctx) {
  const bool was_idle = pending.empty();
  std::erase_if(pending, [&](const auto& entry) {
    const auto last = service.replies.find(entry.first);
    return last != service.replies.end() && entry.second.number <= last->second.number;
  });
  if (pending.empty() && !was_idle) ctx.cancel_timer("view change");
}

void Replica::send_reply(Context& ctx, NodeId client, const LastReply& last) const {
  ctx.send(client, signed_by(ctx, Reply{view, client, last.number, last.result}));
}

// --- Checkpoints --------------------------------------------------------------------------------

void Replica::take_checkpoint(Context& ctx) {
  const Checkpoint mine = signed_by(ctx, Checkpoint{executed, digest_of(service)});
  snapshots[executed] = service;
  checkpoints[executed][ctx.self()] = mine;
  broadcast(ctx, mine);
  count_checkpoints(ctx, executed);
}

void Replica::on(Context& ctx, const Checkpoint& checkpoint) {
  if (!is_from_replica(checkpoint) || checkpoint.sequence <= stable) return;
  checkpoints[checkpoint.sequence].try_emplace(checkpoint.signature.by, checkpoint);
  count_checkpoints(ctx, checkpoint.sequence);
}

int Replica::checkpoint_quorum() const {
  // Planted: one replica's word makes a checkpoint stable.
  return setup.has(Planted::kCheckpointByOne) ? 1 : setup.quorum();
}

void Replica::count_checkpoints(Context& ctx, int sequence) {
  std::map<uint32_t, std::vector<Checkpoint>> by_state;
  for (const auto& [by, vote] : checkpoints[sequence]) by_state[vote.state].push_back(vote);
  for (auto& [state, proof] : by_state) {
    if (static_cast<int>(proof.size()) < checkpoint_quorum()) continue;
    make_stable(ctx, sequence, std::move(proof));
    propose_what_is_pending(ctx);
    return;
  }
}

// The log up to the checkpoint is not needed any more. A replica that is not there yet asks those
// who said that they are.
void Replica::make_stable(Context& ctx, int sequence, std::vector<Checkpoint> proof) {
  stable = sequence;
  stable_state = proof.front().state;
  const auto is_old = [sequence](const auto& entry) { return entry.first <= sequence; };
  std::erase_if(slots, is_old);
  std::erase_if(certificates, is_old);
  std::erase_if(checkpoints, is_old);
  std::erase_if(snapshots, [sequence](const auto& entry) { return entry.first < sequence; });
  // Planted: what is above the checkpoint goes with the rest.
  if (setup.has(Planted::kForgetsAboveCheckpoint)) certificates.clear();
  if (executed < sequence) {
    for (const Checkpoint& vote : proof) ctx.send(vote.signature.by, FetchState{sequence});
  }
  if (setup.views > 1) stable_proof = std::move(proof);
}

void Replica::on(Context& ctx, const FetchState& fetch) {
  const auto found = snapshots.find(fetch.sequence);
  if (found != snapshots.end()) ctx.reply(StateCopy{fetch.sequence, found->second});
}

void Replica::on(Context& ctx, const StateCopy& copy) {
  if (copy.sequence != stable || executed >= stable) return;
  if (digest_of(copy.service) != stable_state) return;
  executed = stable;
  service.total = copy.service.total;
  // Planted: the total is taken over, and who has been answered is not.
  if (!setup.has(Planted::kLosesReplies)) service.replies = copy.service.replies;
  snapshots[executed] = service;
  ctx.decide(Restored{executed});
  // Others may still be counting who is there.
  broadcast(ctx, signed_by(ctx, Checkpoint{executed, digest_of(service)}));
  for (const auto& [client, last] : service.replies) {
    if (pending.count(client) > 0 && pending[client].number == last.number) {
      send_reply(ctx, client, last);
    }
  }
  forget_executed_requests(ctx);
  execute(ctx);
}

}  // namespace ordeal::protocols::pbft
