// How a replica comes to lead: it finds out how far the others are, catches up, and asks for their
// promises.
#include "protocols/rsl/replica.h"

namespace ordeal::protocols::rsl {

int Replica::quorum(const Context& ctx) const {
  // Planted: half of the replicas, which is a majority where their number is odd.
  if (setup.has(Planted::kHalfIsEnough)) return (ctx.group_size() + 1) / 2;
  return ctx.majority();
}

bool Replica::has_quorum(const Context& ctx) const {
  return static_cast<int>(answers.size()) >= quorum(ctx);
}

bool Replica::may_stand(NodeId self) const {
  const bool is_last = setup.ballots > 0 && stable.max_ballot.number >= setup.ballots;
  return !is_last && (setup.candidates == 0 || self <= setup.candidates);
}

void Replica::set_election_timer(Context& ctx) {
  if (!may_stand(ctx.self())) return;
  TimerOptions options;
  if (setup.timed) options.after = kElectionTicks + ctx.choose(kElectionTicks);
  ctx.set_timer("election", options);
}

void Replica::set_action_timer(Context& ctx) {
  if (retried < setup.retries) {
    ctx.set_timer("action", after(kActionTicks));
  } else {
    ctx.cancel_timer("action");
  }
}

// What belongs to another state is gone.
void Replica::enter(Context& ctx, State next) {
  state = next;
  answers.clear();
  freshest = {};
  status.clear();
  fetching = false;
  if (next != State::kInitializing) overdue = false;
  for (const char* name : {"election", "action", "heartbeat"}) ctx.cancel_timer(name);
}

// Where timeouts are drawn, each replica draws its first in a step of its own: drawn here, all
// combinations of all replicas would be initial states.
void Replica::start(Context& ctx) {
  if (setup.timed) {
    ctx.set_timer("wake");
  } else {
    become_secondary(ctx);
  }
}

void Replica::recover(Context& ctx, const Stable& disk) {
  stable = disk;
  start_initializing(ctx);
}

void Replica::timer(Context& ctx, const std::string& name) {
  if (name == "wake") {
    become_secondary(ctx);
  } else if (name == "election") {
    overdue = true;
    start_initializing(ctx);
  } else if (name == "heartbeat") {
    ++beats;
    send_next_vote(ctx, kNoOperation);
  } else {
    ++retried;
    if (state == State::kInitializing) return start_initializing(ctx);
    if (state == State::kPreparing) ctx.broadcast(Prepare{place().decree, stable.max_ballot});
    if (state == State::kPrimary) ctx.broadcast(stable.vote);
    set_action_timer(ctx);
  }
}

void Replica::start_initializing(Context& ctx) {
  enter(ctx, State::kInitializing);
  if (quorum(ctx) == 1) return move_on(ctx);
  set_action_timer(ctx);
  ctx.broadcast(StatusQuery{place()});
}

void Replica::on(Context& ctx, NodeId, const StatusQuery& query) {
  ctx.reply(StatusResponse{query.asked_at, place()});
}

void Replica::on(Context& ctx, NodeId from, const StatusResponse& response) {
  if (state == State::kPrimary || fetching || response.asked_at != place()) return;
  const bool ahead = response.place.is_ahead_of(place());
  if (state != State::kInitializing) {
    // Too late to be counted, but those who are one decree ahead will not answer a Prepare.
    if (ahead && response.place.decree == place().decree + 1) learn_from(ctx, from);
    return;
  }
  status[from] = response.place;
  if (static_cast<int>(status.size()) + 1 < quorum(ctx)) return;
  for (const auto& [id, other] : status) {
    if (other.is_ahead_of(place())) return learn_from(ctx, id);
  }
  move_on(ctx);
}

// A quorum has said that it is not ahead.
void Replica::move_on(Context& ctx) {
  // A replica that was primary when it crashed, with no other since, tries at once.
  const bool was_primary = stable.max_ballot.replica == ctx.self();
  if ((overdue || was_primary) && may_stand(ctx.self())) {
    start_preparing(ctx);
  } else {
    become_secondary(ctx);
  }
  take_cached(ctx);
}

void Replica::learn_from(Context& ctx, NodeId who) {
  enter(ctx, State::kInitializing);
  fetching = true;
  set_action_timer(ctx);
  ctx.send(who, FetchVotes{place()});
}

void Replica::on(Context& ctx, NodeId, const FetchVotes& fetch) {
  std::vector<Vote> votes;
  for (const Vote& vote : stable.log) {
    if (vote.decree >= fetch.asked_at.decree) votes.push_back(vote);
  }
  votes.push_back(stable.vote);
  ctx.reply(FetchedVotes{fetch.asked_at, votes});
}

void Replica::on(Context& ctx, NodeId, const FetchedVotes& fetched) {
  if (!fetching || fetched.asked_at != place()) return;
  for (const Vote& vote : fetched.votes) {
    // Of the first decree, its own vote may be the fresher one; the value is the same then, since
    // the other replica knows it to be decided.
    const bool is_fresh = vote.decree > place().decree || vote.ballot >= place().ballot;
    if (is_fresh) accept(ctx, vote);
  }
  // Planted: whatever was fetched is taken for decided, the last vote included.
  if (setup.has(Planted::kLearnsUndecided)) decide(ctx);
  become_secondary(ctx);
  take_cached(ctx);
}

void Replica::start_preparing(Context& ctx) {
  enter(ctx, State::kPreparing);
  Ballot ballot{stable.max_ballot.number + 1, ctx.self()};
  // Planted: the ballot keeps the name of the replica whose ballot was the last one.
  if (setup.has(Planted::kNamelessBallot)) ballot.replica = stable.max_ballot.replica;
  promise(ctx, ballot);
  ctx.log("prepares ballot " + name_of(ballot));
  freshest = stable.vote;
  answers = {ctx.self()};
  if (has_quorum(ctx)) return become_primary(ctx);
  set_action_timer(ctx);
  ctx.broadcast(Prepare{place().decree, ballot});
}

void Replica::promise(Context& ctx, const Ballot& ballot) {
  stable.max_ballot = ballot;
  // Planted: the promise reaches the disk with the next vote only.
  if (!setup.has(Planted::kPrepareNotLogged)) save(ctx);
}

void Replica::on(Context& ctx, NodeId, const Prepare& prepare) {
  const Place mine = place();
  if (prepare.decree < mine.decree || prepare.ballot < stable.max_ballot) {
    // Who is one decree behind only is not sent away: the others may still make it primary.
    if (prepare.decree + 1 < mine.decree || prepare.ballot < stable.max_ballot) {
      ctx.reply(NotAccepted{mine.decree, stable.max_ballot});
    }
    return;
  }
  if (state == State::kInitializing) return;
  promise(ctx, prepare.ballot);
  ctx.reply(PrepareAccepted{prepare.decree, prepare.ballot, stable.vote});
  if (prepare.decree > mine.decree) {
    start_initializing(ctx);
  } else {
    become_secondary(ctx);
  }
}

void Replica::on(Context& ctx, NodeId from, const PrepareAccepted& accepted) {
  const bool is_current = accepted.decree == place().decree && accepted.ballot == stable.max_ballot;
  if (state != State::kPreparing || !is_current) return;
  const bool is_fresher =
      accepted.vote.decree == freshest.decree && accepted.vote.ballot > freshest.ballot;
  // Planted: what others have voted for, and maybe decided, does not matter.
  if (is_fresher && !setup.has(Planted::kInconsistentLogs)) freshest = accepted.vote;
  answers.insert(from);
  if (has_quorum(ctx)) become_primary(ctx);
}

// Whatever may have been decided is proposed again. Nothing can have been where nobody has voted,
// which is so in the first decree only.
void Replica::become_primary(Context& ctx) {
  const Vote again = freshest;
  enter(ctx, State::kPrimary);
  beats = 0;
  ctx.log("primary in ballot " + name_of(stable.max_ballot));
  if (again.is_of_nobody() && !requests.empty()) {
    propose_request(ctx);
  } else {
    send_next_vote(ctx, again.value);
  }
}

void Replica::become_secondary(Context& ctx) {
  enter(ctx, State::kSecondary);
  set_election_timer(ctx);
}

void Replica::on(Context& ctx, NodeId, const NotAccepted& refused) {
  const bool is_old = refused.decree < place().decree || refused.ballot < place().ballot;
  if (is_old || state == State::kInitializing) return;
  if (refused.decree > place().decree) {
    start_initializing(ctx);
  } else if (refused.ballot > stable.max_ballot) {
    promise(ctx, refused.ballot);
    become_secondary(ctx);
  }
}

}  // namespace ordeal::protocols::rsl
