// The service without sockets: the page, the suite, runs, steps, replays; good requests and bad
// ones.
#include <gtest/gtest.h>

#include <thread>
#include <vector>

#include "ordeal/check.h"
#include "tests/tools/serve/served.h"

namespace ordeal::serve {
namespace {

using Runs = Served;

TEST_F(Runs, ThePageIsTheOnlyThingServedBesidesTheInterface) {
  const Answer page = ask(get("/"));
  EXPECT_EQ(page.status, 200);
  EXPECT_EQ(page.type, "text/html; charset=utf-8");
  EXPECT_NE(page.body.find("<html"), std::string::npos);
  for (const char* path :
       {"/index.html", "/favicon.ico", "/etc/passwd", "/../../etc/passwd", "/./", "//", "/api",
        "/api/", "/api//suite", "/api/suite/", "/api/suite/x", "/api/run", "/api/jobs/../suite",
        "/api/jobs/7", "/api/jobs/7/stream", "api/suite", "", "/API/suite"}) {
    bad(404, get(path));
  }
  bad(404, post("/", "{}"));
  bad(404, post("/api/suite", "{}"));
  bad(404, post("/api/jobs/7/stop", "{}"));
}

TEST_F(Runs, EveryAnswerIsKeptFromOtherSitesAndFromCaches) {
  for (const Ask& asked : {get("/"), get("/api/suite"), get("/nowhere"), post("/api/run", "{}"),
                           Ask{"GET", "/", {}, {{"host", "evil.example"}}, ""}}) {
    const Answer answer = ask(asked);
    EXPECT_EQ(answer.headers.at("X-Content-Type-Options"), "nosniff");
    EXPECT_EQ(answer.headers.at("Referrer-Policy"), "no-referrer");
    EXPECT_EQ(answer.headers.at("X-Frame-Options"), "DENY");
    EXPECT_EQ(answer.headers.at("Cache-Control"), "no-store");
    EXPECT_FALSE(answer.headers.contains("Access-Control-Allow-Origin"));
    const std::string& policy = answer.headers.at("Content-Security-Policy");
    EXPECT_NE(policy.find("default-src 'none'"), std::string::npos) << policy;
    EXPECT_NE(policy.find("frame-ancestors 'none'"), std::string::npos) << policy;
    EXPECT_EQ(policy.find("script-src 'unsafe"), std::string::npos) << policy;
  }
}

TEST_F(Runs, AHostileTraceInThePageIsDataOnly) {
  Options options;
  options.system = "</script><script>alert(1)</script>";
  options.states = true;
  Result<Trace> trace = record(ring(2, false, false), {}, options);
  ASSERT_TRUE(trace.ok());
  const Service service(
      suite(), door(),
      {.title = "<img src=x onerror=alert(1)>", .runs = {{"<script>alert(2)</script>", *trace}}});
  const std::string page = const_cast<Service&>(service).handle(get("/")).body;
  EXPECT_EQ(page.find("<script>alert"), std::string::npos);
  EXPECT_EQ(page.find("</script><script>alert"), std::string::npos);
  EXPECT_EQ(page.find("<img src=x"), std::string::npos);
}

TEST_F(Runs, TheSuiteTellsAllThatCanBeAskedFor) {
  const Json json = good(get("/api/suite"));
  EXPECT_EQ(json["version"], "9.9");
  EXPECT_EQ(json["subjects"][0]["name"], "ring");
  EXPECT_EQ(json["subjects"][0]["parameters"][0]["default"], "2");
  EXPECT_EQ(json["subjects"][0]["bugs"][0]["name"], "few");
  EXPECT_EQ(json["scenarios"][0]["what"], "nothing special");
  EXPECT_EQ(json["scenarios"][0]["catches"], "few");
  EXPECT_EQ(json["strategies"].size(), strategies().size());
}

TEST_F(Runs, ARunComesWithItsStatesAndWhatIsPossibleAtItsEnd) {
  const Json json = good(post("/api/run", Json{{"address", address("0.0")}}));
  EXPECT_EQ(json["trace"]["steps"].size(), 2U);
  EXPECT_EQ(json["trace"]["short"], "0.0");
  EXPECT_TRUE(json["trace"]["initially"].contains("parts"));
  EXPECT_TRUE(json["trace"]["steps"][0].contains("parts"));
  EXPECT_EQ(json["here"], good(post("/api/here", Json{{"address", address("0.0")}})));
  // It is the trace that the engine records by itself.
  Options options;
  options.system = "ring";
  options.parameters = {{"nodes", "2"}};
  options.strategy = "explore";
  options.states = true;
  const Result<Trace> alone = record(ring(2, false, false), {0, {0, 0}}, options);
  ASSERT_TRUE(alone.ok());
  EXPECT_EQ(json["trace"], Json::parse(ordeal::to_json(*alone)));
}

TEST_F(Runs, SteppingTellsTheSameAsTheWholeRun) {
  std::string way;
  for (int i = 0; i < 4; ++i) {
    const Json step = good(post("/api/step", Json{{"address", address(way)}, {"choice", 0}}));
    way = step["short"];
    const Json run = good(post("/api/run", Json{{"address", address(way)}}));
    EXPECT_EQ(step["step"], run["trace"]["steps"].back());
    EXPECT_EQ(step["verdict"], run["trace"]["verdict"]);
    EXPECT_EQ(step["here"], run["here"]);
  }
  EXPECT_EQ(way, "0.0.0.0");
}

TEST_F(Runs, EveryWayLeadsToTheSameWhateverWasAskedBefore) {
  // Back and forth, to other branches, to other subjects: the walks that are kept show in nothing.
  const std::vector<std::string> ways = {
      "0.0.1", "0.0", "0.1.0.1", "0:", "0.0.1.0", "1.1", "0.1.0.0"};
  std::vector<Json> first;
  for (const std::string& way : ways) {
    Service fresh(suite(), door(), {});
    first.push_back(
        Json::parse(fresh.handle(post("/api/run", Json{{"address", address(way)}})).body));
  }
  for (int round = 0; round < 3; ++round) {
    for (size_t i = 0; i < ways.size(); ++i) {
      const size_t at = round == 1 ? ways.size() - 1 - i : i;
      good(post("/api/here", Json{{"address", address(ways[at], "few", 3)}}));
      EXPECT_EQ(good(post("/api/run", Json{{"address", address(ways[at])}})), first[at]) << at;
    }
  }
}

TEST_F(Runs, TwoClientsStepAtOnceAndDoNotDisturbEachOther) {
  const auto walk = [&](uint32_t choice) {
    std::string way;
    for (int i = 0; i < 30; ++i) {
      const Json here = good(post("/api/here", Json{{"address", address(way, "", 3)}}));
      if (here["actions"].empty()) break;
      const uint32_t taken = choice % static_cast<uint32_t>(here["actions"].size());
      const Json step =
          good(post("/api/step", Json{{"address", address(way, "", 3)}, {"choice", taken}}));
      EXPECT_EQ(step["step"]["kind"], here["actions"][taken]["kind"]);
      way = step["short"];
    }
    return way;
  };
  std::vector<std::string> ways(4);
  std::vector<std::thread> clients;
  for (uint32_t i = 0; i < ways.size(); ++i) {
    clients.emplace_back([&, i] { ways[i] = walk(i % 2); });
  }
  for (std::thread& client : clients) client.join();
  EXPECT_EQ(ways[0], ways[2]);
  EXPECT_EQ(ways[1], ways[3]);
  EXPECT_NE(ways[0], ways[1]);
  EXPECT_EQ(ways[0], walk(0));
}

TEST_F(Runs, AViolationIsToldWhereItShows) {
  // Answers come back to node 1 until it has seen two.
  std::string way;
  Json step;
  do {
    const Json here = good(post("/api/here", Json{{"address", address(way, "few")}}));
    int choice = -1;
    for (const Json& action : here["actions"]) {
      if (action["node"] == 1) choice = action["choice"];
    }
    step = good(
        post("/api/step", Json{{"address", address(way, "few")}, {"choice", std::max(choice, 0)}}));
    way = step["short"];
  } while (step["verdict"].is_null());
  EXPECT_EQ(step["verdict"]["property"], "few");
  EXPECT_EQ(step["verdict"]["why"], "it has seen <b>two</b>");
  EXPECT_EQ(step["verdict"]["nodes"], Json::parse("[1]"));
  const Json here = good(post("/api/here", Json{{"address", address(way, "few")}}));
  EXPECT_TRUE(here["verdicts"][1]["violated"]);
  EXPECT_TRUE(here["verdicts"][2]["reached"]);
}

TEST_F(Runs, AHandlerThatFailsEndsTheRunAndNotTheServer) {
  const Json run = good(post("/api/run", Json{{"address", address("0.0", "fails")}}));
  EXPECT_FALSE(run["here"]["terminal"] == false && run["here"]["failure"] != "");
  std::string way;
  Json step;
  do {
    step = good(post("/api/step", Json{{"address", address(way, "fails")}, {"choice", 0}}));
    way = step["short"];
  } while (step["here"]["failure"] == "" && !step["here"]["actions"].empty());
  EXPECT_NE(step["here"]["failure"].get<std::string>().find("two <script>"), std::string::npos);
  EXPECT_EQ(step["verdict"]["kind"], "failure");
  const std::string message =
      bad(400, post("/api/step", Json{{"address", address(way, "fails")}, {"choice", 0}}));
  EXPECT_NE(message.find("the run is over"), std::string::npos) << message;
}

TEST_F(Runs, UnderAScenarioAndWithFreeFaults) {
  Json calm = address("0");
  calm["scenario"] = "calm";
  EXPECT_EQ(good(post("/api/run", Json{{"address", calm}}))["trace"]["scenario"], "calm");
  Json free = address();
  free["free_faults"] = true;
  const Json run = good(post("/api/run", Json{{"address", free}}));
  EXPECT_EQ(run["trace"]["free_faults"], true);
  bool crash = false;
  for (const Json& action : run["here"]["actions"]) crash = crash || action["kind"] == "crash";
  EXPECT_TRUE(crash);
}

TEST_F(Runs, WhatMakesNoSenseIsRefusedByTheNameOfTheField) {
  const auto refused = [&](const char* path, const Json& body) {
    return bad(400, post(path, body));
  };
  const auto run = [&](const char* field, const Json& value) {
    Json one = address();
    one[field] = value;
    return refused("/api/run", Json{{"address", one}});
  };
  EXPECT_EQ(refused("/api/run", Json::object()).find("address: is missing"), 0U);
  EXPECT_EQ(refused("/api/run", Json{{"address", 7}}).find("address: found 7; expected"), 0U);
  EXPECT_EQ(run("system", 1).find("address.system: found 1; expected text"), 0U);
  EXPECT_EQ(run("system", "rong").find("address.system: there is no subject 'rong' (did you mean"),
            0U);
  EXPECT_EQ(run("parameters", Json::array()).find("address.parameters: found []"), 0U);
  EXPECT_EQ(run("parameters", {{"nodes", 2}}).find("address.parameters.nodes: found 2"), 0U);
  EXPECT_NE(run("parameters", {{"nodes", "99"}}).find("give a whole number from 2 to 6"),
            std::string::npos);
  EXPECT_NE(run("parameters", {{"bug", "nope"}}).find("nope"), std::string::npos);
  EXPECT_EQ(run("scenario", "nope").find("address.scenario: there is no scenario"), 0U);
  EXPECT_EQ(run("free_faults", 1).find("address.free_faults: found 1; expected true or false"), 0U);
  EXPECT_EQ(run("short", "x").find("address.short: 'x' is no short form"), 0U);
  EXPECT_EQ(run("short", "0.99").find("address.short: step 2: there is no action 99"), 0U);
  EXPECT_EQ(run("short", "7:0").find("address.short: there is no initial state 7"), 0U);
  EXPECT_EQ(refused("/api/step", Json{{"address", address()}}).find("choice: is missing"), 0U);
  EXPECT_EQ(refused("/api/step", Json{{"address", address()}, {"choice", -1}}).find("choice:"), 0U);
  EXPECT_EQ(refused("/api/step", Json{{"address", address()}, {"choice", 99}})
                .find("choice: there is no action 99"),
            0U);
}

TEST_F(Runs, BodiesThatAreNoRequestsAreRefused) {
  for (const std::string& body :
       {std::string(), std::string("x"), std::string("[]"), std::string("null"), std::string("{"),
        std::string("\"\xff\""), std::string(100'000, '['), std::string(3, '\0'),
        std::string("{\"address\":") + std::string(500, '[') + std::string(500, ']') + "}"}) {
    EXPECT_FALSE(bad(400, post("/api/run", body)).empty());
  }
}

TEST_F(Runs, AReplayFollowsATraceAndSaysWhereItCannot) {
  Json run = good(post("/api/run", Json{{"address", address("0.0.0")}}));
  Json replayed = good(post("/api/replay", Json{{"trace", run["trace"]}}));
  EXPECT_EQ(replayed["reproduced"], true);
  EXPECT_EQ(replayed["diverged_at"], 0);
  EXPECT_EQ(replayed["trace"], run["trace"]);
  // On another form of the program, the way ends where the program differs.
  replayed =
      good(post("/api/replay", Json{{"trace", run["trace"]}, {"parameters", {{"nodes", "3"}}}}));
  EXPECT_EQ(replayed["reproduced"], false);
  EXPECT_EQ(replayed["diverged_at"], 1);
  EXPECT_NE(replayed["why"], "");
  EXPECT_EQ(replayed["trace"]["steps"].size(), 0U);
}

TEST_F(Runs, AReplayWithoutTheBugShowsWhatChanged) {
  const Json broken = good(post("/api/run", Json{{"address", address("0.0.0", "few")}}));
  const Json fixed = good(
      post("/api/replay", Json{{"trace", broken["trace"]}, {"parameters", {{"bug", "none"}}}}));
  EXPECT_EQ(fixed["trace"]["parameters"].contains("bug"), false);
  EXPECT_EQ(fixed["trace"]["verdict"], nullptr);
}

TEST_F(Runs, TracesThatCannotBeReplayedAreRefused) {
  const Json run = good(post("/api/run", Json{{"address", address("0")}}));
  const auto refused = [&](const char* field, const Json& value) {
    Json trace = run["trace"];
    trace[field] = value;
    return bad(400, post("/api/replay", Json{{"trace", trace}}));
  };
  EXPECT_EQ(bad(400, post("/api/replay", "{}")).find("trace: is missing"), 0U);
  EXPECT_EQ(refused("version", 99).find("trace: version"), 0U);
  EXPECT_EQ(refused("steps", 7).find("trace: steps: found 7"), 0U);
  EXPECT_EQ(refused("source", "shiviz").find("trace.source: "), 0U);
  EXPECT_NE(refused("system", "nobody").find("there is no subject"), std::string::npos);
}

TEST_F(Runs, TracesOfFilesGetTheirStates) {
  Options options;
  options.system = "ring";
  options.parameters = {{"nodes", "2"}};
  const Result<Trace> plain = record(ring(2, false, false), {0, {0, 1}}, options);
  ASSERT_TRUE(plain.ok());
  const Trace full = with_states(suite(), *plain);
  EXPECT_FALSE(full.initial_parts.empty());
  EXPECT_FALSE(full.steps[0].parts.empty());
  EXPECT_EQ(ordeal::to_json(without_states(full)), ordeal::to_json(*plain));
  // What does not do the same again stays as it is.
  Trace other = *plain;
  other.steps[1].digest ^= 1;
  EXPECT_TRUE(with_states(suite(), other).initial_parts.empty());
  other.system = "nobody";
  EXPECT_TRUE(with_states(suite(), other).initial_parts.empty());
}

}  // namespace
}  // namespace ordeal::serve
