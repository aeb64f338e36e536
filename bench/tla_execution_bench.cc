// Controlled execution: steps a second of a sequence of named actions that is followed over and
// over, on two small specifications. Each pass begins at the initial state.
#include <benchmark/benchmark.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "ordeal/tla.h"

namespace {

using ordeal::tla::Execution;
using Arguments = std::map<std::string, std::string>;
using Steps = std::vector<std::pair<std::string, Arguments>>;

constexpr const char* kCommit = R"(---- MODULE Commit ----
CONSTANT RM
VARIABLES rm, tm, prepared, msgs
vars == <<rm, tm, prepared, msgs>>
Init == /\ rm = [r \in RM |-> "working"] /\ tm = "init" /\ prepared = {} /\ msgs = {}
Prepare(r) == /\ rm[r] = "working"
              /\ rm' = [rm EXCEPT ![r] = "prepared"]
              /\ msgs' = msgs \cup {[type |-> "prepared", rm |-> r]}
              /\ UNCHANGED <<tm, prepared>>
Hear(r) == /\ tm = "init" /\ [type |-> "prepared", rm |-> r] \in msgs
           /\ prepared' = prepared \cup {r}
           /\ UNCHANGED <<rm, tm, msgs>>
Commit == /\ tm = "init" /\ prepared = RM
          /\ tm' = "committed" /\ msgs' = msgs \cup {[type |-> "commit"]}
          /\ UNCHANGED <<rm, prepared>>
Obey(r) == /\ [type |-> "commit"] \in msgs
           /\ rm' = [rm EXCEPT ![r] = "committed"]
           /\ UNCHANGED <<tm, prepared, msgs>>
Next == \/ Commit
        \/ \E r \in RM : Prepare(r) \/ Hear(r) \/ Obey(r)
====
)";
constexpr const char* kCommitConfig = "CONSTANT RM = {r1, r2, r3}\nINIT Init\nNEXT Next\n";

constexpr const char* kElection = R"(---- MODULE Election ----
EXTENDS Naturals, FiniteSets, Sequences
CONSTANTS Server, MaxTerm, MaxValue
VARIABLES term, role, votedFor, votes, log, active
vars == <<term, role, votedFor, votes, log, active>>
Quorum == {q \in SUBSET Server : Cardinality(q) * 2 > Cardinality(Server)}
Terms == 0..MaxTerm
Init == /\ term = [i \in Server |-> 0] /\ role = [i \in Server |-> "follower"]
        /\ votedFor = [i \in Server |-> 0] /\ votes = [i \in Server |-> {}]
        /\ log = [i \in Server |-> <<>>] /\ active = Server
Timeout(i) == /\ i \in active /\ role[i] # "leader" /\ term[i] < MaxTerm
              /\ role' = [role EXCEPT ![i] = "candidate"]
              /\ term' = [term EXCEPT ![i] = @ + 1]
              /\ votedFor' = [votedFor EXCEPT ![i] = i]
              /\ votes' = [votes EXCEPT ![i] = {i}]
              /\ UNCHANGED <<log, active>>
HandleVoteRequest(i, j, t) ==
  LET grant == t > term[i] \/ (t = term[i] /\ votedFor[i] \in {0, j})
  IN /\ i \in active
     /\ t >= term[i]
     /\ \/ grant /\ votedFor' = [votedFor EXCEPT ![i] = j]
        \/ ~grant /\ UNCHANGED votedFor
     /\ role' = [role EXCEPT ![i] = IF t > term[i] THEN "follower" ELSE @]
     /\ term' = [term EXCEPT ![i] = t]
     /\ UNCHANGED <<votes, log, active>>
HandleVoteResponse(i, j, t) ==
  /\ i \in active /\ t = term[i] /\ role[i] = "candidate"
  /\ votes' = [votes EXCEPT ![i] = @ \cup {j}]
  /\ UNCHANGED <<term, role, votedFor, log, active>>
BecomeLeader(i) == /\ role[i] = "candidate" /\ votes[i] \in Quorum
                   /\ role' = [role EXCEPT ![i] = "leader"]
                   /\ UNCHANGED <<term, votedFor, votes, log, active>>
ClientRequest(i, v) == /\ role[i] = "leader" /\ Len(log[i]) < 4
                       /\ log' = [log EXCEPT ![i] = Append(@, [term |-> term[i], value |-> v])]
                       /\ UNCHANGED <<term, role, votedFor, votes, active>>
