// The schema of what is asked and answered: all of it is met, and what differs from it is noticed.
#include "tests/tools/serve/wire.h"

#include <fstream>
#include <functional>
#include <set>
#include <sstream>

#include "tests/tools/serve/served.h"

namespace ordeal::serve {
namespace {

class WireTest : public Served {
 protected:
  Json asked(const Ask& ask) {
    met_.insert(Wire::place_of(ask));
    return good(ask);
  }
  void listen(const std::string& path, const std::string& until) {
    const Ask asked = get(path);
    const std::string place = Wire::place_of(asked);
    met_.insert(place);
    const Answer answer = ask(asked);
    ASSERT_NE(answer.stream, nullptr) << answer.body;
    std::string text;
    while (text.find(until) == text.npos &&
           answer.stream->next(std::chrono::milliseconds(50), text)) {
    }
    for (size_t at = text.find("event: "); at != text.npos; at = text.find("event: ", at + 1)) {
      met_.insert(place + " " + text.substr(at + 7, text.find('\n', at) - at - 7));
    }
  }
  std::string job(const Json& body) {
    const std::string path = "/api/jobs/" + asked(post("/api/jobs", body))["id"].get<std::string>();
    listen(path + "/stream", "event: done");
    asked(get(path));
    return path;
  }
  void ask_about_runs() {
    asked(get("/api/suite"));
    const Json run = asked(post("/api/run", Json{{"address", address("0.0")}}));
    asked(post("/api/here", Json{{"address", address()}}));
    asked(post("/api/step", Json{{"address", address()}, {"choice", 0}}));
    asked(post("/api/replay", Json{{"trace", run["trace"]}, {"parameters", {{"nodes", "2"}}}}));
    asked(post("/api/import", Json{{"text", run["trace"].dump()}, {"format", "trace"}}));
  }
  void ask_about_jobs() {
    const Json options = {{"strategy", "bfs"}, {"keep_going", true}, {"require_coverage", true}};
    job({{"kind", "check"}, {"address", address("", "few")}, {"options", options}});
    const Json scenarios = {{"kind", "scenarios"}, {"names", {"calm"}}};
    const std::string path = job(scenarios);
    asked(get("/api/jobs"));
    asked(post(path + "/stop", "{}"));
  }
  void ask_about_live_runs() {
    // Without a bug, which would end the run before the command arrives where a machine is slow.
    const Json body = {{"system", "ring"},
                       {"parameters", {{"nodes", "2"}}},
                       {"options", {{"unit_ms", 1}, {"latency_ms", {0, 1.5}}}}};
    const std::string path = "/api/live/" + asked(post("/api/live", body))["id"].get<std::string>();
    asked(post(path + "/command", Json{{"text", "drop 1 2"}}));
    asked(get("/api/live"));
    // What node 2 says arrives, and "begun" is reached.
    listen(path + "/stream", "event: note");
    asked(post(path + "/stop", "{}"));
    listen(path + "/stream", "event: over");
    asked(get(path));
  }

  std::set<std::string> met_;
};

TEST_F(WireTest, EverythingThatTheSchemaHasIsAnsweredByTheServer) {
  ask_about_runs();
  ask_about_jobs();
  ask_about_live_runs();
  std::set<std::string> known;
  for (const auto& [place, one] : Wire::get().endpoints().items()) {
    known.insert(place);
    if (!one.contains("events")) continue;
    for (const auto& [event, message] : one["events"].items()) known.insert(place + " " + event);
  }
  EXPECT_EQ(met_, known);
}

TEST_F(WireTest, TheReferenceHasEveryPlaceOfTheSchema) {
  std::stringstream document;
  document << std::ifstream(ORDEAL_SOURCE_DIR "/docs/reference/serve.md").rdbuf();
  for (const auto& [place, one] : Wire::get().endpoints().items()) {
    EXPECT_NE(document.str().find("| `" + place), std::string::npos) << place;
  }
}

TEST_F(WireTest, WhatDiffersFromTheSchemaIsNoticed) {
  const Ask asked = post("/api/here", Json{{"address", address("0")}});
  const Answer right = service_.handle(asked);
  EXPECT_EQ(Wire::get().problem(asked, right), "");
  const auto after = [&](const std::function<void(Json&)>& change) {
    Json json = Json::parse(right.body);
    change(json);
    Answer wrong = right;
    wrong.body = json.dump();
    return Wire::get().problem(asked, wrong);
  };
  EXPECT_EQ(after([](Json& json) { json.erase("terminal"); }), "POST /api/here: : lacks terminal");
  EXPECT_EQ(after([](Json& json) { json["new"] = 1; }),
            "POST /api/here: new: is not in the schema");
  EXPECT_EQ(after([](Json& json) { json["actions"][0]["choice"] = "0"; }),
            "POST /api/here: actions[0].choice: is no integer");
  Ask odd = asked;
  odd.body = R"({"address": {"system": "ring", "shrot": "0"}})";
  EXPECT_EQ(Wire::get().problem(odd, right),
            "POST /api/here, asked: address.shrot: is not in the schema");
  EXPECT_EQ(Wire::get().problem(get("/api/nowhere"), right),
            "GET /api/nowhere: is not in the schema");
  EXPECT_EQ(Wire::get().problem("GET /api/live/ID/stream", "over", "{}"),
            "GET /api/live/ID/stream, event over: : lacks why");
  EXPECT_EQ(Wire::get().problem("GET /api/live/ID/stream", "end", "{}"),
            "GET /api/live/ID/stream: event end is not in the schema");
  // Traces are held against their own schema, wherever they stand.
  const Ask run = post("/api/run", Json{{"address", address("0")}});
  Answer answer = service_.handle(run);
  Json json = Json::parse(answer.body);
  json["trace"]["steps"][0]["kind"] = 7;
  answer.body = json.dump();
  EXPECT_EQ(Wire::get().problem(run, answer), "POST /api/run: trace.steps[0].kind: is no string");
}

}  // namespace
}  // namespace ordeal::serve
