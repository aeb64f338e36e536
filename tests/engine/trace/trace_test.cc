#include "ordeal/trace.h"

#include <gtest/gtest.h>

#include <fstream>
#include <functional>
#include <limits>
#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/engine/trace/sample.h"

namespace ordeal::trace_tests {
namespace {

using Json = nlohmann::ordered_json;

std::string read_source(const std::string& path) {
  std::ifstream in(std::string(ORDEAL_SOURCE_DIR "/") + path);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

TEST(Trace, SurvivesWritingAndReading) {
  const Trace trace = sample::trace();
  const std::string text = to_json(trace);
  const Result<Trace> back = trace_from_json(text);
  ASSERT_TRUE(back) << back.error().message;
  EXPECT_EQ(to_json(*back), text);
  ASSERT_EQ(back->steps.size(), trace.steps.size());
  for (size_t i = 0; i < trace.steps.size(); ++i) {
    const Action& before = trace.steps[i].detail.action;
    const Action& after = back->steps[i].detail.action;
    EXPECT_TRUE(same_identity(before, after)) << i;
    EXPECT_TRUE(before.payload == after.payload) << i;
    EXPECT_EQ(show(before), show(after));
    EXPECT_EQ(trace.steps[i].digest, back->steps[i].digest);
    EXPECT_EQ(trace.steps[i].causes, back->steps[i].causes);
    EXPECT_EQ(trace.steps[i].changes, back->steps[i].changes);
  }
  EXPECT_EQ(back->verdict.why, trace.verdict.why);
  EXPECT_EQ(back->verdict.nodes, trace.verdict.nodes);
  EXPECT_EQ(back->parameters, trace.parameters);
  EXPECT_EQ(back->node_types, trace.node_types);
  EXPECT_EQ(back->minimised_from, 9U);
}

TEST(Trace, NamesTheScenarioUnderWhichItRan) {
  Trace trace = sample::trace();
  EXPECT_EQ(to_json(trace).find("\n  \"scenario\""), std::string::npos);
  trace.scenario = "late-vote";
  const Result<Trace> back = trace_from_json(to_json(trace));
  ASSERT_TRUE(back) << back.error().message;
  EXPECT_EQ(back->scenario, "late-vote");
}

TEST(Trace, EveryKindOfPayloadKeepsItsLooks) {
  using value::Tree;
  Tree map = Tree::of(Tree::Kind::kMap);
  map.items = {Tree::number(1), Tree::string("one"), Tree::number(2), Tree()};
  Tree set = Tree::of(Tree::Kind::kSet);
  set.items = {Tree::number(-3), Tree::number_unsigned(std::numeric_limits<uint64_t>::max())};
  Tree tuple = Tree::of(Tree::Kind::kTuple);
  tuple.items = {Tree::boolean(true), Tree::number_real(0.5), map, set};
  Tree list = Tree::of(Tree::Kind::kList);
  list.items = {tuple, Tree::enumerator("kAsk"), Tree::string("\xff\xfe")};
  list.items.push_back(Tree::number_real(std::numeric_limits<double>::infinity()));
  Tree record = Tree::record("Odd");
  record.add("zeta", list);
  record.add("alpha", Tree::of(Tree::Kind::kSet));

  Trace trace = sample::trace();
  trace.steps[0].detail.action.payload = record;
  const Result<Trace> back = trace_from_json(to_json(trace));
  ASSERT_TRUE(back) << back.error().message;
  EXPECT_TRUE(back->steps[0].detail.action.payload == record);
}

TEST(Trace, APayloadOfAnyDepthIsWrittenSoThatItCanBeRead) {
  value::Tree deep = value::Tree::number(1);
  for (int i = 0; i < 3000; ++i) {
    value::Tree outer = value::Tree::of(value::Tree::Kind::kList);
    outer.items.push_back(std::move(deep));
    deep = std::move(outer);
  }
  Trace trace = sample::trace();
  trace.steps[0].detail.action.payload = std::move(deep);
  EXPECT_TRUE(trace_from_json(to_json(trace)));
}

TEST(Trace, IsWrittenInAsciiWhateverTheNames) {
  Trace trace = sample::trace();
  trace.system = "na\xcc\x88me \xff\xc3";
  trace.steps[0].detail.log = {"\xfe", "→"};
  const std::string text = to_json(trace);
  for (const char c : text) EXPECT_LT(static_cast<unsigned char>(c), 0x80U);
  EXPECT_TRUE(trace_from_json(text));
}

TEST(Trace, HasOneStepALine) {
  std::istringstream lines(to_json(sample::trace()));
  std::string line;
  int steps = 0;
  while (std::getline(lines, line)) steps += line.starts_with("    {\"step\":") ? 1 : 0;
  EXPECT_EQ(steps, 4);
}

TEST(Trace, TheDocumentationShowsWhatIsWritten) {
  const std::string document = read_source("docs/reference/trace.md");
  const std::string fence = "```json\n";
  const size_t begin = document.find(fence);
  ASSERT_NE(begin, std::string::npos);
  const size_t end = document.find("```", begin + fence.size());
  EXPECT_EQ(document.substr(begin + fence.size(), end - begin - fence.size()),
            to_json(sample::trace()));
}

TEST(Trace, TheDocumentationNamesEveryField) {
  const std::string document = read_source("docs/reference/trace.md");
  const Json json = Json::parse(to_json(sample::trace()));
  std::function<void(const Json&)> walk = [&](const Json& part) {
    if (!part.is_structured()) return;
    for (const auto& [key, item] : part.items()) {
      if (part.is_object() && key != "bug" && std::isalpha(key[0]) != 0) {
        EXPECT_NE(document.find("`" + key + "`"), std::string::npos) << key;
      }
      if (key != "payload" && key != "parameters") walk(item);
    }
  };
  walk(json);
}

// --- Hostile input -------------------------------------------------------------------------------

TEST(HostileTrace, CutAtEveryByteIsAnErrorAndNoCrash) {
  const std::string text = to_json(sample::trace());
  for (size_t length = 0; length + 2 < text.size(); ++length) {
    const Result<Trace> trace = trace_from_json(std::string_view(text).substr(0, length));
    ASSERT_FALSE(trace) << "cut after " << length;
    EXPECT_FALSE(trace.error().message.empty());
  }
}

TEST(HostileTrace, WithAnyByteChangedNeverCrashes) {
  const std::string text = to_json(sample::trace());
  for (size_t i = 0; i < text.size(); ++i) {
    for (const char c : {'"', '}', '9', '\0', '\xff', '-'}) {
      std::string changed = text;
      changed[i] = c;
      const Result<Trace> trace = trace_from_json(changed);
      EXPECT_TRUE(trace.ok() || !trace.error().message.empty());
    }
  }
}

struct Malformed {
  const char* pointer;   // where in the sample's JSON
  const char* put;       // what to put there; empty: remove it
  const char* expected;  // in the message
};

TEST(HostileTrace, EveryErrorSaysWhereAndWhatWouldBeRight) {
  const std::vector<Malformed> cases = {
      {"/format", "\"other\"", "format: found \"other\"; expected \"ordeal-trace\""},
      {"/format", "", "format: is missing; expected \"ordeal-trace\""},
      {"/format", "7", "format: found 7"},
      {"/version", "2", "version: found 2; this program reads versions up to 1"},
      {"/version", "\"1\"", "version: found \"1\"; expected a whole number"},
      {"/version", "0", "version: found 0"},
      {"/version", "1e300", "version: found 1e+300; expected a whole number"},
      {"/version", "", "version: is missing"},
      {"/system", "3", "system: found 3; expected text"},
      {"/system", "", "system: is missing; expected text"},
      {"/parameters", "[]", "parameters: found []; expected an object"},
      {"/parameters/nodes", "3", "parameters.nodes: found 3; expected text"},
      {"/seed", "-1", "seed: found -1; expected a whole number from 0 to 18446744073709551615"},
      {"/seed", "1e40", "seed: found 1e+40; expected a whole number"},
      {"/initial", "4294967296", "initial: found 4294967296"},
      {"/initial_digest", "\"12\"", "initial_digest: found \"12\"; expected 16 hexadecimal digits"},
      {"/initial_digest", "12", "initial_digest: found 12; expected 16 hexadecimal digits"},
      {"/initially", "3", "initially: found 3; expected an object"},
      {"/nodes", "{}", "nodes: found {}; expected a list"},
      {"/nodes/1", "\"two\"", "nodes[1]: found \"two\"; expected a whole number"},
      {"/node_types", "{\"x\": \"Server\"}", "node_types.x: expected the number of a node"},
      {"/steps", "", "steps: is missing; expected a list"},
      {"/steps", "\"\"", "steps: found \"\"; expected a list"},
      {"/steps/1", "null", "steps[1]: is missing; expected an object"},
      {"/steps/1", "[]", "steps[1]: found []; expected an object"},
      {"/steps/1/step", "3", "steps[1].step: found 3; expected 2, as steps are numbered from 1"},
      {"/steps/1/kind", "\"delivre\"", "(did you mean 'deliver'?)"},
      {"/steps/1/kind", "", "steps[1].kind: is missing"},
      {"/steps/1/node", "\"x\"", "steps[1].node: found \"x\"; expected a whole number"},
      {"/steps/1/node", "-2", "steps[1].node: found -2"},
      {"/steps/1/from", "1.5", "steps[1].from: found 1.5"},
      {"/steps/1/type", "[1]", "steps[1].type: found [1]; expected text"},
      {"/steps/1/payload", "{\"$set\": 3}", "steps[1].payload: expected a list inside $set"},
      {"/steps/1/payload", "{\"$map\": [1]}", "steps[1].payload: expected [key, value]"},
      {"/steps/1/payload", "{\"$bytes\": \"xy\"}", "steps[1].payload: expected pairs of hex"},
      {"/steps/1/payload", "{\"$real\": 1}", "steps[1].payload: expected \"nan\""},
      {"/steps/1/payload/$type", "5", "steps[1].payload: expected a name as $type"},
      {"/steps/1/payload_digest", "\"-000000000000001\"", "steps[1].payload_digest: found"},
      {"/steps/1/choices", "[-1]", "steps[1].choices[0]: found -1"},
      {"/steps/1/choice", "4", "steps[1].choice: found 4; expected less than 4"},
      {"/steps/1/choice", "", "steps[1].choice: is missing"},
      {"/steps/1/causes", "[2]",
       "steps[1].causes[0]: found 2; expected a whole number from 0 to 1"},
      {"/steps/1/changes/0/before", "1", "steps[1].changes[0].before: found 1; expected text"},
      {"/steps/0/sent/1/kind", "\"fly\"", "steps[0].sent[1].kind: found \"fly\"; expected one of"},
      {"/steps/0/sent/1/to", "{}", "steps[0].sent[1].to: found {}"},
      {"/steps/0/history/0/event", "\"x\"", "steps[0].history[0].event: found \"x\"; expected"},
      {"/steps/0/timers", "[[]]", "steps[0].timers[0]: found []; expected text"},
      {"/verdict", "3", "verdict: found 3; expected an object"},
      {"/verdict/step", "5", "verdict.step: found 5; expected a whole number from 0 to 4"},
      {"/verdict/nodes", "[null]", "verdict.nodes[0]: is missing"},
      {"/minimised_from", "true", "minimised_from: found true"},
      {"/scenario", "3", "scenario: found 3; expected text"},
  };
  for (const Malformed& malformed : cases) {
    Json json = Json::parse(to_json(sample::trace()));
    const Json::json_pointer pointer(malformed.pointer);
    if (malformed.put[0] == '\0') {
      json[pointer.parent_pointer()].erase(pointer.back());
    } else {
      json[pointer] = Json::parse(malformed.put);
    }
    const Result<Trace> trace = trace_from_json(json.dump());
    ASSERT_FALSE(trace) << malformed.pointer << " " << malformed.put;
    EXPECT_NE(trace.error().message.find(malformed.expected), std::string::npos)
        << trace.error().message << "\n  lacks\n"
        << malformed.expected;
  }
}

TEST(HostileTrace, OtherThingsThanTracesAreRefusedWithAReason) {
  const auto message = [](std::string_view text) {
    const Result<Trace> trace = trace_from_json(text);
    return trace ? std::string("read") : trace.error().message;
  };
  EXPECT_NE(message("").find("empty"), std::string::npos);
  EXPECT_NE(message(" \n").find("empty"), std::string::npos);
  EXPECT_NE(message("hello").find("this is no JSON: parse error at line 1"), std::string::npos);
  EXPECT_NE(message("[]").find("the file: found []; expected an object"), std::string::npos);
  EXPECT_NE(message("null").find("expected an object"), std::string::npos);
  EXPECT_NE(message("{}").find("format: is missing"), std::string::npos);
  EXPECT_NE(message("\xef\xbb\xbf").find("no JSON"), std::string::npos);
  EXPECT_NE(message("\xff\xfe{\"").find("no JSON"), std::string::npos);
  EXPECT_NE(message(std::string("\0\0\0", 3)).find("no JSON"), std::string::npos);
  EXPECT_NE(message("{\"format\": \"\xff\"}").find("no JSON"), std::string::npos);
}

TEST(HostileTrace, DepthAndWidthAreBounded) {
  const std::string deep(5'000'000, '[');
  const Result<Trace> too_deep = trace_from_json(deep);
  ASSERT_FALSE(too_deep);
  EXPECT_NE(too_deep.error().message.find("nested deeper"), std::string::npos);
  std::string wide = "{";
  for (int i = 0; i < 200000; ++i) wide += "\"" + std::to_string(i) + "\":1,";
  const Result<Trace> too_wide = trace_from_json(wide + "\"x\":1}");
  ASSERT_FALSE(too_wide);
  EXPECT_NE(too_wide.error().message.find("fields"), std::string::npos);
}

TEST(HostileTrace, ErrorsOfFilesNameTheFile) {
  const Result<Trace> none = read_trace("/no/such/trace.json");
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().message, "cannot read /no/such/trace.json: No such file or directory");
  const std::string path = ::testing::TempDir() + "ordeal_broken_trace.json";
  std::ofstream(path) << "{\"format\": 1}";
  const Result<Trace> broken = read_trace(path);
  ASSERT_FALSE(broken);
  EXPECT_EQ(broken.error().message.find(path + ": format: found 1; expected"), 0U);
  std::remove(path.c_str());
  EXPECT_FALSE(write_trace(sample::trace(), "/dev/full"));
}

// --- The short form ------------------------------------------------------------------------------

TEST(ShortForm, NamesTheChoicesAndReadsBack) {
  Trace trace = sample::trace();
  EXPECT_EQ(short_form(trace), "0.1.3.2");
  trace.initial = 7;
  EXPECT_EQ(short_form(trace), "7:0.1.3.2");
  trace.steps.clear();
  EXPECT_EQ(short_form(trace), "7:");
  trace.initial = 0;
  EXPECT_EQ(short_form(trace), "0:");

  const Result<ShortForm> form = parse_short_form("7:0.1.30");
  ASSERT_TRUE(form);
  EXPECT_EQ(form->initial, 7U);
  EXPECT_EQ(form->choices, (std::vector<uint32_t>{0, 1, 30}));
  EXPECT_TRUE(parse_short_form("0:")->choices.empty());
  EXPECT_TRUE(parse_short_form("")->choices.empty());
}

TEST(ShortForm, RefusesWhatItIsNot) {
  for (const char* text : {"x", "1.", ".1", "1..2", ":", ":1", "1:2:3", "-1", "1.-2", "4294967296",
                           "1 2", "1,2", "0x1", "+1", "99999999999999999999", "trace.json"}) {
    const Result<ShortForm> form = parse_short_form(text);
    ASSERT_FALSE(form) << text;
    EXPECT_NE(form.error().message.find("is no short form"), std::string::npos) << text;
  }
}

}  // namespace
}  // namespace ordeal::trace_tests
