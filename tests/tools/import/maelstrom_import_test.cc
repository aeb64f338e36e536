#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "trace/import.h"

namespace ordeal::maelstrom_tests {
namespace {

std::string refusal(const std::string& text) {
  const Result<Trace> trace = import_run(text, {.format = "maelstrom"});
  return trace ? "" : trace.error().message;
}

Trace imported(const std::string& text, std::vector<std::string>* notes = nullptr) {
  const Result<Trace> trace = import_run(text, {.format = "maelstrom"}, notes);
  EXPECT_TRUE(trace.ok()) << trace.error().message;
  if (!trace) return {};
  const std::string json = to_json(*trace);
  const Result<Trace> again = trace_from_json(json);
  EXPECT_TRUE(again.ok()) << again.error().message;
  if (!again) return {};
  EXPECT_EQ(to_json(*again), json);
  return *trace;
}

void expect_part(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), text.npos) << text << "\nlacks: " << part;
}

std::vector<std::string> actions_of(const Trace& trace) {
  std::vector<std::string> out;
  for (const TraceStep& step : trace.steps) out.push_back(show(step.detail.action));
  return out;
}

constexpr const char* kEcho =
    R"({"src":"c1","dest":"n1","body":{"type":"echo","echo":"hi","msg_id":1}})"
    "\n"
    R"({"src":"n1","dest":"c1","body":{"type":"echo_ok","echo":"hi","in_reply_to":1}})"
    "\n";

TEST(MaelstromImport, EveryLineIsSentAndArrives) {
  const Trace trace = imported(kEcho);
  EXPECT_EQ(trace.source, "maelstrom");
  EXPECT_EQ(trace.node_names, (std::map<int, std::string>{{1, "n1"}, {2, "c1"}}));
  EXPECT_EQ(trace.node_types, (std::map<int, std::string>{{1, "node"}, {2, "client"}}));
  EXPECT_EQ(actions_of(trace),
            (std::vector<std::string>{
                "send echo at 2", R"(deliver echo{echo: "hi", msg_id: 1} 2→1)", "send echo_ok at 1",
                R"(deliver echo_ok{echo: "hi", in_reply_to: 1} 1→2)"}));
  EXPECT_EQ(trace.steps[3].causes, (std::vector<uint32_t>{1, 3}));
  EXPECT_EQ(trace.steps[0].detail.sent[0].payload_digest,
            trace.steps[1].detail.action.payload_digest);
}

TEST(MaelstromImport, RequestsOfClientsAreOperations) {
  const Trace trace = imported(kEcho);
  ASSERT_EQ(trace.steps[0].detail.history.size(), 1U);
  EXPECT_EQ(trace.steps[0].detail.history[0].client, 2);
  EXPECT_FALSE(trace.steps[0].detail.history[0].is_return);
  EXPECT_EQ(trace.steps[0].detail.history[0].text, R"(echo{echo: "hi"})");
  ASSERT_EQ(trace.steps[3].detail.history.size(), 1U);
  EXPECT_TRUE(trace.steps[3].detail.history[0].is_return);
  EXPECT_EQ(trace.steps[3].detail.history[0].text, R"(echo_ok{echo: "hi"})");
}

TEST(MaelstromImport, AnAnswerToAnEarlierRequestReturnsNothing) {
  const Trace trace =
      imported(R"({"src":"c1","dest":"n1","body":{"type":"read","msg_id":1}})"
               R"({"src":"c1","dest":"n1","body":{"type":"read","msg_id":2}})"
               R"({"src":"n1","dest":"c1","body":{"type":"read_ok","in_reply_to":1}})"
               R"({"src":"n1","dest":"c1","body":{"type":"read_ok","in_reply_to":2}})");
  EXPECT_TRUE(trace.steps[5].detail.history.empty());
  EXPECT_EQ(trace.steps[7].detail.history.size(), 1U);
}

constexpr const char* kJournal =
    "{:id 0, :time 1, :type :send, :message {:id 0, :src \"n1\", :dest \"n2\", :body {:type "
    "\"a\"}}}\n"
    "{:id 1, :time 2, :type :send, :message {:id 1, :src \"n1\", :dest \"n2\", :body {:type "
    "\"a\"}}}\n"
    "; the second one arrives first, the first one never\n"
    "{:id 2, :time 3, :type :recv,\n"
    " :message #maelstrom.net.message.Message{:id 1, :src \"n1\", :dest \"n2\", :body {:type "
    "\"a\"}}}\n";

