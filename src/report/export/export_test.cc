#include "report/export/export.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

#include "base/text.h"
#include "ordeal/report.h"
#include "report/draw/clocks.h"
#include "tests/engine/trace/sample.h"
#include "tests/tools/export/shiviz.h"
#include "tests/tools/report/markup.h"
#include "tests/tools/report/terminal.h"

namespace ordeal::report {
namespace {

using sample::has;
using sample::step;

std::vector<std::string> lines(const std::string& text) {
  std::vector<std::string> out;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) out.push_back(line);
  return out;
}

// Something of every kind that a line may end, a statement may begin or a tag may be with.
const std::string kHostile =
    "a\nn1->>n2: forged\r\n1 {\"1\":9}\n=== x ===\n; end #59; %%{init: {}}%% "
    "<b>&\"'`$$@\\|~^\x1b[2J"
    "\xE2\x80\xA8style x:#fff;\xEF\xAC\x82\xC2\xB0lt\xC2\xB6\xC3\x9F\xff" +
    sample::kForTerminals;

Trace hostile_trace() {
  Trace trace = sample::trace();
  trace.system = kHostile;
  trace.node_types[1] = kHostile;
  trace.node_names = {{1, kHostile}, {2, kHostile + sample::kForTerminals}};
  trace.verdict.property = trace.verdict.kind = trace.verdict.why = kHostile;
  trace.initially_sent = {{ActionKind::kDeliver, 1, 2, kHostile, kHostile, 7}};
  trace.steps.push_back(step(ActionKind::kDrop, 3, 1, "Vote"));
  trace.steps.push_back(step(ActionKind::kPartition, -1, -1, ""));
  for (TraceStep& one : trace.steps) {
    one.detail.action.type = kHostile;
    one.detail.action.payload = value::Tree::string(kHostile);
    one.detail.log = one.detail.decided = one.detail.scenario = {kHostile};
    one.detail.timers = {"+" + kHostile};
    one.detail.failure = kHostile;
    one.detail.history = {{1, false, kHostile}};
    one.detail.sent = one.detail.lost = {{ActionKind::kDeliver, 1, 2, kHostile, kHostile, 0}};
  }
  return trace;
}

// A message is dropped, one is copied, the network splits and heals, a timer fires.
Trace faulty_trace() {
  Trace trace = sample::trace();
  trace.verdict = {};
  TraceStep drop = step(ActionKind::kDrop, 3, 1, "Vote");
  drop.detail.action.payload_digest = 0xb1;
  drop.causes = {1};
  trace.steps.push_back(drop);
  trace.steps.push_back(step(ActionKind::kDuplicate, 1, 3, "Vote"));
  trace.steps.push_back(step(ActionKind::kPartition, -1, -1, "{1} | {2, 3}"));
  trace.steps.push_back(step(ActionKind::kHeal, -1, -1, ""));
  trace.steps.push_back(step(ActionKind::kTimer, 3, -1, "election"));
  trace.steps.push_back(step(ActionKind::kDeliver, 3, 3, "Vote"));
  return trace;
}

// --- ShiViz --------------------------------------------------------------------------------------

TEST(Shiviz, IsALogWithItsExpressionsInFront) {
  EXPECT_EQ(*to_shiviz(sample::trace()),
            "(?<host>\\S*) (?<clock>{.*})\\n(?<event>.*)\n"
            "^=== (?<trace>.*) ===$\n"
            "=== election 0.1.3.2 ===\n"
            "1 {\"1\":1}\nstart Server\n"
            "2 {\"2\":1}\nstart Server\n"
            "3 {\"3\":1}\nstart Server\n"
            "1 {\"1\":2}\n1: request Campaign at 1; sends Vote{term: 1, mode: kAsk} → 2, 3; sets "
            "timer election; invokes elect\n"
            "2 {\"1\":2, \"2\":2}\n2: deliver Vote{term: 1, mode: kAsk} 1→2 [choose 1]; logs "
            "granted\n"
            "2 {\"1\":2, \"2\":3}\n3: crash 2\n"
            "2 {\"1\":2, \"2\":4}\n4: recover 2; decides 2; client 1 returns 2; ✗ violated: one "
            "leader: nodes 1 and 2 lead in term 1\n");
}

TEST(Shiviz, WhatTheNetworkDoesIsNoEventOfANode) {
  const shiviz::Log log = shiviz::read(*to_shiviz(faulty_trace()));
  EXPECT_EQ(shiviz::offence(log), "");
  ASSERT_EQ(log.events.size(), 3U + 10U);
  const shiviz::Event& drop = log.events[3 + 4];
  EXPECT_EQ(drop.host, "network");
  EXPECT_EQ(drop.clock, (std::map<std::string, int>{{"1", 2}, {"network", 1}}));
  EXPECT_EQ(log.events[3 + 7].host, "network");
  const shiviz::Event& timer = log.events[3 + 8];
  EXPECT_EQ(timer.clock, (std::map<std::string, int>{{"3", 2}}));
}

TEST(Shiviz, HostileTextIsNeitherAnEventNorADelimiter) {
  const std::string text = *to_shiviz(hostile_trace());
  EXPECT_EQ(sample::terminal_offence(text), "");
  EXPECT_FALSE(has(text, "\xE2\x80\xA8"));  // ends a line in JavaScript
  const shiviz::Log log = shiviz::read(text);
  EXPECT_EQ(shiviz::offence(log), "");
  EXPECT_EQ(log.labels.size(), 1U);
  EXPECT_EQ(log.events.size(), 3U + 6U);
  EXPECT_EQ(log.lines, 1 + 2 * log.events.size());
}

TEST(Shiviz, ARawModelIsOneHost) {
  Trace trace;
  trace.system = "counter";
  const auto empty = shiviz::read(*to_shiviz(trace));
  ASSERT_EQ(empty.events.size(), 1U);
  EXPECT_EQ(empty.events[0].host, "state");
  trace.steps = {step(ActionKind::kStep, -1, -1, "up"), step(ActionKind::kStep, -1, -1, "up")};
  const auto log = shiviz::read(*to_shiviz(trace));
  EXPECT_EQ(shiviz::offence(log), "");
  ASSERT_EQ(log.events.size(), 3U);
  EXPECT_EQ(log.events[2].clock, (std::map<std::string, int>{{"state", 3}}));
}

TEST(Shiviz, EnormousClocksAreRefused) {
  const Result<Clocks> clocks = clocks_of(sample::trace(), 8);
  ASSERT_FALSE(clocks.ok());
  EXPECT_EQ(clocks.error().message,
            "the vector clocks of this run would have more than 8 entries: 4 steps of 3 nodes");
  EXPECT_TRUE(clocks_of(sample::trace(), 10).ok());
}

// --- Mermaid -------------------------------------------------------------------------------------

TEST(Mermaid, IsASequenceDiagram) {
  EXPECT_EQ(
      to_mermaid(sample::trace()),
      "sequenceDiagram\n"
      "    title election, 4 steps\n"
      "    participant n0 as 1 Server\n"
      "    participant n1 as 2 Server\n"
      "    participant n2 as 3 Server\n"
      "    Note over n0: 1. request Campaign at 1\n"
      "    n0->>n1: 2. Vote{term: 1, mode: kAsk} [choose 1]\n"
      "    Note over n1: 3. crash 2\n"
      "    Note over n1: 4. recover 2\n"
      "    Note over n1: 4. ★ decides 2\n"
      "    Note over n0,n2: ✗ violated: one leader (always), after step 4: nodes 1 and 2 lead "
      "in term 1\n");
}

TEST(Mermaid, ShowsWhatTheNetworkDoes) {
  Trace trace = faulty_trace();
  trace.steps[0].detail.lost = {trace.steps[0].detail.sent[0]};
  const std::string text = to_mermaid(trace);
  EXPECT_TRUE(has(text, "\n    n0-xn1: 1. loses Vote{term: 1, mode: kAsk}\n")) << text;
  EXPECT_TRUE(has(text, "\n    n0-xn2: 5. drop Vote\n")) << text;
  EXPECT_TRUE(has(text, "\n    Note over n0,n2: 7. partition {1} #124; {2, 3}\n")) << text;
  EXPECT_TRUE(has(text, "\n    Note over n2: 9. timer election at 3\n")) << text;
  EXPECT_TRUE(has(text, "\n    n2->>n2: 10. Vote\n")) << text;
  EXPECT_FALSE(has(text, "violated")) << text;
}

TEST(Mermaid, HostileTextStaysText) {
  const std::string text = to_mermaid(hostile_trace());
  EXPECT_EQ(sample::terminal_offence(text), "");
  // Codes aside, a label has no character that means anything to Mermaid.
  const std::string label = R"((?:[^#;<>&"'`%$@\\|~^\n]|#[0-9]+;)+)";
  const std::regex allowed("sequenceDiagram|    title " + label + "|    participant n[0-9] as " +
                           label + "|    Note over n[0-9](?:,n[0-9])?: " + label +
                           "|    n[0-9](?:->>|-x|-->>)n[0-9]: " + label);
  const std::regex style("style.*:|ﬂ|°|¶|ß");
  for (const std::string& line : lines(text)) {
    EXPECT_TRUE(std::regex_match(line, allowed)) << line;
    EXPECT_FALSE(std::regex_search(line, style)) << line;
  }
  EXPECT_TRUE(has(text, "#59; end #35;59#59; #37;#37;{init#58; {}}#37;#37;")) << text;
}

TEST(Mermaid, ALongRunLosesItsBeginning) {
  Trace trace = sample::trace();
  trace.verdict = {};
  trace.steps.assign(2005, step(ActionKind::kTimer, 1, -1, "tick"));
  const std::string text = to_mermaid(trace);
  EXPECT_TRUE(has(text, "    Note over n0,n2: 5 steps before these are left out\n"));
  EXPECT_FALSE(has(text, ": 5. "));
  EXPECT_TRUE(has(text, "    Note over n0: 6. timer tick at 1\n"));
}

// --- SVG -----------------------------------------------------------------------------------------

TEST(Svg, HostileTextOfEveryKindStaysText) {
  const std::string svg = to_svg(hostile_trace());
  EXPECT_EQ(sample::markup_offence(svg, {}), "");
  EXPECT_FALSE(has(svg, "<b>"));
  EXPECT_EQ(sample::terminal_offence(svg), "");
}

// --- For a terminal ------------------------------------------------------------------------------

TEST(DrawnTrace, HasALanePerNodeAndARowPerStep) {
  EXPECT_EQ(to_drawing(sample::trace()),
            "election, 4 steps\n"
            "  nodes 1, 2 and 3: Server\n"
            "\n"
            "         1        2        3\n"
            "  start  │        │        │\n"
            "      1  ◇        │        │        request Campaign at 1, invokes elect\n"
            "      2  ├───────▶●        │        deliver Vote{term: 1, mode: kAsk} 1→2 [choose 1], "
            "sent in 1\n"
            "      3  │        ✗        │        crash 2\n"
            "✗     4  │        ▲        │        recover 2, ★ 2, client 1 returns 2\n"
            "\n"
            "  ● handles, ◇ request, ✗ crashes, ▲ recovers\n"
            "✗ violated: one leader (always), nodes 1 and 2, after step 4\n"
            "  nodes 1 and 2 lead in term 1\n");
}

TEST(DrawnTrace, ShowsWhatTheNetworkDoes) {
  const std::string text = to_drawing(faulty_trace());
  EXPECT_TRUE(has(text, "      5  ├────────┼───────╳│        drop Vote 1→3\n")) << text;
  EXPECT_TRUE(has(text, "      6  │2───────┼────────┤        duplicate Vote 3→1\n")) << text;
  EXPECT_TRUE(has(text, "      7  │════════│════════│        partition {1} | {2, 3}\n")) << text;
  EXPECT_TRUE(has(text, "      9  │        │        ◷        timer election at 3\n")) << text;
  EXPECT_TRUE(has(text, "     10  │        │        ●↺       deliver Vote 3→3\n")) << text;
  EXPECT_TRUE(has(text, "\n  nothing is violated\n")) << text;
}

TEST(DrawnTrace, ANodeThatIsDownIsDotted) {
  Trace trace = sample::trace();
  trace.steps.insert(trace.steps.begin() + 3, step(ActionKind::kDetect, 3, 2, ""));
  trace.steps.insert(trace.steps.begin() + 4, step(ActionKind::kTimer, 1, -1, "t"));
  const std::string text = to_drawing(trace);
  EXPECT_TRUE(has(text, "  │        ┊╌╌╌╌╌╌╌▶◆        detect crash of 2 at 3\n")) << text;
  EXPECT_TRUE(has(text, "  ◷        ┊        │        timer t at 1\n")) << text;
  EXPECT_TRUE(has(text, "  │        ▲        │        recover 2")) << text;
}

TEST(DrawnTrace, AsciiIsAscii) {
  for (const Trace& trace : {sample::trace(), faulty_trace(), hostile_trace()}) {
    const std::string text = to_drawing(trace, {.ascii = true});
    EXPECT_TRUE(std::all_of(text.begin(), text.end(), [](unsigned char c) { return c < 0x7F; }))
        << text;
  }
  EXPECT_TRUE(has(to_drawing(sample::trace(), {.ascii = true}),
                  "      2  |------->o        |        deliver Vote{term: 1"));
}

TEST(DrawnTrace, NineNodesFitIn100Columns) {
  for (const bool ascii : {false, true}) {
    for (int nodes = 1; nodes <= 9; ++nodes) {
      Trace trace = faulty_trace();
      trace.verdict = sample::trace().verdict;
      for (int node = 4; node <= nodes; ++node) trace.nodes.push_back(node);
      trace.steps[1].detail.action.payload = value::Tree::string(std::string(300, 'x'));
      trace.steps[1].detail.decided = {std::string(300, 'y')};
      trace.steps[2].detail.lost = {{ActionKind::kDeliver, 1, 2, std::string(300, 'z'), "", 0}};
      for (const std::string& line : lines(to_drawing(trace, {.ascii = ascii}))) {
        EXPECT_LE(columns_of(line), 100U) << line;
      }
    }
  }
}

TEST(DrawnTrace, HostileTextStaysInItsRow) {
  const std::string text = to_drawing(hostile_trace());
  EXPECT_EQ(sample::terminal_offence(text), "");
  EXPECT_FALSE(has(text, "\n1 {")) << text;
  EXPECT_FALSE(has(text, "\n===")) << text;
  EXPECT_TRUE(has(text, "\n✗     4  ")) << text;
}

TEST(DrawnTrace, ALongRunLosesItsBeginning) {
  Trace trace = sample::trace();
  trace.steps.insert(trace.steps.begin(), 2001, step(ActionKind::kTimer, 1, -1, "tick"));
  const std::string text = to_drawing(trace);
  EXPECT_TRUE(has(text, "(5 steps before these are left out)\n"));
  EXPECT_FALSE(has(text, "\n      5  "));
  EXPECT_TRUE(has(text, "\n      6  ◷        │        │        timer tick at 1\n"));
}

TEST(DrawnTrace, ARawModelHasOneLane) {
  Trace trace;
  trace.system = "counter";
  trace.steps = {step(ActionKind::kStep, -1, -1, "up")};
  trace.verdict = {"small", "always", "", {}, 0};
  const std::string text = to_drawing(trace);
  EXPECT_TRUE(has(text, "\n         state\n  start  │\n      1  ●        up\n")) << text;
  EXPECT_TRUE(has(text, "\n✗ violated: small (always), in the initial state\n")) << text;
}

}  // namespace
}  // namespace ordeal::report
