// The specifications of specs/ for tests: loaded, checked, and walked state by state.
#pragma once

#include <gtest/gtest.h>

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "ordeal/check.h"
#include "ordeal/world.h"
#include "protocols/testing.h"
#include "suite/specifications.h"

namespace ordeal::specs {

using protocols::testing::Given;

// A specification of specs/ with one of its configurations and these parameters, such as
// {"constant", "Bug=\"none\""}.
inline Result<std::unique_ptr<Checkable>> load(const std::string& name, const std::string& config,
                                               Given given = {}) {
  const std::string folder = std::string(ORDEAL_SOURCE_DIR) + "/specs/";
  const Result<const Subject*> subject = specification_subject(folder + name + ".tla");
  if (!subject) return subject.error();
  given["config"] = folder + config + ".cfg";
  static const Suite none;
  const Result<Arguments> arguments = none.arguments(**subject, given, "");
  if (!arguments) return arguments.error();
  return (*subject)->build(*arguments);
}

inline Report run(const std::string& name, const std::string& config, const Given& given = {}) {
  const auto system = load(name, config, given);
  if (!system) {
    ADD_FAILURE() << config << ": " << system.error().message;
    return {};
  }
  Options options;
  options.strategy = "bfs";
  options.threads = 1;
  Result<Report> report = check(**system, options);
  if (!report) {
    ADD_FAILURE() << config << ": " << report.error().message;
    return {};
  }
  return *std::move(report);
}

// What another program has counted: TLC's depth begins at 1.
struct Counts {
  uint64_t distinct, generated;
  uint32_t depth;
};

inline void expect_counts(const std::string& name, const std::string& config,
                          const Counts& expected, const Given& given = {}) {
  const Report report = run(name, config, given);
  EXPECT_EQ(report.verdict, Verdict::kHolds) << config << "\n" << protocols::testing::brief(report);
  EXPECT_EQ(report.distinct_states, expected.distinct) << config;
  EXPECT_EQ(report.generated_states, expected.generated) << config;
  EXPECT_EQ(report.depth + 1, expected.depth) << config;
}

// The bug is found by that property, after so many steps and no fewer.
inline void expect_bug(const std::string& name, const std::string& config, const std::string& bug,
                       const std::string& property, uint32_t steps,
                       const std::vector<std::string>& constants = {}) {
  std::string lines = "Bug=\"" + bug + "\"";
  for (const std::string& constant : constants) lines += "\n" + constant;
  const Report report = run(name, config, {{"constant", lines}});
  ASSERT_EQ(report.verdict, Verdict::kViolated) << name << " with " << bug;
  ASSERT_FALSE(report.violations.empty());
  EXPECT_EQ(report.violations[0].property, property) << name << " with " << bug;
  ASSERT_TRUE(report.violations[0].trace.has_value());
  EXPECT_EQ(report.violations[0].trace->steps.size(), steps) << name << " with " << bug;
}

// Every reachable state, as it is shown.
inline void walk(const Checkable& system, const std::function<void(const Snapshot&)>& visit) {
  const std::shared_ptr<StateSpace> space = system.space();
  const std::unique_ptr<Explorer> explorer = space->explorer();
  std::unordered_set<uint64_t> seen;
  std::deque<std::pair<uint64_t, std::vector<uint32_t>>> waiting;
  Result<std::vector<StateSpace::Initial>> initial = space->initial();
  ASSERT_TRUE(initial.ok()) << initial.error().message;
  for (StateSpace::Initial& state : *initial) {
    if (seen.insert(state.fingerprint).second) {
      waiting.emplace_back(state.fingerprint, std::move(state.state));
    }
  }
  std::vector<Choice> choices;
  while (!waiting.empty()) {
    const auto [fingerprint, state] = std::move(waiting.front());
    waiting.pop_front();
    visit(explorer->observe(state));
    choices.clear();
    explorer->enumerate(state, choices);
    ASSERT_EQ(explorer->trouble(), nullptr) << *explorer->trouble();
    for (const Choice& choice : choices) {
      std::vector<uint32_t> next;
      const uint64_t hash = explorer->apply(state, fingerprint, choice, next);
      if (explorer->within(next) && seen.insert(hash).second) {
        waiting.emplace_back(hash, std::move(next));
      }
    }
  }
}

// What of each state is compared: all that comes up in any reachable one.
using Projection = std::function<std::string(const Snapshot&)>;
inline std::set<std::string> projected(const Result<std::unique_ptr<Checkable>>& system,
                                       const Projection& projection) {
  std::set<std::string> out;
  if (!system) {
    ADD_FAILURE() << system.error().message;
    return out;
  }
  walk(**system, [&](const Snapshot& state) { out.insert(projection(state)); });
  return out;
}

// A variable of a state of a specification; of a function of 1 .. n, what it gives for `index`.
inline const value::Tree& variable(const Snapshot& state, const std::string& name) {
  return *state.parts.at(0).tree.find(name);
}
inline const value::Tree& variable(const Snapshot& state, const std::string& name, int index) {
  return variable(state, name).items.at(static_cast<size_t>(index - 1));
}
// The part of a node.
inline const Snapshot::Part& node(const Snapshot& state, int id) {
  for (const Snapshot::Part& part : state.parts) {
    if (part.node == id) return part;
  }
  std::abort();
}

}  // namespace ordeal::specs