TEST(MaelstromImport, AJournalTellsWhatArrivesAndWhatStaysInFlight) {
  const Trace trace = imported(kJournal);
  EXPECT_EQ(actions_of(trace),
            (std::vector<std::string>{"send a at 1", "send a at 1", "deliver a 1→2"}));
  EXPECT_EQ(trace.steps[2].causes, (std::vector<uint32_t>{0, 2}));
  EXPECT_NE(trace.steps[0].detail.sent[0].payload_digest,
            trace.steps[2].detail.action.payload_digest);
}

TEST(MaelstromImport, TheSameJournalInJsonIsTheSameRun) {
  const Trace trace = imported(
      R"([{"id":0,"time":1,"type":"send",
           "message":{"id":0,"src":"n1","dest":"n2","body":{"type":"a"}}},
          {"id":2,"time":3,"type":"recv",
           "message":{"id":1,"src":"n1","dest":"n2","body":{"type":"a"}}},
          {"id":1,"time":2,"type":":send",
           "message":{"id":1,"src":"n1","dest":"n2","body":{"type":"a"}}}])");
  EXPECT_EQ(to_json(trace), to_json(imported(kJournal)));  // events are put in order of their time
}

TEST(MaelstromImport, LogsOfProgramsAreSearchedForMessages) {
  std::vector<std::string> notes;
  const Trace trace = imported(
      "INFO [2021] worker 0 - net :send #Message{:id 5, :src \"c1\", :dest \"n1\", :body {:type "
      "\"read\", :msg_id 2}}\nINFO something else\n"
      "INFO [2021] node n1 - net :recv #Message{:id 5, :src \"c1\", :dest \"n1\", :body {:type "
      "\"read\", :msg_id 2}}\n",
      &notes);
  EXPECT_EQ(actions_of(trace),
            (std::vector<std::string>{"send read at 2", "deliver read{msg_id: 2} 2→1"}));
  EXPECT_EQ(notes, (std::vector<std::string>{"1 line is about no message"}));
}

TEST(MaelstromImport, WhatArrivesTwiceArrivesTwice) {
  const std::string message = R"("message":{"id":3,"src":"n1","dest":"n2","body":{"type":"a"}}})";
  const Trace trace = imported("{\"type\":\"send\"," + message + "{\"type\":\"recv\"," + message +
                               "{\"type\":\"recv\"," + message);
  ASSERT_EQ(trace.steps.size(), 3U);
  EXPECT_EQ(trace.steps[2].causes, (std::vector<uint32_t>{1, 2}));
}

TEST(MaelstromImport, WhatArrivesWithoutBeingSentIsSentAfterTheSendersLastStep) {
  std::vector<std::string> notes;
  const Trace trace =
      imported(R"({"type":"recv","message":{"src":"n1","dest":"n2","body":{"type":"a"}}})", &notes);
  EXPECT_EQ(trace.initially_sent.size(), 1U);
  expect_part(notes.at(0), "1 message is received and never sent");
}

TEST(MaelstromImport, ServicesAndClientsComeBehindNodesInNaturalOrder) {
  std::string text;
  for (const char* name : {"c2", "n10", "lin-kv", "n9", "c10"}) {
    text += std::string("{\"src\":\"") + name + "\",\"dest\":\"n1\",\"body\":{\"type\":\"x\"}}\n";
  }
  const Trace trace = imported(text);
  std::vector<std::string> names;
  for (const auto& [node, name] : trace.node_names) names.push_back(name);
  EXPECT_EQ(names, (std::vector<std::string>{"n1", "n9", "n10", "lin-kv", "c2", "c10"}));
}

