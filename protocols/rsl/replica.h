// RSL, the Replicated State Library, as its source describes it (github.com/Azure/RSL,
// src/RSL/src/paxos.txt and legislator.cpp): Paxos with one open decree at a time. A replica
// remembers one vote that may not be decided, and no message says that a decree is: who accepts
// the vote for the next decree under the same ballot knows it of the one before. Made for replicas
// that crash and come back with their disk, and for messages that get lost; any minority may be
// down.
//
// A replica without a primary, or behind it, first asks the others how far they are (Initializing),
// fetches what it lacks, and only then asks for their promises (Preparing). Who is ahead of a
// candidate does not answer it. The new primary proposes the freshest vote of those who did, at the
// same decree, before it goes on.
//
// Not here: checkpoints, configurations, notes of ballots that were only seen. Replicas begin as
// secondaries, and clients' requests wait where they arrive until that replica is primary; RSL
// sends the client away instead.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "ordeal/node.h"
#include "protocols/rsl/messages.h"
#include "protocols/rsl/planted.h"

namespace ordeal::protocols::rsl {

// How long things take where time is kept, in ticks.
inline constexpr uint32_t kElectionTicks = 16;  // at least; less than twice as long
inline constexpr uint32_t kActionTicks = 8;
inline constexpr uint32_t kHeartbeatTicks = 4;

enum class State : uint8_t { kInitializing, kPreparing, kPrimary, kSecondary };

struct Setup {
  int candidates = 0;       // replicas that may become primary: those up to this id; 0: all
  uint32_t ballots = 0;     // nobody prepares a ballot of a higher number; 0: no such bound
  uint32_t heartbeats = 0;  // empty decrees that a primary proposes at most under its ballot
  uint32_t retries = 0;     // how often a replica sends again what got no answer
  bool timed = false;
  Planted bug = Planted::kNone;

  bool has(Planted planted) const { return bug == planted; }
};

struct Replica {
  using Requests = Types<Submit>;
  using Messages = Types<StatusQuery, StatusResponse, FetchVotes, FetchedVotes, Prepare,
                         PrepareAccepted, Vote, VoteAccepted, NotAccepted>;
  using Disk = Stable;

  struct Cached {
    NodeId from = 0;
    Vote vote;
    bool operator==(const Cached&) const = default;
  };

  Setup setup;  // no part of the state

  Stable stable;
  State state = State::kSecondary;
  bool decided = false;            // the last vote is: a primary has heard from a quorum
  std::set<NodeId> answers;        // Preparing and primary: who has accepted, itself included
  Vote freshest;                   // Preparing: of those answers, at its own decree
  std::vector<int> requests;       // not proposed yet
  std::vector<Cached> cached;      // Initializing: votes that arrive meanwhile
  std::map<NodeId, Place> status;  // Initializing: who has said how far it is
  bool fetching = false;           // Initializing: somebody has been asked for votes
  bool overdue = false;            // Initializing: because no decree passed for too long
  uint32_t beats = 0;              // heartbeats under this ballot
  uint32_t retried = 0;
  ORDEAL_FIELDS(stable, state, decided, answers, freshest, requests, cached, status, fetching,
                overdue, beats, retried);
  ORDEAL_CONSTANTS(setup);

  void start(Context& ctx);
  void recover(Context& ctx, const Stable& disk);
  void timer(Context& ctx, const std::string& name);
  void request(Context& ctx, const Submit& submit);
  void on(Context& ctx, NodeId from, const StatusQuery& query);
  void on(Context& ctx, NodeId from, const StatusResponse& response);
  void on(Context& ctx, NodeId from, const FetchVotes& fetch);
  void on(Context& ctx, NodeId from, const FetchedVotes& fetched);
  void on(Context& ctx, NodeId from, const Prepare& prepare);
  void on(Context& ctx, NodeId from, const PrepareAccepted& accepted);
  void on(Context& ctx, NodeId from, const Vote& vote);
  void on(Context& ctx, NodeId from, const VoteAccepted& accepted);
  void on(Context& ctx, NodeId from, const NotAccepted& refused);

  Place place() const { return stable.vote.place(); }
  // How many decrees it knows to be decided.
  size_t decrees_decided() const { return stable.log.size() + (decided ? 1 : 0); }

 private:
  int quorum(const Context& ctx) const;
  bool has_quorum(const Context& ctx) const;
  bool may_stand(NodeId self) const;
  void save(Context& ctx) { ctx.persist(stable); }
  void set_election_timer(Context& ctx);
  void set_action_timer(Context& ctx);
  // Without time they would fire too soon or for ever: a run may end without them.
  TimerOptions after(uint32_t ticks) const { return {.after = ticks, .idle = !setup.timed}; }

  // --- Who leads (election.cc) ---
  void enter(Context& ctx, State next);
  void start_initializing(Context& ctx);
  void move_on(Context& ctx);
  void learn_from(Context& ctx, NodeId who);
  void start_preparing(Context& ctx);
  void become_primary(Context& ctx);
  void become_secondary(Context& ctx);
  void promise(Context& ctx, const Ballot& ballot);

  // --- What is decided (voting.cc) ---
  void send_next_vote(Context& ctx, int value);
  void propose_request(Context& ctx);
  void count_answers(Context& ctx);
  void decide(Context& ctx);
  bool is_outdated(const Vote& vote) const;
  bool is_next(const Vote& vote) const;
  void take_vote(Context& ctx, NodeId from, const Vote& vote);
  void accept(Context& ctx, const Vote& vote);
  void cache(NodeId from, const Vote& vote);
  void take_cached(Context& ctx);
};

}  // namespace ordeal::protocols::rsl
