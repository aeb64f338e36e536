#include "protocols/paxos/paxos.h"

#include <map>
#include <string>
#include <utility>

#include "ordeal/predicate.h"
#include "ordeal/system.h"
#include "protocols/common.h"
#include "protocols/paxos/duel.h"
#include "protocols/paxos/node.h"
#include "protocols/paxos/register_server.h"
#include "protocols/planted.h"
#include "protocols/register/client.h"

namespace ordeal::protocols::paxos {
namespace {

const PlantedBugs<Planted>& planted_bugs() {
  static const PlantedBugs<Planted> all = {
      {Planted::kIgnoreAccepted,
       {"ignore-accepted", "a proposer ignores what its majority has accepted", "agreement"}},
      {Planted::kForgetPromise,
       {"forget-promise", "an acceptor accepts lower ballots than it promised", "agreement"}},
      {Planted::kSmallQuorum,
       {"small-quorum", "one vote less than a majority is enough", "agreement"}},
      {Planted::kAdoptAny,
       {"adopt-any",
        "a proposer adopts any accepted value, not that of the highest ballot (register form)",
        "agreement",
        {.parameters = {{"clients", "3"}}}}},
      {Planted::kReadUndecided,
       {"read-undecided", "a Get is answered by a server that knows of no decision (register form)",
        "linearizable"}},
      {Planted::kVolatilePromise,
       {"volatile-promise",
        "a promise does not survive a crash (register form)",
        "agreement",
        {.parameters = {{"crash", "2"}, {"recoveries", "1"}}}}},
      {Planted::kStaleRound,
       {"stale-round",
        "a new leader may prepare a round below its predecessor's (node form)",
        "termination",
        {.parameters = {{"nodes", "5"}, {"crash", "4,5"}}, .strategy = "random"}}},
      {Planted::kSameBallot,
       {"same-ballot",
        "a proposer that was refused tries again with the same ballot (contest)",
        "the leader learns",
        {.parameters = {{"proposers", "2"}}}}},
  };
  return all;
}

enum class Form : uint8_t { kAll, kRegister, kNodes, kContest };

// Where the bug makes sense.
Form form_of(Planted planted) {
  switch (planted) {
    case Planted::kAdoptAny:
    case Planted::kReadUndecided:
    case Planted::kVolatilePromise:
      return Form::kRegister;
    case Planted::kStaleRound:
      return Form::kNodes;
    case Planted::kSameBallot:
      return Form::kContest;
    case Planted::kNone:
    case Planted::kIgnoreAccepted:
    case Planted::kForgetPromise:
    case Planted::kSmallQuorum:
      break;
  }
  return Form::kAll;
}

Result<Planted> planted(const Arguments& args, Form form) {
  const Planted asked = planted_bugs().asked(args);
  const Form has = form_of(asked);
  if (has == Form::kAll || has == form) return asked;
  const std::string wanted = has == Form::kRegister ? "--clients and --servers"
                             : has == Form::kNodes  ? "--nodes"
                                                    : "--proposers";
  return Error{"--bug " + args.bug_name + ": only the form with " + wanted + " has it"};
}

std::string decision_of(const Server& server) {
  return value::show(server.accepted->proposal.value);
}

Outcome servers_agree(const View& view) {
  const Server* first = nullptr;
  int first_id = 0;
  for (NodeId id : view.nodes()) {
    if (!view.is<Server>(id) || !view.node<Server>(id).decided) continue;
    const Server& server = view.node<Server>(id);
    if (first == nullptr) {
      first = &server;
      first_id = id;
    } else if (server.accepted->proposal.value != first->accepted->proposal.value) {
      return violated("server " + std::to_string(first_id) + " decided " + decision_of(*first) +
                      ", server " + std::to_string(id.value) + " decided " + decision_of(server))
          .node(first_id)
          .node(id);
    }
  }
  return true;
}

Result<std::unique_ptr<Checkable>> build_register(const Arguments& args) {
  const Result<RegisterSizes> sizes = register_sizes(args, 2, 3);
  if (!sizes) return sizes.error();
  const Result<Planted> bug = planted(args, Form::kRegister);
  if (!bug) return bug.error();
  Server server;
  server.bug = *bug;
  server.recovers = args.number("recoveries") > 0;
  System system;
  add_register_nodes(system, *sizes, server);
  const MayCrash may_crash{0, sizes->servers - 1, "servers"};
  if (auto applied = apply_environment(args, may_crash, system); !applied) return applied.error();
  // The register form has no leader and asks no detector.
  system.detector(Detector::kNone);
  system.always("agreement", servers_agree);
  add_register_properties(system);
  return built(std::move(system));
}

Result<std::unique_ptr<Checkable>> build_nodes(const Arguments& args) {
  const int nodes = static_cast<int>(args.number("nodes"));
  if (args.number("recoveries") > 0) {
    return Error{"--recoveries: nodes of the form with --nodes keep nothing on disk"};
  }
  const Result<Planted> bug = planted(args, Form::kNodes);
  if (!bug) return bug.error();
  Node node;
  node.bug = *bug;
  node.nodes = nodes;
  System system;
  system.add<Node>(nodes, [node](NodeId) { return node; });
  for (int id = 1; id <= nodes; ++id) system.request(id, Propose{id});
  if (auto applied = apply_environment(args, {1, nodes}, system); !applied) {
    return applied.error();
  }
  system.always("agreement", agreement());
  system.always("validity", every_decision<int>([nodes](int v) { return v >= 1 && v <= nodes; }));
  system.always("integrity", decides_at_most_once());
  const bool minority = crash_budget(args) <= (nodes - 1) / 2;
  if (minority && links_are_reliable(args) && detector_is_right(args)) {
    system.eventually("termination", every_correct_node_decides());
  }
  return built(std::move(system));
}

Result<std::unique_ptr<Checkable>> build_contest(const Arguments& args) {
  for (const char* other : {"clients", "writers", "nodes"}) {
    if (has_value(args, other)) {
      return Error{std::string("--proposers and --") + other +
                   ": two forms of Paxos; give one of them"};
    }
  }
  // It knows no faults; only what differs from "nothing fails" is worth a complaint.
  if (has_value(args, "crash") || has_value(args, "max-crashes") || args.number("recoveries") > 0 ||
      !links_are_reliable(args) || args.number("duplicates") > 0 || args.word("network") != "bag" ||
      args.word("detector") != "perfect") {
    return Error{"--proposers: the contest is a raw model, without nodes and links that fail"};
  }
  const Result<Planted> bug = planted(args, Form::kContest);
  if (!bug) return bug.error();
  Duel protocol;
  protocol.proposers = static_cast<int>(args.number("proposers"));
  protocol.acceptors = number_or(args, "servers", 3);
  protocol.settles = args.word("leader") == "settles";
  protocol.bug = *bug;
  return std::unique_ptr<Checkable>(duel(protocol));
}

Result<std::unique_ptr<Checkable>> build(const Arguments& args) {
  if (has_value(args, "proposers")) return build_contest(args);
  if (!has_value(args, "nodes")) return build_register(args);
  for (const char* other : {"clients", "writers", "servers"}) {
    if (has_value(args, other)) {
      return Error{std::string("--nodes and --") + other +
                   ": give --clients and --servers (Paxos behind a register) or --nodes (Paxos "
                   "among equals), not both"};
    }
  }
  return build_nodes(args);
}

}  // namespace

Subject subject() {
  // Without defaults of their own: a value of any of them says which form is meant.
  std::vector<Parameter> own = register_parameters("", "");
  for (Parameter& parameter : own) parameter.what = "register form: " + parameter.what;
  own.front().what += "; 2 unless given";
  own.back().what += "; 3 unless given";
  own.push_back({"nodes", "", "node form: how many nodes; each proposes its id", 1, 16});
  own.push_back({"proposers", "", "contest: how many proposers; --servers accept", 1, 3});
  own.push_back({"leader",
                 "settles",
                 "contest: proposer 1 is left alone in the end, or never",
                 0,
                 0,
                 ParameterKind::kWord,
                 {"settles", "contested"}});
  return {
      .name = "paxos",
      .what = "one value is chosen by majorities: behind a register, or among equal nodes",
      .parameters = with_environment(own, {.detector = "perfect", .recoveries = true}),
      .bugs = planted_bugs().bugs(),
      .build = build,
  };
}

}  // namespace ordeal::protocols::paxos
