// The product of a system and a scenario is built twice: as a world for runs, and as a space for
// search. Both walk the same random choices here, and must agree on everything they say.
#pragma once

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/rng.h"
#include "system/scenario/product.h"
#include "tests/oracle/reductions/suite.h"
#include "tests/oracle/scenario/random_scenario.h"
#include "tests/oracle/scenario/scenario_features.h"

namespace ordeal::oracle {

class WorldAndSpace {
 public:
  WorldAndSpace(const monitor::Product& product, uint64_t seed)
      : rng_(seed),
        space_(product.space()),
        world_(product.monitored_world()),
        again_(product.monitored_world()),
        driven_(run_world(space_)),
        explorer_(space_->explorer()) {}

  const monitor::Tally& tally() const { return world_->tally(); }
  uint64_t steps() const { return steps_; }

  // Some runs of at most `length` steps. The first disagreement; "": there is none.
  std::string walk(int runs, int length) {
    const auto initial = space_->initial();
    if (!initial) return "the space cannot start: " + initial.error().message;
    if (world_->initial_count() != initial->size() || driven_->initial_count() != initial->size()) {
      return "another number of initial states";
    }
    for (int run = 0; run < runs; ++run) {
      const auto number = static_cast<uint32_t>(rng_.below(initial->size()));
      const StateSpace::Initial& start = (*initial)[number];
      if (!world_->reset(number) || !driven_->reset(number)) return "a run cannot start";
      packed_ = start.state;
      fingerprint_ = start.fingerprint;
      taken_.clear();
      std::string problem = follow(length);
      if (problem.empty()) problem = repeated(number);
      if (problem.empty()) continue;
      problem += "\n  in initial state " + std::to_string(number);
      for (const std::string& line : way_) problem += "\n    " + line;
      return problem;
    }
    return "";
  }

 private:
  std::string follow(int length) {
    way_.clear();
    for (int step = 0; step <= length; ++step) {
      std::string problem = states_agree();
      if (!problem.empty()) return problem;
      const std::vector<Choice> choices = world_->enabled();
      if (choices.empty() || step == length) return "";
      const auto index = static_cast<uint32_t>(rng_.below(choices.size()));
      way_.push_back(show(world_->action(index)));
      const bool fails = choices[index].fails;
      if (world_->apply(index).ok() == fails || driven_->apply(index).ok() == fails) {
        return "they differ on whether a step fails";
      }
      if (fails) return "";
      taken_.push_back(index);
      ++steps_;
      problem = events_agree();
      if (!problem.empty()) return problem;
      std::vector<Choice> listed;
      explorer_->enumerate(packed_, listed);
      std::vector<uint32_t> next;
      fingerprint_ = explorer_->apply(packed_, fingerprint_, listed[index], next);
      packed_ = std::move(next);
    }
    return "";
  }

  std::string events_agree() {
    std::vector<Event> one;
    std::vector<Event> other;
    world_->events(one);
    driven_->events(other);
    if (one.size() != other.size()) return "another number of events";
    for (size_t i = 0; i < one.size(); ++i) {
      if (show(one[i]) != show(other[i])) return "another event: " + show(one[i]);
    }
    return "";
  }

  std::string states_agree() {
    if (world_->fingerprint() != driven_->fingerprint()) return "the fingerprints differ";
    if (world_->fingerprint() != fingerprint_) return "the explorer's fingerprint differs";
    if (explorer_->fingerprint(packed_) != fingerprint_) {
      return "the fingerprint differs from the one made from scratch";
    }
    const uint64_t second = explorer_->second_fingerprint(packed_);
    if (seconds_.emplace(fingerprint_, second).first->second != second) {
      return "one fingerprint, but two second ones";
    }
    if (firsts_.emplace(second, fingerprint_).first->second != fingerprint_) {
      return "one second fingerprint, but two first ones";
    }
    if (world_->within() != driven_->within()) return "they differ about the constraint";
    std::string problem = choices_agree();
    if (problem.empty()) problem = judgements_agree();
    if (problem.empty()) problem = snapshots_agree();
    return problem;
  }

