#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "base/rng.h"
#include "base/text.h"
#include "ordeal/report.h"
#include "report/draw/machine_layout.h"
#include "report/scenario_words.h"
#include "tests/engine/scenario/sample.h"
#include "tests/tools/report/markup.h"

namespace ordeal {
namespace {

using report::Box;
using report::MachineDiagram;
using report::Point;
using sample::has;
using sample::kHostile;
using sample::kVoids;
using sample::markup_offence;
using sample::script_offence;
using Json = nlohmann::json;

ScenarioReport hostile() {
  ScenarioReport report = sample::scenario_report();
  report.scenario = report.what = report.expectation = report.system = report.strategy = kHostile;
  report.parameters = {{kHostile, kHostile}};
  report.notes = {kHostile};
  for (FilterResult& filter : report.filters) filter.text = filter.file = kHostile;
  for (MachineResult::State& state : report.machine.states) state.name = kHostile;
  for (MachineResult::Transition& one : report.machine.transitions) one.label = kHostile;
  Violation& violation = report.violations[0];
  violation.property = violation.kind = violation.why = kHostile;
  violation.trace->scenario = kHostile;
  return report;
}

// --- The words --------------------------------------------------------------------------------

TEST(ScenarioWords, TheOutcomeCountsEveryRunOnce) {
  const ScenarioReport report = sample::scenario_report();
  EXPECT_EQ(report::outcome_of(report),
            "90 of 100 runs succeeded, 7 did neither, 3 failed (2 were cut by a bound); 200 were "
            "asked for");
  ScenarioReport clean = report;
  clean.runs = clean.iterations = clean.successes = 100;
  clean.failures = clean.cut = 0;
  EXPECT_EQ(report::outcome_of(clean), "100 of 100 runs succeeded");
}

TEST(ScenarioWords, SharesAddUpAndNobodyWithARunGoesWithout) {
  ScenarioReport report;
  Rng rng(7);
  for (int i = 0; i < 200; ++i) {
    report.successes = rng.below(3) == 0 ? 0 : rng.below(100'000);
    report.failures = rng.below(3);
    report.runs = report.successes + report.failures + rng.below(5);
    const auto endings = report::endings_of(report);
    const auto shares = report::shares_of(report, 60);
    size_t sum = 0;
    for (size_t k = 0; k < shares.size(); ++k) {
      sum += shares[k];
      EXPECT_EQ(shares[k] > 0, endings[k].runs > 0) << report.runs;
    }
    EXPECT_EQ(sum, report.runs == 0 ? 0U : 60U);
  }
}

TEST(ScenarioWords, OneViolationOutweighsAll) {
  ScenarioReport holds;
  holds.verdict = Verdict::kHolds;
  ScenarioReport undecided;
  ScenarioReport violated;
  violated.verdict = Verdict::kViolated;
  EXPECT_EQ(report::overall({holds, holds}), Verdict::kHolds);
  EXPECT_EQ(report::overall({holds, undecided}), Verdict::kUndecided);
  EXPECT_EQ(report::overall({violated, undecided, holds}), Verdict::kViolated);
}

// --- For a terminal ---------------------------------------------------------------------------

TEST(ScenarioText, TellsOutcomeFiltersMachineAndRun) {
  const std::string text = to_text(sample::scenario_report());
  EXPECT_TRUE(has(text, "violated: one leader (always)")) << text;
  EXPECT_TRUE(has(text, "violated: scenario late-vote on election --bug forgets --nodes 3"))
      << text;
  EXPECT_TRUE(has(text, "at least 95 runs succeed")) << text;
  EXPECT_TRUE(has(text, "90 of 100 runs succeeded")) << text;
  EXPECT_TRUE(has(text, "fired 200 times · election_test.cc:12")) << text;
  EXPECT_TRUE(has(text, "fired 100 times, 4 in vain · election_test.cc:13")) << text;
  EXPECT_TRUE(has(text, "! never fired · election_test.cc:14")) << text;
  EXPECT_TRUE(has(text, "waiting (start): 7 runs ended here")) << text;
  EXPECT_TRUE(has(text, "90×  recovers() && at(2) → success")) << text;
  EXPECT_TRUE(has(text, "split (failure)")) << text;
  EXPECT_TRUE(has(text, "3 runs violate it")) << text;
  EXPECT_TRUE(has(text, "--scenario late-vote")) << text;
}

TEST(ScenarioText, TheBarShowsEveryEnding) {
  const std::string text = to_text(sample::scenario_report());
  const size_t begin = text.find('[', text.find("outcome"));
  const std::string bar = text.substr(begin, text.find('\n', begin) - begin);
  EXPECT_EQ(std::count(bar.begin(), bar.begin() + 62, '#') +
                std::count(bar.begin(), bar.begin() + 62, '.') +
                std::count(bar.begin(), bar.begin() + 62, 'x'),
            60);
  EXPECT_TRUE(has(bar, "# succeeded, . did neither, x failed")) << bar;
}

TEST(ScenarioText, AnExhaustiveOneCountsStatesInsteadOfRuns) {
  ScenarioReport report = sample::scenario_report();
  report.exhaustive = report.complete = true;
  report.verdict = Verdict::kHolds;
  report.violations.clear();
  report.strategy = "bfs";
  report.runs = report.successes = report.failures = report.cut = 0;
  report.distinct_states = 1234;
  const std::string text = to_text(report);
  EXPECT_TRUE(has(text, "explored in full: 1,234 states")) << text;
  EXPECT_FALSE(has(text, "succeeded")) << text;
}

TEST(ScenarioText, HostileNamesReachTheTerminalEscaped) {
  const std::string text = to_text(hostile());
  EXPECT_EQ(text.find('\x1b'), std::string::npos);
  EXPECT_EQ(text.find('\x01'), std::string::npos);
}

TEST(ScenarioText, AnAblationIsATableOfWhatHappensWithoutEachFilter) {
  Ablation ablation;
  ablation.whole = sample::scenario_report();
  ablation.bare = ablation.whole;
  ablation.bare->successes = 2;
  Ablation::Row row;
  row.filter = 0;
  row.text = ablation.whole.filters[0].text;
  row.distance = {0, 1, FilterDistance::Kind::kReorder, false, true, 12};
  row.without = ablation.whole;
  row.without->successes = 11;
  ablation.rows.push_back(row);
  row.filter = 1;
  row.distance.infinite = true;
  ablation.rows.push_back(row);
  const std::string text = to_text(ablation);
  EXPECT_TRUE(has(text, "filter 1    12 messages to filter 2  violated: 11 of 100 runs")) << text;
  EXPECT_TRUE(has(text, "filter 2    ∞ (no schedule does it)")) << text;
  EXPECT_TRUE(has(text, "nothing                              violated: 90 of 100 runs")) << text;
  EXPECT_TRUE(has(text, "any filter                           violated: 2 of 100 runs")) << text;
}

TEST(ScenarioText, AnAblationFitsIn120Columns) {
  Ablation ablation;
  ablation.whole = sample::scenario_report();
  ablation.bare = ablation.whole;
  Ablation::Row row;
  row.distance = {0, 1, FilterDistance::Kind::kReorder, false, true, 12};
  std::string why;
  for (int i = 0; i < 40; ++i) why += "it does not fit ";
  row.without = Error{why};
  ablation.rows.push_back(row);
  std::istringstream lines(to_text(ablation));
  size_t told = 0;
  for (std::string line; std::getline(lines, line);) {
    EXPECT_LE(columns_of(line), 120U) << line;
    for (size_t at = line.find("not"); at != line.npos; at = line.find("not", at + 1)) ++told;
  }
  EXPECT_GE(told, 40U);
}

// --- For programs and CI ----------------------------------------------------------------------

TEST(ScenarioJson, HasEveryField) {
  const Json json = Json::parse(to_json(std::vector{sample::scenario_report()}));
  EXPECT_EQ(json["format"], "ordeal-scenarios");
  EXPECT_EQ(json["verdict"], "violated");
  const Json& one = json["scenarios"][0];
  EXPECT_EQ(one["scenario"], "late-vote");
  EXPECT_EQ(one["successes"], 90);
  EXPECT_EQ(one["failures"], 3);
  EXPECT_EQ(one["cut"], 2);
  EXPECT_EQ(one["filters"][1]["in_vain"], 4);
  EXPECT_EQ(one["filters"][2]["fired"], 0);
  EXPECT_EQ(one["machine"]["states"][3]["kind"], "failure");
  EXPECT_EQ(one["machine"]["transitions"][2]["to"], "success");
  EXPECT_EQ(one["violations"][0]["trace"]["scenario"], "late-vote");
  ScenarioReport bare = sample::scenario_report();
  bare.machine = {};
  EXPECT_TRUE(Json::parse(to_json(std::vector{bare}))["scenarios"][0]["machine"].is_null());
}

TEST(ScenarioJson, HostileBytesStayOutOfIt) {
  const std::string text = to_json(std::vector{hostile()});
  EXPECT_TRUE(Json::accept(text));
  EXPECT_TRUE(std::all_of(text.begin(), text.end(),
                          [](char c) { return c == '\n' || (c >= ' ' && c <= '~'); }));
}

TEST(ScenarioJunit, IsOneTestPerScenario) {
  ScenarioReport good = sample::scenario_report();
  good.verdict = Verdict::kHolds;
  good.violations.clear();
  ScenarioReport open = good;
  open.verdict = Verdict::kUndecided;
  open.notes = {"interrupted"};
  const std::string xml = to_junit(std::vector{sample::scenario_report(), good, open});
  EXPECT_EQ(markup_offence(xml, {}), "") << xml;
  EXPECT_TRUE(has(xml, "tests=\"3\" failures=\"1\" errors=\"0\" skipped=\"1\"")) << xml;
  EXPECT_TRUE(has(xml, "classname=\"election\" name=\"late-vote\" time=\"0.250\"")) << xml;
  EXPECT_TRUE(has(xml, "undecided: interrupted")) << xml;
  EXPECT_TRUE(has(xml, "filter 3 (election_test.cc:14) never fired")) << xml;
  EXPECT_EQ(markup_offence(to_junit(std::vector{hostile()}), {}), "");
}

// --- For people -------------------------------------------------------------------------------

TEST(ScenarioHtml, IsWellFormedWithNoScriptButTheViewerWhateverItShows) {
  for (const auto& reports : {std::vector{sample::scenario_report()}, std::vector{hostile()},
                              std::vector{hostile(), sample::scenario_report()}}) {
    const std::string page = to_html(reports);
    EXPECT_EQ(markup_offence(page, kVoids), "");
    EXPECT_FALSE(has(page.substr(0, page.find("<script")), "<img")) << "markup from a name";
    EXPECT_EQ(script_offence(page), "");
  }
}

TEST(ScenarioHtml, WarnsOfFiltersThatNeverFired) {
  const std::string page = to_html(std::vector{sample::scenario_report()});
  EXPECT_TRUE(has(page, "⚠ never fired"));
  EXPECT_TRUE(has(page, "200×"));
  EXPECT_TRUE(has(page, "100×, 4 in vain"));
  EXPECT_TRUE(has(page, "class=\"mc\""));  // the machine
  EXPECT_TRUE(has(page, "class=\"st\""));  // the run
}

TEST(ScenarioHtml, SeveralScenariosHaveATableOfContents) {
  const std::string page =
      to_html(std::vector{sample::scenario_report(), sample::scenario_report()});
  EXPECT_TRUE(has(page, "<a href=\"#scenario-2\">late-vote</a>"));
  EXPECT_TRUE(has(page, "id=\"scenario-2\""));
}

TEST(ScenarioTrace, WhatAFilterTookAwayIsDrawnAsLostAndToldAsItsDoing) {
  Trace trace = sample::trace();
  trace.steps[0].detail.lost = {trace.steps[0].detail.sent[1]};  // the vote to 3
  trace.steps[0].detail.scenario = {"filter 2: send Vote 1→3: drop()"};
  const auto lost_of = [](const Trace& shown) {
    const std::string svg = to_svg(shown);
    size_t count = 0;
    for (size_t at = svg.find("(dropped)"); at != svg.npos; at = svg.find("(dropped)", at + 1)) {
      ++count;
    }
    return count;
  };
  EXPECT_EQ(lost_of(sample::trace()), 0U);
  EXPECT_EQ(lost_of(trace), 1U);
  const std::string page = to_html(trace);
  EXPECT_TRUE(has(page, "<span class=\"verb\">filter 2:</span> send Vote 1→3: drop()")) << page;
  const Result<Trace> back = trace_from_json(to_json(trace));
  ASSERT_TRUE(back) << back.error().message;
  ASSERT_EQ(back->steps[0].detail.lost.size(), 1U);
  EXPECT_EQ(back->steps[0].detail.lost[0].to, 3);
}

// --- The machine drawn ------------------------------------------------------------------------

bool overlap(const Box& a, const Box& b) {
  return a.x < b.right() && b.x < a.right() && a.y < b.bottom() && b.y < a.bottom();
}

// Whether the straight line between two points of a way passes through the box: lines between
// layers are curves within the rectangle that the two points span, and upright within a layer.
bool passes(const Point& a, const Point& b, const Box& box) {
  const double left = std::min(a.x, b.x);
  const double right = std::max(a.x, b.x);
  const double top = std::min(a.y, b.y) + 0.01;
  const double bottom = std::max(a.y, b.y) - 0.01;
  return left < box.right() && right > box.x && top < box.bottom() && bottom > box.y;
}

// What lies on what it should not; "": nothing.
std::string collision(const MachineResult& machine) {
  const MachineDiagram diagram = report::layout(machine);
  std::vector<std::pair<std::string, Box>> boxes;
  for (size_t i = 0; i < diagram.states.size(); ++i) {
    boxes.emplace_back("state " + std::to_string(i), diagram.states[i]);
  }
  for (size_t i = 0; i < diagram.edges.size(); ++i) {
    boxes.emplace_back("label " + std::to_string(i), diagram.edges[i].label);
  }
  for (size_t i = 0; i < boxes.size(); ++i) {
    const Box& box = boxes[i].second;
    if (box.x < 0 || box.y < 0 || box.right() > diagram.width || box.bottom() > diagram.height) {
      return boxes[i].first + " is outside";
    }
    for (size_t j = i + 1; j < boxes.size(); ++j) {
      if (overlap(box, boxes[j].second)) return boxes[i].first + " on " + boxes[j].first;
    }
    for (size_t j = 0; j < diagram.edges.size(); ++j) {
      if (diagram.edges[j].loop) continue;
      for (const auto* way : {&diagram.edges[j].to_label, &diagram.edges[j].from_label}) {
        for (size_t k = 1; k < way->size(); ++k) {
          if (passes((*way)[k - 1], (*way)[k], box)) {
            return "line " + std::to_string(j) + " through " + boxes[i].first;
          }
        }
      }
    }
  }
  return "";
}

TEST(MachineDiagram, NothingLiesOnAnythingElse) {
  EXPECT_EQ(collision(sample::machine()), "");
  Rng rng(11);
  for (int round = 0; round < 300; ++round) {
    MachineResult machine;
    const uint64_t states = 1 + rng.below(9);
    for (uint64_t i = 0; i < states; ++i) {
      machine.states.push_back({std::string(1 + rng.below(30), 'a'),
                                static_cast<Machine::Kind>(rng.below(3)), rng.below(3)});
    }
    const uint64_t transitions = rng.below(16);
    for (uint64_t i = 0; i < transitions; ++i) {
      std::string label;
      for (uint64_t word = 0; word <= rng.below(12); ++word) {
        label += std::string(1 + rng.below(20), 'b') + " ";
      }
      machine.transitions.push_back({static_cast<uint32_t>(rng.below(states)),
                                     static_cast<uint32_t>(rng.below(states)), label,
                                     rng.below(3)});
    }
    ASSERT_EQ(collision(machine), "") << "round " << round;
  }
}

TEST(MachineDiagram, TheStartIsOnTopAndLinesEndAtTheirStates) {
  const MachineResult machine = sample::machine();
  const MachineDiagram diagram = report::layout(machine);
  for (size_t i = 1; i < diagram.states.size(); ++i) {
    EXPECT_LT(diagram.states[0].bottom(), diagram.states[i].y);
  }
  for (size_t i = 0; i < diagram.edges.size(); ++i) {
    const MachineDiagram::Edge& edge = diagram.edges[i];
    if (edge.loop) continue;
    const auto on_border = [](const Point& at, const Box& box) {
      return at.x >= box.x && at.x <= box.right() && (at.y == box.y || at.y == box.bottom());
    };
    EXPECT_TRUE(on_border(edge.to_label.front(), diagram.states[machine.transitions[i].from]));
    EXPECT_TRUE(on_border(edge.from_label.back(), diagram.states[machine.transitions[i].to]));
  }
}

TEST(MachineDiagram, SuccessAndFailureDifferInShapeAndText) {
  const std::string svg = to_svg(sample::machine());
  EXPECT_EQ(markup_offence(svg, {}), "");
  EXPECT_TRUE(has(svg, "class=\"success inner\""));  // a second border
  EXPECT_TRUE(has(svg, "<path class=\"failure\""));  // cut corners
  EXPECT_TRUE(has(svg, "✓ success"));
  EXPECT_TRUE(has(svg, "✗ split"));
  EXPECT_TRUE(has(svg, "(failure)"));
  EXPECT_TRUE(has(svg, "1,234×"));
  EXPECT_TRUE(has(svg, "never taken"));
  EXPECT_EQ(to_svg(MachineResult{}), "");
}

}  // namespace
}  // namespace ordeal
