// A correct replica of PBFT (Castro and Liskov, "Practical Byzantine Fault Tolerance", 1999).
//
// A replica counts its own votes without sending them to itself, and keeps only what can still
// matter: votes until they are enough, certificates only where views can change. It ignores what
// comes too early: votes for a proposal that it has not seen, messages of a view that it has not
// entered. In a network where deliveries that change nothing are left out, that means that such a
// message arrives later; in the paper, that others send it again.
#pragma once

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "ordeal/node.h"
#include "protocols/byzantine/signed.h"
#include "protocols/pbft/messages.h"
#include "protocols/pbft/setup.h"

namespace ordeal::protocols::pbft {

// One sequence number in the current view.
struct Slot {
  PrePrepare proposal;
  std::map<NodeId, Prepare> prepares;  // until there are enough
  std::map<NodeId, Digest> commits;    // until there are enough
  bool prepared = false;
  bool committed = false;
};

// The proposals of a new view, before they are signed: requests by sequence number.
struct Recovered {
  int stable = 0;                 // the highest stable checkpoint
  std::vector<Checkpoint> proof;  // of it
  std::map<int, Request> requests;
};

struct Replica {
  using Messages = Types<Request, PrePrepare, Prepare, Commit, Checkpoint, FetchState, StateCopy,
                         ViewChange, NewView>;

  // No part of the state.
  Setup setup;
  bool withholds = false;  // Byzantine: what it sends may not reach everybody

  int view = 0;
  bool changing = false;  // it has asked for `view`, and waits for it to begin
  // Requests that it knows of and has not executed, by client.
  std::map<NodeId, Request> pending;
  std::map<int, Slot> slots;
  std::map<int, Certificate> certificates;  // of the last view in which it was prepared
  // Execution and checkpoints.
  int executed = 0;
  Service service;
  int stable = 0;
  uint32_t stable_state = 0;
  std::vector<Checkpoint> stable_proof;
  std::map<int, Service> snapshots;  // at checkpoints, from the stable one on
  std::map<int, std::map<NodeId, Checkpoint>> checkpoints;
  // View changes: who asked for which, and what they said where this replica would lead.
  std::map<NodeId, int> asked;
  std::map<NodeId, ViewChange> view_changes;
  ORDEAL_FIELDS(view, changing, pending, slots, certificates, executed, service, stable,
                stable_state, stable_proof, snapshots, checkpoints, asked, view_changes);
  ORDEAL_CONSTANTS(setup, withholds);

  void on(Context& ctx, const Request& request);
  void on(Context& ctx, const PrePrepare& proposal);
  void on(Context& ctx, const Prepare& prepare);
  void on(Context& ctx, const Commit& commit);
  void on(Context& ctx, const Checkpoint& checkpoint);
  void on(Context& ctx, const FetchState& fetch);
  void on(Context& ctx, const StateCopy& copy);
  void on(Context& ctx, const ViewChange& change);
  void on(Context& ctx, const NewView& new_view);
  void timer(Context& ctx, const std::string& name);

  bool in_window(int sequence) const;

  // What view changes say together; used by the new primary, and by those who verify it.
  static Recovered recover_from(const Setup& setup, const std::vector<ViewChange>& view_changes);

 private:
  template <class M>
  bool authentic(const M& message) const {
    // Planted: nobody looks at signatures.
    return setup.has(Planted::kUnsigned) || verify(message);
  }
  template <class M>
  static M signed_by(const Context& ctx, M message) {
    return sign(issue_key(ctx.self()), std::move(message));
  }
  template <class M>
  bool is_from_replica(const M& message) const {
    return setup.is_replica(message.signature.by) && authentic(message);
  }
  template <class M>
  void broadcast(Context& ctx, const M& message) const;

  // The three phases.
  bool is_now(int other_view) const;
  bool is_request_of_client(const Request& request) const;
  void expect_execution_of(Context& ctx, const Request& request);
  void propose_what_is_pending(Context& ctx);
  bool is_proposed(const Request& request) const;
  void accept(Context& ctx, const PrePrepare& proposal);
  void count_prepares(Context& ctx, int sequence);
  void count_commits(Context& ctx, int sequence);
  void execute(Context& ctx);
  void execute_slot(Context& ctx, int sequence);
  void apply(Context& ctx, const Request& request, Executed& done);
  void forget_executed_requests(Context& ctx);
  void send_reply(Context& ctx, NodeId client, const LastReply& last) const;
  void watch(Context& ctx) const;
  bool may_suspect(const Context& ctx) const;
  bool leads(const Context& ctx) const { return setup.primary(view) == ctx.self() && !changing; }
  int prepare_votes() const;

  // Checkpoints.
  int checkpoint_quorum() const;
  void take_checkpoint(Context& ctx);
  void count_checkpoints(Context& ctx, int sequence);
  void make_stable(Context& ctx, int sequence, std::vector<Checkpoint> proof);

  // View changes.
  int view_change_quorum() const;
  void ask_for_view(Context& ctx, int next);
  void leave_for_view(Context& ctx, int next);
  void count_view_changes(Context& ctx);
  void begin_view_as_primary(Context& ctx);
  void enter_view(Context& ctx, int next, const Recovered& recovered,
                  const std::vector<PrePrepare>& proposals);
  bool is_valid(const Certificate& certificate, const ViewChange& change) const;
  bool is_valid(const ViewChange& change) const;
  bool is_valid(const NewView& new_view) const;
  bool proves(const std::vector<Checkpoint>& proof, int sequence) const;
};

}  // namespace ordeal::protocols::pbft
