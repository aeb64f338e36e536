// Snapshots: taken by every server for itself, sent to those who lack what they replace.
#include "protocols/raft/server.h"

namespace ordeal::protocols::raft {

void Server::maybe_compact(Context& ctx) {
  if (setup->snapshot_every == 0) return;
  if (commit < log().snapshot.index + setup->snapshot_every) return;
  Snapshot taken{commit, log().term_at(commit), machine, log().snapshot.config};
  for (Index index = log().snapshot.index + 1; index <= commit; ++index) {
    if (const Config* config = log().at(index).command.config()) taken.config = *config;
  }
  // Planted: what clients had done is not part of the snapshot.
  if (setup->has(Planted::kLostSessions)) taken.state.sessions.clear();
  // Planted: the snapshot says that it reaches one entry further than it does.
  if (setup->has(Planted::kSnapshotOffByOne) && commit < log().last()) ++taken.index;
  stable.log.compact(std::move(taken));
  save(ctx);
}

void Server::on(Context& ctx, NodeId from, const Install& install) {
  hear(install.term);
  if (install.term < stable.term) {
    ctx.reply(Appended{stable.term, false, 0, 0, 0});
    return;
  }
  follow_leader(ctx, install.term, from);
  const Snapshot& snapshot = install.snapshot;
  // Planted: also what is older than its own state is taken over.
  if (snapshot.index > commit || setup->has(Planted::kOldSnapshot)) {
    // What follows the snapshot in its log stays where the two fit together.
    const bool fits = log().has(snapshot.index) && log().term_at(snapshot.index) == snapshot.term;
    if (!fits) stable.log.cut_after(log().snapshot.index);
    stable.log.compact(snapshot);
    save(ctx);
    machine = snapshot.state;
    commit = snapshot.index;
    commit_seen = std::max(commit_seen, commit);
    installed = true;
    ctx.log("installs a snapshot up to " + std::to_string(snapshot.index));
  }
  ctx.reply(Appended{install.term, true, snapshot.index, 0, 0});
  set_election_timer(ctx);
}

}  // namespace ordeal::protocols::raft
