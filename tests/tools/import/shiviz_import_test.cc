#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "trace/import.h"

namespace ordeal {
namespace {

// "" if it was read.
std::string refusal(const std::string& text, const ImportOptions& options = {.format = "shiviz"}) {
  const Result<Trace> trace = import_run(text, options);
  return trace ? "" : trace.error().message;
}

Trace imported(const std::string& text, const ImportOptions& options = {.format = "shiviz"}) {
  const Result<Trace> trace = import_run(text, options);
  EXPECT_TRUE(trace.ok()) << trace.error().message;
  return trace ? *trace : Trace();
}

void expect_part(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), text.npos) << text << "\nlacks: " << part;
}

constexpr const char* kTwo =
    "alice {\"alice\":1}\nwakes up\n"
    "alice {\"alice\":2}\nasks bob\n"
    "bob {\"bob\":1, \"alice\":2}\nhears alice\n"
    "bob {\"bob\":2, \"alice\":2}\nanswers\n"
    "alice {\"alice\":3, \"bob\":2}\nhears bob\n";

TEST(ShivizImport, HostsBecomeNodesAndNewsBecomesMessages) {
  const Trace trace = imported(kTwo);
  EXPECT_EQ(trace.source, "shiviz");
  EXPECT_EQ(trace.nodes, (std::vector<int>{1, 2}));
  EXPECT_EQ(trace.node_names, (std::map<int, std::string>{{1, "alice"}, {2, "bob"}}));
  ASSERT_EQ(trace.steps.size(), 5U);
  EXPECT_EQ(show(trace.steps[0].detail.action), "wakes up at 1");
  EXPECT_EQ(show(trace.steps[2].detail.action), "deliver hears alice 1→2");
  EXPECT_EQ(trace.steps[2].causes, (std::vector<uint32_t>{0, 2}));
  EXPECT_EQ(trace.steps[4].causes, (std::vector<uint32_t>{2, 4}));
  ASSERT_EQ(trace.steps[1].detail.sent.size(), 1U);
  EXPECT_EQ(trace.steps[1].detail.sent[0].to, 2);
  EXPECT_EQ(trace.steps[1].detail.sent[0].payload_digest,
            trace.steps[2].detail.action.payload_digest);
  EXPECT_EQ(trace.steps[3].detail.sent.size(), 1U);
}

TEST(ShivizImport, TakesBothCommonLayoutsWithoutAnExpression) {
  const Trace before =
      imported("wakes up\nalice {\"alice\":1}\nhears\nbob {\"bob\":1, \"alice\":1}\n");
  ASSERT_EQ(before.steps.size(), 2U);
  EXPECT_EQ(before.steps[0].detail.action.type, "wakes up");
  EXPECT_EQ(before.steps[1].detail.action.type, "hears");
}

TEST(ShivizImport, PutsCausesFirstWhereTheLogDoesNot) {
  const Trace trace = imported(
      "b {\"b\":1, \"a\":2}\nhears\n"
      "a {\"a\":2}\nsends\n"
      "c {\"c\":1}\nalone\n"
      "a {\"a\":1}\nbegins\n");
  std::vector<std::string> order;
  for (const TraceStep& step : trace.steps) order.push_back(step.detail.action.type);
  EXPECT_EQ(order, (std::vector<std::string>{"alone", "begins", "sends", "hears"}));
  EXPECT_EQ(trace.node_names.at(1), "b");  // numbered by first appearance
}

TEST(ShivizImport, AnEventThatLearnsOfAnotherThroughAThirdHasOneArrow) {
  const Trace trace = imported(
      "a {\"a\":1}\nsends\n"
      "b {\"b\":1, \"a\":1}\npasses on\n"
      "c {\"c\":1, \"b\":1, \"a\":1}\nhears of both\n");
  EXPECT_EQ(trace.steps[0].detail.sent.size(), 1U);
  EXPECT_EQ(trace.steps[2].detail.action.from, 2);
  EXPECT_EQ(trace.steps[2].causes, (std::vector<uint32_t>{0, 2}));
}

TEST(ShivizImport, AnEventWithTwoSendersNamesBothAsCauses) {
  const Trace trace =
      imported("a {\"a\":1}\nx\nb {\"b\":1}\ny\nc {\"a\":1, \"b\":1, \"c\":1}\njoins\n");
  EXPECT_EQ(trace.steps[2].detail.action.from, 2);
  EXPECT_EQ(trace.steps[2].causes, (std::vector<uint32_t>{0, 1, 2}));
}

