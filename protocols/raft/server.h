// A Raft server: "In Search of an Understandable Consensus Algorithm" (Ongaro, Ousterhout 2014) and
// Ongaro's thesis (2014): pre-vote (9.6), check quorum and leases (6.2, 6.4.1), conflict hints
// (3.5), sessions (6.3), read index (6.4), snapshots (5), leadership transfer (3.10), membership by
// one server at a time and by joint configurations (4.2, 4.3), learners (4.2.1).
//
// Everything that must survive a crash is persisted before it is spoken of. Time is the world's:
// timers fire whenever it likes, or in order where the system is timed.
#pragma once

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "ordeal/node.h"
#include "protocols/raft/planted.h"
#include "protocols/raft/types.h"

namespace ordeal::protocols::raft {

enum class Role : uint8_t { kFollower, kPreCandidate, kCandidate, kLeader };
enum class Reads : uint8_t { kByLog, kByIndex, kByLease };

// The same for all servers, and no part of the state.
struct Setup {
  Config initial;
  bool pre_vote = false;
  bool check_quorum = false;
  bool joint = false;     // also a change of one server goes through a joint configuration
  bool learners = false;  // who joins learns first, and votes once it has caught up
  Reads reads = Reads::kByLog;
  uint32_t snapshot_every = 0;  // entries between snapshots; 0: none are taken
  uint32_t batch = 0;           // entries in a message at most; 0: all
  int candidates = 0;           // servers that stand for election: those up to this id; 0: all
  Term last_term = 0;           // nobody stands for election beyond it; 0: no such bound
  uint32_t heartbeats = 0;      // that a leader sends at most in its term
  uint32_t questions = 2;       // pre-votes that a server asks for at most in a term
  bool endless = false;         // heartbeats and pre-votes have no bound, and are not counted
  bool timed = false;
  Planted bug = Planted::kNone;

  bool has(Planted planted) const { return bug == planted; }
};

struct Server {
  using Messages = Types<RequestVote, Vote, Append, Appended, Install, TimeoutNow, Submit>;
  using Disk = Stable;

  // Shared: servers are copied wherever they change.
  std::shared_ptr<const Setup> setup = std::make_shared<const Setup>();

  Stable stable;
  Role role = Role::kFollower;
  NodeId leader = 0;          // of this term, as far as known
  bool hears_leader = false;  // since the last election timeout: votes are refused
  std::set<NodeId> granted;   // votes, while a candidate
  uint32_t questions = 0;     // pre-votes asked for in this term
  Index commit = 0;           // and applied: both move together
  Register machine;           // after `commit`

  // --- Leaders only ---
  struct Progress {
    Index next = 1;
    Index match = 0;
    bool heard = false;  // since the last check of the quorum
    uint32_t round = 0;  // the last one answered
    bool operator==(const Progress&) const = default;
  };
  std::map<NodeId, Progress> followers;
  std::set<NodeId> asking;  // clients whose last command waits for its entry to be committed
  struct WaitingRead {
    NodeId client = 0;
    uint32_t number = 0;
    Index index = 0;     // of what must be applied first
    uint32_t round = 0;  // that a quorum must answer first
    bool operator==(const WaitingRead&) const = default;
  };
  std::vector<WaitingRead> reads;
  uint32_t round = 0;            // of questions whether it still leads
  uint32_t lease_round = 0;      // the round that the lease rests on; 0: none
  bool leases_are_over = false;  // it has told somebody to stand in spite of them
  NodeId transferring_to = 0;    // who shall lead next; 0: nobody
  uint32_t beats = 0;            // heartbeats sent in this term

  // --- Only properties look at these ---
  Term told = 0;           // the highest term it was ever told of
  Term led = 0;            // the last term that it led since it is up
  Index led_to = 0;        // how far its log went then
  Index commit_seen = 0;   // the highest commit since it is up
  bool installed = false;  // a snapshot of a leader's, since it is up

  ORDEAL_FIELDS(stable, role, leader, hears_leader, granted, questions, commit, machine, followers,
                asking, reads, round, lease_round, leases_are_over, transferring_to, beats, told,
                led, led_to, commit_seen, installed);
  ORDEAL_CONSTANTS(setup);

