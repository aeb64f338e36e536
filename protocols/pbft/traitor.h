// A Byzantine replica. It can sign for itself and for nobody else. What it does is bounded: at most
// one lie of each kind for what it hears of.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "ordeal/node.h"
#include "protocols/byzantine/signed.h"
#include "protocols/pbft/messages.h"
#include "protocols/pbft/replica.h"
#include "protocols/pbft/setup.h"

namespace ordeal::protocols::pbft {

enum class Behaviour : uint8_t {
  kEquivocate,  // proposes different requests for one sequence number, and votes for everything
  kWithhold,    // follows the protocol, but what it sends may reach some only, or nobody
  kLie,         // proposes, votes, replies and reports what is not so
};

struct Traitor {
  using Messages = Replica::Messages;

  // No part of the state.
  Setup setup;
  Behaviour behaviour = Behaviour::kWithhold;

  Replica honest;  // kWithhold: whose part it plays
  // Otherwise: what it has heard of, and has done something about.
  std::map<NodeId, Request> requests;
  std::set<Prepare, value::Less> voted;  // not signed
  std::set<int> checkpoints;
  std::map<int, std::map<NodeId, ViewChange>> view_changes;
  ORDEAL_FIELDS(honest, requests, voted, checkpoints, view_changes);
  ORDEAL_CONSTANTS(setup, behaviour);

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

 private:
  template <class M>
  bool is_played(Context& ctx, const M& message);
  template <class M>
  void tell_all(Context& ctx, const M& message) const;
  void propose_two(Context& ctx);
  void propose_wrongly(Context& ctx, Request request);
  void vote(Context& ctx, int view, int sequence, const Digest& digest);
  ViewChange wrong_view_change(Context& ctx, int view);
  void begin_view(Context& ctx, int view);
};

}  // namespace ordeal::protocols::pbft