TEST(ShivizImport, HostsThatAreNumbersKeepThem) {
  const Trace trace = imported("7 {\"7\":1}\nx\nnetwork {\"network\":1}\ny\n1 {\"1\":1}\nz\n");
  EXPECT_EQ(trace.nodes, (std::vector<int>{1, 2, 7}));
  EXPECT_EQ(trace.node_names, (std::map<int, std::string>{{2, "network"}}));
}

TEST(ShivizImport, TheExpressionOfTheFileTellsWhereThingsAre) {
  const Trace trace = imported(
      "(?<date>\\d+) (?<event>.*) @(?<host>\\w+) (?<clock>.*)\n\n"
      "17 begins @a {\"a\":1}\n18 goes on @a {\"a\":2}\n");
  ASSERT_EQ(trace.steps.size(), 2U);
  EXPECT_EQ(trace.steps[1].detail.action.type, "goes on");
  EXPECT_EQ(trace.steps[1].detail.log, (std::vector<std::string>{"date=18"}));
}

TEST(ShivizImport, AnExpressionThatIsGivenGoesBeforeThatOfTheFile) {
  ImportOptions options{.format = "shiviz"};
  options.parser = R"(^(?<host>\w+) (?<clock>{.*}) (?<event>.*)$)";
  const Trace trace = imported("(?<host>x)(?<clock>x)(?<event>x)\n\na {\"a\":1} begins\n", options);
  EXPECT_EQ(trace.steps[0].detail.action.type, "begins");
}

TEST(ShivizImport, TakesOneOfSeveralExecutions) {
  const std::string log =
      "(?<host>\\S*) (?<clock>{.*})\\n(?<event>.*)\n=== (?<trace>.*) ===\n"
      "=== first ===\na {\"a\":1}\nx\n=== second ===\nb {\"b\":1}\ny\nb {\"b\":2}\nz\n";
  std::vector<std::string> notes;
  const Result<Trace> first = import_run(log, {.execution = 1}, &notes);
  ASSERT_TRUE(first.ok());
  EXPECT_EQ(first->system, "first");
  EXPECT_EQ(notes,
            (std::vector<std::string>{"the log has 2 executions; this is number 1, \"first\""}));
  EXPECT_EQ(import_run(log, {.execution = 2})->steps.size(), 2U);
  expect_part(import_run(log, {.execution = 3}).error().message,
              "no execution 3; the log has 2 executions");
  expect_part(import_run(log, {.execution = 0}).error().message, "no execution 0");
}

TEST(ShivizImport, ClocksThatTlcHasWrittenAreRead) {
  ImportOptions options{.format = "shiviz"};
  options.parser = "Host = (?<host>\\w+), Clock = \"(?<clock>.*)\", (?<event>.*)";
  EXPECT_EQ(imported("Host = a, Clock = \"{\\\"a\\\":1}\", x\n", options).steps.size(), 1U);
}

TEST(ShivizImport, WrongClocksAreToldWithTheirLinesAndWhatWouldBeRight) {
  const auto first = [](const std::string& more) { return "a {\"a\":1}\nx\n" + more; };
  expect_part(refusal("a {\"a\":2}\nx\n"),
              "line 1: the clock of host \"a\" begins with 2; expected 1");
  expect_part(refusal(first("a {\"a\":3}\ny\n")),
              "line 3: the clock of host \"a\" is 3 here and 1 on line 1; expected 2");
  expect_part(refusal(first("a {\"a\":1}\ny\n")),
              "line 3: the clock of host \"a\" is 1 here and 1 on line 1; expected 2");
  expect_part(refusal(first("b {\"b\":1, \"a\":2}\ny\n")),
              "line 3: the clock knows 2 events of host \"a\", which has 1 in this log");
  expect_part(refusal(first("b {\"b\":1, \"z\":1}\ny\n")),
              "line 3: the clock knows 1 event of host \"z\", which has none in this log");
  expect_part(
      refusal(first("b {\"b\":1, \"a\":1}\ny\nb {\"b\":2}\nz\n")),
      "line 5: the clock has 0 for host \"a\", and the one on line 3 has 1; expected at least "
      "1, as a clock forgets nothing");
  expect_part(refusal(first("b {\"b\":1, \"a\":1}\ny\nc {\"c\":1, \"b\":1}\nz\n")),
              "line 5: the clock has 0 for host \"a\", and the one on line 3 has 1");
  expect_part(refusal("a {\"a\":1, \"b\":1}\nx\nb {\"b\":1, \"a\":1}\ny\n"),
              "this event and the one on line 3 each know of the other");
  expect_part(refusal(first("a {\"b\":1}\ny\n")),
              "line 3: the clock of an event of host \"a\" has no entry for \"a\" itself");
  expect_part(refusal(first("a {\"a\":}\ny\n")),
              "line 3: the clock \"{\"a\":}\" is no JSON object");
  expect_part(refusal(first("a {\"a\":-1}\ny\n")), "line 3: the clock has -1 for host \"a\"");
  expect_part(refusal(first("a {\"a\":1.5}\ny\n")), "expected a whole number");
  expect_part(refusal(first("a {\"a\":99999999999999999999}\ny\n")), "expected a whole number");
  expect_part(refusal(first("a {\"a\":\"2\"}\ny\n")), "expected a whole number");
}

