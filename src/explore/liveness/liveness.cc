#include "explore/liveness/liveness.h"

#include <algorithm>
#include <utility>

#include "base/mutant.h"
#include "explore/liveness/fair_runs.h"
#include "explore/liveness/lasso.h"
#include "explore/liveness/run_graph.h"

namespace ordeal::explore {
namespace {

// Parts that are violated each by itself.
std::vector<Formula> parts_of_claim(const Formula& claim) {
  if (claim.is != Formula::Is::kAnd) return {claim};
  std::vector<Formula> out;
  for (const Formula& part : claim.parts) {
    for (Formula& inner : parts_of_claim(part)) out.push_back(std::move(inner));
  }
  return out;
}

// What a run satisfies that counts and violates the claim.
Formula against(const Liveness& liveness, const Formula& claim) {
  Formula negation = formula::negation(claim);
  if (mutant(Mutant::kAssumptionIgnored)) return negation;
  return formula::all({liveness.assumed, std::move(negation)});
}

// What is owed, in place of what the subject says of it.
const char* in_place_of_words(Fairness fairness) {
  switch (fairness) {
    case Fairness::kDeclared:
      break;
    case Fairness::kNone:
      return "nothing is owed to any action (--fairness none): a run may take any way of progress "
             "again and again";
    case Fairness::kWeak:
      return "all that is owed anything happens in the end where it stays possible (--fairness "
             "weak)";
    case Fairness::kStrong:
      return "all that is owed anything happens in the end where it is possible again and again "
             "(--fairness strong)";
  }
  return "";
}

}  // namespace

Liveness as_asked(Liveness liveness, Fairness fairness) {
  if (!liveness.has_duties || fairness == Fairness::kDeclared) return liveness;
  for (FairAction& action : liveness.fair) {
    if (action.owed == Owed::kNothing) continue;
    action.owed = fairness == Fairness::kNone   ? Owed::kNothing
                  : fairness == Fairness::kWeak ? Owed::kWeakly
                                                : Owed::kStrongly;
  }
  liveness.assumption =
      std::string(in_place_of_words(fairness)) +
      (fairness == Fairness::kNone ? "" : "; declared is: " + liveness.assumption);
  return liveness;
}

bool decide_without_runs(const std::vector<Property>& properties, const Liveness& liveness,
                         bool may_go_round, const std::vector<uint32_t>& violated,
                         Exploration& out) {
  bool any = false;
  for (const Liveness::Claim& claim : liveness.claims) {
    const bool by_ends = !properties[claim.property].on_runs && !may_go_round && !liveness.stutters;
    const bool known =
        claim.formula == Formula() || by_ends ||
        std::find(violated.begin(), violated.end(), claim.property) != violated.end();
    (known ? out.decided_on_runs : out.open_on_runs).push_back(claim.property);
    any = any || !known;
  }
  return any;
}

void decide_on_runs(const RunsTask& task, Exploration& out) {
  const double began = task.pace.seconds();
  const Liveness& liveness = task.liveness;
  out.assumption = liveness.assumption;
  task.pace.say("making the graph of states");
  RunGraph graph;
  const Result<std::optional<Bound>> stopped =
      graph.make({task.space, task.roots, task.options, task.pace, out, liveness, task.held_bytes,
                  task.most_bytes});
  if (!stopped) {
    out.error = stopped.error().message;
    return;
  }
  out.run_graph = {graph.states(), graph.edges(), graph.bytes(), 0};
  const uint64_t held = task.held_bytes + graph.bytes();
  out.bytes = std::max({out.bytes, held, graph.most_bytes()});
  out.runs_unknown = *stopped;
  task.pace.say("looking for runs that go on for ever");
  const auto find = [&](const Formula& formula, bool any) {
    FairRunResult found =
        find_fair_run({graph, liveness, formula, any, task.pace, out, held, task.most_bytes});
    out.bytes = std::max(out.bytes, found.bytes);
    if (found.stopped) out.runs_unknown = found.stopped;
    return std::move(found.run);
  };
  for (const Liveness::Claim& claim : liveness.claims) {
    if (out.runs_unknown) break;
    bool violated = false;
    for (const Formula& part : parts_of_claim(claim.formula)) {
      const std::optional<FairRun> run = find(against(liveness, part), false);
      if (out.runs_unknown) break;
      if (!run) continue;
      violated = true;
      if (Finding* finding = out.found(claim.property)) {
        finding->path = {run->initial, run->choices};
        finding->loop_start = run->loop_start;
      }
      break;
    }
    if (out.runs_unknown) break;
    out.decided_on_runs.push_back(claim.property);
    if (!violated) continue;
    out.tell_violated(claim.property);
    if (!task.options.keep_going) break;
  }
  if (!out.runs_unknown && out.findings.empty()) {
    out.vacuous_on_runs = !find(liveness.assumed, true) && !out.runs_unknown;
    out.runs_unknown.reset();
  }
  out.run_graph.seconds = task.pace.seconds() - began;
}

Result<bool> violates_on_runs(StateSpace& space, const ShortForm& path, uint32_t loop_start,
                              uint32_t property) {
  const Result<Liveness> liveness = space.liveness();
  if (!liveness) return liveness.error();
  Result<std::vector<StateSpace::Initial>> roots = space.initial();
  if (!roots) return roots.error();
  if (path.initial >= roots->size()) return Error{"there is no such initial state"};
  const std::unique_ptr<Explorer> explorer = space.explorer();
  std::vector<uint32_t> state = (*roots)[path.initial].state;
  uint64_t fingerprint = (*roots)[path.initial].fingerprint;
  LassoWord word;
  word.loop = loop_start;
  for (size_t i = 0; i <= path.choices.size(); ++i) {
    std::vector<Choice> choices;
    explorer->enumerate(state, choices);
    const bool terminal = std::none_of(choices.begin(), choices.end(),
                                       [](const Choice& choice) { return choice.progress; });
    std::vector<bool> of_step(liveness->step_atoms);
    std::vector<uint32_t> next = state;
    uint64_t next_fingerprint = fingerprint;
    const bool goes_on = i < path.choices.size();
    // The last state: where the run goes back to, unless it stays there.
    if (!goes_on && loop_start < path.choices.size()) break;
    if (!goes_on && !terminal && !liveness->stutters) {
      return Error{"the run cannot stay where it ends: a step of progress is possible there"};
    }
    if (goes_on) {
      if (path.choices[i] >= choices.size() || choices[path.choices[i]].fails) {
        return Error{"step " + std::to_string(i + 1) + " is not possible"};
      }
      next.clear();
      next_fingerprint = explorer->apply(state, fingerprint, choices[path.choices[i]], next);
      explorer->atoms_of_step(state, choices[path.choices[i]], next, of_step);
    }
    std::vector<bool> of_state(liveness->state_atoms);
    explorer->atoms_of_state(state, terminal, of_state);
    if (const std::string* trouble = explorer->trouble()) return Error{*trouble};
    word.states.push_back(std::move(of_state));
    word.steps.push_back(std::move(of_step));
    state = std::move(next);
    fingerprint = next_fingerprint;
  }
  for (const Liveness::Claim& claim : liveness->claims) {
    if (claim.property == property && !is_true_of(claim.formula, word)) return true;
  }
  return false;
}

}  // namespace ordeal::explore
