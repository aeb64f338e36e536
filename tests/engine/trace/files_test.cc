// The files that all readers of traces are tested on, and the schema that says what they are.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "base/file.h"
#include "ordeal/trace.h"
#include "tests/engine/trace/sample.h"
#include "tests/engine/trace/schema.h"

namespace ordeal {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

const std::string kFolder = std::string(ORDEAL_SOURCE_DIR) + "/tests/data/traces/";

std::string content(const std::string& path) {
  const Result<std::string> text = read_file(path);
  EXPECT_TRUE(text.ok()) << text.error().message;
  return text ? *text : "";
}

std::vector<std::string> files_in(const std::string& folder) {
  std::vector<std::string> names;
  for (const fs::directory_entry& entry : fs::directory_iterator(kFolder + folder)) {
    names.push_back(entry.path().filename().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

Json schema_json() {
  return Json::parse(content(std::string(ORDEAL_SOURCE_DIR) + "/docs/reference/trace.schema.json"));
}

TEST(TraceFiles, GoodOnesAreReadAndWrittenByteForByte) {
  for (const std::string& name : files_in("good")) {
    const std::string text = content(kFolder + "good/" + name);
    const Result<Trace> trace = trace_from_json(text);
    ASSERT_TRUE(trace.ok()) << name << ": " << trace.error().message;
    EXPECT_EQ(to_json(*trace), text) << name;
  }
}

TEST(TraceFiles, GoodOnesShowEverythingThatATraceCanTell) {
  std::set<std::string> fields;
  std::set<std::string> kinds;
  for (const std::string& name : files_in("good")) {
    const Json json = Json::parse(content(kFolder + "good/" + name));
    for (const auto& [field, value] : json.items()) fields.insert(field);
    for (const auto& [field, value] : json["initially"].items())
      fields.insert("initially." + field);
    for (const Json& step : json["steps"]) {
      kinds.insert(step["kind"]);
      for (const auto& [field, value] : step.items()) fields.insert("step." + field);
    }
  }
  for (const char* field :
       {"scenario", "source", "node_names", "points", "initially.sent", "initially.history",
        "initially.parts", "step.payload", "step.causes", "step.changes", "step.sent",
        "step.decided", "step.timers", "step.history", "step.scenario", "step.parts"}) {
    EXPECT_TRUE(fields.contains(field)) << field;
  }
  for (const char* kind : {"deliver", "request", "timer", "detect", "step", "crash", "recover",
                           "drop", "duplicate", "partition", "heal"}) {
    EXPECT_TRUE(kinds.contains(kind)) << kind;
  }
}

TEST(TraceFiles, BadOnesAreRefusedAtThePlaceOfTheirMistake) {
  const Json expected = Json::parse(content(kFolder + "bad/expected.json"));
  std::vector<std::string> names = files_in("bad");
  std::erase(names, "expected.json");
  EXPECT_EQ(names.size(), expected.size());
  for (const std::string& name : names) {
    ASSERT_TRUE(expected.contains(name)) << name;
    const Result<Trace> trace = trace_from_json(content(kFolder + "bad/" + name));
    ASSERT_FALSE(trace.ok()) << name;
    const std::string place = expected[name].get<std::string>() + ": ";
    EXPECT_EQ(trace.error().message.substr(0, place.size()), place)
        << name << ": " << trace.error().message;
  }
}

TEST(TraceSchema, DescribesEveryGoodFile) {
  const Schema schema(schema_json());
  for (const std::string& name : files_in("good")) {
    EXPECT_EQ(schema.problem(Json::parse(content(kFolder + "good/" + name))), "") << name;
  }
}

// A trace with something in every field that can be written.
Trace full_trace() {
  Trace trace = sample::trace();
  trace.scenario = "s";
  trace.source = "shiviz";
  trace.free_faults = true;
  trace.node_names = {{1, "one"}};
  trace.kinds = {std::make_shared<const DescribedKind>(
      DescribedKind{"lock", "{node} locks", "L", DescribedKind::Colour::kRed, true})};
  trace.minimised_from = 9;
  trace.loop_start = 0;
  trace.initial_parts =
      R"([{"name":"node 1","node":1,"type":"T","component":true,"up":false,"tree":{"$type":"T"}}])";
  trace.initially_sent = {{ActionKind::kEvent, 1, 2, "T", "t", 1}};
  trace.initial_history = {{1, false, "x"}};
  trace.points = {{1, 0, 2}};
  trace.verdict.word = "w";
  trace.verdict.operations = trace.verdict.unplaced = {{1, 0}};
  TraceStep& step = trace.steps[0];
  step.detail.action.from = 2;
  step.detail.action.choices = {1};
  step.detail.action.crash_at_persist = 1;
  step.occurrence = 1;
  step.detail.log = {"l"};
  step.detail.decided = {"d"};
  step.detail.scenario = {"filter 1: f"};
  step.detail.lost = step.detail.sent;
  step.detail.failure = "f";
  step.parts = R"([{"name":"node 1","up":true,"patch":[{"op":"add","path":"/a","value":1}]}])";
  return trace;
}

TEST(TraceSchema, NamesEveryFieldThatIsWritten) {
  const Schema schema(schema_json());
  EXPECT_EQ(schema.problem(Json::parse(to_json(full_trace()))), "");
}

// Every field that an object of the schema may have, as "Step.kind".
std::set<std::string> fields_of_schema(const Json& schema) {
  std::set<std::string> out;
  const auto add = [&](const std::string& type, const Json& object) {
    const Json properties = object.value("properties", Json::object());
    for (const auto& [name, value] : properties.items()) {
      out.insert(type + "." + name);
    }
  };
  add("Trace", schema);
  add("Initially", schema["properties"]["initially"]);
  for (const auto& [type, object] : schema["definitions"].items()) add(type, object);
  return out;
}

TEST(TraceSchema, EveryFieldThatItNamesIsWritten) {
  const Json json = Json::parse(to_json(full_trace()));
  std::set<std::string> written;
  const auto add = [&](const std::string& type, const Json& object) {
    for (const auto& [name, value] : object.items()) written.insert(type + "." + name);
  };
  add("Trace", json);
  add("Initially", json["initially"]);
  add("DescribedKind", json["kinds"][0]);
  add("Verdict", json["verdict"]);
  add("Sent", json["initially"]["sent"][0]);
  add("HistoryEvent", json["initially"]["history"][0]);
  add("Part", json["initially"]["parts"][0]);
  add("Operation", json["verdict"]["operations"][0]);
  add("LinearPoint", json["points"][0]);
  add("Step", json["steps"][0]);
  add("Change", json["steps"][0]["changes"][0]);
  add("PartChange", json["steps"][0]["parts"][0]);
  add("PatchStep", json["steps"][0]["parts"][0]["patch"][0]);
  EXPECT_EQ(fields_of_schema(schema_json()), written);
}

TEST(TraceSchema, NamesEveryKindOfAction) {
  std::set<std::string> kinds;
  for (int i = 0; i <= static_cast<int>(ActionKind::kSuspect); ++i) {
    kinds.insert(to_string(static_cast<ActionKind>(i)));
  }
  EXPECT_EQ(schema_json()["definitions"]["Kind"]["enum"].get<std::set<std::string>>(), kinds);
}

TEST(TraceSchema, AJudgeThatIsShownMistakesFindsThem) {
  const Schema schema(schema_json());
  const Json good = Json::parse(to_json(full_trace()));
  const std::map<std::string, Json> mistakes = {{"/version", 2},
                                                {"/system", 1},
                                                {"/seed", -1},
                                                {"/steps/0/kind", 7},
                                                {"/steps/0/sent/0/kind", "fly"},
                                                {"/kinds/0/colour", "pink"},
                                                {"/steps/0/digest", "12"},
                                                {"/steps/0/sent/0/to", "1"},
                                                {"/steps/0/unknown", 1},
                                                {"/verdict", 1},
                                                {"/parameters/nodes", 3}};
  for (const auto& [place, value] : mistakes) {
    Json bad = good;
    bad[Json::json_pointer(place)] = value;
    EXPECT_NE(schema.problem(bad), "") << place;
  }
  Json bad = good;
  bad["steps"][0].erase("kind");
  EXPECT_NE(schema.problem(bad), "");
}

}  // namespace
}  // namespace ordeal
