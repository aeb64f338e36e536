#include "protocols/hierarchical_consensus/hierarchical_consensus.h"

#include <string>
#include <utility>

#include "ordeal/predicate.h"
#include "ordeal/system.h"
#include "protocols/common.h"
#include "protocols/planted.h"

namespace ordeal::protocols::hierarchical_consensus {
namespace {

const PlantedBugs<Planted>& planted_bugs() {
  static const PlantedBugs<Planted> all = {
      {Planted::kAdvanceOnce,
       {"advance-once",
        "after a crash notice the round advances at most once, even if the next is over too",
        "termination",
        {.parameters = {{"crash", "1"}}}}},
      {Planted::kForgetDelivered,
       {"forget-delivered", "a decision that arrives before its round is forgotten",
        "termination"}},
      {Planted::kDecideOwn,
       {"decide-own", "a node decides its own proposal instead of the imposed one", "agreement"}},
      {Planted::kAnyProposer,
       {"any-proposer",
        "a late decision of a lower node replaces that of a higher one",
        "agreement",
        {.parameters = {{"crash", "1"}}}}},
  };
  return all;
}

Result<std::unique_ptr<Checkable>> build(const Arguments& args) {
  const int nodes = static_cast<int>(args.number("nodes"));
  const bool calls = args.word("messaging") == "request-response";
  System system;
  Node node;
  node.messaging = calls ? Messaging::kRequestResponse : Messaging::kDirect;
  node.bug = planted_bugs().asked(args);
  system.add<Node>(nodes, [node](NodeId) { return node; });
  for (int id = 1; id <= nodes; ++id) system.request(id, Propose{id});
  if (auto applied = apply_environment(args, {1, nodes}, system); !applied) {
    return applied.error();
  }

  system.always("validity", every_decision<int>([nodes](int v) { return v >= 1 && v <= nodes; }));
  system.always("integrity", decides_at_most_once());
  // Not uniform: a node may decide, impose its value on nobody in time, and crash.
  system.always("agreement", agreement(Over::kCorrect));
  if (links_are_reliable(args) && detector_is_right(args)) {
    system.eventually("termination", every_correct_node_decides());
    if (calls) {
      system.eventually("every call ends", each_correct<Node>([](const Node& node) -> Outcome {
                          if (node.unanswered.empty()) return true;
                          return violated("a call to node " +
                                          std::to_string(node.unanswered.begin()->value) +
                                          " was neither answered nor ended by a crash");
                        }));
    }
  }
  return built(std::move(system));
}

}  // namespace

Subject subject() {
  return {
      .name = "hierarchical-consensus",
      .what = "nodes decide in the order of their ids and impose the value on those after them",
      .parameters = with_environment({{"nodes", "3", "how many nodes; each proposes its id", 1, 16},
                                      {"messaging",
                                       "direct",
                                       "Decided is a message, or a call that is answered",
                                       0,
                                       0,
                                       ParameterKind::kWord,
                                       {"direct", "request-response"}}},
                                     {.detector = "perfect"}),
      .bugs = planted_bugs().bugs(),
      .build = build,
  };
}

}  // namespace ordeal::protocols::hierarchical_consensus
