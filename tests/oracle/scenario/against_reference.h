// The product of a system and a scenario against the reference: first in lockstep, state by state,
// then what every strategy that explores everything reports.
#pragma once

#include <algorithm>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "explore/run/campaign.h"
#include "ordeal/check.h"
#include "system/scenario/product.h"
#include "tests/oracle/random/compare.h"
#include "tests/oracle/random/sharing.h"
#include "tests/oracle/reductions/suite.h"
#include "tests/oracle/reference/scenario.h"
#include "tests/oracle/scenario/random_scenario.h"
#include "tests/oracle/scenario/scenario_features.h"

namespace ordeal::oracle {

class AgainstReference {
 public:
  AgainstReference(const Case& item, const RandomScenario& made, const monitor::Product& product)
      : product_(product),
        system_(item.system),
        scenario_(made.scenario.declaration()),
        reference_(item.system, made.scenario, made.own),
        space_(product.space()),
        engine_(space_->explorer()) {
    found_.first.resize(product.properties().size());
  }

  bool is_complete() const { return found_.complete; }
  const reference::Exploration& found() const { return found_; }

  // Every state of the product, as long as there are no more than `cap`. The first disagreement;
  // "": there is none.
  std::string walk(uint64_t cap) {
    const auto expected = reference_.initial();
    const auto initial = space_->initial();
    if (!expected || !initial.ok()) return "it cannot start";
    if (expected->size() != initial->size()) return "another number of initial states";
    std::vector<std::string> judged;
    for (const Property& property : product_.properties()) judged.push_back(property.name);
    if (judged != expected_properties()) return "other properties are judged";
    for (size_t i = 0; i < expected->size(); ++i) {
      const StateSpace::Initial& start = (*initial)[i];
      if (!meet((*expected)[i], start.fingerprint, start.state, "", "", 0)) {
        return problem_ + "\n  in initial state " + std::to_string(i);
      }
    }
    while (!queue_.empty()) {
      if (states_.size() > cap) {
        found_.complete = false;
        return "";
      }
      const std::string key = queue_.front();
      queue_.pop_front();
      if (!step(key)) return problem_ + "\n  in the state reached by:" + way_to(key);
    }
    found_.distinct = inside_;
    std::vector<std::vector<uint32_t>> edges(progress_.begin(), progress_.end());
    found_.progress_cycle = reference::has_cycle(edges);
    find_rounds();
    return "";
  }

  // A complete search must give the same numbers and verdicts.
  std::string search(const std::string& strategy, int threads) const {
    const auto report =
        check(product_,
              {.strategy = strategy, .threads = threads, .keep_going = true, .minimise = false});
    if (!report) return strategy + ": " + report.error().message;
    if (!report->complete) return strategy + ": the search is not complete";
    const std::string who = strategy + " with " + std::to_string(threads) + " threads: ";
    std::string problem = numbers(*report);
    if (problem.empty()) problem = verdicts(*report);
    if (problem.empty()) problem = traces(*report, strategy == "bfs");
    return problem.empty() ? "" : who + problem;
  }

  // Where every initial state lies outside of the constraint, there is nothing to say.
  std::string refused() const {
    for (const std::string strategy : {"bfs", "dfs", "prefix", "random"}) {
      if (check(product_, {.strategy = strategy, .threads = 1}).ok()) {
        return strategy + " says something of a scenario that has no states";
      }
    }
    return "";
  }

  // All runs, one by one: the same verdicts where it ends.
  std::string prefix(Tally& tally) const {
    const auto report = check(product_, {.strategy = "prefix",
                                         .threads = 1,
                                         .max_depth = 30,
                                         .max_runs = 300,
                                         .keep_going = true,
                                         .minimise = false});
    if (!report) return "prefix: " + report.error().message;
    tally.count("scenarios with all their runs", report->complete);
    if (!report->complete) return "";
    std::string problem = verdicts(*report);
    return problem.empty() ? "" : "prefix: " + problem;
  }

