#include "protocols/pbft/properties.h"

#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>

#include "protocols/pbft/client.h"
#include "protocols/pbft/messages.h"
#include "protocols/pbft/replica.h"

namespace ordeal::protocols::pbft {
namespace {

// Calls visit(replica, what it executed) for all that correct replicas executed.
template <class F>
void each_execution(const View& view, F visit) {
  for (NodeId id : view.nodes()) {
    if (!view.is<Replica>(id)) continue;
    for (const value::Any& decision : view.decisions(id)) {
      if (const Executed* executed = decision.try_get<Executed>()) visit(id, *executed);
    }
  }
}

std::string text(NodeId id) { return "replica " + std::to_string(id.value); }
std::string at(int sequence) { return " at " + std::to_string(sequence); }

// Whether some correct replica satisfies it.
template <class F>
bool some_replica(const View& view, F test) {
  for (NodeId id : view.nodes()) {
    if (view.is<Replica>(id) && test(view.node<Replica>(id))) return true;
  }
  return false;
}

Outcome is_in_order_and_once(const View& view, NodeId id) {
  int last = 0;
  std::set<std::pair<int, int>> applied;  // client, number
  for (const value::Any& decision : view.decisions(id)) {
    if (const Restored* restored = decision.try_get<Restored>()) {
      last = restored->sequence;
      continue;
    }
    const Executed& executed = *decision.try_get<Executed>();
    if (executed.sequence != last + 1) {
      return violated(text(id) + " executed" + at(executed.sequence) + " after " +
                      std::to_string(last))
          .node(id);
    }
    last = executed.sequence;
    const Digest& digest = executed.digest;
    if (!executed.applied || applied.emplace(digest.client.value, digest.number).second) continue;
    return violated(text(id) + " executed " + value::show(digest) + " twice").node(id);
  }
  return true;
}

// Whether the replica has what was executed elsewhere in an earlier view.
bool has_kept(const Replica& replica, const Executed& executed) {
  if (replica.changing || replica.view <= executed.view) return true;
  if (replica.stable >= executed.sequence) return true;
  const auto slot = replica.slots.find(executed.sequence);
  return slot != replica.slots.end() && slot->second.proposal.request.digest() == executed.digest;
}

}  // namespace

Outcome replicas_agree(const View& view) {
  std::map<int, std::pair<Executed, NodeId>> first;  // by sequence number: what, and who
  Outcome outcome = true;
  each_execution(view, [&](NodeId id, const Executed& executed) {
    const auto [known, is_new] = first.try_emplace(executed.sequence, executed, id);
    const auto& [before, other] = known->second;
    const bool same = before.digest == executed.digest && before.result == executed.result;
    if (is_new || same || !outcome.ok()) return;
    outcome = violated(text(other) + " executed " + value::show(before) + ", " + text(id) + " " +
                       value::show(executed))
                  .node(other)
                  .node(id);
  });
  return outcome;
}

Outcome executed_in_order_and_once(const View& view) {
  for (NodeId id : view.nodes()) {
    if (!view.is<Replica>(id)) continue;
    Outcome outcome = is_in_order_and_once(view, id);
    if (!outcome.ok()) return outcome;
  }
  return true;
}

Outcome accepted_was_executed(const View& view) {
  std::set<std::tuple<int, int, int>> executed;  // client, number, result
  each_execution(view, [&](NodeId, const Executed& done) {
    if (done.applied) executed.emplace(done.digest.client.value, done.digest.number, done.result);
  });
  for (NodeId id : view.nodes()) {
    if (!view.is<Client>(id)) continue;
    for (const value::Any& decision : view.decisions(id)) {
      const Accepted& accepted = *decision.try_get<Accepted>();
      if (executed.count({id.value, accepted.number, accepted.result}) > 0) continue;
      return violated("client " + std::to_string(id.value) + " accepted " +
                      std::to_string(accepted.result) + " for its request " +
                      std::to_string(accepted.number) + ", which no correct replica told it")
          .node(id);
    }
  }
  return true;
}

Outcome executed_survives_view_changes(const View& view) {
  Outcome outcome = true;
  each_execution(view, [&](NodeId id, const Executed& executed) {
    for (NodeId other : view.nodes()) {
      if (!outcome.ok() || !view.is<Replica>(other)) continue;
      const Replica& replica = view.node<Replica>(other);
      if (has_kept(replica, executed)) continue;
      outcome =
          violated(text(id) + " executed " + value::show(executed.digest) + at(executed.sequence) +
                   " in view " + std::to_string(executed.view) + ", and " + text(other) +
                   " entered view " + std::to_string(replica.view) + " without it")
              .node(id)
              .node(other);
    }
  });
  return outcome;
}

Outcome log_is_bounded(const View& view) {
  for (NodeId id : view.nodes()) {
    if (!view.is<Replica>(id)) continue;
    const Replica& replica = view.node<Replica>(id);
    if (replica.slots.empty()) continue;
    const int last = replica.slots.rbegin()->first;
    if (last <= replica.stable + replica.setup.window) continue;
    return violated(text(id) + " keeps votes" + at(last) + ", above its high watermark " +
                    std::to_string(replica.stable + replica.setup.window))
        .node(id);
  }
  return true;
}

Outcome every_request_is_answered(const View& view) {
  for (NodeId id : view.nodes()) {
    if (!view.is<Client>(id)) continue;
    const Client& client = view.node<Client>(id);
    if (client.number == 0) continue;
    return violated("client " + std::to_string(id.value) + " has no answer to its request " +
                    std::to_string(client.number))
        .node(id);
  }
  return true;
}

Outcome something_is_executed(const View& view) {
  return some_replica(view, [](const Replica& replica) { return replica.executed > 0; });
}
Outcome a_view_change_completes(const View& view) {
  return some_replica(view,
                      [](const Replica& replica) { return replica.view > 0 && !replica.changing; });
}
Outcome a_checkpoint_is_stable(const View& view) {
  return some_replica(view, [](const Replica& replica) { return replica.stable > 0; });
}
Outcome a_state_is_transferred(const View& view) {
  for (NodeId id : view.nodes()) {
    for (const value::Any& decision : view.decisions(id)) {
      if (view.is<Replica>(id) && decision.try_get<Restored>() != nullptr) return true;
    }
  }
  return false;
}

}  // namespace ordeal::protocols::pbft
