#include "protocols/pbft/pbft.h"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>

#include "ordeal/predicate.h"
#include "ordeal/system.h"
#include "protocols/common.h"
#include "protocols/pbft/client.h"
#include "protocols/pbft/properties.h"
#include "protocols/pbft/replica.h"
#include "protocols/pbft/traitor.h"
#include "protocols/planted.h"

namespace ordeal::protocols::pbft {
namespace {

const PlantedBugs<Planted>& planted_bugs() {
  static const PlantedBugs<Planted> all = {
      {Planted::kForgetsPrepared,
       {"forgets-prepared",
        "a view change leaves out what was prepared",
        "executed survives view changes",
        {.scenario = "pbft-prepared-is-proposed-again"}}},
      {Planted::kSmallPrepareQuorum,
       {"small-prepare-quorum",
        "a request is prepared with f votes too few",
        "executed survives view changes",
        {.scenario = "pbft-equivocating-primary"}}},
      {Planted::kSmallCommitQuorum,
       {"small-commit-quorum",
        "a request is executed with f commits too few",
        "executed survives view changes",
        {.scenario = "pbft-commit-of-two"}}},
      {Planted::kSmallViewChangeQuorum,
       {"small-view-change-quorum",
        "a view begins when f + 1 replicas have asked for it",
        "executed survives view changes",
        {.scenario = "pbft-view-change-of-two"}}},
      {Planted::kUnsigned,
       {"unsigned",
        "nobody looks at signatures",
        "linearizable",
        {.scenario = "pbft-garbled-proposal"}}},
      {Planted::kTwoProposals,
       {"two-proposals",
        "a second proposal for a sequence number and view is accepted",
        "agreement",
        {.parameters = {{"clients", "2"}, {"byzantine", "1"}, {"behaviour", "equivocate"}},
         .strategy = "random",
         .max_runs = 10000}}},
      {Planted::kTrustsNewView,
       {"trusts-new-view",
        "a new view is entered with whatever its primary proposes",
        "executed survives view changes",
        {.scenario = "pbft-empty-new-view"}}},
      {Planted::kStaysInView,
       {"stays-in-view",
        "who has asked for a view still votes in the one before",
        "executed survives view changes",
        {.scenario = "pbft-votes-of-the-view-before"}}},
      {Planted::kOldProposals,
       {"old-proposals",
        "a proposal of an earlier view is accepted",
        "its scenario",
        {.scenario = "pbft-previous-view-proposal"}}},
      {Planted::kWaitsForProposal,
       {"waits-for-proposal",
        "a replica that has a request and no proposal is patient for ever",
        "its scenario",
        {.scenario = "pbft-expect-new-view"}}},
      {Planted::kContentWhenPrepared,
       {"content-when-prepared",
        "a replica that has prepared a request waits for commits for ever",
        "its scenario",
        {.scenario = "pbft-expect-view-change"}}},
      {Planted::kOldestCertificate,
       {"oldest-certificate",
        "of several certificates for a sequence number, a new view takes the oldest",
        "executed survives view changes",
        {.scenario = "pbft-newest-certificate"}}},
      {Planted::kForgetsViewChanges,
       {"forgets-view-changes",
        "who enters a view forgets who has asked for later ones",
        "every request is answered",
        {.parameters = {{"views", "3"},
                        {"retries", "1"},
                        {"clients", "2"},
                        {"byzantine", "1"},
                        {"behaviour", "withhold"}},
         .strategy = "random",
         .max_runs = 10000}}},
      {Planted::kCheckpointByOne,
       {"checkpoint-by-one",
        "one vote makes a checkpoint stable",
        "agreement",
        {.parameters = {{"byzantine", "4"}, {"requests", "2"}, {"checkpoint-interval", "1"}},
         .strategy = "random",
         .max_runs = 10000}}},
      {Planted::kForgetsAboveCheckpoint,
       {"forgets-above-checkpoint",
        "a stable checkpoint discards certificates above it, too",
        "executed survives view changes",
        {.scenario = "pbft-above-the-checkpoint"}}},
      {Planted::kNoWatermarks,
       {"no-watermarks",
        "sequence numbers above the high watermark are accepted",
        "log is bounded",
        {.parameters = {{"byzantine", "1"}}}}},
      {Planted::kOutOfOrder,
       {"out-of-order",
        "what is committed is executed although something is missing before it",
        "in order and once",
        {.parameters = {{"clients", "2"}}, .strategy = "random", .max_runs = 10000}}},
      {Planted::kExecutesTwice,
       {"executes-twice",
        "nobody looks whether a request has been executed before",
        "in order and once",
        {.parameters = {{"retries", "1"}}, .strategy = "random", .max_runs = 10000}}},
      {Planted::kLosesReplies,
       {"loses-replies",
        "a state that is taken over does not say who has been answered",
        "agreement",
        {.scenario = "pbft-proposed-twice"}}},
      {Planted::kAcceptsOneReply,
       {"accepts-one-reply",
        "a client believes the first reply",
        "accepted was executed",
        {.parameters = {{"byzantine", "4"}}}}},
  };
  return all;
}

bool contains(const std::vector<NodeId>& nodes, NodeId id) {
  return std::find(nodes.begin(), nodes.end(), id) != nodes.end();
}

// An Error names the parameter and what does not fit.
Result<void> are_replicas(const Arguments& args, const std::string& parameter) {
  for (NodeId id : args.nodes(parameter)) {
    if (id >= 1 && id <= args.number("nodes")) continue;
    return Error{"--" + parameter + " " + std::to_string(id.value) + ": replicas are 1 to " +
                 std::to_string(args.number("nodes"))};
  }
  return {};
}

Setup setup_of(const Arguments& args) {
  Setup setup;
  setup.bug = planted_bugs().asked(args);
  setup.nodes = static_cast<int>(args.number("nodes"));
  setup.clients = static_cast<int>(args.number("clients"));
  setup.requests = static_cast<int>(args.number("requests"));
  setup.retries = static_cast<int>(args.number("retries"));
  setup.views = static_cast<int>(args.number("views"));
  setup.checkpoint_interval = static_cast<int>(args.number("checkpoint-interval"));
  const int total = setup.clients * setup.requests;
  setup.window = 2 * (setup.checkpoint_interval > 0 ? setup.checkpoint_interval : total);
  for (NodeId id : args.nodes("suspects")) setup.suspects.insert(id);
  if (setup.suspects.empty()) {
    for (int id = 1; id <= setup.nodes; ++id) setup.suspects.insert(id);
  }
  return setup;
}

Behaviour behaviour_of(const std::string& word) {
  if (word == "equivocate") return Behaviour::kEquivocate;
  return word == "withhold" ? Behaviour::kWithhold : Behaviour::kLie;
}

void add_nodes(const Arguments& args, const Setup& setup, System& system) {
  Replica replica;
  replica.setup = setup;
  Traitor traitor;
  traitor.setup = setup;
  traitor.behaviour = behaviour_of(args.word("behaviour"));
  traitor.honest.setup = setup;
  traitor.honest.withholds = true;
  Client client;
  client.setup = setup;
  const std::vector<NodeId> byzantine = args.nodes("byzantine");
  for (int id = 1; id <= setup.nodes; ++id) {
    if (contains(byzantine, id)) {
      system.add<Traitor>(1, [traitor](NodeId) { return traitor; });
    } else {
      system.add<Replica>(1, [replica](NodeId) { return replica; });
    }
  }
  system.add<Client>(setup.clients, [client](NodeId) { return client; });
}

// In the last view nobody gives up waiting: a correct primary must have the time that it needs. A
// view before it may end before the primary has heard of a request, so that clients must ask all.
bool answers_can_be_claimed(const Arguments& args, const Setup& setup) {
  const std::vector<NodeId> byzantine = args.nodes("byzantine");
  const std::vector<NodeId> crash = args.nodes("crash");
  const int faulty = static_cast<int>(byzantine.size()) + crash_budget(args);
  const NodeId last = setup.primary(setup.views - 1);
  const bool led_well = !contains(byzantine, last) && !contains(crash, last);
  const bool all_suspect = static_cast<int>(setup.suspects.size()) == setup.nodes;
  // What comes too early must come again; see replica.h.
  const bool comes_later = args.word("network") != "ordered";
  // Nobody passes on the proof of a stable checkpoint that a faulty replica has not sent to all.
  const bool all_hear = setup.checkpoint_interval == 0 || faulty == 0;
  return comes_later && all_hear && links_are_reliable(args) && faulty <= setup.faults() &&
         led_well && (setup.views == 1 || (all_suspect && setup.retries > 0));
}

void add_properties(const Arguments& args, const Setup& setup, System& system) {
  system.always("agreement", Predicate::Global{replicas_agree, Reads::kDecisions});
  system.always("in order and once",
                Predicate::Global{executed_in_order_and_once, Reads::kEachNode});
  system.always("accepted was executed",
                Predicate::Global{accepted_was_executed, Reads::kDecisions});
  system.always("linearizable", linearizable<CounterSpec>());
  system.always("executed survives view changes", executed_survives_view_changes);
  system.always("log is bounded", Predicate::Global{log_is_bounded, Reads::kEachNode});
  if (answers_can_be_claimed(args, setup)) {
    system.eventually("every request is answered", every_request_is_answered);
  }
  const bool all_correct = args.nodes("byzantine").empty() && crash_budget(args) == 0;
  if (all_correct) system.sometimes("executes", something_is_executed);
  const bool impatient = args.word("time") == "none";
  const bool changes = setup.views > 1 && setup.suspects.size() > 1 && impatient;
  if (all_correct && changes) {
    system.sometimes("a view change completes", a_view_change_completes);
  }
  const int every = setup.checkpoint_interval;
  if (all_correct && every > 0 && setup.clients * setup.requests >= every) {
    system.sometimes("a checkpoint is stable", a_checkpoint_is_stable);
    system.sometimes("a state is transferred", a_state_is_transferred);
  }
}

Result<std::unique_ptr<Checkable>> build(const Arguments& args) {
  for (const char* parameter : {"byzantine", "suspects"}) {
    if (auto fits = are_replicas(args, parameter); !fits) return fits.error();
  }
  const Setup setup = setup_of(args);
  System system;
  add_nodes(args, setup, system);
  if (auto applied = apply_environment(args, {1, setup.nodes, "replicas"}, system); !applied) {
    return applied.error();
  }
  system.skip_noops();
  if (args.word("time") == "prompt") system.prompt();
  add_properties(args, setup, system);
  return built(std::move(system));
}

}  // namespace

Subject subject() {
  return {
      .name = "pbft",
      .what = "replicas agree on a sequence of requests although a third of them may lie",
      .parameters = with_environment(
          {{"nodes", "4", "how many replicas", 4, 7},
           {"clients", "1", "how many clients; their ids follow those of the replicas", 1, 3},
           {"requests", "1", "how many requests of each client, one after the other", 1, 9},
           {"retries", "0", "how often a client sends a request to all replicas again", 0, 9},
           {"views", "1", "how many views there can be; node 1 leads in view 0", 1, 9},
           {"suspects", "", "replicas that change views by themselves; all by default", 0, 0,
            ParameterKind::kNodes},
           {"checkpoint-interval", "0", "sequence numbers from one checkpoint to the next; 0: none",
            0, 9},
           {"byzantine", "", "replicas that are Byzantine, such as 1", 0, 0, ParameterKind::kNodes},
           {"behaviour",
            "lie",
            "what Byzantine replicas do",
            0,
            0,
            ParameterKind::kWord,
            {"equivocate", "withhold", "lie"}},
           {"time",
            "none",
            "timeouts come at any time, or (prompt) where nothing can be delivered",
            0,
            0,
            ParameterKind::kWord,
            {"none", "prompt"}}},
          {}),
      .bugs = planted_bugs().bugs(),
      .build = build,
  };
}

}  // namespace ordeal::protocols::pbft
