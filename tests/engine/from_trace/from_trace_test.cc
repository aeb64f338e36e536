// A bug becomes a test: for every planted bug of the subjects, the test that was made of its trace
// fails with the bug and passes without it.
#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "ordeal/report.h"
#include "ordeal/scenario.h"
#include "protocols/suite.h"
#include "tests/tools/cli/folder.h"
#include "tests/tools/report/terminal.h"

namespace ordeal {
namespace {

std::string read_whole(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

// By test: what it complained of; empty: it passed.
std::map<std::string, std::string> complaints(const std::string& environment) {
  const e2e::Folder folder;
  const std::string json = folder.path() + "/result.json";
  const std::string command = environment + " '" + ORDEAL_GENERATED_TESTS +
                              "' --gtest_output=json:" + json + " > /dev/null 2>&1";
  if (std::system(command.c_str()) == -1) return {};
  const nlohmann::json result = nlohmann::json::parse(read_whole(json), nullptr, false);
  std::map<std::string, std::string> out;
  if (result.is_discarded()) return out;
  for (const nlohmann::json& suite : result["testsuites"]) {
    for (const nlohmann::json& test : suite["testsuite"]) {
      std::string& text = out[test["name"].get<std::string>()];
      if (!test.contains("failures")) continue;
      for (const nlohmann::json& failure : test["failures"]) {
        text += failure["failure"].get<std::string>();
      }
    }
  }
  return out;
}

// Those whose runs never end, of which no test can be made.
size_t endless_bugs() {
  const std::string source = read_whole(ORDEAL_GENERATED_SOURCE);
  size_t bugs = 0;
  for (size_t at = 0; (at = source.find("\n// Never ends: ", at)) != source.npos; ++at) ++bugs;
  return bugs;
}

// Those that a check finds in runs that end; the others have a scenario for a test.
size_t planted_bugs() {
  EXPECT_EQ(endless_bugs(), 3U) << "of two-phase commit, Paxos and Raft";
  size_t bugs = 0;
  const Suite suite = protocols::suite();
  for (const Subject& subject : suite.subjects()) {
    for (const Bug& bug : subject.bugs) bugs += bug.shows.scenario.empty() ? 1 : 0;
  }
  return bugs - endless_bugs();
}

TEST(FromTrace, MakesATestOfEveryPlantedBugThatPassesWithoutIt) {
  const auto tests = complaints("");
  EXPECT_EQ(tests.size(), planted_bugs());
  for (const auto& [test, complaint] : tests) EXPECT_EQ(complaint, "") << test;
}

TEST(FromTrace, MakesATestOfEveryPlantedBugThatFailsWithIt) {
  const auto tests = complaints("ORDEAL_WITH_BUG=1");
  EXPECT_EQ(tests.size(), planted_bugs());
  for (const auto& [test, complaint] : tests) {
    EXPECT_NE(complaint.find(") is violated"), std::string::npos) << test << "\n" << complaint;
  }
}

TEST(FromTrace, WritesEveryTestAsTheStyleAsks) {
  if (std::system("clang-format --version > /dev/null 2>&1") != 0)
    GTEST_SKIP() << "no clang-format";
  const std::string command = std::string("clang-format --dry-run --Werror --style=file:") +
                              ORDEAL_SOURCE_DIR + "/.clang-format '" + ORDEAL_GENERATED_SOURCE +
                              "'";
  EXPECT_EQ(std::system(command.c_str()), 0);
}

// --- What is written, for a trace made up ------------------------------------------------------

Trace small_trace() {
  Trace trace;
  trace.system = "ping-pong";
  trace.parameters = {{"nodes", "2"}, {"crash", ""}};
  trace.verdict = {"one leader", "always", "nodes 1 and 2 lead", {1, 2}, 1};
  TraceStep step;
  step.detail.action.kind = ActionKind::kCrash;
  step.detail.action.node = 1;
  trace.steps.push_back(step);
  return trace;
}

std::string source_of(const Trace& trace) {
  const Result<std::string> source = scenario_source({trace});
  return source ? *source : source.error().message;
}

TEST(ScenarioSource, TellsTheStoryAndBuildsTheSubject) {
  const std::string source = source_of(small_trace());
  EXPECT_NE(source.find("// ping-pong --nodes 2: after step 1 of 1, \"one leader\" (always) is "
                        "violated: nodes 1 and 2 lead.\n"
                        "ordeal::Scenario run_of_ping_pong_keeps_one_leader() {\n"
                        "  ordeal::Scenario scenario(\"ping-pong: one leader\");\n"
                        "  // clang-format off\n"
                        "  scenario.script({\n"
                        "      \"crash 1\",\n"
                        "  });\n"
                        "  // clang-format on\n"
                        "  scenario.faults(ordeal::Scenario::Faults::kOnlyByFilters);\n"),
            std::string::npos)
      << source;
  EXPECT_NE(source.find("TEST(FromTrace, RunOfPingPongKeepsOneLeader) {\n"
                        "  Parameters parameters;\n"
                        "  parameters[\"nodes\"] = \"2\";\n"),
            std::string::npos)
      << source;
}

TEST(ScenarioSource, RequiresWhatMustBeTrueInTheEnd) {
  Trace trace = small_trace();
  trace.verdict.kind = "eventually";
  EXPECT_NE(source_of(trace).find("scenario.require(\"one leader\");"), std::string::npos);
}

TEST(ScenarioSource, EscapesWhatStringsMayHold) {
  Trace trace = small_trace();
  trace.steps[0].detail.action.kind = ActionKind::kTimer;
  trace.steps[0].detail.action.type =
      "a\"b\\c\?\?/\n\x01"
      "7\xff→";
  EXPECT_NE(source_of(trace).find("\"timer a\\\"b\\\\c?\\?/\\n\\0017\\377→ at 1\""),
            std::string::npos)
      << source_of(trace);
}

TEST(ScenarioSource, HasNothingThatWouldShowItOtherThanItIs) {
  Trace trace = small_trace();
  trace.system = trace.verdict.property = trace.verdict.why = sample::kForTerminals;
  trace.parameters = {{sample::kForTerminals, sample::kForTerminals}};
  trace.steps[0].detail.action.kind = ActionKind::kTimer;
  trace.steps[0].detail.action.type = "\u202e";
  trace.steps[0].detail.decided = {sample::kForTerminals};
  EXPECT_EQ(sample::terminal_offence(source_of(trace)), "");
  EXPECT_NE(source_of(trace).find("\"timer \\342\\200\\256 at 1\""), std::string::npos);
  trace.verdict.kind = sample::kForTerminals;
  EXPECT_EQ(sample::terminal_offence(source_of(trace)), "");
  trace.scenario = sample::kForTerminals;
  EXPECT_EQ(sample::terminal_offence(source_of(trace)), "");
  EXPECT_EQ(source_of(trace).find('\n'), std::string::npos);
}

TEST(ScenarioSource, GivesEveryTraceANameOfItsOwn) {
  const Result<std::string> source = scenario_source({small_trace(), small_trace()});
  ASSERT_TRUE(source.ok());
  EXPECT_NE(source->find("run_of_ping_pong_keeps_one_leader_2()"), std::string::npos);
  EXPECT_NE(source->find("RunOfPingPongKeepsOneLeader2)"), std::string::npos);
}

TEST(ScenarioSource, RefusesTracesThatShowNothing) {
  Trace trace = small_trace();
  trace.verdict = {};
  EXPECT_EQ(source_of(trace),
            "trace 1 (ping-pong): it violates nothing, so there is nothing to test");
  trace = small_trace();
  trace.scenario = "late-vote";
  EXPECT_EQ(source_of(trace),
            "trace 1 (ping-pong): it was made under the scenario 'late-vote', which is a test "
            "already: run that");
  trace = small_trace();
  trace.loop_start = 0;
  EXPECT_NE(source_of(trace).find("it is a run that goes on for ever"), std::string::npos);
  EXPECT_EQ(scenario_source({}).error().message, "there is no trace to make a test of");
}

}  // namespace
}  // namespace ordeal
