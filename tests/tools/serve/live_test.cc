// Nodes in real time, from the side of whoever asks: how they are started, watched and told what to
// do.
#include <gtest/gtest.h>

#include <chrono>
#include <string>

#include "tests/tools/serve/served.h"

namespace ordeal::serve {
namespace {

class LiveTest : public Served {
 protected:
  static Json ring_live(const Json& options = {{"unit_ms", 1}, {"latency_ms", {0, 1}}}) {
    return {{"system", "ring"}, {"parameters", {{"nodes", "2"}}}, {"options", options}};
  }
  std::string start(const Json& body = ring_live()) {
    return good(post("/api/live", body)).value("id", "");
  }
  std::string all_events(const std::string& id, const std::string& from = "") {
    Ask asked = get("/api/live/" + id + "/stream");
    if (!from.empty()) asked.query["from"] = from;
    const Answer answer = ask(asked);
    EXPECT_NE(answer.stream, nullptr) << answer.body;
    std::string text;
    while (answer.stream->next(std::chrono::milliseconds(50), text)) {
    }
    return text;
  }
  std::string command(const std::string& id, const std::string& text) {
    return good(post("/api/live/" + id + "/command", Json{{"text", text}}))["says"];
  }
  // Until the recording has so many steps.
  Json wait_for_steps(const std::string& id, size_t steps) {
    const Answer answer = ask(get("/api/live/" + id + "/stream"));
    std::string text;
    while (text.find("\"step\":" + std::to_string(steps) + ",") == text.npos &&
           answer.stream->next(std::chrono::milliseconds(50), text)) {
    }
    return good(get("/api/live/" + id));
  }
};

TEST_F(LiveTest, NodesRunAndTheRecordingReplays) {
  const std::string id = start();
  // Two nodes greet each other and answer twice: six messages.
  const Json running = wait_for_steps(id, 6);
  EXPECT_EQ(running["trace"]["steps"].size(), 6U);
  EXPECT_EQ(running["trace"]["free_faults"], true);
  EXPECT_TRUE(running["trace"]["initially"].contains("parts"));
  EXPECT_EQ(running["status"]["nodes"].size(), 2U);
  EXPECT_EQ(running["status"]["nodes"][0]["up"], true);
  good(post("/api/live/" + id + "/stop", "{}"));
  const Json over = good(get("/api/live/" + id));
  EXPECT_EQ(over["status"]["running"], false);
  const Json replayed = good(post("/api/replay", Json{{"trace", over["trace"]}}));
  EXPECT_EQ(replayed["reproduced"], true) << replayed["why"];
}

TEST_F(LiveTest, TheStreamTellsStepsFromWhereOneIsAndEnds) {
  const std::string id = start();
  wait_for_steps(id, 6);
  good(post("/api/live/" + id + "/stop", "{}"));
  const std::string all = all_events(id);
  for (int step = 1; step <= 6; ++step) {
    EXPECT_NE(all.find("event: step\ndata: {\"step\":" + std::to_string(step) + ","), all.npos);
  }
  EXPECT_NE(all.find("event: status\n"), all.npos);
  EXPECT_NE(all.find("event: over\ndata: {\"why\":"), all.npos);
  const std::string rest = all_events(id, "4");
  EXPECT_EQ(rest.find("{\"step\":4,"), rest.npos);
  EXPECT_NE(rest.find("{\"step\":5,"), rest.npos);
}

TEST_F(LiveTest, CommandsAreObeyedOrRefused) {
  const std::string id = start();
  wait_for_steps(id, 6);
  EXPECT_NE(command(id, "crash 2"), "");
  const Json crashed = wait_for_steps(id, 7);
  EXPECT_EQ(crashed["trace"]["steps"][6]["kind"], "crash");
  EXPECT_EQ(crashed["status"]["nodes"][1]["up"], false);
  command(id, "drop 1 2");
  EXPECT_EQ(good(get("/api/live/" + id))["status"]["links"][0]["drop"], true);
  const auto refused = [&](const Json& body) {
    return bad(400, post("/api/live/" + id + "/command", body));
  };
  EXPECT_EQ(refused({{"text", "fly 2"}}).find("text: "), 0U);
  EXPECT_EQ(refused({{"text", "crash 99"}}).find("text: "), 0U);
  EXPECT_EQ(refused({{"text", ""}}).find("text: "), 0U);
  EXPECT_EQ(refused(Json::object()).find("text: is missing"), 0U);
}

TEST_F(LiveTest, WhatMakesNoSenseIsRefusedByTheNameOfTheField) {
  const auto refused = [&](const Json& body) { return bad(400, post("/api/live", body)); };
  EXPECT_EQ(refused(Json::object()).find("system: is missing"), 0U);
  EXPECT_NE(refused({{"system", "nobody"}}).find("there is no subject"), std::string::npos);
  EXPECT_EQ(refused(ring_live({{"unit_ms", "x"}})).find("options.unit_ms: found"), 0U);
  EXPECT_EQ(refused(ring_live({{"unit_ms", -1}})).find("options.unit_ms: found -1"), 0U);
  EXPECT_NE(refused(ring_live({{"unit_ms", 0}})), "");
  EXPECT_EQ(refused(ring_live({{"latency_ms", {5}}})).find("options.latency_ms: "), 0U);
  EXPECT_EQ(refused(ring_live({{"latency_ms", {5, 1}}})).find("options.latency_ms: "), 0U);
  EXPECT_EQ(refused(ring_live({{"latency_ms", 5}})).find("options.latency_ms: "), 0U);
  EXPECT_EQ(refused(ring_live({{"seed", "x"}})).find("options.seed: "), 0U);
  bad(404, get("/api/live/7"));
  bad(404, get("/api/live/7/stream"));
  bad(404, post("/api/live/7/stop", "{}"));
  bad(404, post("/api/live/7/command", "{}"));
  const std::string id = start();
  Ask stream = get("/api/live/" + id + "/stream");
  for (const char* from : {"x", "-1", "", "1x", "99999999999"}) {
    stream.query["from"] = from;
    EXPECT_EQ(bad(400, stream).find("from: found"), 0U) << from;
  }
}

TEST_F(LiveTest, OnlySoManyRunAtOnceAndOnlySoManyAreKept) {
  for (int i = 0; i < 4; ++i) start();
  EXPECT_NE(bad(429, post("/api/live", ring_live())).find("too many live runs"), std::string::npos);
  const Json before = good(get("/api/live"))["live"];
  EXPECT_EQ(before.size(), 4U);
  EXPECT_EQ(before[0]["id"], "4") << "the newest first";
  for (const Json& live : before) {
    good(post("/api/live/" + live["id"].get<std::string>() + "/stop", "{}"));
  }
  for (int i = 0; i < 12; ++i) good(post("/api/live/" + start() + "/stop", "{}"));
  EXPECT_EQ(good(get("/api/live"))["live"].size(), 10U);
  bad(404, get("/api/live/1"));
}

TEST_F(LiveTest, TheServiceEndsWhatIsRunning) {
  std::shared_ptr<Stream> stream;
  {
    Service service(suite(), door(), {});
    ASSERT_EQ(service.handle(post("/api/live", ring_live())).status, 200);
    stream = service.handle(get("/api/live/1/stream")).stream;
  }
  std::string text;
  while (stream->next(std::chrono::milliseconds(50), text)) {
  }
  EXPECT_NE(text.find("event: over\ndata: {\"why\":\"the server was stopped\"}"), text.npos);
}

}  // namespace
}  // namespace ordeal::serve
