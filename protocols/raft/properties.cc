#include "protocols/raft/properties.h"

#include <fmt/format.h>

#include <map>
#include <string>

#include "ordeal/predicate.h"
#include "protocols/raft/server.h"

namespace ordeal::protocols::raft {
namespace {

const Applied& applied_of(const value::Any& decision) { return *decision.try_get<Applied>(); }

template <class F>
void for_each_server(const View& view, F f) {
  for (NodeId id : view.nodes()) {
    if (view.is<Server>(id) && view.up(id)) f(id, view.node<Server>(id));
  }
}

template <class F>
bool some_server(const View& view, F is_it) {
  bool found = false;
  for_each_server(view, [&](NodeId, const Server& server) { found = found || is_it(server); });
  return found;
}

// At most one leader in a term.
Outcome elect_one(const Server& a, const Server& b) {
  if (a.role != Role::kLeader || b.role != Role::kLeader || a.stable.term != b.stable.term) {
    return true;
  }
  return violated(fmt::format("servers {} and {} both lead term {}", a.leader.value, b.leader.value,
                              a.stable.term));
}

// While it leads, a leader's log only grows.
Outcome leader_only_appends(const Server& server) {
  if (server.led != server.stable.term || server.led == 0) return true;
  const Log& log = server.log();
  if (log.last() >= server.led_to && log.term_at(server.led_to) == server.led) return true;
  return violated(fmt::format("it led term {} with entries up to {}, and its log ends at {} now",
                              server.led, server.led_to, log.last()));
}

// Two logs with the same term at an index are the same up to there.
Outcome logs_match(const Server& a, const Server& b) {
  const Log& x = a.log();
  const Log& y = b.log();
  const Index first = std::max(x.snapshot.index, y.snapshot.index) + 1;
  Index same = 0;  // the last index at which the terms are the same
  for (Index i = first; i <= std::min(x.last(), y.last()); ++i) {
    if (x.at(i).term == y.at(i).term) same = i;
  }
  for (Index i = first; i <= same; ++i) {
    if (x.at(i) == y.at(i)) continue;
    return violated(
        fmt::format("both logs have term {} at index {}, but at index {} one has {}, "
                    "the other {}",
                    x.at(same).term, same, i, value::show(x.at(i)), value::show(y.at(i))));
  }
  return true;
}

// Along a log, terms never go back.
Outcome terms_are_in_order(const Server& server) {
  Term before = server.log().snapshot.term;
  for (Index i = server.log().snapshot.index + 1; i <= server.log().last(); ++i) {
    const Term term = server.log().at(i).term;
    if (term < before) {
      return violated(
          fmt::format("entry {} is of term {}, the one before of term {}", i, term, before));
    }
    before = term;
  }
  return true;
}

// What is known to be committed is in the log of every later leader.
Outcome leaders_are_complete(const View& view) {
  Outcome outcome = true;
  for_each_server(view, [&](NodeId leader, const Server& server) {
    if (server.role != Role::kLeader) return;
    for (NodeId id : view.nodes()) {
      for (const value::Any& decision : view.decisions(id)) {
        const Applied& applied = applied_of(decision);
        const bool is_later = applied.known_in < server.stable.term;
        const bool is_there = applied.index <= server.log().snapshot.index ||
                              server.log().term_at(applied.index) == applied.entry.term;
        if (!is_later || is_there) continue;
        outcome = violated(fmt::format("server {} leads term {} without entry {} of term {}, which "
                                       "server {} has applied in term {}",
                                       leader.value, server.stable.term, applied.index,
                                       applied.entry.term, id.value, applied.known_in))
                      .node(leader)
                      .node(id);
        return;
      }
    }
  });
  return outcome;
}

// What a server has applied stands in its log, as it was, for ever after; or a snapshot holds it.
Outcome committed_entries_stay(const View& view) {
  Outcome outcome = true;
  for_each_server(view, [&](NodeId id, const Server& server) {
    for (const value::Any& decision : view.decisions(id)) {
      const Applied& applied = applied_of(decision);
      const Log& log = server.log();
      if (applied.index <= log.snapshot.index) continue;
      if (log.has(applied.index) && log.at(applied.index) == applied.entry) continue;
      outcome =
          violated(fmt::format("server {} has applied {} at index {}, where its log {}", id.value,
                               value::show(applied.entry), applied.index,
                               log.has(applied.index)
                                   ? "has " + value::show(log.at(applied.index)) + " now"
                                   : fmt::format("has nothing now: it ends at {}", log.last())))
              .node(id);
      return;
    }
  });
  return outcome;
}

// No two servers apply different entries at an index.
Outcome machines_are_safe(const View& view) {
  std::map<Index, std::pair<const Applied*, NodeId>> first;
  for (NodeId id : view.nodes()) {
    for (const value::Any& decision : view.decisions(id)) {
      const Applied& applied = applied_of(decision);
      const auto [known, is_new] = first.try_emplace(applied.index, &applied, id);
      if (is_new || known->second.first->entry == applied.entry) continue;
      return violated(fmt::format("at index {}, server {} applied {}, server {} {}", applied.index,
                                  known->second.second.value,
                                  value::show(known->second.first->entry), id.value,
                                  value::show(applied.entry)))
          .node(known->second.second)
          .node(id);
    }
  }
  return true;
}

// However often a command is in the log, it takes effect once.
Outcome commands_act_once(const View& view) {
  for (NodeId id : view.nodes()) {
    std::map<std::pair<NodeId, uint32_t>, Index> done;
    for (const value::Any& decision : view.decisions(id)) {
      const Applied& applied = applied_of(decision);
      const Command& command = applied.entry.command;
      const Config* config = command.config();
      const bool is_step = config != nullptr && !config->is_settled();
      if (command.client == 0 || is_step || !applied.effective) continue;
      const auto [known, is_new] =
          done.try_emplace(std::pair(command.client, command.number), applied.index);
      // A server that was down applies the same entries again.
      if (is_new || known->second == applied.index) continue;
      return violated(fmt::format("server {} did command {} of client {} at index {} and again at "
                                  "index {}",
                                  id.value, command.number, command.client.value, known->second,
                                  applied.index))
          .node(id);
    }
  }
  return true;
}

}  // namespace

void add_properties(System& system, const Possible& possible) {
  system.always("election safety", correct_pairs<Server>(elect_one));
  system.always("leader append-only", each_correct<Server>(leader_only_appends));
  system.always("log matching", pairs<Server>(logs_match));
  system.always("terms in order", each<Server>(terms_are_in_order));
  system.always("leader completeness", leaders_are_complete);
  system.always("state machine safety", machines_are_safe);
  system.always("committed entries stay", committed_entries_stay);
  system.always("exactly once", commands_act_once);
  system.always("commit is monotonic", each<Server>([](const Server& server) -> Outcome {
                  if (server.commit >= server.commit_seen) return true;
                  return violated(fmt::format("index {} was committed, and now {} is",
                                              server.commit_seen, server.commit));
                }));
  system.always("snapshots are committed", each<Server>([](const Server& server) -> Outcome {
                  if (server.log().snapshot.index <= server.commit) return true;
                  return violated(fmt::format("the snapshot goes up to {}, and {} is committed",
                                              server.log().snapshot.index, server.commit));
                }));
  system.always("terms are taken over", each<Server>([](const Server& server) -> Outcome {
                  if (server.stable.term >= server.told) return true;
                  return violated(fmt::format("it was told of term {}, and goes on in term {}",
                                              server.told, server.stable.term));
                }));
  system.always("linearizable", linearizable<RegisterSpec<Content>>());

  system.sometimes("a leader", [](const View& view) {
    return some_server(view, [](const Server& server) { return server.role == Role::kLeader; });
  });
  system.sometimes("a commit", [](const View& view) {
    return some_server(view, [](const Server& server) { return server.commit > 0; });
  });
  if (possible.endless) {
    system.infinitely_often("led again and again", [](const View& view) {
      return some_server(view, [](const Server& server) { return server.role == Role::kLeader; });
    });
    // Of servers that are up.
    system.eventually_always("all is committed in the end", [](const View& view) {
      return !some_server(view, [](const Server& s) { return s.commit < s.log().last(); });
    });
  }
  if (possible.deposing) {
    system.sometimes("a leader deposed", [](const View& view) {
      return some_server(view, [](const Server& server) {
        return server.led > 0 && server.led < server.stable.term;
      });
    });
  }
  if (possible.installing) {
    system.sometimes("a snapshot installed", [](const View& view) {
      return some_server(view, [](const Server& server) { return server.installed; });
    });
  }
  if (possible.changing) {
    system.sometimes("a membership change done", [](const View& view) {
      return some_server(view, [](const Server& server) {
        return server.config().is_settled() && server.config() != server.setup->initial &&
               server.log().config_index() <= server.commit;
      });
    });
  }
}

}  // namespace ordeal::protocols::raft