Crash(i) == active' = active \ {i} /\ UNCHANGED <<term, role, votedFor, votes, log>>
Restart(i) == /\ active' = active \cup {i}
              /\ role' = [role EXCEPT ![i] = "follower"]
              /\ votes' = [votes EXCEPT ![i] = {}]
              /\ UNCHANGED <<term, votedFor, log>>
Next == \/ \E i \in Server : Timeout(i)
        \/ \E i, j \in Server, t \in Terms : HandleVoteRequest(i, j, t)
        \/ \E i, j \in Server, t \in Terms : HandleVoteResponse(i, j, t)
        \/ \E i \in Server : BecomeLeader(i)
        \/ \E i \in Server, v \in 1..MaxValue : ClientRequest(i, v)
        \/ \E i \in Server : Crash(i) \/ Restart(i)
====
)";
constexpr const char* kElectionConfig =
    "CONSTANTS Server = {1, 2, 3}\nMaxTerm = 20\nMaxValue = 5\nINIT Init\nNEXT Next\n";

const Steps kCommitSteps = {
    {"Prepare", {{"r", "r1"}}},
    {"Prepare", {{"r", "r2"}}},
    {"Hear", {{"r", "r1"}}},
    {"Prepare", {{"r", "r3"}}},
    {"Hear", {{"r", "r3"}}},
    {"Hear", {{"r", "r2"}}},
    {"Commit", {}},
    {"Obey", {{"r", "r1"}}},
    {"Obey", {{"r", "r2"}}},
    {"Obey", {{"r", "r3"}}},
};

const Steps kElectionSteps = {
    {"Timeout", {{"i", "1"}}},
    {"HandleVoteRequest", {{"i", "2"}, {"j", "1"}, {"t", "1"}}},
    {"HandleVoteResponse", {{"i", "1"}, {"j", "2"}, {"t", "1"}}},
    {"BecomeLeader", {{"i", "1"}}},
    {"ClientRequest", {{"i", "1"}, {"v", "1"}}},
    {"Crash", {{"i", "3"}}},
    {"ClientRequest", {{"i", "1"}, {"v", "2"}}},
    {"Timeout", {{"i", "2"}}},
    {"HandleVoteRequest", {{"i", "1"}, {"j", "2"}, {"t", "2"}}},
    {"HandleVoteResponse", {{"i", "2"}, {"j", "1"}, {"t", "2"}}},
    {"BecomeLeader", {{"i", "2"}}},
    {"Restart", {{"i", "3"}}},
    {"ClientRequest", {{"i", "2"}, {"v", "3"}}},
};

void follow(benchmark::State& state, const char* name, const char* module, const char* config,
            const Steps& steps) {
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / ("ordeal-bench-" + std::to_string(getpid()));
  std::filesystem::create_directories(folder);
  const std::string path = (folder / name).string();
  std::ofstream(path + ".tla") << module;
  std::ofstream(path + ".cfg") << config;
  auto model = Execution::open({.path = path + ".tla"});
  std::filesystem::remove_all(folder);
  const auto give_up = [](const std::string& why) {
    std::fprintf(stderr, "%s\n", why.c_str());
    std::exit(1);
  };
  if (!model) give_up(model.error().message);
  std::vector<Execution::Command> commands;
  for (const auto& [action, arguments] : steps) {
    const auto command = model->find(action, arguments);
    if (!command) give_up(command.error().message);
    commands.push_back(*command);
  }
  for (auto _ : state) {
    if (!model->reset()) give_up("no initial state");
    for (const Execution::Command command : commands) {
      const auto visit = model->take(command);
      if (!visit || !visit->taken) give_up("a step of the sequence is not possible");
      benchmark::DoNotOptimize(visit->key);
    }
  }
  state.counters["steps/s"] = benchmark::Counter(
      static_cast<double>(state.iterations() * commands.size()), benchmark::Counter::kIsRate);
}

}  // namespace

BENCHMARK_CAPTURE(follow, two_phase_commit, "Commit", kCommit, kCommitConfig, kCommitSteps);
BENCHMARK_CAPTURE(follow, election, "Election", kElection, kElectionConfig, kElectionSteps);
BENCHMARK_MAIN();
