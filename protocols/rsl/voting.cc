// How decrees are voted for, one after the other, and how replicas know that one is decided.
#include <algorithm>
#include <utility>

#include "protocols/rsl/replica.h"

namespace ordeal::protocols::rsl {

void Replica::request(Context& ctx, const Submit& submit) {
  requests.push_back(submit.value);
  // Planted: the next decree is proposed while votes for the last one are still out.
  const bool may_propose = decided || setup.has(Planted::kHastyPrimary);
  if (state == State::kPrimary && may_propose) propose_request(ctx);
}

// REQUIRES: there is one.
void Replica::propose_request(Context& ctx) {
  const int value = requests.front();
  requests.erase(requests.begin());
  send_next_vote(ctx, value);
}

// Under a new ballot the open decree is voted for again, then one decree follows the other.
void Replica::send_next_vote(Context& ctx, int value) {
  Vote next{place().decree, stable.max_ballot, value};
  if (place().ballot == stable.max_ballot) ++next.decree;
  ctx.cancel_timer("heartbeat");
  accept(ctx, next);
  answers = {ctx.self()};
  set_action_timer(ctx);
  ctx.broadcast(next);
  count_answers(ctx);
}

void Replica::count_answers(Context& ctx) {
  if (!has_quorum(ctx)) return;
  decide(ctx);
  decided = true;
  answers.clear();
  ctx.cancel_timer("action");
  if (!requests.empty()) {
    propose_request(ctx);
  } else if (beats < setup.heartbeats) {
    ctx.set_timer("heartbeat", after(kHeartbeatTicks));
  }
}

void Replica::decide(Context& ctx) { ctx.decide(Decided{stable.vote.decree, stable.vote.value}); }

void Replica::on(Context& ctx, NodeId from, const VoteAccepted& accepted) {
  const bool is_current =
      Place{accepted.decree, accepted.ballot} == place() && accepted.ballot == stable.max_ballot;
  if (state != State::kPrimary || decided || !is_current) return;
  answers.insert(from);
  count_answers(ctx);
}

void Replica::on(Context& ctx, NodeId from, const Vote& vote) { take_vote(ctx, from, vote); }

bool Replica::is_outdated(const Vote& vote) const {
  if (vote.decree < place().decree) return true;
  // Planted: the promise not to accept older ballots is forgotten.
  return vote.ballot < stable.max_ballot && !setup.has(Planted::kOlderBallots);
}

// It is about the open decree, or about the next one and decides the open one by that.
bool Replica::is_next(const Vote& vote) const {
  if (vote.decree == place().decree) return true;
  // Planted: whatever it has voted for is taken for what the primary had decided.
  const bool same = vote.ballot == place().ballot || setup.has(Planted::kAnyNextDecree);
  return vote.decree == place().decree + 1 && same;
}

void Replica::take_vote(Context& ctx, NodeId from, const Vote& vote) {
  if (is_outdated(vote)) {
    if (vote.ballot < stable.max_ballot || vote.decree + 1 < place().decree) {
      ctx.send(from, NotAccepted{place().decree, stable.max_ballot});
    }
  } else if (state == State::kInitializing) {
    cache(from, vote);
  } else if (is_next(vote)) {
    accept(ctx, vote);
    ctx.send(from, VoteAccepted{vote.decree, vote.ballot});
    become_secondary(ctx);
  } else {
    // It has missed votes.
    cache(from, vote);
    start_initializing(ctx);
  }
}

void Replica::cache(NodeId from, const Vote& vote) {
  const Cached one{from, vote};
  if (std::find(cached.begin(), cached.end(), one) == cached.end()) cached.push_back(one);
}

void Replica::take_cached(Context& ctx) {
  for (const Cached& one : std::exchange(cached, {})) take_vote(ctx, one.from, one.vote);
}

void Replica::accept(Context& ctx, const Vote& vote) {
  if (vote == stable.vote) return;
  if (vote.decree > place().decree) {
    if (!decided) decide(ctx);
    stable.log.push_back(stable.vote);
  }
  decided = false;
  stable.vote = vote;
  stable.max_ballot = std::max(stable.max_ballot, vote.ballot);
  // Planted: the vote reaches the disk with the next promise only.
  if (!setup.has(Planted::kVoteNotLogged)) save(ctx);
}

}  // namespace ordeal::protocols::rsl
