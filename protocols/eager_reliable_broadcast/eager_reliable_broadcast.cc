#include "protocols/eager_reliable_broadcast/eager_reliable_broadcast.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "ordeal/predicate.h"
#include "ordeal/system.h"
#include "protocols/common.h"
#include "protocols/planted.h"

namespace ordeal::protocols::eager_reliable_broadcast {
namespace {

std::string name_of(const Data& data) {
  return "message " + std::to_string(data.index) + " of node " + std::to_string(data.source.value);
}

bool has_delivered(const View& view, NodeId node, const Data& data) {
  const auto& decisions = view.decisions(node);
  return std::any_of(decisions.begin(), decisions.end(),
                     [&](const value::Any& decision) { return *decision.try_get<Data>() == data; });
}

Outcome no_duplication(const View& view) {
  for (NodeId node : view.nodes()) {
    std::set<Data> seen;
    for (const value::Any& decision : view.decisions(node)) {
      const Data& data = *decision.try_get<Data>();
      if (seen.insert(data).second) continue;
      return violated("node " + std::to_string(node.value) + " delivered " + name_of(data) +
                      " twice")
          .node(node);
    }
  }
  return true;
}

// `requests[id]`: how many broadcasts node id is asked for. That is all that is known of a source
// that has crashed, since its state is lost.
Outcome no_creation(const View& view, const std::vector<int>& requests) {
  for (NodeId node : view.nodes()) {
    for (const value::Any& decision : view.decisions(node)) {
      const Data& data = *decision.try_get<Data>();
      const int broadcast = view.up(data.source) ? view.node<Node>(data.source).sent
                                                 : requests[static_cast<size_t>(data.source.value)];
      if (data.index < broadcast) continue;
      return violated("node " + std::to_string(node.value) + " delivered " + name_of(data) +
                      ", which was never broadcast")
          .node(node)
          .node(data.source);
    }
  }
  return true;
}

Outcome validity(const View& view) {
  for (NodeId node : view.nodes()) {
    if (!view.up(node)) continue;
    for (int i = 0; i < view.node<Node>(node).sent; ++i) {
      if (has_delivered(view, node, Data{node, i})) continue;
      return violated("node " + std::to_string(node.value) + " did not deliver its own " +
                      name_of(Data{node, i}))
          .node(node);
    }
  }
  return true;
}

Outcome agreement_of_correct(const View& view) {
  for (NodeId a : view.nodes()) {
    if (!view.up(a)) continue;
    for (const value::Any& decision : view.decisions(a)) {
      const Data& data = *decision.try_get<Data>();
      for (NodeId b : view.nodes()) {
        if (!view.up(b) || has_delivered(view, b, data)) continue;
        return violated("node " + std::to_string(a.value) + " delivered " + name_of(data) +
                        ", node " + std::to_string(b.value) + " did not")
            .node(a)
            .node(b);
      }
    }
  }
  return true;
}

const PlantedBugs<Planted>& planted_bugs() {
  static const PlantedBugs<Planted> all = {
      {Planted::kDeliverTwice,
       {"deliver-twice", "a message is delivered before the look at whether it was already",
        "no duplication"}},
      {Planted::kNoRelay,
       {"no-relay",
        "only the sender sends: a message lost on one way is lost",
        "agreement",
        {.parameters = {{"drops", "1"}}}}},
      {Planted::kRelayAsOwn,
       {"relay-as-own", "who relays a message poses as its source", "no creation"}},
  };
  return all;
}

Result<std::unique_ptr<Checkable>> build(const Arguments& args) {
  const int nodes = static_cast<int>(args.number("nodes"));
  System system;
  Node node;
  node.bug = planted_bugs().asked(args);
  system.add<Node>(nodes, [node](NodeId) { return node; });
  std::vector<int> requests(static_cast<size_t>(nodes) + 1);
  for (int i = 0; i < args.number("broadcasts"); ++i) {
    const int id = i % nodes + 1;
    system.request(id, Broadcast{});
    ++requests[static_cast<size_t>(id)];
  }
  if (auto applied = apply_environment(args, {1, nodes}, system); !applied) {
    return applied.error();
  }

  // What is known of a source that has crashed depends on who it is.
  if (crash_budget(args) == 0) declare_alike(args, 1, nodes, system);

  system.always("no duplication", no_duplication);
  system.always("no creation",
                [requests](const View& view) { return no_creation(view, requests); });
  // Every message goes two ways to every node, from its source and from whoever delivered it, so
  // one loss does no harm; but if a source loses its own copy, it takes another correct node to
  // relay.
  const int64_t drops = args.number("drops");
  if (args.number("partitions") == 0 && drops <= 1) {
    system.eventually("agreement", agreement_of_correct);
    if (drops == 0 || crash_budget(args) <= nodes - 2) system.eventually("validity", validity);
  }
  return built(std::move(system));
}

}  // namespace

Subject subject() {
  return {
      .name = "eager-reliable-broadcast",
      .what = "every node relays what it delivers, so that all correct nodes deliver the same",
      .parameters = with_environment(
          {{"nodes", "3", "how many nodes", 1, 9},
           {"broadcasts", "1", "how many broadcasts, by node 1, 2, … in turn", 0, 99}},
          {}),
      .bugs = planted_bugs().bugs(),
      .build = build,
  };
}

}  // namespace ordeal::protocols::eager_reliable_broadcast