TEST(MaelstromImport, MistakesAreToldWithLineAndColumn) {
  const std::string good = "{\"src\":\"a\",\"dest\":\"b\",\"body\":{}}\n";
  expect_part(refusal(good + "{\"src\":\"a\",\n"), "line 2, column 1: this map is never closed");
  expect_part(refusal(good + "{\"src\":\"a\"\n" + good),
              "line 3, column 1: found '{' where the name of a field is expected, in the map that "
              "begins at line 2, column 1");
  expect_part(refusal(good + "  17\n"), "line 2, column 3: found \"17\"; expected a message");
  expect_part(refusal(good + "{\"dest\":\"b\",\"body\":{}}"),
              "line 2, column 1: the src of the message is missing; expected a name");
  expect_part(refusal("{\"src\":1,\"dest\":\"b\",\"body\":{}}"), "the src of the message is \"1\"");
  expect_part(refusal("{\"src\":\"a\",\"dest\":\"b\"}"), "the body of the message is missing");
  expect_part(refusal("{\"src\":\"a\",\"dest\":\"b\",\"body\":[]}"), "the body of the message is");
  expect_part(refusal("{\"type\":\"lost\",\"message\":{}}"),
              "the type of the event is \"lost\"; expected send or recv");
  expect_part(refusal("{\"type\":\"send\",\"message\":1}"), "the message is no map");
  expect_part(refusal("{\"a\":\"\\x\"}"), "line 1, column 7: this escape is not known");
  expect_part(refusal("{\"a\":\"\\u12\"}"), "four hexadecimal digits");
  expect_part(refusal("{\"a\":\"x"), "line 1, column 6: this text is never closed");
  expect_part(refusal("{\"a\":1,\"a\":2}"), "the field 'a' is there twice");
  expect_part(refusal("{\"a\"}"), "the field 'a' has no value");
  expect_part(refusal("{\"a\":}"), "the field 'a' has no value");
  expect_part(refusal("[]"), "the log has no messages");
  expect_part(refusal("[}"), "found '}' where a value is expected");
  const std::string message = R"("message":{"id":3,"src":"n1","dest":"n2","body":{"type":"a"}}})";
  expect_part(refusal("{\"type\":\"recv\"," + message + "\n{\"type\":\"send\"," + message),
              "line 1, column 1: the message is received here and sent at line 2, column 1, later");
}

TEST(MaelstromImport, BothNotationsMeanTheSame) {
  const Trace json = imported(
      R"({"src": "a", "dest": "b",
          "body": {"type": "t", "x": [1, -2, 2.5, null, true, "\u00e9\n"]}})");
  const Trace edn = imported(
      "#some/tag {:src \"a\", :dest \"b\" :body {:type :t, \"x\" (1 -2 2.5M nil true \"é\\n\") #_ "
      "gone}}");
  EXPECT_EQ(to_json(json), to_json(edn));
}

TEST(MaelstromImport, HostileLogsAreRefusedOrReadAndNeverHurt) {
  const auto body = [](const std::string& inside) {
    return "{\"src\":\"a\",\"dest\":\"b\",\"body\":" + inside + "}";
  };
  expect_part(refusal(body(std::string(100'000, '{'))), "where the name of a field is expected");
  expect_part(refusal(body("{\"x\":" + std::string(100'000, '[') + "}")), "nested deeper than 100");
  std::string tags;
  for (int i = 0; i < 100'000; ++i) tags += "#t ";
  expect_part(refusal(body("{\"x\":" + tags + "}")), "nested deeper than 100");
  std::string wide = "{\"a\":1";
  for (int i = 0; i < 2000; ++i) wide += ",\"f" + std::to_string(i) + "\":1";
  expect_part(refusal(body(wide + "}")), "more than 900 fields");
  std::string many;
  for (int i = 0; i < 100'000; ++i) {
    many += "{\"src\":\"n" + std::to_string(i) + "\",\"dest\":\"b\",\"body\":{}}\n";
  }
  expect_part(refusal(many), "more than 900 nodes and clients");
  // Numbers beyond all bounds, names that a trace has a use for, bytes that are no text.
  const Trace odd = imported(body("{\"big\":1" + std::string(400, '0') +
                                  ",\"msg_id\":18446744073709551615,\"$type\":1,\"in\":{\"$set\":2}"
                                  ",\"bytes\":\"\xff\",\"nul\":\"" +
                                  std::string(1, '\0') + "\"}"));
  EXPECT_EQ(odd.steps.size(), 2U);
}

}  // namespace
}  // namespace ordeal::maelstrom_tests
