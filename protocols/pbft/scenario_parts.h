// What the scenarios of PBFT are made of.
#pragma once

#include <vector>

#include "ordeal/scenario.h"
#include "ordeal/suite.h"
#include "protocols/byzantine/signed.h"
#include "protocols/pbft/client.h"
#include "protocols/pbft/messages.h"

namespace ordeal::protocols::pbft {

// A message of that type and view, on its way.
template <class M>
Condition sends(int view, Where where = Where::current()) {
  return is_send(where) && is_message<M>([view](const M& m) { return m.view == view; }, where);
}
// … about a sequence number.
template <class M>
Condition sends(int view, int sequence, Where where = Where::current()) {
  return is_send(where) &&
         is_message<M>(
             [view, sequence](const M& m) { return m.view == view && m.sequence == sequence; },
             where);
}

// A replica executes something, or something at that sequence number.
inline Condition executes(Where where = Where::current()) {
  return is_event(EventKind::kDecide, where) && carries<Executed>(where);
}
inline Condition executes(int sequence, Where where = Where::current()) {
  return is_event(EventKind::kDecide, where) &&
         carries<Executed>([sequence](const Executed& e) { return e.sequence == sequence; }, where);
}
// … that was committed in that view.
inline Condition executes_in_view(int view, Where where = Where::current()) {
  return is_event(EventKind::kDecide, where) &&
         carries<Executed>([view](const Executed& e) { return e.view == view; }, where);
}

// The first request of a client, of those where 1 to 4 are replicas.
inline Request request_of(NodeId client) {
  return sign(issue_key(client), Request{client, 1, amount_of(client - 5)});
}
// What a Byzantine replica says, beyond what its type does: in view 0, at sequence number 1.
inline Reaction proposes(NodeId byzantine, NodeId to, NodeId client,
                         Where where = Where::current()) {
  return inject_signed(issue_key(byzantine), to, PrePrepare{0, 1, request_of(client)}, where);
}
inline Reaction commits(NodeId byzantine, NodeId to, NodeId client,
                        Where where = Where::current()) {
  return inject_signed(issue_key(byzantine), to, Commit{0, 1, request_of(client).digest()}, where);
}

// The scenarios that are there for planted bugs; see pbft_bug_scenarios.cc.
std::vector<SuiteScenario> bug_scenarios();

}  // namespace ordeal::protocols::pbft
