#include "protocols/rsl/rsl.h"

#include <utility>
#include <vector>

#include "ordeal/system.h"
#include "protocols/common.h"
#include "protocols/rsl/properties.h"
#include "protocols/rsl/replica.h"
#include "protocols/rsl/steering.h"

namespace ordeal::protocols::rsl {

const PlantedBugs<Planted>& planted_bugs() {
  static const PlantedBugs<Planted> all = {
      {Planted::kInconsistentLogs,
       {"inconsistent-logs",
        "a new primary proposes its own value, not the freshest vote it was told",
        "log consistency"}},
      {Planted::kOlderBallots,
       {"older-ballots", "votes of older ballots than the one promised are accepted",
        "log consistency"}},
      {Planted::kNamelessBallot,
       {"nameless-ballot", "a new ballot does not carry the name of who prepares it",
        "one primary"}},
      {Planted::kHalfIsEnough,
       {"half-is-enough",
        "half of the replicas are a quorum",
        "log consistency",
        {.parameters = {{"replicas", "4"}, {"requests", "1"}}}}},
      {Planted::kHastyPrimary,
       {"hasty-primary", "a primary proposes the next decree before the last one is decided",
        "log consistency"}},
      {Planted::kAnyNextDecree,
       {"any-next-decree",
        "a vote for the next decree decides the last one, also under another ballot",
        "log consistency",
        {.parameters = {{"candidates", "1"}, {"drops", "1"}}}}},
      {Planted::kLearnsUndecided,
       {"learns-undecided",
        "a vote that was fetched from another replica is taken for decided",
        "log consistency",
        {.parameters = {{"requests", "1"}, {"crash", "3"}, {"recoveries", "1"}}}}},
      {Planted::kVoteNotLogged,
       {"vote-not-logged",
        "a vote does not survive a crash",
        "log consistency",
        {.parameters = {{"requests", "1"}, {"crash", "3"}, {"recoveries", "1"}}}}},
      {Planted::kPrepareNotLogged,
       {"prepare-not-logged",
        "a promise does not survive a crash",
        "log consistency",
        {.parameters = {{"requests", "1"}, {"crash", "3"}, {"recoveries", "1"}}}}},
  };
  return all;
}

namespace {

Result<std::unique_ptr<Checkable>> build(const Arguments& args) {
  const int replicas = static_cast<int>(args.number("replicas"));
  const int requests = static_cast<int>(args.number("requests"));
  Replica replica;
  replica.setup.candidates = static_cast<int>(args.number("candidates"));
  replica.setup.ballots = static_cast<uint32_t>(args.number("ballots"));
  replica.setup.heartbeats = static_cast<uint32_t>(args.number("heartbeats"));
  replica.setup.retries = static_cast<uint32_t>(args.number("retries"));
  replica.setup.timed = args.word("time") != "none";
  replica.setup.bug = planted_bugs().asked(args);
  const int all = replica.setup.candidates;
  const int candidates = all == 0 || all > replicas ? replicas : all;

  System system;
  system.add<Replica>(replicas, [replica](NodeId) { return replica; });
  for (int value = 1; value <= requests; ++value) {
    system.request((value - 1) % candidates + 1, Submit{value});
  }
  apply_time(args, system);
  if (auto applied = apply_environment(args, {1, replicas, "replicas"}, system); !applied) {
    return applied.error();
  }
  system.never_chooses(!replica.setup.timed);
  system.crash_at_persist(args.flag("crash-at-persist"));
  const bool terminates = candidates == 1 && links_are_reliable(args) && crash_budget(args) == 0;
  add_properties(system, {requests, terminates});
  add_steering(system);
  return built(std::move(system));
}

std::vector<Parameter> parameters() {
  return {
      {"replicas", "3", "how many replicas", 1, 9},
      {"requests", "2", "how many values, submitted in turn at those who may become primary", 0,
       99},
      {"candidates", "2", "replicas that may become primary: those up to this id; 0: all", 0, 9},
      {"ballots", "1", "nobody prepares a ballot of a higher number; 0: no such bound", 0, 999},
      {"heartbeats", "0", "empty decrees that a primary proposes at most under its ballot", 0, 999},
      {"retries", "0", "how often a replica sends again what got no answer", 0, 99},
      {"crash-at-persist", "", "crashes also happen right after a handler has written to disk", 0,
       0, ParameterKind::kFlag},
      time_parameter(),
  };
}

}  // namespace

Subject subject() {
  return {
      .name = "rsl",
      .what = "a log of decrees, voted for one at a time under one primary",
      .parameters = with_environment(parameters(),
                                     {.detector = "", .recoveries = true, .network = "ordered"}),
      .bugs = planted_bugs().bugs(),
      .build = build,
  };
}

}  // namespace ordeal::protocols::rsl
