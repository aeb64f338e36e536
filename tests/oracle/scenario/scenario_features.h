// What random scenarios are made of, by name: a suite must have seen all of it at work.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "ordeal/scenario.h"
#include "system/scenario/monitor.h"
#include "tests/oracle/reductions/suite.h"

namespace ordeal::oracle {

inline const std::vector<std::string>& condition_names() {
  static const std::vector<std::string> names = {
      "anything", "event kind", "at",     "message type", "payload type", "from",
      "to",       "between",    "text",   "counter",      "set size",     "in set",
      "in state", "from part",  "across", "within",       "state",        "holds",
      "custom",   "and",        "or",     "not",          "once"};
  return names;
}

inline const std::vector<std::string>& reaction_names() {
  static const std::vector<std::string> names = {
      "deliver", "drop",   "hold",   "delay", "duplicate", "release", "count",  "record",
      "resend",  "mutate", "inject", "crash", "restart",   "fire",    "custom", "once"};
  return names;
}

inline void add_features(const Condition& condition, std::set<std::string>& out) {
  out.insert("condition " + condition_names().at(static_cast<size_t>(condition.node().kind)));
  if (condition.node().who.is_drawn()) out.insert("a drawn node");
  for (const Condition& inner : condition.node().inner) add_features(inner, out);
}

inline void add_features(const Reaction& reaction, std::set<std::string>& out) {
  out.insert("reaction " + reaction_names().at(static_cast<size_t>(reaction.node().kind)));
  if (reaction.node().who.is_drawn()) out.insert("a drawn node");
  if (!reaction.node().path.empty()) out.insert("a field is changed");
  for (const Reaction& inner : reaction.node().inner) add_features(inner, out);
}

// What was at work: filters that had an event, transitions that were taken.
inline std::set<std::string> features_at_work(const Scenario::Declaration& scenario,
                                              const monitor::Tally& tally) {
  std::set<std::string> out;
  for (size_t i = 0; i < scenario.filters.size(); ++i) {
    if (tally.fired[i] == 0) continue;
    add_features(scenario.filters[i].condition, out);
    for (const Reaction& reaction : scenario.filters[i].reactions) add_features(reaction, out);
    if (tally.in_vain[i] > 0) out.insert("a reaction in vain");
  }
  for (const Machine& machine : scenario.machine) {
    for (size_t i = 0; i < machine.transitions().size(); ++i) {
      if (tally.taken[i] == 0) continue;
      add_features(machine.transitions()[i].condition, out);
      const Machine::Kind kind = machine.states()[machine.transitions()[i].to].kind;
      if (kind == Machine::Kind::kSuccess) out.insert("a success state");
      if (kind == Machine::Kind::kFailure) out.insert("a failure state");
    }
  }
  for (const Scenario::PartitionDeclaration& partition : scenario.partitions) {
    out.insert(partition.sizes.empty() ? "a given partition" : "a drawn partition");
  }
  if (!scenario.script.empty()) out.insert("a script");
  if (scenario.ends_after > 0) out.insert("an end after some steps");
  for (const Scenario::DrawnNumber& drawn : scenario.numbers) {
    if (drawn.below > 1) out.insert("a drawn number");
  }
  if (scenario.faults == Scenario::Faults::kOnlyByFilters) out.insert("faults only by filters");
  if (!scenario.required.empty()) out.insert("a required property");
  return out;
}

inline std::vector<std::string> all_scenario_features() {
  std::vector<std::string> out = {
      "a drawn node",        "a field is changed", "a reaction in vain",
      "a success state",     "a failure state",    "a given partition",
      "a drawn partition",   "a script",           "faults only by filters",
      "a required property", "a drawn number",     "an end after some steps"};
  for (const std::string& name : condition_names()) out.push_back("condition " + name);
  for (const std::string& name : reaction_names()) out.push_back("reaction " + name);
  return out;
}

// For people who look for a disagreement.
inline std::string describe(const Scenario::Declaration& scenario) {
  std::string out;
  for (const Filter& filter : scenario.filters) out += "\n  " + show(filter);
  for (const Machine& machine : scenario.machine) {
    for (const Machine::Transition& transition : machine.transitions()) {
      out += "\n  " + machine.states()[transition.from].name + " → " +
             machine.states()[transition.to].name + ": " + show(transition.condition);
    }
  }
  for (const std::string& line : scenario.script) out += "\n  script: " + line;
  return out;
}

inline void count_features(const Scenario::Declaration& scenario, const monitor::Tally& work,
                           Tally& tally) {
  for (const std::string& feature : features_at_work(scenario, work)) tally.count(feature);
}

}  // namespace ordeal::oracle
