// Who belongs to the cluster, and who leads it on purpose.
#include "protocols/raft/server.h"
#include "protocols/raft/ticks.h"

namespace ordeal::protocols::raft {

// One change at a time, and none before the leader knows what was committed before it: two leaders
// could otherwise change the same configuration in two ways, each with a majority of its own.
bool Server::may_change() const {
  const bool is_pending = log().config_index() > commit || !config().is_settled();
  // Planted: a new leader does not wait for its first entry to be committed.
  if (setup->has(Planted::kEarlyChange)) return !is_pending;
  // Planted: any entry that is committed will do, also of an earlier leader.
  if (setup->has(Planted::kSplitBrain)) return !is_pending && commit > 0;
  return !is_pending && has_committed_in_term();
}

void Server::begin_change(Context& ctx, NodeId client, uint32_t number, const Change& change) {
  std::set<NodeId> voters = config().voters;
  voters.insert(change.add.begin(), change.add.end());
  for (NodeId id : change.remove) voters.erase(id);
  Config next{config().voters, {}, {}};
  if (voters == next.voters) {
    ctx.send(client, Answer{number, true, leader, {}});  // somebody else has done it
    return;
  }
  if (!may_change()) return;  // the client will ask again
  if (setup->learners && !change.add.empty()) {
    next.learners = change.add;
  } else if (setup->joint) {
    next.incoming = voters;
  } else {
    next.voters = voters;
  }
  asking.insert(client);
  append_entry(ctx, {client, number, next});
}

bool Server::has_caught_up(NodeId learner) const { return followers.at(learner).match >= commit; }

// What is under way goes on once its last configuration is committed: from joint to new, from
// learner to voter.
void Server::continue_change(Context& ctx) {
  if (role != Role::kLeader || config().is_settled() || log().config_index() > commit ||
      !has_committed_in_term()) {
    return;
  }
  const Config& now = config();
  Config next{now.is_joint() ? now.incoming : now.voters, {}, {}};
  for (NodeId learner : now.learners) {
    if (!has_caught_up(learner)) return;
    next.voters.insert(learner);
  }
  Command command{0, 0, next};
  if (const Index index = log().config_index(); log().has(index)) {
    command.client = log().at(index).command.client;
    command.number = log().at(index).command.number;
  }
  append_entry(ctx, std::move(command));
}

void Server::begin_transfer(Context& ctx, NodeId client, uint32_t number, NodeId to) {
  ctx.send(client, Answer{number, true, leader, {}});
  if (to == leader || !config().votes(to)) return;
  transferring_to = to;
  ctx.set_timer("transfer", after(kElectionTicks));
  continue_transfer(ctx, to);
}

// Once it has everything, the next leader stands for election without waiting. Others will vote for
// it although they hear this leader: leases do not hold any more.
void Server::continue_transfer(Context& ctx, NodeId from) {
  if (transferring_to != from || role != Role::kLeader) return;
  if (followers[from].match < log().last()) return;
  leases_are_over = true;
  lease_round = 0;
  ctx.send(from, TimeoutNow{stable.term});
}

}  // namespace ordeal::protocols::raft
