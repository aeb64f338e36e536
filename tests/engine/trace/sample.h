// Hand-made traces and reports for tests of formats: small, and with something in every field.
#pragma once

#include <string>

#include "ordeal/check.h"
#include "ordeal/trace.h"

namespace ordeal::sample {

inline value::Tree vote(int64_t term, const char* mode) {
  value::Tree tree = value::Tree::record("Vote");
  tree.add("term", value::Tree::number(term));
  tree.add("mode", value::Tree::enumerator(mode));
  return tree;
}

inline TraceStep step(ActionKind kind, int node, int from, const char* type) {
  TraceStep step;
  step.detail.action.kind = kind;
  step.detail.action.node = node;
  step.detail.action.from = from;
  step.detail.action.type = type;
  return step;
}

// Two of three nodes vote for node 1; node 2 forgets its vote in a crash and elects itself.
inline Trace trace() {
  Trace trace;
  trace.system = "election";
  trace.parameters = {{"bug", "forgets"}, {"nodes", "3"}};
  trace.strategy = "bfs";
  trace.initial_digest = 0x0123456789abcdefULL;
  trace.nodes = {1, 2, 3};
  trace.node_types = {{1, "Server"}, {2, "Server"}, {3, "Server"}};

  TraceStep request = step(ActionKind::kRequest, 1, -1, "Campaign");
  request.detail.action.payload = value::Tree::record("Campaign");
  request.detail.action.payload_digest = 0xa1;
  request.enabled = 2;
  request.causes = {0};
  request.digest = 0xd1;
  request.node_digest = 0xe1;
  request.changes = {{"term", "0", "1"}};
  request.detail.sent = {{ActionKind::kDeliver, 1, 2, "Vote", "Vote{term: 1, mode: kAsk}", 0xb1},
                         {ActionKind::kDeliver, 1, 3, "Vote", "Vote{term: 1, mode: kAsk}", 0xb1}};
  request.detail.timers = {"+election"};
  request.detail.history = {{1, false, "elect"}};
  trace.steps.push_back(request);

  TraceStep deliver = step(ActionKind::kDeliver, 2, 1, "Vote");
  deliver.detail.action.payload = vote(1, "kAsk");
  deliver.detail.action.payload_digest = 0xb1;
  deliver.detail.action.choices = {1};
  deliver.choice = 1;
  deliver.enabled = 4;
  deliver.causes = {1};
  deliver.digest = 0xd2;
  deliver.node_digest = 0xe2;
  deliver.changes = {{"voted_for", "-", "1"}, {"term", "0", "1"}};
  deliver.detail.log = {"granted"};
  trace.steps.push_back(deliver);

  TraceStep crash = step(ActionKind::kCrash, 2, -1, "");
  crash.choice = 3;
  crash.enabled = 5;
  crash.causes = {2};
  crash.digest = 0xd3;
  trace.steps.push_back(crash);

  TraceStep recover = step(ActionKind::kRecover, 2, -1, "");
  recover.choice = 2;
  recover.enabled = 3;
  recover.causes = {3};
  recover.digest = 0xd4;
  recover.detail.decided = {"2"};
  recover.detail.history = {{1, true, "2"}};
  trace.steps.push_back(recover);

  trace.verdict = {"one leader", "always", "nodes 1 and 2 lead in term 1", {1, 2}, 4};
  trace.minimised_from = 9;
  return trace;
}

inline Report report() {
  Report report;
  report.verdict = Verdict::kViolated;
  report.system = "election";
  report.parameters = {{"bug", "forgets"}, {"nodes", "3"}};
  report.strategy = "bfs";
  report.threads = 2;
  report.distinct_states = 1234;
  report.transitions = 5678;
  report.transitions_no_loops = 5600;
  report.terminal_states = 12;
  report.depth = 4;
  report.seconds = 0.5;
  report.bounds = {{Bound::Kind::kViolation}};
  report.collision_probability = 4.1e-14;
  report.handler_calls = 321;
  report.table_bytes = 1 << 20;
  report.bytes = 3 << 20;
  report.properties = {{{"no handler fails", PropertyKind::kAlways}, Verdict::kUndecided, ""},
                       {{"one leader", PropertyKind::kAlways}, Verdict::kViolated, "at depth 4"}};
  Violation violation;
  violation.property = "one leader";
  violation.kind = "always";
  violation.why = "nodes 1 and 2 lead in term 1";
  violation.nodes = {1, 2};
  violation.step = 4;
  violation.trace = trace();
  report.violations = {violation};
  return report;
}

inline Report clean_report() {
  Report report;
  report.verdict = Verdict::kHolds;
  report.system = "election";
  report.parameters = {{"nodes", "3"}};
  report.strategy = "bfs";
  report.distinct_states = 16668;
  report.transitions = 52244;
  report.transitions_no_loops = 52244;
  report.terminal_states = 3;
  report.depth = 21;
  report.seconds = 2;
  report.complete = true;
  report.collision_probability = 7.5e-12;
  report.properties = {{{"no handler fails", PropertyKind::kAlways}, Verdict::kHolds, ""},
                       {{"one leader", PropertyKind::kAlways}, Verdict::kHolds, ""}};
  return report;
}

}  // namespace ordeal::sample
