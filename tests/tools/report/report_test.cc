#include "ordeal/report.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "report/draw/diagram.h"
#include "report/words.h"
#include "tests/engine/trace/sample.h"
#include "tests/tools/report/markup.h"

namespace ordeal {
namespace {

using Json = nlohmann::json;
using sample::has;
using sample::kHostile;
using sample::kVoids;
using sample::lines_of;
using sample::markup_offence;
using sample::script_offence;

Report hostile_report() {
  Report report = sample::report();
  report.system = kHostile;
  report.parameters = {{kHostile, kHostile}};
  report.strategy = report.notes.emplace_back(kHostile);
  report.bounds = {{.kind = Bound::Kind::kBroken, .text = kHostile}};
  report.properties[1].property.name = report.properties[1].note = kHostile;
  Violation& violation = report.violations[0];
  violation.property = violation.kind = violation.why = kHostile;
  Trace& trace = *violation.trace;
  trace.system = kHostile;
  trace.parameters = report.parameters;
  trace.node_types[1] = kHostile;
  trace.verdict.property = trace.verdict.why = kHostile;
  for (TraceStep& step : trace.steps) {
    step.detail.action.type = kHostile;
    step.detail.log = step.detail.decided = {kHostile};
    step.detail.timers = {"+" + kHostile};
    step.detail.failure = kHostile;
    step.detail.history = {{1, false, kHostile}};
    step.detail.sent = {{ActionKind::kDeliver, 1, 2, kHostile, kHostile, 0}};
    step.changes = {{kHostile, kHostile, kHostile}};
  }
  return report;
}

// --- Text ----------------------------------------------------------------------------------------

TEST(TextReport, TellsTheViolationFirst) {
  const std::string text = to_text(sample::report());
  EXPECT_EQ(text.find("violated: one leader (always)\n  nodes 1 and 2 lead in term 1\n"
                      "  nodes 1 and 2, after step 4; minimised from 9 to 4 steps\n"),
            0U)
      << text;
  EXPECT_TRUE(has(text, "term: 0 → 1; sends Vote{term: 1, mode: kAsk} → 2, 3;")) << text;
  EXPECT_TRUE(has(text, "✗    4  recover 2")) << text;
  EXPECT_TRUE(has(text, "decides 2; client 1 returns 2")) << text;
  EXPECT_TRUE(has(text, "logs granted")) << text;
  EXPECT_TRUE(has(text, "1,234 states, 5,678 transitions")) << text;
  EXPECT_TRUE(has(text, "0.50 s (2,468 states/s)")) << text;
  // A chance that is not worth mentioning is not mentioned; one that is, is.
  EXPECT_FALSE(has(text, "fingerprint")) << text;
  Report large = sample::report();
  large.collision_probability = 3.4e-8;
  EXPECT_TRUE(has(to_text(large), "shared a fingerprint: 3.4e-08")) << to_text(large);
}

TEST(TextReport, TellsAChangeOnceThatIsOnDiskToo) {
  Report report = sample::report();
  TraceStep& step = report.violations[0].trace->steps[0];
  step.changes = {{"kept.term", "0", "1"},
                  {"term", "1", "2"},
                  {"(disk).term", "0", "1"},
                  {"(disk).other", "0", "1"}};
  const std::string text = to_text(report);
  EXPECT_TRUE(has(text, "kept.term: 0 → 1; term: 1 → 2; on disk, too;\n")) << text;
  EXPECT_TRUE(has(text, "(disk).other: 0 → 1;")) << text;
  step.changes = {{"term", "0", "1"}, {"(disk)", "0", "1"}};  // the whole of it is no repetition
  EXPECT_TRUE(has(to_text(report), "term: 0 → 1; (disk): 0 → 1;")) << to_text(report);
}

TEST(TextReport, CutsPayloadsAndNotWhoGetsThem) {
  Report report = sample::report();
  const std::string payload = "Vote{" + std::string(300, 'x') + "}";
  report.violations[0].trace->steps[0].detail.sent = {
      {ActionKind::kDeliver, 1, 2, "Vote", payload, 0}};
  const std::string text = to_text(report);
  EXPECT_TRUE(has(text, "x…}\n")) << text;
  EXPECT_TRUE(has(text, "→ 2;")) << text;
  EXPECT_FALSE(has(text, std::string(120, 'x'))) << text;
}

TEST(TextReport, EndsWithTheNextCommands) {
  Report report = sample::report();
  std::string text = to_text(report);
  EXPECT_TRUE(has(text, "ordeal replay 0.1.3.2 election --bug forgets --nodes 3\n")) << text;
  EXPECT_TRUE(has(text, "explore election --bug forgets --nodes 3 --start 0.1.3.2\n")) << text;
  text = to_text(report, {.program = "mine", .trace_path = "out dir/t.json", .subject = "e -x"});
  EXPECT_TRUE(has(text, "mine replay 'out dir/t.json'\n")) << text;
  EXPECT_TRUE(has(text, "mine explore e -x --start 0.1.3.2\n")) << text;
}

TEST(TextReport, ACleanResultIsAFewLines) {
  const std::string text = to_text(sample::clean_report());
  EXPECT_EQ(text.find("holds: election --nodes 3\n"), 0U) << text;
  EXPECT_GE(lines_of(text), 3U);
  EXPECT_LE(lines_of(text), 6U) << text;
  EXPECT_TRUE(has(text, "all 16,668 states"));
}

TEST(TextReport, SaysWithinTheConstraintAndWhichBoundWasHit) {
  Report report = sample::clean_report();
  report.constrained = true;
  EXPECT_EQ(to_text(report).find("holds within the constraint: election"), 0U);
  report.verdict = Verdict::kUndecided;
  report.complete = false;
  report.bounds = {{Bound::Kind::kStates, 1000}};
  const std::string text = to_text(report);
  EXPECT_EQ(text.find("undecided: election"), 0U);
  EXPECT_TRUE(has(text, "undecided   1,000 states")) << text;
  EXPECT_FALSE(has(text, "all 16,668"));
}

TEST(TextReport, CallsABreadthFirstRunShortest) {
  Report report = sample::report();
  report.violations[0].trace->minimised_from = 0;
  EXPECT_TRUE(has(to_text(report), "a shortest run"));
  report.strategy = "random";
  EXPECT_FALSE(has(to_text(report), "a shortest run"));
}

TEST(TextReport, IsColouredOnlyWhenAsked) {
  EXPECT_FALSE(has(to_text(sample::report()), "\x1b"));
  EXPECT_TRUE(has(to_text(sample::report(), {.colour = true}), "\x1b[1;31mviolated\x1b[0m"));
}

TEST(TextReport, LetsNoControlCharacterThrough) {
  const std::string text = to_text(hostile_report());
  for (const char c : text) EXPECT_TRUE(c == '\n' || static_cast<unsigned char>(c) >= 0x20);
}

TEST(TextReport, AViolationWithoutATraceHasNoReplayCommand) {
  Report report = sample::report();
  report.violations[0].trace.reset();
  report.violations[0].kind = "sometimes";
  const std::string text = to_text(report);
  EXPECT_TRUE(has(text, "violated: one leader (sometimes)"));
  EXPECT_FALSE(has(text, "replay"));
}

TEST(TextReport, AVeryLongTraceIsShortenedAtItsStart) {
  Report report = sample::report();
  Trace& trace = *report.violations[0].trace;
  trace.steps.insert(trace.steps.begin(), 5000, trace.steps[1]);
  trace.verdict.step = 5004;
  const std::string text = to_text(report);
  EXPECT_TRUE(has(text, "(4,604 steps before these are left out)"));
  EXPECT_LT(lines_of(text), 600U);
}

TEST(TextReport, WhatIsCutFromALongActionIsItsPayload) {
  Trace trace = sample::trace();
  Action& action = trace.steps[1].detail.action;
  action.payload = value::Tree::record("Vote");
  action.payload.add("text", value::Tree::string(std::string(90, 'x')));
  action.choices.clear();
  action.crash_at_persist = 1;
  const std::string text = to_text(trace);
  EXPECT_TRUE(has(text, "…} 1→2 [crash after persist 1]")) << text;
  EXPECT_TRUE(has(text, "deliver Vote{text: \"xx")) << text;
}

TEST(TextReport, ACrashIsNotToldTwice) {
  Trace trace = sample::trace();
  trace.steps[2].changes.push_back({"(up)", "absent", "false"});
  EXPECT_FALSE(has(to_text(trace), "(up)"));
}

// --- JSON and JUnit ------------------------------------------------------------------------------

TEST(JsonReport, HasEveryNumberAndTheTrace) {
  const Json json = Json::parse(to_json(sample::report()));
  EXPECT_EQ(json["verdict"], "violated");
  EXPECT_EQ(json["distinct_states"], 1234);
  EXPECT_EQ(json["transitions"], 5678);
  EXPECT_EQ(json["transitions_without_self_loops"], 5600);
  EXPECT_EQ(json["terminal_states"], 12);
  for (const char* field : {"depth", "runs", "seconds", "complete", "bounds", "system",
                            "parameters", "strategy", "seed", "threads", "collision_probability",
                            "handler_calls", "bytes", "table_bytes", "notes"}) {
    EXPECT_TRUE(json.contains(field)) << field;
  }
  EXPECT_EQ(json["properties"][1]["name"], "one leader");
  EXPECT_EQ(json["properties"][1]["kind"], "always");
  EXPECT_EQ(json["properties"][1]["verdict"], "violated");
  const Json& violation = json["violations"][0];
  EXPECT_EQ(violation["minimised_from"], 9);
  EXPECT_EQ(violation["nodes"], Json({1, 2}));
  const Result<Trace> trace = trace_from_json(violation["trace"].dump());
  ASSERT_TRUE(trace) << trace.error().message;
  EXPECT_EQ(short_form(*trace), "0.1.3.2");
}

TEST(JsonReport, SurvivesHostileNamesInAscii) {
  const std::string text = to_json(hostile_report());
  for (const char c : text) EXPECT_LT(static_cast<unsigned char>(c), 0x80U);
  EXPECT_TRUE(Json::accept(text));
}

TEST(JunitReport, IsWellFormedAndCountsItsCases) {
  const std::string text = to_junit(sample::report());
  EXPECT_EQ(markup_offence(text, {}), "");
  EXPECT_TRUE(has(text, "tests=\"2\" failures=\"1\" errors=\"0\" skipped=\"1\"")) << text;
  EXPECT_TRUE(has(text, "name=\"one leader\"")) << text;
  EXPECT_TRUE(has(text, "<failure type=\"always\" message=\"nodes 1 and 2 lead in term 1\">"));
  EXPECT_EQ(markup_offence(to_junit(hostile_report()), {}), "");
  const std::string clean = to_junit(sample::clean_report());
  EXPECT_TRUE(has(clean, "tests=\"2\" failures=\"0\" errors=\"0\" skipped=\"0\"")) << clean;
}

// --- HTML and SVG --------------------------------------------------------------------------------

TEST(HtmlReport, IsOnePageWithVerdictDiagramStepsAndReplayForThoseWithoutScripts) {
  const std::string page = to_html(sample::report(), {.trace_path = "t.json"});
  EXPECT_EQ(markup_offence(page, kVoids), "");
  EXPECT_EQ(script_offence(page), "");
  EXPECT_FALSE(has(page, " src=\""));
  EXPECT_TRUE(has(page, "content=\"default-src 'none';"));
  EXPECT_TRUE(has(page, "<html lang=\"en\">"));
  EXPECT_TRUE(has(page, "<span class=\"verdict violated\">violated</span>one leader"));
  EXPECT_TRUE(has(page, "nodes 1 and 2 lead in term 1"));
  EXPECT_TRUE(has(page, "minimised from 9 to 4 steps"));
  EXPECT_TRUE(has(page, "<svg"));
  EXPECT_TRUE(has(page, "ordeal replay t.json\n"));
  EXPECT_TRUE(has(page, "prefers-color-scheme:dark"));
  EXPECT_LT(page.find("violated</span>"), page.find("<svg"));
  EXPECT_LT(page.find("<svg"), page.find("<table"));
}

TEST(HtmlReport, EscapesHostileNames) {
  const std::string page = to_html(hostile_report());
  EXPECT_EQ(markup_offence(page, kVoids), "");
  EXPECT_EQ(script_offence(page), "");
  const std::string seen = page.substr(0, page.find("<script"));
  EXPECT_FALSE(has(seen, "<img"));
  EXPECT_FALSE(has(seen, "\x1b"));
  EXPECT_TRUE(has(page, "&lt;img src=x onerror=alert(1)&gt;"));
}

TEST(HtmlReport, ACleanResultNeedsNoDiagram) {
  const std::string page = to_html(sample::clean_report());
  EXPECT_EQ(markup_offence(page, kVoids), "");
  EXPECT_FALSE(has(page.substr(0, page.find("<script")), "<svg"));
  EXPECT_TRUE(has(page, "class=\"verdict holds\""));
}

TEST(Svg, StandsAloneAndNamesItself) {
  const std::string svg = to_svg(sample::trace());
  EXPECT_EQ(markup_offence(svg, {}), "");
  EXPECT_TRUE(has(svg, "xmlns=\"http://www.w3.org/2000/svg\""));
  EXPECT_TRUE(has(svg, "<title id=\"st-title\">Space-time diagram of election</title>"));
  EXPECT_TRUE(has(svg, "✗ violation"));
  EXPECT_EQ(markup_offence(to_svg(*hostile_report().violations[0].trace), {}), "");
}

TEST(Svg, DrawsTracesWithoutNodesOrSteps) {
  Trace trace;
  EXPECT_EQ(markup_offence(to_svg(trace), {}), "");
  trace.steps.resize(3);
  trace.verdict.property = "p";
  trace.verdict.nodes = {77};
  EXPECT_EQ(markup_offence(to_svg(trace), {}), "");
}

TEST(Diagram, FollowsEveryMessageToItsEnd) {
  using report::Flight;
  Trace trace = sample::trace();
  const report::Diagram diagram = report::layout(trace);
  ASSERT_EQ(diagram.lanes.size(), 3U);
  ASSERT_EQ(diagram.flights.size(), 2U);
  EXPECT_EQ(diagram.flights[0].end, Flight::End::kDelivered);
  EXPECT_EQ(diagram.flights[0].from_row, 1U);
  EXPECT_EQ(diagram.flights[0].to_row, 2U);
  EXPECT_EQ(diagram.flights[1].end, Flight::End::kPending);
  ASSERT_EQ(diagram.down.size(), 1U);
  EXPECT_EQ(diagram.down[0].from_row, 3U);
  EXPECT_EQ(diagram.down[0].to_row, 4U);
  EXPECT_FALSE(diagram.down[0].open);
  ASSERT_EQ(diagram.operations.size(), 1U);
  EXPECT_EQ(diagram.operations[0].text, "elect = 2");

  trace.steps[1].detail.action.kind = ActionKind::kDrop;
  EXPECT_EQ(report::layout(trace).flights[0].end, Flight::End::kDropped);
  trace.steps[1].detail.action.kind = ActionKind::kDuplicate;
  trace.steps[1].detail.sent = {trace.steps[0].detail.sent[0]};  // as the engine tells it
  const report::Diagram doubled = report::layout(trace);
  ASSERT_EQ(doubled.flights.size(), 3U);
  EXPECT_TRUE(doubled.flights[2].copy);
}

TEST(Diagram, AMessageDeliveredAgainStartsWhereItWasSent) {
  Trace trace = sample::trace();
  trace.steps.push_back(trace.steps[1]);
  const report::Diagram diagram = report::layout(trace);
  ASSERT_EQ(diagram.flights.size(), 3U);
  EXPECT_TRUE(diagram.flights[2].copy);
  EXPECT_EQ(diagram.flights[2].from_row, 1U);
  EXPECT_EQ(diagram.flights[2].to_row, 5U);
}

TEST(Diagram, RequestsComeFromOutsideAndAreNoMessagesInFlight) {
  Trace trace = sample::trace();
  const size_t flights = report::layout(trace).flights.size();
  trace.initially_sent.push_back({ActionKind::kRequest, -1, 1, "Campaign", "Campaign", 1});
  EXPECT_EQ(report::layout(trace).flights.size(), flights);
}

}  // namespace
}  // namespace ordeal