  // Sampled runs: those that end are counted as what they are, those that are cut as nothing else.
  std::string sampled(Tally& tally) const {
    if (!first_end_) return "";
    const std::string who = "sampled runs: ";
    const monitor::Verdicts verdicts(scenario_, system_.properties());
    Options options{.strategy = "random", .seed = 3, .max_depth = 60, .max_runs = 10};
    const auto whole = explore::run_campaign(product_, verdicts, options);
    if (!whole) return who + whole.error().message;
    const uint64_t others = whole->runs - whole->successes - whole->failures - whole->cut;
    if (whole->successes > 0 && !succeeds_) return who + "one succeeds, which none can";
    if (others > 0 && !does_neither_) return who + "one does neither, which none can";
    if (*first_end_ < 2) return "";
    options.max_depth = *first_end_ - 1;
    const auto cut = explore::run_campaign(product_, verdicts, options);
    if (!cut) return who + cut.error().message;
    tally.count("scenarios with runs that are cut");
    return cut->successes == 0 ? "" : who + "one succeeds before it can have come to an end";
  }

 private:
  const std::string kScenario = "scenario random ";

  struct Pair {
    reference::Both state;
    std::vector<uint32_t> packed;
    uint32_t number = 0;
    uint32_t depth = 0;
    std::string parent;
    std::string by;
  };

  bool fail(std::string problem) {
    problem_ = std::move(problem);
    return false;
  }

  std::string way_to(const std::string& key) const {
    std::string out;
    for (const Pair* at = &states_.at(key); !at->by.empty(); at = &states_.at(at->parent)) {
      out = "\n    " + at->by + out;
    }
    return out.empty() ? " (initial)" : out;
  }

  // Both arrive in a state: they must agree on whether it is new.
  bool meet(const reference::Both& state, uint64_t fingerprint, std::vector<uint32_t> packed,
            const std::string& parent, const std::string& by, uint32_t depth) {
    const std::string key = reference_.key(state);
    const std::string after = by.empty() ? "" : "after '" + by + "': ";
    if (engine_->fingerprint(packed) != fingerprint) {
      return fail(after + "the fingerprint differs from the one made from scratch");
    }
    if (engine_->within(packed) != reference_.within(state)) {
      return fail(after + "they differ about the constraint");
    }
    const auto [known, fresh] = fingerprints_.emplace(key, fingerprint);
    if (!fresh) {
      return known->second == fingerprint || fail(after + "one state has two fingerprints");
    }
    if (!seen_.insert(fingerprint).second) {
      return fail(after + "two states have one fingerprint");
    }
    if (!seconds_.insert(engine_->second_fingerprint(packed)).second) {
      return fail(after + "two states have one second fingerprint");
    }
    Pair pair{state, std::move(packed), inside_, depth, parent, by};
    if (reference_.within(state)) {
      ++inside_;
      progress_.emplace_back();
      runs_.emplace_back();
      queue_.push_back(key);
    }
    states_.emplace(key, std::move(pair));
    return true;
  }

  bool step(const std::string& key) {
    const Pair& pair = states_.at(key);
    const std::vector<reference::Step> steps = reference_.steps(pair.state);
    std::vector<Choice> choices;
    engine_->enumerate(pair.packed, choices);
    std::vector<std::string> names;
    std::string listed = "\n  engine:";
    for (const Choice& choice : choices) {
      names.push_back(show(engine_->action(pair.packed, choice)));
      listed += "\n    " + names.back();
    }
    listed += "\n  reference:";
    for (const reference::Step& step : steps) listed += "\n    " + show(step.action);
    if (choices.size() != steps.size()) return fail("other actions are enabled" + listed);
    const bool terminal =
        std::none_of(steps.begin(), steps.end(), [](const auto& step) { return step.progress; });
    found_.terminal += terminal ? 1 : 0;
    if (terminal) note_end(pair);
    found_.depth = pair.depth;
    if (!judged(pair, terminal)) return false;
    std::vector<bool> taken(steps.size(), false);
    for (size_t i = 0; i < choices.size(); ++i) {
      size_t partner = 0;
      while (partner < steps.size() &&
             (taken[partner] || show(steps[partner].action) != names[i])) {
        ++partner;
      }
      if (partner == steps.size()) return fail("only the engine has '" + names[i] + "'" + listed);
      taken[partner] = true;
      if (!followed(key, choices[i], steps[partner], names[i])) return false;
    }
    return true;
  }

