#include "protocols/raft/steering.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "protocols/raft/server.h"
#include "protocols/up_nodes.h"

namespace ordeal::protocols::raft {
namespace {

enum class Whom : uint8_t { kNobody, kItself, kOther };

Whom whom(NodeId who, NodeId self) {
  if (who == 0) return Whom::kNobody;
  return who == self ? Whom::kItself : Whom::kOther;
}

// As published for Etcd and RedisRaft (thesis, 4.5.1): role, round, vote and leader, commit, log.
// Terms are bounded, so that there are finitely many of them; no identifiers (4.2.2).
struct Colour {
  Role role = Role::kFollower;
  Term term = 0;
  Whom vote = Whom::kNobody;
  Whom leader = Whom::kNobody;
  Index commit = 0;
  Index last = 0;
  std::vector<std::pair<Term, uint32_t>> log;  // of every entry its term and kind
};

Colour colour_of(const Server& server, NodeId self, Term bound) {
  Colour out;
  out.role = server.role;
  out.term = std::min(server.stable.term, bound);
  out.vote = whom(server.stable.voted_for, self);
  out.leader = whom(server.leader, self);
  out.commit = server.commit;
  out.last = server.log().last();
  for (const Entry& entry : server.log().entries) {
    out.log.emplace_back(std::min(entry.term, bound),
                         static_cast<uint32_t>(entry.command.what.index()));
  }
  return out;
}

bool in_term(const Server& server, int term) {
  return server.stable.term == static_cast<Term>(term);
}
bool from_term(const Server& server, int term) {
  return server.stable.term >= static_cast<Term>(term);
}
bool has_role(const Server& server, int role) { return static_cast<int>(server.role) == role; }
bool leads(const Server& server) { return server.role == Role::kLeader; }

// Committed entries that it wrote, or took over, in that term.
int committed_of(const Server& server, int term) {
  int out = 0;
  for (Index i = server.log().snapshot.index + 1; i <= server.commit; ++i) {
    if (server.log().term_at(i) == static_cast<Term>(term)) ++out;
  }
  return out;
}

}  // namespace

void add_steering(System& system) {
  // The bounds of the two published colourings.
  system.colour<Server>(
      [](const Server& server, NodeId self) { return colour_of(server, self, 6); });
  system.colour<Server>(
      {"term5",
       "terms bounded at 5, as published for RedisRaft; default: at 6, "
       "as for Etcd"},
      [](const Server& server, NodeId self) { return colour_of(server, self, 5); });

  // Table 4.1 and 4.3 of the thesis. Each says whether it means = or >=.
  system
      .predicate("ProcessesInTerm", "at least so many servers are in this term (=)",
                 [](int n, int term) {
                   return [=](const View& view) {
                     return count_up<Server>(
                                view, [&](const Server& s) { return in_term(s, term); }) >= n;
                   };
                 })
      .predicate("OneInTerm", "a server is in this term (=)",
                 [](int term) {
                   return [=](const View& view) {
                     return count_up<Server>(view,
                                             [&](const Server& s) { return in_term(s, term); }) > 0;
                   };
                 })
      .graded("OneFromTerm", "a server is in this term or a later one (>=)",
              [](int term) {
                return [=](const View& view) {
                  return term -
                         up_most<Server>(view, [](const Server& s) { return s.stable.term; });
                };
              })
      .predicate("AllInTerm", "all servers are up and in this term (=)",
                 [](int term) {
                   return [=](const View& view) {
                     return all_up<Server>(view, [&](const Server& s) { return in_term(s, term); });
                   };
                 })
      .predicate("AllFromTerm", "all servers are up and in this term or a later one (>=)",
                 [](int term) {
                   return [=](const View& view) {
                     return all_up<Server>(view,
                                           [&](const Server& s) { return from_term(s, term); });
                   };
                 })
      .graded("TermDiff", "the terms of two servers differ by this much (>=)",
              [](int by) {
                return [=](const View& view) {
                  return by -
                         up_spread<Server>(view, [](const Server& s) { return s.stable.term; });
                };
              })
      .graded("CommitEntries", "a server has committed so many entries (>=)",
              [](int entries) {
                return [=](const View& view) {
                  return entries - up_most<Server>(view, [](const Server& s) { return s.commit; });
                };
              })
      .predicate("AllCommitted", "all servers are up and have committed so many entries (>=)",
                 [](int entries) {
                   return [=](const View& view) {
                     return all_up<Server>(view, [&](const Server& s) {
                       return s.commit >= static_cast<Index>(entries);
                     });
                   };
                 })
      .predicate("CommittedEntriesInTerm",
                 "a server has committed so many entries (>=) of this term (=)",
                 [](int entries, int term) {
                   return [=](const View& view) {
                     return count_up<Server>(view, [&](const Server& s) {
                              return committed_of(s, term) >= entries;
                            }) > 0;
                   };
                 })
      .predicate("EntryInTerm", "a server has committed an entry of this term (=)",
                 [](int term) {
                   return [=](const View& view) {
                     return count_up<Server>(view, [&](const Server& s) {
                              return committed_of(s, term) > 0;
                            }) > 0;
                   };
                 })
      .predicate("LeaderInTerm", "a server leads in this term (=)",
                 [](int term) {
                   return [=](const View& view) {
                     return count_up<Server>(view, [&](const Server& s) {
                              return leads(s) && in_term(s, term);
                            }) > 0;
                   };
                 })
      .predicate("ProcessInRole",
                 "a server is a follower (0), pre-candidate (1), candidate (2) or leader (3)",
                 [](int role) {
                   return [=](const View& view) {
                     return count_up<Server>(
                                view, [&](const Server& s) { return has_role(s, role); }) > 0;
                   };
                 })
      .predicate("ProcessInRoleTerm", "a server has this role in this term (=)",
                 [](int role, int term) {
                   return [=](const View& view) {
                     return count_up<Server>(view, [&](const Server& s) {
                              return has_role(s, role) && in_term(s, term);
                            }) > 0;
                   };
                 })
      .predicate("OneLeaderOneCandidate", "a server leads while another is a candidate",
                 [](const View& view) {
                   return count_up<Server>(view, leads) > 0 &&
                          count_up<Server>(
                              view, [](const Server& s) { return s.role == Role::kCandidate; }) > 0;
                 })
      .graded("LogDiff", "the logs of two servers differ in length by this much (>=)",
              [](int by) {
                return [=](const View& view) {
                  return by -
                         up_spread<Server>(view, [](const Server& s) { return s.log().last(); });
                };
              })
      .graded("LogCommitDiff", "what two servers have committed differs by this much (>=)",
              [](int by) {
                return [=](const View& view) {
                  return by - up_spread<Server>(view, [](const Server& s) { return s.commit; });
                };
              })
      .graded("SnapshotIndex", "a server has a snapshot of so many entries (>=)", [](int index) {
        return [=](const View& view) {
          return index -
                 up_most<Server>(view, [](const Server& s) { return s.log().snapshot.index; });
        };
      });

  // Tables 4.4 and 4.6, with the sequences that the original's code uses.
  system.waypoints("one-in-term-3", "OneInTerm(3)")
      .waypoints("one-in-term-4", "OneInTerm(2), OneInTerm(3), OneInTerm(4)")
      .waypoints("all-in-term-2", "AllInTerm(2)")
      .waypoints("all-in-term-5", "OneFromTerm(3), OneFromTerm(5), AllFromTerm(5)")
      .waypoints("term-diff-2", "TermDiff(2)")
      .waypoints("commit-2", "CommitEntries(2)")
      .waypoints("commit-2-by-way-of-a-leader",
                 "CommitEntries(1), CommitEntries(1) & ProcessInRole(3), CommitEntries(2)")
      .waypoints("entry-in-term-2", "OneInTerm(2), LeaderInTerm(2), EntryInTerm(2)")
      .waypoints("leader-in-term-2", "LeaderInTerm(2)")
      .waypoints("leader-in-term-4", "OneInTerm(3), AllInTerm(3), LeaderInTerm(4)")
      .waypoints("log-diff-1", "LogDiff(1)")
      .waypoints("log-diff-2", "LogDiff(1), LogDiff(2)")
      .waypoints("log-commit-diff-3", "LogDiff(1), LogDiff(2), LogDiff(3), LogCommitDiff(3)")
      .waypoints("leader-and-candidate",
                 "ProcessInRole(3), ProcessInRole(3) & TermDiff(1), OneLeaderOneCandidate");

  // What a list of waypoints cannot say: the same once more, and one way or another.
  system
      .reward_machine("led-twice",
                      "start: ProcessInRole(3) -> led; led: !ProcessInRole(3) -> lost; "
                      "lost: ProcessInRole(3) -> success",
                      "a leader, none, and a leader again")
      .reward_machine("log-commit-diff-3-either-way",
                      "start: LogCommitDiff(1) -> behind; start: LogDiff(1) -> apart; "
                      "apart: LogCommitDiff(1) -> behind; apart: !LogDiff(1) -> start pays 0; "
                      "behind: LogCommitDiff(2) -> far; "
                      "behind: !LogCommitDiff(1) -> start pays 0; "
                      "far: LogCommitDiff(3) -> success; far: !LogCommitDiff(2) -> behind pays 0",
                      "logs apart first, or commits at once");
}

}  // namespace ordeal::protocols::raft
