#include "protocols/multi_paxos/multi_paxos.h"

#include <string>
#include <vector>

#include "ordeal/predicate.h"
#include "ordeal/system.h"
#include "protocols/common.h"
#include "protocols/planted.h"

namespace ordeal::protocols::multi_paxos {
namespace {

const Learned& learned_of(const value::Any& decision) { return *decision.try_get<Learned>(); }

Outcome slots_agree(const View& view) {
  std::map<int, std::pair<int, NodeId>> first;  // by slot: the value, and who learned it
  for (NodeId node : view.nodes()) {
    for (const value::Any& decision : view.decisions(node)) {
      const Learned& learned = learned_of(decision);
      const auto [known, is_new] = first.try_emplace(learned.slot, learned.value, node);
      if (is_new || known->second.first == learned.value) continue;
      return violated("slot " + std::to_string(learned.slot) + ": node " +
                      std::to_string(known->second.second.value) + " learned " +
                      std::to_string(known->second.first) + ", node " + std::to_string(node.value) +
                      " learned " + std::to_string(learned.value))
          .node(known->second.second)
          .node(node);
    }
  }
  return true;
}

Outcome learned_once(const View& view) {
  for (NodeId node : view.nodes()) {
    std::set<int> slots;
    for (const value::Any& decision : view.decisions(node)) {
      const int slot = learned_of(decision).slot;
      if (slots.insert(slot).second) continue;
      return violated("node " + std::to_string(node.value) + " learned slot " +
                      std::to_string(slot) + " twice")
          .node(node);
    }
  }
  return true;
}

Outcome learned_everywhere(const View& view) {
  const Node* first = nullptr;
  int first_id = 0;
  for (NodeId id : view.nodes()) {
    if (!view.up(id)) continue;
    const Node& node = view.node<Node>(id);
    if (first == nullptr) {
      first = &node;
      first_id = id;
    } else if (node.learned != first->learned) {
      return violated("node " + std::to_string(first_id) + " has learned " +
                      value::show(first->learned) + ", node " + std::to_string(id.value) + " " +
                      value::show(node.learned) + " (values by slot)")
          .node(first_id)
          .node(id);
    }
  }
  return true;
}

// `home[value]`: the node where it was submitted; [0] is not used.
Outcome submitted_is_learned(const View& view, const std::vector<NodeId>& home) {
  for (size_t value = 1; value < home.size(); ++value) {
    if (!view.up(home[value])) continue;
    for (NodeId id : view.nodes()) {
      if (!view.up(id)) continue;
      bool found = false;
      for (const auto& [slot, learned] : view.node<Node>(id).learned) {
        found = found || learned == static_cast<int>(value);
      }
      if (found) continue;
      Outcome outcome = violated("node " + std::to_string(id.value) + " has not learned value " +
                                 std::to_string(value) + ", which was submitted at node " +
                                 std::to_string(home[value].value))
                            .node(id);
      return id == home[value] ? outcome : std::move(outcome).node(home[value]);
    }
  }
  return true;
}

const PlantedBugs<Planted>& planted_bugs() {
  static const PlantedBugs<Planted> all = {
      {Planted::kLosePromisedValues,
       {"lose-promised-values",
        "a new leader loses the votes that it was promised",
        "agreement",
        {.parameters = {{"crash", "3"}}}}},
      {Planted::kMisalignedSlots,
       {"misaligned-slots",
        "a new leader proposes promised values one slot too late",
        "agreement",
        {.parameters = {{"crash", "3"}}}}},
      {Planted::kSkipPhaseOne,
       {"skip-phase-one",
        "a new leader does not ask what has been voted for",
        "agreement",
        {.parameters = {{"crash", "3"}}}}},
      {Planted::kForgetPromise,
       {"forget-promise",
        "an acceptor accepts lower rounds than it promised",
        "agreement",
        {.parameters = {{"crash", "3"}}}}},
      {Planted::kMixedRounds,
       {"mixed-rounds",
        "a learner counts votes of different rounds together",
        "agreement",
        {.parameters = {{"crash", "3"}}}}},
      {Planted::kLoseSubmitted,
       {"lose-submitted",
        "values are not handed to the new leader when one crashes",
        "submitted is learned",
        {.parameters = {{"crash", "3"}}}}},
      {Planted::kLeadAnyway,
       {"lead-anyway",
        "a leader that has promised another one to stop goes on",
        "agreement",
        {.parameters = {{"detector", "eventually-perfect"}}}}},
  };
  return all;
}

Result<std::unique_ptr<Checkable>> build(const Arguments& args) {
  const int nodes = static_cast<int>(args.number("nodes"));
  const int proposals = static_cast<int>(args.number("proposals"));
  Node node;
  node.bug = planted_bugs().asked(args);
  node.nodes = nodes;
  System system;
  system.add<Node>(nodes, [node](NodeId) { return node; });
  std::vector<NodeId> home(1);
  for (int value = 1; value <= proposals; ++value) {
    home.emplace_back((value - 1) % nodes + 1);
    system.request(home.back(), Submit{value});
  }
  if (auto applied = apply_environment(args, {1, nodes}, system); !applied) {
    return applied.error();
  }
  system.skip_noops();

  system.always("agreement", Predicate::Global{slots_agree, Reads::kDecisions});
  system.always("validity", every_decision<Learned>([proposals](const Learned& learned) {
                  return learned.value >= kNoOperation && learned.value <= proposals;
                }));
  system.always("integrity", Predicate::Global{learned_once, Reads::kEachNode});
  if (links_are_reliable(args)) {
    system.eventually("learned everywhere", learned_everywhere);
    const bool minority = crash_budget(args) <= (nodes - 1) / 2;
    if (minority && detector_is_right(args)) {
      system.eventually("submitted is learned",
                        [home](const View& view) { return submitted_is_learned(view, home); });
    }
  }
  if (proposals > 0) {
    const auto learned = [](const View& view) -> Outcome {
      for (NodeId id : view.nodes()) {
        if (!view.decisions(id).empty()) return true;
      }
      return false;
    };
    system.sometimes("learned", Predicate::Global{learned, Reads::kDecisions});
  }
  return built(std::move(system));
}

}  // namespace

Subject subject() {
  return {
      .name = "multi-paxos",
      .what = "a sequence of values, each chosen by majorities, under one leader at a time",
      .parameters = with_environment(
          {{"nodes", "3", "how many nodes", 1, 9},
           {"proposals", "2", "how many values, submitted at node 1, 2, … in turn", 0, 99}},
          {.detector = "perfect"}),
      .bugs = planted_bugs().bugs(),
      .build = build,
  };
}

}  // namespace ordeal::protocols::multi_paxos