  bool followed(const std::string& key, const Choice& choice, const reference::Step& step,
                const std::string& name) {
    const Pair& pair = states_.at(key);
    if (choice.progress != step.progress) {
      return fail("they differ on whether '" + name + "' is progress");
    }
    if (choice.fails != step.fails) return fail("they differ on whether '" + name + "' fails");
    const std::string serves = reference::served_by(step.action, step.progress);
    if (step.fails) {
      runs_[pair.number].push_back({reference::RunStep::kNowhere, step.progress, serves});
      if (!found_.first[kNoFailure]) found_.first[kNoFailure] = pair.depth + 1;
      return true;
    }
    ++found_.transitions;
    const std::string next_key = reference_.key(step.next);
    if (next_key != key) ++found_.transitions_no_loops;
    std::vector<uint32_t> next;
    const uint64_t after = engine_->apply(pair.packed, fingerprints_.at(key), choice, next);
    const uint32_t from = pair.number;
    if (!meet(step.next, after, std::move(next), key, name, pair.depth + 1)) return false;
    const bool inside = reference_.within(step.next);
    const uint32_t to = inside ? states_.at(next_key).number : reference::RunStep::kNowhere;
    runs_[from].push_back({to, step.progress, serves});
    if (step.progress && inside) progress_[from].push_back(to);
    return true;
  }

  // Which `eventually` runs violate that go round for ever.
  void find_rounds() {
    const auto& properties = product_.properties();
    found_.round.resize(properties.size());
    std::vector<uint32_t> begins;
    const auto initial = reference_.initial();
    for (const reference::Both& state : *initial) {
      if (reference_.within(state)) begins.push_back(states_.at(reference_.key(state)).number);
    }
    for (uint32_t p = 1; p < properties.size(); ++p) {
      const std::string& name = properties[p].name;
      const bool asks = properties[p].kind == PropertyKind::kEventually && !found_.first[p] &&
                        name != "no deadlock";
      if (!asks) continue;
      std::vector<bool> fine(runs_.size());
      for (const auto& [key, pair] : states_) {
        if (!reference_.within(pair.state)) continue;
        const bool ends =
            std::none_of(runs_[pair.number].begin(), runs_[pair.number].end(),
                         [](const reference::RunStep& step) { return step.progress; });
        // As if it were over: before that, an `eventually` has no say.
        fine[pair.number] =
            name.starts_with(kScenario)
                ? reference_.machine_kind(pair.state, ends) == Machine::Kind::kSuccess
                : reference_.holds(pair.state.system, true, name);
      }
      found_.round[p] = reference::goes_round(runs_, begins, fine);
    }
  }

  // The system's own `always`, what the scenario requires, and what its machine says.
  std::vector<std::string> expected_properties() const {
    std::vector<std::string> out;
    for (const Property& property : system_.properties()) {
      bool counts = property.kind == PropertyKind::kAlways;
      for (const auto& required : scenario_.required) counts |= required.first == property.name;
      if (counts) out.push_back(property.name);
    }
    for (const std::string& line : scenario_.script) {
      if (line.starts_with("? ")) continue;
      out.push_back(kScenario + "follows its script");
      break;
    }
    if (scenario_.machine.empty()) return out;
    out.push_back(kScenario + "does not fail");
    const auto& states = scenario_.machine[0].states();
    if (std::none_of(states.begin(), states.end(), [](const Machine::State& state) {
          return state.kind == Machine::Kind::kSuccess;
        })) {
      return out;
    }
    switch (scenario_.expectation.kind()) {
      case Expect::Kind::kAlways:
        out.push_back(kScenario + "succeeds");
        break;
      case Expect::Kind::kNever:
        out.push_back(kScenario + "does not succeed");
        break;
      case Expect::Kind::kAtLeast:
        out.push_back(kScenario + "can succeed");
        break;
    }
    return out;
  }