  void start(Context& ctx);
  void recover(Context& ctx, const Stable& disk);
  void timer(Context& ctx, const std::string& name);
  void on(Context& ctx, NodeId from, const RequestVote& request);
  void on(Context& ctx, NodeId from, const Vote& vote);
  void on(Context& ctx, NodeId from, const Append& append);
  void on(Context& ctx, NodeId from, const Appended& appended);
  void on(Context& ctx, NodeId from, const Install& install);
  void on(Context& ctx, NodeId from, const TimeoutNow& now);
  void on(Context& ctx, NodeId from, const Submit& submit);

  const Log& log() const { return stable.log; }
  // The configuration in effect: the last one in the log, committed or not.
  const Config& config() const;
  // The first entry that it wrote as the leader of this term. REQUIRES: it leads.
  Index first_of_term() const;
  bool has_committed_in_term() const { return log().term_at(commit) == stable.term; }

 private:
  // Whether those of whom `has` is true are a majority of the voters; of both sets of them in a
  // joint configuration.
  template <class F>
  bool is_quorum(F has) const {
    const Config& now = config();
    const auto majority = [&](const std::set<NodeId>& voters) {
      const auto count = std::count_if(voters.begin(), voters.end(), has);
      return static_cast<size_t>(count) >= needed(voters.size());
    };
    // Planted: in a joint configuration the new majority is enough.
    if (setup->has(Planted::kHalfJoint) && now.is_joint()) return majority(now.incoming);
    if (setup->has(Planted::kLearnersCount)) return majority_with_learners(now, has);
    return majority(now.voters) && (!now.is_joint() || majority(now.incoming));
  }
  // Planted: who only learns counts, too.
  template <class F>
  bool majority_with_learners(const Config& now, F has) const {
    const std::set<NodeId> all = now.members();
    const auto count = std::count_if(all.begin(), all.end(), has);
    return static_cast<size_t>(count) >= needed(now.voters.size());
  }
  size_t needed(size_t voters) const;
  void save(Context& ctx) { ctx.persist(stable); }
  // Of timers that renew themselves or only give something up: without time, they would fire for
  // ever or too soon, and a run may end without them.
  TimerOptions after(uint32_t ticks) const { return {.after = ticks, .idle = !setup->timed}; }

  // --- Elections (election.cc) ---
  bool may_stand(NodeId self) const;
  void set_election_timer(Context& ctx);
  enum class Stand : uint8_t { kPre, kNow, kByTransfer };
  void stand(Context& ctx, Stand how);
  void lead(Context& ctx);
  void follow(Context& ctx, Term term, NodeId who);
  void follow_leader(Context& ctx, Term term, NodeId who);
  void hear(Term term) { told = std::max(told, term); }
  bool hears_a_leader() const { return hears_leader || role == Role::kLeader; }
  bool ignores(const RequestVote& request) const;
  bool is_up_to_date(const RequestVote& request) const;
  void answer_pre_vote(Context& ctx, const RequestVote& request);
  void count_pre_vote(Context& ctx, NodeId from, const Vote& vote);
  void check_quorum(Context& ctx);

  // --- Replication (replication.cc) ---
  void send_append(Context& ctx, NodeId to);
  void broadcast_append(Context& ctx);
  void beat(Context& ctx);
  bool fits(const Append& append) const;
  Appended hint(const Append& append) const;
  Index take_entries(Context& ctx, const Append& append);
  void take_success(Context& ctx, NodeId from, const Appended& appended);
  void step_back(Context& ctx, NodeId from, const Appended& refused);
  void append_entry(Context& ctx, Command command);
  void advance_commit(Context& ctx);
  void apply_up_to(Context& ctx, Index index);
  void apply(Context& ctx, Index index, const Entry& entry);

  // --- Snapshots (snapshots.cc) ---
  void maybe_compact(Context& ctx);

  // --- Membership and transfer (membership.cc) ---
  void begin_change(Context& ctx, NodeId client, uint32_t number, const Change& change);
  bool may_change() const;
  void continue_change(Context& ctx);
  bool has_caught_up(NodeId learner) const;
  void begin_transfer(Context& ctx, NodeId client, uint32_t number, NodeId to);
  void continue_transfer(Context& ctx, NodeId from);

  // --- Clients (clients.cc) ---
  void begin_read(Context& ctx, NodeId client, uint32_t number);
  void answer_reads(Context& ctx);
  void begin_lease(Context& ctx);
  bool has_lease() const { return lease_round > 0 && has_answered(lease_round); }
  bool has_answered(uint32_t asked) const;
  bool is_in_log(NodeId client, uint32_t number) const;
};

}  // namespace ordeal::protocols::raft
