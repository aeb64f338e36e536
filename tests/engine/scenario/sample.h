// A hand-made report of a scenario, for tests of formats: small, and with something in every field.
#pragma once

#include "ordeal/scenario.h"
#include "ordeal/scenario_run.h"
#include "tests/engine/trace/sample.h"

namespace ordeal::sample {

inline MachineResult machine() {
  MachineResult machine;
  machine.states = {{"waiting", Machine::Kind::kPlain, 7},
                    {"led", Machine::Kind::kPlain, 0},
                    {"success", Machine::Kind::kSuccess, 90},
                    {"split", Machine::Kind::kFailure, 3}};
  machine.transitions = {
      {0, 1, "state_is<Server>(leads)", 93}, {1, 1, "is_send() && is_message<Vote>()", 1234},
      {1, 2, "recovers() && at(2)", 90},     {1, 3, "!holds(\"one leader\")", 3},
      {1, 0, "crashes() && at(1)", 0},
  };
  return machine;
}

inline ScenarioReport scenario_report() {
  ScenarioReport report;
  report.verdict = Verdict::kViolated;
  report.scenario = "late-vote";
  report.what = "a vote that arrives after the election changes nothing";
  report.expectation = "at least 95 runs succeed";
  report.system = "election";
  report.parameters = {{"bug", "forgets"}, {"nodes", "3"}};
  report.strategy = "pctcp";
  report.seed = 5;
  report.iterations = 200;
  report.runs = 100;
  report.successes = 90;
  report.failures = 3;
  report.cut = 2;
  report.steps = 4321;
  report.seconds = 0.25;
  report.filters = {
      {"when(is_message<Vote>() && from(2)).then(hold(\"late\"))", "election_test.cc", 12, 200, 0},
      {"when(recovers()).then(release(\"late\"), crash(1))", "election_test.cc", 13, 100, 4},
      {"when(is_message<Vote>() && from(9)).then(drop())", "election_test.cc", 14, 0, 0}};
  report.machine = machine();
  Violation violation;
  violation.trace = trace();
  violation.trace->scenario = report.scenario;
  violation.trace->minimised_from = 9;
  violation.property = violation.trace->verdict.property;
  violation.kind = violation.trace->verdict.kind;
  violation.why = violation.trace->verdict.why;
  violation.nodes = violation.trace->verdict.nodes;
  violation.step = violation.trace->verdict.step;
  violation.count = 3;
  report.violations = {violation};
  report.notes = {"filter 3 (election_test.cc:14) never fired"};
  return report;
}

}  // namespace ordeal::sample