  // What the state says of a property of the product: violated, reached, or nothing.
  enum class Says : uint8_t { kNothing, kViolated, kReached };
  Says says(const Property& property, const reference::Both& state, bool terminal) const {
    if (!property.name.starts_with(kScenario)) {
      if (property.kind == PropertyKind::kSometimes) {
        return reference_.holds(state.system, terminal, property.name) ? Says::kReached
                                                                       : Says::kNothing;
      }
      return reference_.holds(state.system, terminal, property.name) ? Says::kNothing
                                                                     : Says::kViolated;
    }
    const Machine::Kind kind = reference_.machine_kind(state, terminal);
    const bool success = terminal && kind == Machine::Kind::kSuccess;
    const std::string what = property.name.substr(kScenario.size());
    if (what == "follows its script") {
      return state.memory.lost > 0 ? Says::kViolated : Says::kNothing;
    }
    if (what == "does not fail") {
      return kind == Machine::Kind::kFailure ? Says::kViolated : Says::kNothing;
    }
    if (what == "succeeds") return terminal && !success ? Says::kViolated : Says::kNothing;
    if (what == "does not succeed") return success ? Says::kViolated : Says::kNothing;
    return success ? Says::kReached : Says::kNothing;
  }

  void note_end(const Pair& pair) {
    if (!first_end_ || pair.depth < *first_end_) first_end_ = pair.depth;
    const bool judges =
        std::any_of(scenario_.machine.begin(), scenario_.machine.end(), [](const Machine& machine) {
          return std::any_of(
              machine.states().begin(), machine.states().end(),
              [](const Machine::State& state) { return state.kind == Machine::Kind::kSuccess; });
        });
    const Machine::Kind kind = reference_.machine_kind(pair.state, true);
    const bool success = !judges || kind == Machine::Kind::kSuccess;
    (success ? succeeds_ : does_neither_) = true;
  }

  bool judged(const Pair& pair, bool terminal) {
    Judgement judgement;
    engine_->judge(pair.packed, terminal, judgement);
    const auto& properties = product_.properties();
    for (uint32_t p = 1; p < properties.size(); ++p) {
      const Says expected = says(properties[p], pair.state, terminal);
      const bool violated = std::count(judgement.violated.begin(), judgement.violated.end(), p) > 0;
      const bool reached = std::count(judgement.reached.begin(), judgement.reached.end(), p) > 0;
      if (violated != (expected == Says::kViolated) || reached != (expected == Says::kReached)) {
        return fail("they differ about the property '" + properties[p].name + "'");
      }
      if ((violated || reached) && !found_.first[p]) found_.first[p] = pair.depth;
    }
    return true;
  }

  static std::string differ(const std::string& what, uint64_t engine, uint64_t reference) {
    if (engine == reference) return "";
    return what + ": " + std::to_string(engine) + ", reference " + std::to_string(reference);
  }

  std::string numbers(const Report& report) const {
    std::string problem = differ("distinct states", report.distinct_states, found_.distinct);
    if (problem.empty()) problem = differ("transitions", report.transitions, found_.transitions);
    if (problem.empty()) {
      problem = differ("transitions without loops", report.transitions_no_loops,
                       found_.transitions_no_loops);
    }
    if (problem.empty()) {
      problem = differ("terminal states", report.terminal_states, found_.terminal);
    }
    return problem;
  }

  std::string verdicts(const Report& report) const {
    const auto& properties = product_.properties();
    for (uint32_t p = 0; p < properties.size(); ++p) {
      const Verdict expected = expected_verdict(properties[p], found_, p);
      const Verdict verdict = report.properties.at(p).verdict;
      if (verdict == expected) continue;
      return "'" + properties[p].name + "' " + to_string(verdict) + ", reference " +
             to_string(expected);
    }
    return "";
  }

