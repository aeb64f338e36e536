#include "protocols/tendermint/tendermint.h"

#include <set>
#include <string>
#include <utility>

#include "protocols/common.h"
#include "protocols/planted.h"
#include "protocols/tendermint/byzantine.h"
#include "protocols/tendermint/node.h"
#include "protocols/tendermint/properties.h"

namespace ordeal::protocols::tendermint {
namespace {

// Where a scenario finds a bug by its machine and not by a property of the system.
const char kMachine[] = "its scenario";

const PlantedBugs<Planted>& planted_bugs() {
  static const PlantedBugs<Planted> all = {
      {Planted::kNoUnlock,
       {"no-unlock",
        "who is locked never votes for another value, whatever is proven to it",
        kMachine,
        {.scenario = "tendermint-expect-unlock"}}},
      {Planted::kRelockOlder,
       {"relock-older",
        "a quorum from before the lock opens the lock",
        "locks are kept",
        {.scenario = "tendermint-old-proof"}}},
      {Planted::kKeepOldLock,
       {"keep-old-lock",
        "who is locked precommits another value and stays locked on the first",
        "locks are kept",
        {.scenario = "tendermint-relocked"}}},
      {Planted::kIgnoreLock,
       {"ignore-lock",
        "a node prevotes whatever is proposed, locked or not",
        "locks are kept",
        {.parameters = {{"rounds", "2"}, {"byzantine", "2"}, {"behaviour", "lie"}},
         .strategy = "random",
         .max_runs = 1000}}},
      {Planted::kForgetValid,
       {"forget-valid",
        "a proposer proposes its own value, also where it knows what others are locked on",
        kMachine,
        {.scenario = "tendermint-locked-commit"}}},
      {Planted::kDecideOnThird,
       {"decide-on-third",
        "f + 1 precommits decide",
        "agreement",
        {.parameters = {{"rounds", "2"}, {"byzantine", "1"}, {"behaviour", "equivocate"}},
         .strategy = "random",
         .max_runs = 1000}}},
      {Planted::kPrecommitOnThird,
       {"precommit-on-third",
        "after round 0, f + 1 prevotes are enough to precommit",
        "precommits have quorums",
        {.parameters = {{"rounds", "2"}, {"byzantine", "0"}},
         .strategy = "random",
         .max_runs = 1000}}},
      {Planted::kDecideNil,
       {"decide-nil",
        "a quorum of precommits for nil decides nil",
        "validity",
        {.parameters = {{"rounds", "2"}}}}},
      {Planted::kIgnoreNilQuorum,
       {"ignore-nil-quorum",
        "only a timeout ends a round in which a quorum prevotes nil",
        kMachine,
        {.scenario = "tendermint-nil-prevotes"}}},
      {Planted::kIgnoreLatePrecommits,
       {"ignore-late-precommits",
        "precommits of a round that is over do not decide",
        kMachine,
        {.scenario = "tendermint-commit-after-round-skip"}}},
      {Planted::kForgetEarlyVotes,
       {"forget-early-votes",
        "what was heard of a round before it began is lost",
        "all decide",
        {.parameters = {{"rounds", "2"}, {"byzantine", "1"}, {"time", "prompt"}}}}},
      {Planted::kNoRoundSkip,
       {"no-round-skip",
        "a node does not follow f + 1 others to a higher round",
        kMachine,
        {.scenario = "tendermint-round-skip"}}},
      {Planted::kSkipNextOnly,
       {"skip-next-only",
        "a node follows others to the next round only",
        kMachine,
        {.scenario = "tendermint-forever-lagging-replica"}}},
      {Planted::kSkipOnOne,
       {"skip-on-one",
        "a node follows one other node to a higher round",
        kMachine,
        {.scenario = "tendermint-higher-round"}}},
      {Planted::kFollowOthers,
       {"follow-others",
        "who has missed the proposal prevotes what others do",
        kMachine,
        {.scenario = "tendermint-proposal-nil-prevote"}}},
      {Planted::kUnsigned,
       {"unsigned",
        "signatures are not looked at",
        "precommits have quorums",
        {.parameters = {{"byzantine", "1"}, {"behaviour", "impersonate"}}}}},
      {Planted::kCountDuplicates,
       {"count-duplicates",
        "a vote that arrives twice counts twice",
        "decisions spread",
        {.parameters = {{"duplicates", "1"}}}}},
      {Planted::kAnyProposer,
       {"any-proposer",
        "a proposal is answered whoever makes it",
        kMachine,
        {.scenario = "tendermint-impostor"}}},
      {Planted::kAcceptInvalid,
       {"accept-invalid",
        "values are not checked",
        "validity",
        {.parameters = {{"byzantine", "1"}, {"behaviour", "lie"}}}}},
      {Planted::kRestartForgetsLock,
       {"restart-forgets-lock",
        "the lock is not on disk",
        "locks are kept",
        {.scenario = "tendermint-lock-survives-a-crash"}}},
  };
  return all;
}

Behaviour behaviour_of(const std::string& word) {
  if (word == "equivocate") return Behaviour::kEquivocate;
  if (word == "withhold") return Behaviour::kWithhold;
  if (word == "lie") return Behaviour::kLie;
  if (word == "impersonate") return Behaviour::kImpersonate;
  return Behaviour::kSilent;
}

Result<std::set<NodeId>> byzantine_nodes(const Arguments& args, int nodes) {
  std::set<NodeId> byzantine;
  for (NodeId node : args.nodes("byzantine")) {
    if (node == 0) continue;  // nobody
    if (node > nodes) {
      return Error{"--byzantine " + std::to_string(node.value) + ": nodes are 1 to " +
                   std::to_string(nodes) + ", and 0 is nobody"};
    }
    byzantine.insert(node);
  }
  if (static_cast<int>(byzantine.size()) < nodes) return byzantine;
  return Error{"--byzantine: all nodes are Byzantine, and nothing can be said of them"};
}

System make_system(const Setup& setup, Behaviour behaviour) {
  System system;
  for (int id = 1; id <= setup.nodes; ++id) {
    if (setup.is_byzantine(id)) {
      const Byzantine node{setup, issue_key(id), behaviour, {}};
      system.add<Byzantine>(1, [node](NodeId) { return node; });
    } else {
      Node node;
      node.setup = setup;
      node.key = issue_key(id);
      system.add<Node>(1, [node](NodeId) { return node; });
    }
  }
  return system;
}

// Enough nodes follow the protocol, and some proposer does.
bool can_decide(const Claims& claims) {
  bool some = false;
  for (int round = 0; round < claims.setup.rounds; ++round) {
    some = some || !claims.byzantine.contains(claims.setup.proposer({1, round}));
  }
  return some && static_cast<int>(claims.byzantine.size()) < claims.setup.one_correct();
}

// What was sent arrives, and of all nodes a quorum follows the protocol to the end, while the
// others say nothing. A node that comes back has forgotten what it was told.
bool good_weather(const Arguments& args, const Claims& claims) {
  const int faulty = static_cast<int>(claims.byzantine.size()) + crash_budget(args);
  const bool quiet = claims.byzantine.empty() || args.word("behaviour") == "silent";
  return links_are_reliable(args) && quiet && faulty < claims.setup.one_correct() &&
         args.number("recoveries") == 0;
}

Result<std::unique_ptr<Checkable>> build(const Arguments& args) {
  Claims claims;
  Setup& setup = claims.setup;
  setup.nodes = static_cast<int>(args.number("nodes"));
  setup.heights = static_cast<int>(args.number("heights"));
  setup.rounds = static_cast<int>(args.number("rounds"));
  setup.bug = planted_bugs().asked(args);
  const Result<std::set<NodeId>> byzantine = byzantine_nodes(args, setup.nodes);
  if (!byzantine) return byzantine.error();
  claims.byzantine = *byzantine;
  // Scripted: they follow the protocol but for what a scenario makes of their messages.
  const std::string& behaviour = args.word("behaviour");
  if (behaviour != "scripted") setup.byzantine.assign(byzantine->begin(), byzantine->end());
  setup.byzantine_hear_proposals = behaviour != "silent";

  System system = make_system(setup, behaviour_of(behaviour));
  if (auto applied = apply_environment(args, {1, setup.nodes}, system); !applied) {
    return applied.error();
  }
  system.skip_noops();
  claims.prompt = args.word("time") == "prompt";
  if (claims.prompt) system.prompt();
  claims.crashes = crash_budget(args) > 0;
  claims.good_weather = good_weather(args, claims);
  claims.can_decide = can_decide(claims);
  declare(claims, system);
  return built(std::move(system));
}

}  // namespace

Subject subject() {
  Subject tendermint = {
      .name = "tendermint",
      .what = "rounds of a proposal and two votes, with locks, among nodes of which some may lie",
      .parameters = with_environment(
          {{"nodes", "4", "how many nodes; fewer than a third of them may be Byzantine", 4, 7},
           {"heights", "1", "how many values are decided, one after the other", 1, 3},
           {"rounds", "1", "rounds of a height; the last one has no timeouts", 1, 9},
           {"byzantine", "4", "Byzantine nodes, such as 1,4; 0 is nobody", 0, 0,
            ParameterKind::kNodes},
           {"behaviour",
            "silent",
            "what Byzantine nodes do; scripted: what a scenario makes of them",
            0,
            0,
            ParameterKind::kWord,
            {"silent", "equivocate", "withhold", "lie", "impersonate", "scripted"}},
           {"time",
            "none",
            "timeouts come at any time, or (prompt) where nothing can be delivered",
            0,
            0,
            ParameterKind::kWord,
            {"none", "prompt"}}},
          {.detector = "", .recoveries = true, .network = "bag"}),
      .build = build,
  };
  tendermint.bugs = planted_bugs().bugs();
  return tendermint;
}

}  // namespace ordeal::protocols::tendermint