  std::string choices_agree() {
    const std::vector<Choice>& one = world_->enabled();
    const std::vector<Choice>& other = driven_->enabled();
    if (one.size() != other.size()) return "another number of enabled actions";
    for (uint32_t i = 0; i < one.size(); ++i) {
      const std::string text = show(world_->action(i));
      if (text != show(driven_->action(i))) return "another action: '" + text + "'";
      if (one[i].kind != other[i].kind || one[i].progress != other[i].progress ||
          one[i].fails != other[i].fails) {
        return "another kind of choice: '" + text + "'";
      }
      if (!(world_->offer(i) == driven_->offer(i))) return "about something else: '" + text + "'";
      if (world_->key(i) != driven_->key(i)) return "another key: '" + text + "'";
    }
    return "";
  }

  std::string judgements_agree() {
    const std::vector<Choice>& enabled = world_->enabled();
    const bool terminal =
        std::none_of(enabled.begin(), enabled.end(), [](const Choice& c) { return c.progress; });
    Judgement one;
    Judgement other;
    world_->judge(terminal, one);
    driven_->judge(terminal, other);
    if (one.violated != other.violated || one.reached != other.reached) {
      return "the judgements differ";
    }
    for (uint32_t p = 0; p < world_->properties().size(); ++p) {
      if (world_->properties()[p].name != driven_->properties()[p].name) return "other properties";
      const Outcome a = world_->explain(terminal, p);
      const Outcome b = driven_->explain(terminal, p);
      if (a.ok() != b.ok() || a.why() != b.why()) return "they explain a property differently";
      const bool violated = std::count(one.violated.begin(), one.violated.end(), p) > 0;
      if (violated && a.ok()) return "what is violated explains itself as fine";
    }
    return "";
  }

  std::string snapshots_agree() {
    const Snapshot one = world_->observe();
    const Snapshot other = driven_->observe();
    if (one.digest != other.digest) return "a snapshot has another digest";
    if (one.parts.size() != other.parts.size()) return "another number of parts";
    for (size_t i = 0; i < one.parts.size(); ++i) {
      if (one.parts[i].name != other.parts[i].name ||
          one.parts[i].digest != other.parts[i].digest ||
          value::show(one.parts[i].tree) != value::show(other.parts[i].tree)) {
        return "the part '" + one.parts[i].name + "' differs";
      }
    }
    return "";
  }

  // The same way once more, in a world of its own, ends in the same state.
  std::string repeated(uint32_t initial) {
    if (!again_->reset(initial)) return "the run does not start again";
    for (uint32_t index : taken_) {
      if (index >= again_->enabled().size() || !again_->apply(index)) {
        return "the run cannot be repeated";
      }
    }
    return again_->fingerprint() == fingerprint_ ? "" : "repeated, the run ends elsewhere";
  }

  Rng rng_;
  std::shared_ptr<StateSpace> space_;
  std::unique_ptr<monitor::MonitoredWorld> world_;
  std::unique_ptr<monitor::MonitoredWorld> again_;
  std::unique_ptr<World> driven_;
  std::unique_ptr<Explorer> explorer_;
  std::vector<uint32_t> packed_;
  uint64_t fingerprint_ = 0;
  std::map<uint64_t, uint64_t> seconds_;
  std::map<uint64_t, uint64_t> firsts_;
  std::vector<uint32_t> taken_;
  std::vector<std::string> way_;
  uint64_t steps_ = 0;
};

// `pairs` of a random system and a random scenario for it.
inline Tally run_world_and_space(uint64_t first_seed, uint64_t pairs, bool stop_early = false) {
  Tally tally;
  for (uint64_t seed = first_seed; tally.systems < pairs; ++seed) {
    const Case item = generate(seed);
    if (!item.system.world()->reset(0)) continue;
    const RandomScenario made = generate_scenario(seed, item);
    ++tally.systems;
    const auto monitor = monitor::Monitor::make(made.scenario, item.system);
    if (!monitor) {
      disagree(tally, item, "no monitor: " + monitor.error().message);
      continue;
    }
    const monitor::Product product(*monitor, item.system);
    WorldAndSpace both(product, seed);
    const std::string problem = both.walk(3, 25);
    tally.add("steps", both.steps());
    count_features(made.scenario.declaration(), both.tally(), tally);
    if (problem.empty()) continue;
    disagree(tally, item, problem + describe(made.scenario.declaration()));
    if (stop_early) break;
  }
  return tally;
}

}  // namespace ordeal::oracle
