#include "protocols/two_phase_commit/two_phase_commit.h"

#include <memory>
#include <string>
#include <utility>

#include "ordeal/predicate.h"
#include "ordeal/system.h"
#include "protocols/common.h"
#include "protocols/planted.h"
#include "protocols/two_phase_commit/nodes.h"

namespace ordeal::protocols::two_phase_commit {
namespace {

const PlantedBugs<Planted>& planted_bugs() {
  static const PlantedBugs<Planted> all = {
      {Planted::kCommitEarly,
       {"commit-early", "the transaction manager commits although one vote is missing",
        "consistent"}},
      {Planted::kChangeMind,
       {"rm-changes-mind", "a prepared manager may still abort on its own", "consistent"}},
      {Planted::kWaitForEver,
       {"waits-for-ever", "the transaction manager never gives up waiting for votes",
        "all decide"}},
  };
  return all;
}

std::string inconsistent(int committed, int aborted) {
  if (committed == aborted) {
    return "manager " + std::to_string(committed) + " has both committed and aborted";
  }
  return "manager " + std::to_string(committed) + " has committed, manager " +
         std::to_string(aborted) + " has aborted";
}

// What managers decided before they crashed counts.
Outcome consistent(const View& view) {
  NodeId committed = 0;
  NodeId aborted = 0;
  for (NodeId node : view.nodes()) {
    for (const value::Any& decision : view.decisions(node)) {
      const bool commit = *decision.try_get<Decision>() == Decision::kCommit;
      NodeId& first = commit ? committed : aborted;
      if (first == 0) first = node;
    }
  }
  if (committed == 0 || aborted == 0) return true;
  Outcome outcome = violated(inconsistent(committed, aborted)).node(committed);
  return committed == aborted ? outcome : std::move(outcome).node(aborted);
}

Result<std::unique_ptr<Checkable>> build_raw(const Arguments& args) {
  // The raw model knows no faults; only what differs from "nothing fails" is worth a complaint.
  if (has_value(args, "crash") || has_value(args, "max-crashes") || args.number("drops") > 0 ||
      args.number("duplicates") > 0 || args.number("partitions") > 0 ||
      args.word("network") != "set") {
    return Error{"--form raw has neither nodes nor links; faults need --form actors"};
  }
  if (args.word("votes") == "again") {
    return Error{"--votes again: managers of --form raw vote once; it needs --form actors"};
  }
  return std::unique_ptr<Checkable>(std::make_unique<Model<TwoPhaseCommit>>(
      model(static_cast<int>(args.number("rms")), planted_bugs().asked(args))));
}

Result<std::unique_ptr<Checkable>> build_actors(const Arguments& args) {
  const int managers = static_cast<int>(args.number("rms"));
  const bool votes_again = args.word("votes") == "again";
  if (votes_again && args.word("network") != "set") {
    return Error{
        "--votes again needs --network set: elsewhere the votes on their way would be more "
        "and more, without end"};
  }
  ResourceManager manager;
  manager.transaction_manager = managers + 1;
  manager.votes_again = votes_again;
  manager.bug = planted_bugs().asked(args);
  TransactionManager transaction;
  transaction.managers = managers;
  transaction.votes_again = votes_again;
  transaction.bug = planted_bugs().asked(args);
  System system;
  system.add<ResourceManager>(managers, [manager](NodeId) { return manager; });
  system.add<TransactionManager>(1, [transaction](NodeId) { return transaction; });
  if (auto applied = apply_environment(args, {1, managers + 1}, system); !applied) {
    return applied.error();
  }
  system.skip_noops();
  declare_alike(args, 1, managers, system);
  system.always("consistent", consistent);
  bool blocking = !links_are_reliable(args);
  for (NodeId node : args.nodes("crash")) blocking = blocking || node == managers + 1;
  if (!blocking || args.flag("claim-progress")) {
    system.eventually("all decide",
                      each_correct<ResourceManager>([](const ResourceManager& m) -> Outcome {
                        if (m.state == Manager::kCommitted || m.state == Manager::kAborted) {
                          return true;
                        }
                        return violated("a manager is " + value::show(m.state) + " for ever");
                      }));
  }
  system.sometimes("committed", [](const View& view) {
    for (NodeId node : view.nodes()) {
      for (const value::Any& decision : view.decisions(node)) {
        if (*decision.try_get<Decision>() == Decision::kCommit) return true;
      }
    }
    return false;
  });
  return built(std::move(system));
}

}  // namespace

Model<TwoPhaseCommit> model(int managers, Planted bug) {
  TwoPhaseCommit protocol;
  protocol.managers = managers;
  protocol.bug = bug;
  using State = TwoPhaseCommit::State;
  Model<TwoPhaseCommit> out(protocol);
  out.always("consistent", [](const State& s) -> Outcome {
    if (s.committed == 0 || s.aborted == 0) return true;
    return violated(inconsistent(__builtin_ctz(s.committed) + 1, __builtin_ctz(s.aborted) + 1));
  });
  out.eventually("all decide", [managers](const State& s) -> Outcome {
    const uint32_t undecided =
        ((1U << managers) - 1) & ~uint32_t{s.committed} & ~uint32_t{s.aborted};
    if (undecided == 0) return true;
    return violated("manager " + std::to_string(__builtin_ctz(undecided) + 1) +
                    " has neither committed nor aborted");
  });
  out.sometimes("committed", [](const State& s) { return s.committed != 0; });
  // What can happen all the time happens in the end, as to nodes by default.
  out.fair_each(Owed::kWeakly);
  return out;
}

Subject subject() {
  return {
      .name = "two-phase-commit",
      .what = "resource managers commit together or not at all",
      .parameters = with_environment(
          {{"rms", "3", "how many resource managers", 1, kMaxManagers},
           {"votes",
            "once",
            "a prepared manager votes once, or again and again until "
            "it hears what was decided",
            0,
            0,
            ParameterKind::kWord,
            {"once", "again"}},
           {"claim-progress", "", "claims \"all decide\" also where managers may block", 0, 0,
            ParameterKind::kFlag},
           {"form",
            "raw",
            "a raw model, or nodes that exchange messages",
            0,
            0,
            ParameterKind::kWord,
            {"raw", "actors"}}},
          {.detector = "", .recoveries = false, .network = "set"}),
      .bugs = planted_bugs().bugs(),
      .build =
          [](const Arguments& args) {
            return args.word("form") == "raw" ? build_raw(args) : build_actors(args);
          },
  };
}

}  // namespace ordeal::protocols::two_phase_commit