  std::string traces(const Report& report, bool shortest) const {
    const auto& properties = product_.properties();
    std::set<std::string> told;  // of several failures, the first is on a shortest way
    for (const Violation& violation : report.violations) {
      if (!violation.trace) continue;
      const auto replayed = replay(product_, *violation.trace);
      if (!replayed.ok() || !replayed->reproduced) {
        return "the trace for '" + violation.property +
               "' does not replay: " + (replayed.ok() ? replayed->why : replayed.error().message);
      }
      const bool first = told.insert(violation.property).second && !violation.trace->loop_start;
      for (uint32_t p = 0; shortest && first && p < properties.size(); ++p) {
        if (properties[p].name != violation.property) continue;
        const std::string problem =
            differ("steps to '" + violation.property + "'", violation.trace->steps.size(),
                   found_.first[p].value_or(0));
        if (!problem.empty()) return problem;
      }
    }
    return "";
  }

  const monitor::Product& product_;
  const System& system_;
  const Scenario::Declaration& scenario_;
  const reference::ScenarioReference reference_;
  std::shared_ptr<StateSpace> space_;
  std::unique_ptr<Explorer> engine_;
  std::map<std::string, Pair> states_;  // by the reference's key
  std::map<std::string, uint64_t> fingerprints_;
  std::set<uint64_t> seen_;
  std::set<uint64_t> seconds_;
  std::deque<std::string> queue_;
  std::deque<std::vector<uint32_t>> progress_;
  std::vector<std::vector<reference::RunStep>> runs_;
  uint32_t inside_ = 0;  // states within the constraint
  reference::Exploration found_;
  std::optional<uint32_t> first_end_;  // how soon a run can be over
  bool succeeds_ = false;              // one that ends with success, if nothing else is wrong
  bool does_neither_ = false;          // … and one that does not
  std::string problem_;
};

struct ScenarioExtent {
  uint64_t first_seed = 0;
  uint64_t pairs = 1000;  // to compare; those that are too large do not count
  uint64_t cap = 120;     // states
  bool stop_early = false;
};

inline void compare_scenario(AgainstReference& comparison, const ScenarioExtent& extent,
                             uint64_t seed, Tally& tally, std::string& problem) {
  problem = comparison.walk(extent.cap);
  if (!comparison.is_complete() || !problem.empty()) return;
  if (comparison.found().distinct == 0) {
    problem = comparison.refused();
    return;
  }
  problem = comparison.search("bfs", 1);
  if (problem.empty() && seed % 4 == 0) problem = comparison.search("bfs", 2);
  if (problem.empty()) problem = comparison.search("dfs", 1);
  if (problem.empty()) problem = comparison.sampled(tally);
  if (problem.empty() && comparison.found().distinct <= 30) problem = comparison.prefix(tally);
}

inline Tally run_against_reference(const ScenarioExtent& extent) {
  Tally tally;
  for (uint64_t seed = extent.first_seed; tally.systems < extent.pairs; ++seed) {
    const Case item = generate(seed);
    if (!reference::Reference(item.system).initial()) continue;
    const RandomScenario made = generate_scenario(seed, item);
    const monitor::Product product(*monitor::Monitor::make(made.scenario, item.system),
                                   item.system);
    AgainstReference comparison(item, made, product);
    std::string problem;
    const SharedRounds rounds(seed);
    compare_scenario(comparison, extent, seed, tally, problem);
    if (!comparison.is_complete() && problem.empty()) {
      tally.count("too large");
      continue;
    }
    ++tally.systems;
    tally.add("states", comparison.found().distinct);
    count_features(made.scenario.declaration(), product.searched(), tally);
    if (problem.empty()) continue;
    disagree(tally, item, problem + describe(made.scenario.declaration()));
    if (extent.stop_early) break;
  }
  return tally;
}

}  // namespace ordeal::oracle
