// Checks and scenarios in the background: how they are asked for, watched and stopped.
#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <thread>
#include <vector>

#include "tests/tools/serve/served.h"

namespace ordeal::serve {
namespace {

struct Event {
  std::string name;
  Json data;
};

class JobTest : public Served {
 protected:
  std::string start(const Json& body) {
    const Json json = good(post("/api/jobs", body));
    return json.value("id", "");
  }
  Json check(const std::string& bug, const Json& options = Json::object(), int nodes = 2) {
    return {{"kind", "check"}, {"address", address("", bug, nodes)}, {"options", options}};
  }
  // A search that goes on until it is stopped.
  Json endless() { return check("", {{"strategy", "random"}, {"max_runs", 1'000'000'000}}, 6); }
  std::vector<Event> all_events(const std::string& id) {
    const Answer answer = ask(get("/api/jobs/" + id + "/stream"));
    EXPECT_EQ(answer.type, "text/event-stream");
    std::string text;
    EXPECT_NE(answer.stream, nullptr);
    while (answer.stream->next(std::chrono::milliseconds(100), text)) {
    }
    return events_of(text);
  }
  static std::vector<Event> events_of(const std::string& text) {
    std::vector<Event> events;
    size_t at = 0;
    while (at < text.size()) {
      const size_t end = text.find("\n\n", at);
      const std::string one = text.substr(at, end - at);
      const size_t line_end = one.find('\n');
      EXPECT_EQ(one.find("event: "), 0U) << one;
      EXPECT_EQ(one.compare(line_end + 1, 6, "data: "), 0) << one;
      EXPECT_EQ(one.find('\n', line_end + 1), std::string::npos) << "data is one line";
      events.push_back({one.substr(7, line_end - 7), Json::parse(one.substr(line_end + 7))});
      at = end + 2;
    }
    return events;
  }
  Json over(const std::string& id) {
    all_events(id);
    return good(get("/api/jobs/" + id));
  }
};

TEST_F(JobTest, NoRunBeginsAfterSoManyStepsOfAll) {
  const Json job = over(start(check("", {{"strategy", "random"}, {"max_steps", 50}}, 3)));
  EXPECT_EQ(job["report"]["bounds"], Json::array({"50 steps"}));
  EXPECT_GE(job["report"]["transitions"], 50);
}

TEST_F(JobTest, CoverageIsRequiredWhereItIsAskedFor) {
  const Json idle = {{"kind", "check"}, {"address", {{"system", "idle"}}}};
  EXPECT_EQ(over(start(idle))["report"]["verdict"], "holds");
  Json required = idle;
  required["options"] = {{"require_coverage", true}};
  const Json job = over(start(required));
  EXPECT_EQ(job["report"]["verdict"], "violated") << job;
  EXPECT_EQ(job["findings"].size(), 1U) << job;
}

TEST_F(JobTest, ACheckThatFindsSomethingTellsWhereAndWhy) {
  const std::string id = start(check("few", {{"strategy", "bfs"}}));
  const Json job = over(id);
  EXPECT_EQ(job["id"], id);
  EXPECT_EQ(job["kind"], "check");
  EXPECT_EQ(job["state"], "done");
  EXPECT_NE(job["what"].get<std::string>().find("ring"), std::string::npos);
  ASSERT_EQ(job["findings"].size(), 1U);
  const Json& finding = job["findings"][0];
  EXPECT_EQ(finding["property"], "few");
  EXPECT_EQ(finding["kind"], "always");
  EXPECT_EQ(finding["why"], "it has seen <b>two</b>");
  EXPECT_EQ(job["report"]["verdict"], "violated");
  EXPECT_EQ(job["runs"][0]["role"], "violation");
  EXPECT_TRUE(job["runs"][0]["trace"]["initially"].contains("parts"));
  EXPECT_FALSE(job["report"]["violations"][0]["trace"]["initially"].contains("parts"));
  EXPECT_EQ(job["progress"].back()["violations"], 1);
  // The list leaves the runs out: there may be many.
  Json listed = job;
  listed.erase("runs");
  EXPECT_EQ(good(get("/api/jobs"))["jobs"][0], listed);
  // The address leads to the violation.
  const Json run = good(post("/api/run", Json{{"address", finding["address"]}}));
  EXPECT_EQ(run["trace"]["verdict"]["property"], "few");
}

TEST_F(JobTest, ARunAsItWasFoundIsKeptBesideTheMinimisedOne) {
  const Json job = over(start(check("few", {{"strategy", "random"}, {"seed", 3}}, 3)));
  ASSERT_EQ(job["runs"].size(), 2U);
  EXPECT_EQ(job["runs"][1]["role"], "original");
  EXPECT_GT(job["runs"][1]["trace"]["steps"].size(), job["runs"][0]["trace"]["steps"].size());
}

TEST_F(JobTest, ACleanCheckSaysWhatItReached) {
  const Json job = over(start(check("")));
  EXPECT_EQ(job["state"], "done");
  EXPECT_EQ(job["findings"], Json::array());
  ASSERT_EQ(job["reached"].size(), 1U);
  EXPECT_EQ(job["reached"][0]["property"], "begun");
  EXPECT_EQ(job["report"]["verdict"], "holds");
}

TEST_F(JobTest, AShortFormGuidesTheSearch) {
  const Json job = over(start(
      {{"kind", "check"}, {"address", address("0.0", "few")}, {"options", {{"strategy", "bfs"}}}}));
  const std::string found = job["findings"][0]["address"]["short"];
  EXPECT_EQ(found.find("0.0"), 0U) << found;
}

TEST_F(JobTest, AStreamTellsEverythingInOrderAndEnds) {
  const std::string id = start(check("few", {{"keep_going", true}, {"strategy", "bfs"}}));
  for (int again = 0; again < 2; ++again) {
    const std::vector<Event> events = all_events(id);
    ASSERT_GE(events.size(), 3U);
    EXPECT_EQ(events.back().name, "done");
    EXPECT_EQ(events.back().data["state"], "done");
    EXPECT_FALSE(events.back().data.contains("progress"));
    double before = -1;
    size_t findings = 0;
    for (const Event& event : events) {
      if (event.name == "finding") ++findings;
      if (event.name != "progress") continue;
      EXPECT_GT(event.data["seconds"], before);
      before = event.data["seconds"];
    }
    EXPECT_EQ(findings, 1U);
    EXPECT_GT(before, -1);
  }
}

TEST_F(JobTest, AJobThatIsStoppedReportsWhatItHas) {
  const std::string id = start(endless());
  EXPECT_EQ(good(get("/api/jobs/" + id))["state"], "running");
  good(post("/api/jobs/" + id + "/stop", "{}"));
  const Json job = over(id);
  EXPECT_EQ(job["state"], "stopped");
  EXPECT_EQ(job["report"]["verdict"], "undecided");
  EXPECT_EQ(job["report"]["bounds"][0], "interrupted");
}

TEST_F(JobTest, WhileAJobRunsOthersAreAnsweredAndTheProgressGrows) {
  const std::string id = start(endless());
  const Answer answer = ask(get("/api/jobs/" + id + "/stream"));
  std::string text;
  while (events_of(text).size() < 2) {
    ASSERT_TRUE(answer.stream->next(std::chrono::milliseconds(100), text));
    good(post("/api/here", Json{{"address", address()}}));
  }
  const std::vector<Event> events = events_of(text);
  EXPECT_EQ(events[0].name, "progress");
  EXPECT_GT(events[0].data["states"], 0);
  good(post("/api/jobs/" + id + "/stop", "{}"));
  EXPECT_EQ(over(id)["state"], "stopped");
}

TEST_F(JobTest, OnlySoManyRunAtOnceAndOnlySoManyAreKept) {
  std::vector<std::string> ids;
  for (int i = 0; i < 4; ++i) ids.push_back(start(endless()));
  EXPECT_NE(bad(429, post("/api/jobs", endless())).find("too many jobs"), std::string::npos);
  EXPECT_EQ(good(get("/api/jobs"))["jobs"].size(), 4U);
  EXPECT_EQ(good(get("/api/jobs"))["jobs"][0]["id"], ids[3]) << "the newest first";
  for (const std::string& id : ids) good(post("/api/jobs/" + id + "/stop", "{}"));
  for (const std::string& id : ids) over(id);
  std::string last;
  for (int i = 0; i < 30; ++i) {
    last = start(check("", {{"max_states", 10}}));
    over(last);
  }
  EXPECT_EQ(good(get("/api/jobs"))["jobs"].size(), 20U);
  EXPECT_EQ(good(get("/api/jobs"))["jobs"][0]["id"], last);
  bad(404, get("/api/jobs/" + ids[0]));
}

TEST_F(JobTest, TheServiceEndsWhatIsRunning) {
  std::shared_ptr<Stream> stream;
  {
    Service service(suite(), door(), {});
    const Answer started = service.handle(post("/api/jobs", endless()));
    ASSERT_EQ(started.status, 200);
    stream = service.handle(get("/api/jobs/1/stream")).stream;
  }
  std::string text;
  while (stream->next(std::chrono::milliseconds(100), text)) {
  }
  EXPECT_EQ(events_of(text).back().data["state"], "stopped");
}

TEST_F(JobTest, ScenariosRunOneByOneAndTellTheirOutcome) {
  const std::string id = start({{"kind", "scenarios"}, {"names", {"all"}}});
  const std::vector<Event> events = all_events(id);
  EXPECT_EQ(events.back().name, "done");
  const Json job = good(get("/api/jobs/" + id));
  EXPECT_EQ(job["state"], "done");
  ASSERT_EQ(job["scenarios"].size(), 1U);
  EXPECT_EQ(job["scenarios"][0]["name"], "calm");
  EXPECT_EQ(job["scenarios"][0]["verdict"], "holds");
  EXPECT_EQ(job["progress"][0]["total"], 1);
  EXPECT_EQ(job["progress"].back()["done"], 1);
  EXPECT_EQ(job["report"]["scenarios"].size(), 1U);
}

TEST_F(JobTest, AScenarioThatFailsLeadsToItsRun) {
  const Json job = over(start({{"kind", "scenarios"},
                               {"names", {"calm"}},
                               {"options", {{"bug", "few"}, {"iterations", 3}, {"seed", 1}}}}));
  EXPECT_EQ(job["scenarios"][0]["verdict"], "violated");
  const Json violation = job["scenarios"][0]["violations"][0];
  EXPECT_EQ(violation["address"]["scenario"], "calm");
  const Json run = good(post("/api/run", Json{{"address", violation["address"]}}));
  EXPECT_EQ(run["trace"]["verdict"]["property"], "few");
  EXPECT_EQ(job["findings"][0]["scenario"], "calm");
  EXPECT_FALSE(job["runs"].empty());
}

TEST_F(JobTest, WhatMakesNoSenseIsRefusedAtOnce) {
  const auto refused = [&](const Json& body) { return bad(400, post("/api/jobs", body)); };
  const auto option = [&](const char* name, const Json& value) {
    return refused(check("", {{name, value}}));
  };
  EXPECT_EQ(refused(Json::object()).find("kind: is missing"), 0U);
  EXPECT_EQ(refused({{"kind", "x"}}).find("kind: found \"x\"; expected \"check\""), 0U);
  EXPECT_EQ(refused({{"kind", "check"}}).find("address: is missing"), 0U);
  EXPECT_EQ(option("strategy", "nope").find("options: unknown strategy"), 0U);
  EXPECT_EQ(option("strategy", 7).find("options.strategy: found 7"), 0U);
  EXPECT_EQ(option("seed", -1).find("options.seed: found -1"), 0U);
  EXPECT_EQ(option("seed", 1.5).find("options.seed: found 1.5"), 0U);
  EXPECT_EQ(option("max_depth", 5'000'000'000).find("options.max_depth: found"), 0U);
  EXPECT_EQ(option("max_seconds", "x").find("options.max_seconds: found \"x\""), 0U);
  EXPECT_EQ(option("max_seconds", -1).find("options.max_seconds: found -1"), 0U);
  EXPECT_EQ(option("threads", 1000000).find("options.threads: found"), 0U);
  EXPECT_EQ(option("keep_going", 1).find("options.keep_going: found 1"), 0U);
  EXPECT_EQ(option("require_coverage", 1).find("options.require_coverage: found 1"), 0U);
  EXPECT_EQ(option("reduce", "x").find("options: "), 0U);
  EXPECT_EQ(option("max_steps", 9).find("options: a bound on the steps of all runs"), 0U);
  EXPECT_EQ(option("symmetry", true).find("options: "), 0U) << "nothing is declared alike";
  EXPECT_EQ(refused({{"kind", "check"}, {"address", address("9")}}).find("options: the guide"), 0U);
  EXPECT_EQ(refused({{"kind", "scenarios"}}).find("names: is missing"), 0U);
  EXPECT_EQ(refused({{"kind", "scenarios"}, {"names", Json::array()}}).find("names: "), 0U);
  EXPECT_EQ(refused({{"kind", "scenarios"}, {"names", {"clam"}}})
                .find("names: there is no scenario 'clam' (did you mean 'calm'?)"),
            0U);
  EXPECT_TRUE(good(get("/api/jobs"))["jobs"].empty()) << "nothing was started";
}

}  // namespace
}  // namespace ordeal::serve
