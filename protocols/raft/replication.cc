// Logs: how entries reach the others, are committed and applied.
#include <algorithm>
#include <limits>

#include "protocols/raft/server.h"
#include "protocols/raft/ticks.h"

namespace ordeal::protocols::raft {

const Config& Server::config() const {
  const Index index = log().config_index();
  if (log().has(index)) return *log().at(index).command.config();
  return log().snapshot.config ? *log().snapshot.config : setup->initial;
}

Index Server::first_of_term() const {
  Index first = log().last();
  while (first > log().snapshot.index && log().term_at(first - 1) == stable.term) --first;
  return first;
}

void Server::broadcast_append(Context& ctx) {
  for (NodeId id : config().members()) {
    if (id != leader) send_append(ctx, id);
  }
}

void Server::send_append(Context& ctx, NodeId to) {
  // Who has joined since the term began is new here.
  const Index next =
      followers.try_emplace(to, Progress{log().last(), 0, true, 0}).first->second.next;
  // What it needs has been compacted away: it gets the snapshot instead.
  if (next <= log().snapshot.index) {
    ctx.send(to, Install{stable.term, log().snapshot});
    return;
  }
  const size_t most = setup->batch > 0 ? setup->batch : std::numeric_limits<size_t>::max();
  ctx.send(to, Append{stable.term, next - 1, log().term_at(next - 1), log().from(next, most),
                      commit, round});
  // Planted: what was sent is taken for received.
  if (setup->has(Planted::kNoResend)) followers[to].next = log().last() + 1;
}

// Whoever lacks something gets it again; the others hear that the leader is alive.
void Server::beat(Context& ctx) {
  if (!setup->endless) ++beats;
  if (setup->reads == Reads::kByLease) begin_lease(ctx);
  broadcast_append(ctx);
  if (setup->endless || beats < setup->heartbeats) {
    ctx.set_timer("heartbeat", after(kHeartbeatTicks));
  }
}

bool Server::fits(const Append& append) const {
  if (append.before <= log().snapshot.index) return true;
  return append.before <= log().last() && log().term_at(append.before) == append.before_term;
}

// What spares the leader to go back one by one: where the conflicting term begins, or where the log
// ends.
Appended Server::hint(const Append& append) const {
  Appended refused{stable.term, false, log().last() + 1, 0, append.round};
  if (append.before > log().last()) return refused;
  refused.conflict_term = log().term_at(append.before);
  refused.index = append.before;
  while (refused.index > log().snapshot.index + 1 &&
         log().term_at(refused.index - 1) == refused.conflict_term) {
    --refused.index;
  }
  return refused;
}

void Server::on(Context& ctx, NodeId from, const Append& append) {
  hear(append.term);
  if (append.term < stable.term) {
    if (setup->has(Planted::kOldLeaderObeyed) && role != Role::kLeader && fits(append)) {
      take_entries(ctx, append);  // Planted: of a leader that has been succeeded.
    }
    ctx.reply(Appended{stable.term, false, 0, 0, 0});
    return;
  }
  follow_leader(ctx, append.term, from);
  if (fits(append)) {
    const Index known = take_entries(ctx, append);
    apply_up_to(ctx, std::min(append.commit, known));
    ctx.reply(Appended{append.term, true, known, 0, append.round});
  } else {
    ctx.reply(hint(append));
  }
  set_election_timer(ctx);
}

// Makes the entries those of the leader. Returns up to where they are known to be.
Index Server::take_entries(Context& ctx, const Append& append) {
  bool changed = false;
  Index index = append.before;
  for (const Entry& entry : append.entries) {
    ++index;
    if (index <= log().snapshot.index) {
      // Planted: what the snapshot has already is appended again.
      if (!setup->has(Planted::kAppendBelowSnapshot)) continue;
    } else if (log().has(index)) {
      // Planted: what stands there is trusted to be the leader's.
      if (log().at(index).term == entry.term || setup->has(Planted::kStaleSuffix)) continue;
      if (setup->has(Planted::kLostTruncation)) {
        // Planted: of a conflict only the entry itself is replaced, not what follows it.
        stable.log.replace(index, entry);
        changed = true;
        continue;
      }
      if (setup->has(Planted::kOwnEntriesStay)) {
        // Planted: who has led does not expect that what it appended itself is ever replaced.
        ORDEAL_ASSERT(led == 0 || log().at(index).term != led);
      }
      stable.log.cut_after(index - 1);
    }
    stable.log.append(entry);
    changed = true;
  }
  if (setup->has(Planted::kAppendCutsLog) && index >= log().snapshot.index &&
      index < log().last()) {
    // Planted: the message is taken for the whole of the leader's log, however old it is.
    stable.log.cut_after(index);
    changed = true;
  }
  if (changed) save(ctx);
  return std::max(index, log().snapshot.index);
}

void Server::on(Context& ctx, NodeId from, const Appended& appended) {
  hear(appended.term);
  if (appended.term > stable.term) {
    // Planted: the term is not taken over from an answer, and the server leads on.
    if (setup->has(Planted::kAnswerKeepsTerm)) return;
    follow(ctx, appended.term, 0);
    set_election_timer(ctx);
    return;
  }
  if (role != Role::kLeader || appended.term != stable.term) return;
  followers[from].heard = true;
  if (appended.success) {
    take_success(ctx, from, appended);
  } else {
    step_back(ctx, from, appended);
  }
}

void Server::take_success(Context& ctx, NodeId from, const Appended& appended) {
  const bool had_lease = has_lease();
  Progress& progress = followers[from];
  const bool is_news = appended.index > progress.match;
  progress.match = std::max(progress.match, appended.index);
  progress.next = std::max(progress.next, progress.match + 1);
  progress.round = std::max(progress.round, appended.round);
  if (setup->has(Planted::kLateLease) && !had_lease && has_lease()) {
    // Planted: the lease is counted from the answers, not from the question.
    ctx.set_timer("lease", after(kLeaseTicks));
  }
  if (is_news) {
    if (progress.match < log().last()) send_append(ctx, from);  // the next batch
    advance_commit(ctx);
    continue_change(ctx);
    continue_transfer(ctx, from);
  }
  answer_reads(ctx);
}

void Server::step_back(Context& ctx, NodeId from, const Appended& refused) {
  Progress& progress = followers[from];
  // An answer that is older than what is known by now; planted: a refusal cannot be anything else.
  if (refused.index <= progress.match || setup->has(Planted::kNoResend)) return;
  Index next = refused.index;
  if (refused.conflict_term > 0) {
    // Where this log has that term, its last entry may be common.
    for (Index i = log().last(); i > log().snapshot.index; --i) {
      if (log().term_at(i) != refused.conflict_term) continue;
      next = std::max(next, i + 1);
      break;
    }
  }
  progress.next = std::min(next, progress.next - 1);
  if (setup->has(Planted::kLeaderCutsLog)) {
    // Planted: the leader gives way to who does not have its entries.
    stable.log.cut_after(std::max(progress.next - 1, log().snapshot.index));
    save(ctx);
  }
  send_append(ctx, from);
}

void Server::append_entry(Context& ctx, Command command) {
  stable.log.append({stable.term, std::move(command)});
  save(ctx);
  led = stable.term;
  led_to = log().last();
  broadcast_append(ctx);
  advance_commit(ctx);
}

void Server::advance_commit(Context& ctx) {
  for (Index index = log().last(); index > commit; --index) {
    // Planted: an entry of an earlier term is committed by counting, too (figure 8).
    if (log().term_at(index) != stable.term && !setup->has(Planted::kCommitOldTerm)) return;
    const bool held =
        is_quorum([&](NodeId id) { return id == leader || followers.at(id).match >= index; });
    if (!held) continue;
    apply_up_to(ctx, index);
    broadcast_append(ctx);  // the others learn of it
    // Who is not a member any more leads until everybody who is knows it.
    const bool is_out = !config().votes(leader) && log().config_index() <= commit;
    if (is_out) follow(ctx, stable.term, 0);
    return;
  }
}

void Server::apply_up_to(Context& ctx, Index index) {
  while (commit < index && log().has(commit + 1)) {
    ++commit;
    apply(ctx, commit, log().at(commit));
  }
  commit_seen = std::max(commit_seen, commit);
  maybe_compact(ctx);
}

void Server::apply(Context& ctx, Index index, const Entry& entry) {
  const Command& command = entry.command;
  // A change of the members is done with its last configuration.
  const bool is_done = command.config() == nullptr || command.config()->is_settled();
  Applied applied{index, entry, stable.term, true};
  if (command.client == 0 || !is_done) {
    ctx.decide(std::move(applied));
    return;
  }
  Register::Session& session = machine.sessions[command.client];
  applied.effective = command.number > session.number;
  if (applied.effective) {
    if (const Write* write = std::get_if<Write>(&command.what)) machine.value = write->value;
    session = {command.number, machine.value};
  }
  ctx.decide(std::move(applied));
  if (role == Role::kLeader && asking.erase(command.client) > 0) {
    ctx.send(command.client, Answer{command.number, true, leader, session.answer});
  }
}

}  // namespace ordeal::protocols::raft