TEST(ShivizImport, WrongExpressionsAreTold) {
  ImportOptions options{.format = "shiviz"};
  options.parser = "(?<host>x";
  expect_part(refusal(kTwo, options), "a '(' has no ')'");
  options.parser = "(?<host>x)(?<clock>y)";
  expect_part(refusal(kTwo, options), "has no group (?<event>…)");
  options.parser = "(?<host>x)(?<clock>y)(?<event>z)";
  expect_part(refusal(kTwo, options), "finds no event");
  options.parser = "(?<host>x*)(?<clock>y*)(?<event>z*)";
  expect_part(refusal(kTwo, options), "matches nothing at all");
  options = {.format = "shiviz", .delimiter = "["};
  expect_part(refusal(kTwo, options), "the delimiter of executions");
}

TEST(ShivizImport, HostileLogsAreRefusedOrReadAndNeverHurt) {
  std::string many;
  for (int i = 0; i < 1'000'000; ++i) {
    const std::string name = "h" + std::to_string(i);
    many += name + " {\"" + name + "\":1}\nx\n";
  }
  expect_part(refusal(many), "there are more than 900 hosts");
  std::string wide = "a {\"a\":1";
  for (int i = 0; i < 100'000; ++i) wide += ",\"h" + std::to_string(i) + "\":1";
  expect_part(refusal(wide + "}\nx\n"), "names more than 900 hosts");
  expect_part(refusal("a {\"a\":" + std::string(100'000, '[') + "}\nx\n"), "is no JSON object");
  expect_part(refusal("a {\"a\":" + std::string(100'000, '{') + "}\nx\n"), "is no JSON object");
  // Bytes that are no text are shown as such.
  const Trace odd = imported(std::string("a {\"a\":1}\nx\0\xff\x1b[31m\n", 19));
  EXPECT_EQ(odd.steps[0].detail.action.type, std::string("x\0\xef\xbf\xbd\x1b[31m", 10));
  const Trace long_line = imported("a {\"a\":1}\n" + std::string(1'000'000, 'x') + "\n");
  EXPECT_EQ(long_line.steps[0].detail.action.type.size(), 1'000'000U);
}

TEST(ShivizImport, LinesThatAreNoEventsAreCounted) {
  std::vector<std::string> notes;
  ImportOptions options{.format = "shiviz"};
  options.parser = R"(^(?<host>\w+) (?<clock>{.*}) (?<event>.*)$)";
  ASSERT_TRUE(import_run("hello\na {\"a\":1} x\n\nbye\n", options, &notes).ok());
  EXPECT_EQ(notes, (std::vector<std::string>{"2 lines are no events by the parser"}));
}

TEST(Import, KnowsFormatsByTheirLooks) {
  EXPECT_EQ(imported(kTwo, {}).source, "shiviz");
  EXPECT_EQ(imported("{\"src\":\"a\",\"dest\":\"b\",\"body\":{}}", {}).source, "maelstrom");
  EXPECT_EQ(imported("[{:src \"a\" :dest \"b\" :body {}}]", {}).source, "maelstrom");
  Trace trace;
  trace.system = "x";
  EXPECT_EQ(imported(to_json(trace), {}).system, "x");
  expect_part(refusal("hello\nworld\n", {}), "this is no run in a known format");
  expect_part(refusal(" \n", {}), "the file is empty");
  expect_part(refusal(kTwo, {.format = "shivis"}), "did you mean 'shiviz'?");
}

}  // namespace
}  // namespace ordeal
