#include <fmt/format.h>

#include <fstream>
#include <optional>

#include "language/tla/model/space.h"
#include "language/tla/syntax/parse.h"
#include "ordeal/check.h"
#include "tests/oracle/tla/naive_runs.h"
#include "tests/oracle/tla/problems.h"
#include "tests/tools/cli/folder.h"

namespace ordeal::oracle::naive {
namespace {

// The values of the variables, in their order: two numbers, and the set of the first.
State state_of(const Snapshot& snapshot) {
  State out;
  for (size_t i = 0; i < 2; ++i) {
    out.emplace_back(Val::integer(Integer(snapshot.parts[0].tree.items[i].integer)));
  }
  out.emplace_back(Val::of(Set{*out[0]}));
  return out;
}

// The states that a trace goes through, the initial one first; none: it cannot be followed.
std::vector<State> states_of(const tla::TlaSystem& system, const Trace& trace) {
  const std::unique_ptr<World> world = system.world();
  std::vector<State> out;
  if (!world->reset(trace.initial)) return {};
  out.push_back(state_of(world->observe()));
  for (const TraceStep& step : trace.steps) {
    if (step.choice >= world->enabled().size() || !world->apply(step.choice)) return {};
    out.push_back(state_of(world->observe()));
  }
  return out;
}

class BehaviourExaminer {
 public:
  BehaviourExaminer(uint64_t seed, std::string folder, Tally& tally)
      : spec_(random_behaviours(seed)), seed_(seed), folder_(std::move(folder)), tally_(tally) {}

  std::string problem() {
    ++tally_.cases;
    const std::string path = folder_ + "/Spec.tla";
    std::ofstream(path) << spec_.module;
    std::ofstream(folder_ + "/Spec.cfg") << spec_.config;
    std::ofstream(folder_ + "/Abstract.tla") << spec_.instantiated;
    tla::Sources sources;
    Result<tla::Module> instantiated =
        tla::parse_module(sources, sources.add("Abstract.tla", spec_.instantiated));
    if (!instantiated) return where(instantiated.error().message);
    Result<tla::Module> module = tla::parse_module(sources, sources.add(path, spec_.module));
    if (!module) return where(module.error().message);
    Evaluator naive({&*instantiated, &*module}, {});
    tla::LoadOptions options;
    options.path = path;
    const auto loaded = tla::Specification::load(options);
    if (!loaded) return where(loaded.error().message);
    const tla::TlaSystem system(*loaded);
    try {
      constexpr size_t kMostStates = 6;
      Runs runs(naive, spec_, kMostStates);
      if (runs.size() == 0) throw TooMuch{};
      std::vector<bool> violated;
      for (const RandomBehaviours::Claim& claim : spec_.claims) {
        violated.push_back(runs.has_violation(claim.formula));
      }
      for (const std::string& feature : spec_.features) ++tally_.seen[feature];
      tally_.values += runs.size();
      for (const bool keep_going : {true, false}) {
        if (std::string wrong = by_engine(system, runs, violated, keep_going); !wrong.empty()) {
          return where(wrong);
        }
      }
    } catch (const TooMuch&) {
      ++tally_.skipped;
    }
    return "";
  }

 private:
  std::string where(const std::string& problem) const {
    return fmt::format("behaviours {}: {}\n{}{}", seed_, problem, spec_.module, spec_.config);
  }

  std::string by_engine(const tla::TlaSystem& system, Runs& runs, const std::vector<bool>& violated,
                        bool keep_going) {
    Options options;
    options.strategy = "bfs";
    options.threads = seed_ % 8 == 0 ? 2 : 1;
    options.keep_going = keep_going;
    const Result<Report> report = check(system, options);
    if (!report) return report.error().message;
    if (report->trouble) return report->trouble->message;
    size_t found = 0;
    for (size_t i = 0; i < spec_.claims.size(); ++i) {
      const RandomBehaviours::Claim& claim = spec_.claims[i];
      const Violation* violation = nullptr;
      for (const Violation& one : report->violations) {
        if (one.property.starts_with(claim.name)) violation = &one;
      }
      found += violation != nullptr;
      ++tally_.seen[violation != nullptr ? "violated" : violated[i] ? "not looked for" : "holds"];
      if (violation != nullptr && !violated[i]) return claim.name + " holds, but is violated";
      if (violation == nullptr && violated[i] && keep_going) {
        return claim.name + " is violated, but is said to hold";
      }
      if (violation == nullptr) continue;
      if (std::string wrong = by_trace(system, runs, *violation, claim); !wrong.empty()) {
        return claim.name + ": " + wrong;
      }
    }
    const bool any = std::find(violated.begin(), violated.end(), true) != violated.end();
    if (any != (found > 0)) return "nothing was found, where something is violated";
    if (any != (report->verdict == Verdict::kViolated) ||
        any == (report->verdict == Verdict::kHolds)) {
      return fmt::format("the verdict is {}", to_string(report->verdict));
    }
    return "";
  }

  std::string by_trace(const tla::TlaSystem& system, Runs& runs, const Violation& violation,
                       const RandomBehaviours::Claim& claim) {
    if (!violation.trace) return "there is no trace";
    if (!violation.trace->loop_start) return "the trace does not say where it goes on";
    const Result<Trace> read = trace_from_json(to_json(*violation.trace));
    if (!read) return read.error().message;
    const std::vector<State> states = states_of(system, *read);
    if (states.empty()) return "the trace cannot be followed";
    tally_.seen[*read->loop_start == read->steps.size() ? "stuttering" : "a cycle"] += 1;
    return runs.problem_of(states, *read->loop_start, claim.formula);
  }

  const RandomBehaviours spec_;
  const uint64_t seed_;
  const std::string folder_;
  Tally& tally_;
};

}  // namespace

std::string problem_with_behaviours(uint64_t first_seed, uint64_t specs, Tally& tally) {
  const e2e::Folder folder;
  std::string problem;
  for (uint64_t seed = first_seed; problem.empty() && seed < first_seed + specs; ++seed) {
    problem = BehaviourExaminer(seed, folder.path(), tally).problem();
  }
  return problem;
}

}  // namespace ordeal::oracle::naive
