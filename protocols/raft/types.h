// What Raft servers keep and send: configurations, logs, snapshots, and the messages between them.
//
// Indexes count entries from 1; index 0 and term 0 stand for "before the first". A log is the
// entries behind a snapshot, which may be empty.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <variant>
#include <vector>

#include "ordeal/node_id.h"
#include "ordeal/value.h"
#include "protocols/register/client.h"

namespace ordeal::protocols::raft {

using Term = uint32_t;
using Index = uint32_t;

// Who votes and who only listens. In a joint configuration, which leads from one set of voters to
// another, whatever needs a majority needs one of each.
struct Config {
  std::set<NodeId> voters;
  std::set<NodeId> incoming;  // the voters to come; empty: this is no joint configuration
  std::set<NodeId> learners;
  bool operator==(const Config&) const = default;

  bool is_joint() const { return !incoming.empty(); }
  bool is_settled() const { return incoming.empty() && learners.empty(); }
  bool votes(NodeId id) const { return voters.contains(id) || incoming.contains(id); }
  std::set<NodeId> members() const;
};

// --- What clients ask for -----------------------------------------------------------------------

struct Write {
  char value = '\0';
  bool operator==(const Write&) const = default;
};
struct Read {
  bool operator==(const Read&) const = default;
};
// Servers that shall join and leave.
struct Change {
  std::set<NodeId> add;
  std::set<NodeId> remove;
};
struct Transfer {
  NodeId to = 0;
};
using Wish = std::variant<Write, Read, Change, Transfer>;

// --- The log ------------------------------------------------------------------------------------

// What a leader begins its term with: only entries of its own term are committed by counting.
struct Begin {
  bool operator==(const Begin&) const = default;
};

// Numbered by the client, so that it is done once however often it arrives.
struct Command {
  NodeId client = 0;  // 0: nobody
  uint32_t number = 0;
  std::variant<Begin, Write, Read, Config> what;
  bool operator==(const Command&) const = default;

  const Config* config() const { return std::get_if<Config>(&what); }
};

struct Entry {
  Term term = 0;
  Command command;
  bool operator==(const Entry&) const = default;
};

// The state machine: a register, and for each client the last command done with its answer.
struct Register {
  struct Session {
    uint32_t number = 0;
    Content answer;
    bool operator==(const Session&) const = default;
  };
  Content value;
  std::map<NodeId, Session> sessions;
  bool operator==(const Register&) const = default;
};

struct Snapshot {
  Index index = 0;
  Term term = 0;
  Register state;
  std::optional<Config> config;  // none: the one that servers start with
  bool operator==(const Snapshot&) const = default;
};

class Log {
 public:
  Snapshot snapshot;
  std::vector<Entry> entries;  // of index snapshot.index + 1 on
  ORDEAL_FIELDS(snapshot, entries);

  Index last() const { return snapshot.index + static_cast<Index>(entries.size()); }
  Term last_term() const { return entries.empty() ? snapshot.term : entries.back().term; }
  bool has(Index index) const { return index > snapshot.index && index <= last(); }
  // 0 where it is not known: behind the end, or inside the snapshot.
  Term term_at(Index index) const {
    if (index == snapshot.index) return snapshot.term;
    return has(index) ? at(index).term : 0;
  }
  // REQUIRES: has(index).
  const Entry& at(Index index) const { return entries[index - snapshot.index - 1]; }
  // Entries of this index on, at most so many. REQUIRES: index > snapshot.index.
  std::vector<Entry> from(Index index, size_t most) const;
  void append(Entry entry) { entries.push_back(std::move(entry)); }
  void replace(Index index, Entry entry) { entries[index - snapshot.index - 1] = std::move(entry); }
  // Drops what comes after `index`. REQUIRES: index >= snapshot.index.
  void cut_after(Index index) {
    entries.resize(std::min<size_t>(entries.size(), index - snapshot.index));
  }
  // The snapshot takes the place of everything up to it.
  void compact(Snapshot taken);
  // Where the configuration in effect is: its entry, or the snapshot.
  Index config_index() const;
  bool operator==(const Log&) const = default;
};

// What survives a crash.
struct Stable {
  Term term = 0;
  NodeId voted_for = 0;  // in this term; 0: nobody
  Log log;
  bool operator==(const Stable&) const = default;
};

// What a server applied; properties compare these.
struct Applied {
  Index index = 0;
  Entry entry;
  Term known_in = 0;      // the term in which this server learned that it is committed
  bool effective = true;  // not a command that had been done before
  bool operator==(const Applied&) const = default;
};

// --- Between servers ----------------------------------------------------------------------------

struct RequestVote {
  Term term = 0;
  Index last_index = 0;
  Term last_term = 0;
  bool pre = false;       // only asks whether it would be granted
  bool transfer = false;  // the leader itself wants it
};

struct Vote {
  Term term = 0;
  bool granted = false;
  bool pre = false;
};

struct Append {
  Term term = 0;
  Index before = 0;  // the index of what comes right before the entries, and its term
  Term before_term = 0;
  std::vector<Entry> entries;
  Index commit = 0;
  uint32_t round = 0;  // who answers was a follower when this round of questions began
};

struct Appended {
  Term term = 0;
  bool success = false;
  Index index = 0;  // success: everything up to there is the leader's; else: try from here on
  Term conflict_term = 0;  // what stands at the place that did not fit; 0: nothing
  uint32_t round = 0;
};

struct Install {
  Term term = 0;
  Snapshot snapshot;
};

// To the one who shall lead next: stand for election at once.
struct TimeoutNow {
  Term term = 0;
};

// --- Between clients and servers ----------------------------------------------------------------

struct Submit {
  uint32_t number = 0;
  Wish wish;
};

struct Answer {
  uint32_t number = 0;
  bool done = false;  // else: this server does not lead
  NodeId leader = 0;  // … but this one may; 0: not known
  Content value;
};

}  // namespace ordeal::protocols::raft
