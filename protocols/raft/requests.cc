// What clients ask a server for: writes, reads, changes of the members, another leader.
#include <algorithm>

#include "protocols/raft/server.h"
#include "protocols/raft/ticks.h"

namespace ordeal::protocols::raft {

void Server::on(Context& ctx, NodeId from, const Submit& submit) {
  if (role != Role::kLeader || transferring_to != 0) {
    const NodeId instead = transferring_to != 0 ? transferring_to : leader;
    ctx.reply(Answer{submit.number, false, instead, {}});
    return;
  }
  const auto known = machine.sessions.find(from);
  if (known != machine.sessions.end() && known->second.number >= submit.number) {
    if (known->second.number == submit.number) {
      ctx.reply(Answer{submit.number, true, leader, known->second.answer});
    }
    return;
  }
  if (const Transfer* transfer = std::get_if<Transfer>(&submit.wish)) {
    return begin_transfer(ctx, from, submit.number, transfer->to);
  }
  const bool reads_log = setup->reads == Reads::kByLog && !setup->has(Planted::kStaleRead);
  if (std::holds_alternative<Read>(submit.wish) && !reads_log) {
    return begin_read(ctx, from, submit.number);
  }
  asking.insert(from);
  if (is_in_log(from, submit.number)) return;
  if (const Change* change = std::get_if<Change>(&submit.wish)) {
    return begin_change(ctx, from, submit.number, *change);
  }
  Command command{from, submit.number, Read{}};
  if (const Write* write = std::get_if<Write>(&submit.wish)) command.what = *write;
  append_entry(ctx, std::move(command));
}

bool Server::is_in_log(NodeId client, uint32_t number) const {
  return std::any_of(log().entries.begin(), log().entries.end(), [&](const Entry& entry) {
    return entry.command.client == client && entry.command.number == number;
  });
}

bool Server::has_answered(uint32_t asked) const {
  return is_quorum([&](NodeId id) { return id == leader || followers.at(id).round >= asked; });
}

// A read takes part in no log. It may be answered from the state here if, after it came, this
// server still led, and has applied what was committed when it came.
void Server::begin_read(Context& ctx, NodeId client, uint32_t number) {
  // Planted: a leader answers from what it has, and may be deposed long since.
  const bool at_once = setup->has(Planted::kStaleRead) || (has_lease() && has_committed_in_term());
  if (at_once) {
    ctx.send(client, Answer{number, true, leader, machine.value});
    return;
  }
  std::erase_if(reads, [&](const WaitingRead& read) { return read.client == client; });
  reads.push_back({client, number, std::max(commit, first_of_term()), ++round});
  broadcast_append(ctx);
  answer_reads(ctx);
}

void Server::answer_reads(Context& ctx) {
  std::erase_if(reads, [&](const WaitingRead& read) {
    if (commit < read.index || !has_answered(read.round)) return false;
    ctx.send(read.client, Answer{read.number, true, leader, machine.value});
    return true;
  });
}

// Those who answer this round do not vote for anybody else for an election timeout. One lease at a
// time: the next begins when this one has run out.
void Server::begin_lease(Context& ctx) {
  if (lease_round > 0 || leases_are_over) return;
  lease_round = ++round;
  if (!setup->has(Planted::kLateLease)) {
    ctx.set_timer("lease", after(kLeaseTicks));
  }
}

}  // namespace ordeal::protocols::raft
