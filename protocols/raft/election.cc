// Terms, timeouts, votes: how a server comes to lead, and stops.
#include "protocols/raft/server.h"
#include "protocols/raft/ticks.h"

namespace ordeal::protocols::raft {

size_t Server::needed(size_t voters) const {
  // Planted: enough for three servers, too few for four and more.
  if (setup->has(Planted::kSmallQuorum)) return voters / 3 + 1;
  // Planted: every server must agree, so that one that is slow or down stops all.
  if (setup->has(Planted::kUnanimous)) return voters;
  return voters / 2 + 1;
}

bool Server::may_stand(NodeId self) const {
  const bool is_last = setup->last_term > 0 && stable.term >= setup->last_term;
  const bool has_asked = setup->pre_vote && questions >= setup->questions;
  const bool never = setup->candidates > 0 && self > setup->candidates;
  return config().votes(self) && !is_last && !has_asked && !never;
}

void Server::set_election_timer(Context& ctx) {
  // Planted: who has heard of a leader once waits for it for ever.
  const bool waits = setup->has(Planted::kNoSecondTimeout) && leader != 0;
  // Also who does not stand must notice one day that the leader is silent.
  if ((!may_stand(ctx.self()) && !hears_leader) || waits) {
    ctx.cancel_timer("election");
    return;
  }
  TimerOptions options;
  if (setup->timed) options.after = kElectionTicks + ctx.choose(kElectionTicks);
  ctx.set_timer("election", options);
}

void Server::start(Context& ctx) {
  // Where timeouts are drawn, each server draws its first in a step of its own: drawn here, all
  // combinations of all servers would be initial states.
  if (setup->timed) {
    ctx.set_timer("wake", {.after = 0});
  } else {
    set_election_timer(ctx);
  }
}

void Server::recover(Context& ctx, const Stable& disk) {
  stable = disk;
  told = stable.term;
  if (setup->has(Planted::kForgetTail) && !stable.log.entries.empty()) {
    // Planted: the last entry is taken for a torn write.
    stable.log.entries.pop_back();
  }
  machine = stable.log.snapshot.state;
  commit = stable.log.snapshot.index;
  commit_seen = commit;
  // It may have answered a leader right before it crashed: that leader's lease must hold.
  hears_leader = setup->reads == Reads::kByLease;
  set_election_timer(ctx);
}

void Server::timer(Context& ctx, const std::string& name) {
  if (name == "heartbeat") {
    beat(ctx);
  } else if (name == "wake") {
    set_election_timer(ctx);
  } else if (name == "lease") {
    lease_round = 0;
  } else if (name == "transfer") {
    transferring_to = 0;
  } else if (role == Role::kLeader) {
    check_quorum(ctx);
  } else {
    hears_leader = false;
    // Planted: nobody is asked first.
    const bool asks = setup->pre_vote && !setup->has(Planted::kStandsUnasked);
    if (may_stand(ctx.self())) stand(ctx, asks ? Stand::kPre : Stand::kNow);
  }
}

// A leader that has not heard from a quorum since the last time does not lead any more.
void Server::check_quorum(Context& ctx) {
  const bool heard = is_quorum([&](NodeId id) { return id == leader || followers[id].heard; });
  for (auto& [id, progress] : followers) progress.heard = false;
  // Planted: it leads on whatever it hears.
  if (!heard && !setup->has(Planted::kNeverStepsDown)) {
    ctx.log("steps down");
    follow(ctx, stable.term, 0);
  }
  set_election_timer(ctx);
}

void Server::stand(Context& ctx, Stand how) {
  const bool pre = how == Stand::kPre;
  role = pre ? Role::kPreCandidate : Role::kCandidate;
  leader = 0;
  granted = {ctx.self()};
  if (pre) {
    if (!setup->endless) ++questions;
  } else {
    questions = 0;
    ++stable.term;
    hear(stable.term);
    stable.voted_for = ctx.self();
    save(ctx);
  }
  ctx.log(pre ? "asks whether to stand" : "stands for term " + std::to_string(stable.term));
  if (is_quorum([&](NodeId id) { return granted.contains(id); })) {
    if (pre) return stand(ctx, Stand::kNow);
    return lead(ctx);
  }
  set_election_timer(ctx);
  const RequestVote request{stable.term + (pre ? 1 : 0), log().last(), log().last_term(), pre,
                            how == Stand::kByTransfer};
  for (NodeId id : config().members()) {
    if (id != ctx.self() && config().votes(id)) ctx.send(id, request);
  }
}

// Becomes a follower; what only candidates and leaders keep is gone. Callers set the timer.
void Server::follow(Context& ctx, Term term, NodeId who) {
  if (term > stable.term) {
    stable.term = term;
    stable.voted_for = 0;
    questions = 0;
    save(ctx);
  }
  if (role == Role::kLeader) {
    for (const char* name : {"heartbeat", "lease", "transfer"}) ctx.cancel_timer(name);
  }
  role = Role::kFollower;
  leader = who;
  granted.clear();
  followers.clear();
  asking.clear();
  reads.clear();
  round = 0;
  lease_round = 0;
  leases_are_over = false;
  transferring_to = 0;
  beats = 0;
}

void Server::follow_leader(Context& ctx, Term term, NodeId who) {
  // Planted: the term is not taken over from a leader's message.
  follow(ctx, setup->has(Planted::kAppendKeepsTerm) ? stable.term : term, who);
  hears_leader = setup->check_quorum || setup->pre_vote;
}

// Who hears a leader takes part in no election: a server that was cut off cannot disturb.
bool Server::ignores(const RequestVote& request) const {
  if (!hears_a_leader() || request.term <= stable.term || request.transfer) return false;
  // Planted: it takes part nevertheless.
  return request.pre || (setup->check_quorum && !setup->has(Planted::kVoteDespiteLeader));
}

bool Server::is_up_to_date(const RequestVote& request) const {
  if (request.last_term != log().last_term()) return request.last_term > log().last_term();
  return request.last_index >= log().last();
}

void Server::answer_pre_vote(Context& ctx, const RequestVote& request) {
  const bool granting = request.term > stable.term && is_up_to_date(request);
  // A refusal tells something only where it brings a newer term.
  if (granting || stable.term >= request.term) {
    ctx.reply(Vote{granting ? request.term : stable.term, granting, true});
  }
}

void Server::on(Context& ctx, NodeId from, const RequestVote& request) {
  if (ignores(request)) {
    // Planted: who is asked takes that for a sign that the leader is alive.
    if (request.pre && setup->has(Planted::kQuestionCounts)) set_election_timer(ctx);
    return;
  }
  if (request.pre) return answer_pre_vote(ctx, request);
  hear(request.term);
  if (request.term < stable.term) {
    ctx.reply(Vote{stable.term, false, false});
    return;
  }
  const bool is_new = request.term > stable.term;
  // Planted: the term is not taken over from a request for votes.
  if (is_new && !setup->has(Planted::kVoteKeepsTerm)) follow(ctx, request.term, 0);
  const bool free = stable.voted_for == 0 || stable.voted_for == from;
  const bool granting = free && is_up_to_date(request);
  if (granting) {
    stable.voted_for = from;
    // Planted: the vote reaches the disk with whatever is saved next.
    if (!setup->has(Planted::kLateVoteSave)) save(ctx);
    ctx.reply(Vote{request.term, true, false});
  }
  // A refusal would change nothing at a candidate of the same term.
  if (is_new || granting) set_election_timer(ctx);
}

void Server::count_pre_vote(Context& ctx, NodeId from, const Vote& vote) {
  if (role != Role::kPreCandidate) return;
  if (!vote.granted) {
    hear(vote.term);
    if (vote.term > stable.term) {
      follow(ctx, vote.term, 0);
      set_election_timer(ctx);
    }
    return;
  }
  if (vote.term != stable.term + 1) return;
  granted.insert(from);
  if (is_quorum([&](NodeId id) { return granted.contains(id); })) stand(ctx, Stand::kNow);
}

void Server::on(Context& ctx, NodeId from, const Vote& vote) {
  if (vote.pre) return count_pre_vote(ctx, from, vote);
  hear(vote.term);
  if (vote.term > stable.term) {
    follow(ctx, vote.term, 0);
    set_election_timer(ctx);
    return;
  }
  // Planted: votes of earlier terms count.
  const bool counts = vote.term == stable.term || setup->has(Planted::kOldVotesCount);
  if (!vote.granted || !counts) return;
  if (role == Role::kCandidate) {
    granted.insert(from);
    if (is_quorum([&](NodeId id) { return granted.contains(id); })) lead(ctx);
  } else if (role == Role::kLeader && setup->has(Planted::kElectedAgain)) {
    // Planted: one vote more, and its term begins once more.
    lead(ctx);
  }
}

void Server::lead(Context& ctx) {
  ctx.log("leads term " + std::to_string(stable.term));
  role = Role::kLeader;
  leader = ctx.self();
  granted.clear();
  followers.clear();
  for (NodeId id : config().members()) {
    if (id != leader) followers[id] = {log().last() + 1, 0, true, 0};
  }
  if (setup->heartbeats > 0 || setup->endless) {
    ctx.set_timer("heartbeat", after(kHeartbeatTicks));
  }
  if (setup->check_quorum) {
    set_election_timer(ctx);
  } else {
    ctx.cancel_timer("election");
  }
  append_entry(ctx, {});
}

void Server::on(Context& ctx, NodeId, const TimeoutNow& now) {
  if (now.term != stable.term || role != Role::kFollower || !may_stand(ctx.self())) return;
  stand(ctx, Stand::kByTransfer);
}

}  // namespace ordeal::protocols::raft
