// What `ordeal tla serve` answers: events of an implementation, followed on its model.
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "serve/model_service.h"
#include "tests/tools/tla/modules.h"

namespace ordeal::serve {
namespace {

using e2e::has;

// The names and parameters that clients of ModelFuzz know, on a model of a few lines.
constexpr const char* kElection = R"(
EXTENDS Naturals, Sequences
CONSTANTS Server, Terms, Values
VARIABLES term, role, log
Init == /\ term = [i \in Server |-> 0] /\ role = [i \in Server |-> "follower"]
        /\ log = [i \in Server |-> <<>>]
Timeout(i) == /\ role[i] # "leader" /\ term' = [term EXCEPT ![i] = @ + 1]
              /\ role' = [role EXCEPT ![i] = "candidate"] /\ UNCHANGED log
HandleRequestVoteResponse(i, j, t, grant) ==
  /\ i # j /\ t = term[i] /\ grant /\ role[i] = "candidate"
  /\ role' = [role EXCEPT ![i] = "leader"] /\ UNCHANGED <<term, log>>
ClientRequest(i, v) == /\ role[i] = "leader" /\ log' = [log EXCEPT ![i] = Append(@, v)]
                       /\ UNCHANGED <<term, role>>
HandleAppendEntriesRequest(i, j, pLogIndex, pLogTerm, t, entryTerm, entryValue, cIndex) ==
  /\ i # j /\ Len(log[i]) = pLogIndex
  /\ log' = [log EXCEPT ![i] = Append(@, entryValue)] /\ UNCHANGED <<term, role>>
HandleNilAppendEntriesRequest(i, j, pLogIndex, pLogTerm, t, cIndex) ==
  /\ i # j /\ Len(log[i]) = pLogIndex
  /\ role' = [role EXCEPT ![i] = "follower"] /\ UNCHANGED <<term, log>>
Next == \/ \E i \in Server : Timeout(i)
        \/ \E i, j \in Server, term1 \in Terms, grant \in BOOLEAN :
             HandleRequestVoteResponse(i, j, term1, grant)
        \/ \E i \in Server, v \in Values : ClientRequest(i, v)
        \/ \E i, j \in Server, a, b, c, d, e \in 0..9, v \in Values :
             HandleAppendEntriesRequest(i, j, a, b, c, d, v, e)
        \/ \E i, j \in Server, a, b, c, d \in 0..9 : HandleNilAppendEntriesRequest(i, j, a, b, c, d)
Calm == \A i \in Server : Len(log[i]) < 2
)";
constexpr const char* kElectionConfig =
    "CONSTANTS Server = {1, 2, 3}\nTerms = {0, 1, 2, 3}\nValues = {1, 2, 3}\nINIT Init\nNEXT Next\n"
    "INVARIANT Calm";

class ModelServed : public testing::Test {
 protected:
  void load(const std::string& body, const std::string& config, const std::string& key = "",
            const std::string& rules = "[]") {
    tla::LoadOptions options;
    options.path = modules_.add("Spec", body, config);
    auto specification = tla::Specification::load(options);
    ASSERT_TRUE(specification) << specification.error().message;
    auto parsed = EventRules::parse(rules, "rules.json");
    ASSERT_TRUE(parsed) << parsed.error().message;
    auto made = ModelService::make({*std::move(specification), key, *std::move(parsed)},
                                   {"127.0.0.1", 2023, ""});
    ASSERT_TRUE(made) << made.error().message;
    service_ = *std::move(made);
  }

  Answer post(const std::string& body, const std::string& path = "/execute",
              const std::string& type = "application/json") {
    return service_->handle({"POST",
                             path,
                             {},
                             {{"host", "127.0.0.1:2023"},
                              {"content-type", type},
                              {"content-length", std::to_string(body.size())}},
                             body});
  }
  Json good(const std::string& body) {
    const Answer answer = post(body);
    EXPECT_EQ(answer.status, 200) << answer.body;
    return Json::parse(answer.body);
  }
  std::string bad(int status, const std::string& body) {
    const Answer answer = post(body);
    EXPECT_EQ(answer.status, status) << answer.body;
    const Json json = Json::parse(answer.body, nullptr, false);
    return json.is_object() && json.contains("error") ? json["error"].get<std::string>() : "";
  }
  // "taken taken stuttered"
  static std::string outcomes(const Json& answer) {
    std::string out;
    for (const Json& event : answer["events"]) {
      out += (out.empty() ? "" : " ") + event["outcome"].get<std::string>();
    }
    return out;
  }

  e2e::Modules modules_;
  std::unique_ptr<ModelService> service_;
};

TEST_F(ModelServed, AnswersWithStatesAndKeysAsClientsOfModelFuzzRead) {
  load(kElection, kElectionConfig);
  const Json answer = good(
      R"([{"Name":"Timeout","Params":{"node":1},"Reset":false},
          {"Name":"DeliverMessage","Params":{"type":"MsgVoteResp","term":1,"from":2,"to":1,
            "log_term":0,"entries":null,"index":0,"commit":0,"vote":0,"reject":false},
            "Reset":false},
          {"Name":"ClientRequest","Params":{"request":3,"leader":1},"Reset":false},
          {"Name":"","Params":null,"Reset":true}])");
  ASSERT_EQ(answer["states"].size(), 4U);
  ASSERT_EQ(answer["keys"].size(), 4U);
  EXPECT_EQ(answer["states"][0],
            "/\\ term = <<0, 0, 0>>\n/\\ role = <<\"follower\", \"follower\", \"follower\">>\n"
            "/\\ log = <<<<>>, <<>>, <<>>>>\n");
  EXPECT_EQ(answer["states"][3],
            "/\\ term = <<1, 0, 0>>\n/\\ role = <<\"leader\", \"follower\", \"follower\">>\n"
            "/\\ log = <<<<3>>, <<>>, <<>>>>\n");
  std::set<int64_t> keys;
  for (const Json& key : answer["keys"]) {
    EXPECT_TRUE(key.is_number_integer());
    keys.insert(key.get<int64_t>());
  }
  EXPECT_EQ(keys.size(), 4U);
  EXPECT_EQ(outcomes(answer), "taken taken taken reset");
  EXPECT_EQ(answer["events"][1]["action"], "HandleRequestVoteResponse");
  EXPECT_EQ(answer["events"][1]["arguments"].dump(), R"({"i":1,"j":2,"t":1,"grant":true})");
}

TEST_F(ModelServed, EachRequestBeginsAtTheInitialState) {
  load(kElection, kElectionConfig);
  const std::string timeout = R"([{"Name":"Timeout","Params":{"i":1}}])";
  EXPECT_EQ(good(timeout), good(timeout));
  EXPECT_EQ(good("[]")["states"].size(), 1U);
}

TEST_F(ModelServed, DisabledActionsStutterAndUnmappedEventsAreSkippedAndBothAreTold) {
  load(kElection, kElectionConfig);
  const Json answer = good(
      R"([{"Name":"ClientRequest","Params":{"request":3,"leader":1}},
          {"Name":"SendMessage","Params":{"type":"MsgVote"}},
          {"Name":"Timeout","Params":{"node":9}},
          {"Name":"Timeuot","Params":{"i":1}},
          {"Name":"Timeout","Params":{"i":1,"why":"x"}},
          {"Name":"DeliverMessage","Params":{"type":"MsgVoteResp","from":2,"to":1}}])");
  EXPECT_EQ(outcomes(answer), "stuttered skipped stuttered skipped skipped skipped");
  ASSERT_EQ(answer["states"].size(), 3U);
  EXPECT_EQ(answer["keys"][0], answer["keys"][2]);
  EXPECT_EQ(answer["events"][0]["why"], "the action is not enabled in this state");
  EXPECT_EQ(answer["events"][2]["why"], "i = 9 is not in the set that it is chosen from");
  EXPECT_TRUE(has(answer["events"][3]["why"], "did you mean 'Timeout'?"));
  EXPECT_TRUE(has(answer["events"][4]["why"], "action Timeout has no argument 'why'"));
  EXPECT_TRUE(has(answer["events"][5]["why"], "takes term from parameter term"));
}

TEST_F(ModelServed, AResetInBetweenShowsTheInitialStateAgain) {
  load(kElection, kElectionConfig);
  const Json answer = good(
      R"([{"Name":"Timeout","Params":{"node":1}},{"Reset":true},
          {"name":"Timeout","params":{"i":2}}])");
  ASSERT_EQ(answer["keys"].size(), 4U);
  EXPECT_EQ(answer["keys"][0], answer["keys"][2]);
  EXPECT_NE(answer["keys"][1], answer["keys"][3]);
}

TEST_F(ModelServed, EntriesAreReadAsGoWritesThem) {
  load(kElection, kElectionConfig);
  const auto append = [](const std::string& entries) {
    return R"([{"Name":"DeliverMessage","Params":{"type":"MsgApp","term":1,"from":2,"to":1,
      "log_term":0,"index":0,"commit":0,"reject":false,"entries":)" +
           entries + "}}]";
  };
  EXPECT_EQ(good(append("null"))["events"][0]["action"], "HandleNilAppendEntriesRequest");
  EXPECT_EQ(good(append("[]"))["events"][0]["action"], "HandleNilAppendEntriesRequest");
  for (const char* data : {R"("Mw==")", R"("3")", "3", "3.0"}) {
    const Json answer = good(append(R"([{"Term":1,"Index":1,"Data":)" + std::string(data) + "}]"));
    EXPECT_EQ(outcomes(answer), "taken") << data;
    EXPECT_TRUE(has(answer["states"][1], "log = <<<<3>>")) << data;
  }
  EXPECT_EQ(outcomes(good(append(R"([{"Term":1,"Data":"four"}])"))), "stuttered");
}

TEST_F(ModelServed, ModelValuesAndSetsAreMeantByWhereTheyLie) {
  load(
      "CONSTANT Node\nVARIABLE x\nInit == x = {}\n"
      "Take(n, s) == x' = s \\cup {n}\nNext == \\E n \\in Node, s \\in SUBSET Node : Take(n, s)",
      "CONSTANT Node = {a, b, c}\nINIT Init\nNEXT Next");
  const Json answer = good(R"([{"Name":"Take","Params":{"n":"a","s":["c","b"]}}])");
  EXPECT_EQ(answer["states"][1], "x = {a, b, c}\n");
}

TEST_F(ModelServed, AKeyOfOnesOwnMakesConsecutiveStatesOne) {
  // Terms of those that do not lead say nothing new.
  load(kElection, kElectionConfig,
       "<<[i \\in Server |-> IF role[i] = \"leader\" THEN term[i] ELSE 0], log, "
       "{i \\in Server : role[i] = \"leader\"}>>");
  const Json answer = good(
      R"([{"Name":"Timeout","Params":{"node":1}},{"Name":"Timeout","Params":{"node":2}},
          {"Name":"DeliverMessage","Params":{"type":"MsgVoteResp","term":1,"from":2,"to":1,
           "reject":false}},{"Reset":true}])");
  EXPECT_EQ(outcomes(answer), "taken taken taken reset");
  EXPECT_EQ(answer["states"].size(), 2U);
  EXPECT_EQ(answer["events"][1]["state"], 0);
  EXPECT_EQ(answer["events"][2]["state"], 1);
}

TEST_F(ModelServed, ViolatedInvariantsAreTold) {
  load(kElection, kElectionConfig);
  const Json answer = good(
      R"([{"Name":"Timeout","Params":{"i":1}},
          {"Name":"HandleRequestVoteResponse","Params":{"i":1,"j":2,"t":1,"grant":true}},
          {"Name":"ClientRequest","Params":{"i":1,"v":1}},
          {"Name":"ClientRequest","Params":{"i":1,"v":1}}])");
  EXPECT_EQ(answer["violated"].dump(), R"([{"state":4,"invariant":"Calm"}])");
}

TEST_F(ModelServed, WhatIsChosenByTheEngineIsTold) {
  load(kElection, kElectionConfig);
  const Json answer = good(R"([{"Name":"Timeout"},{"Name":"Timeout","Params":{"i":2}}])");
  EXPECT_EQ(answer["events"][0]["unique"], false);
  EXPECT_FALSE(answer["events"][1].contains("unique"));
}

TEST_F(ModelServed, RulesOfOnesOwnComeFirst) {
  load(kElection, kElectionConfig, "",
       R"([{"event":"fire","where":{"on":true},"action":"Timeout","arguments":{"i":"who.id"}}])");
  const Json answer = good(
      R"([{"Name":"fire","Params":{"on":true,"who":{"id":2}}},
          {"Name":"fire","Params":{"on":false,"who":{"id":2}}}])");
  EXPECT_EQ(outcomes(answer), "taken skipped");
  EXPECT_TRUE(has(answer["states"][1], "term = <<0, 1, 0>>"));
}

TEST_F(ModelServed, RulesThatAreNoneAreRefusedWithTheirPlace) {
  const auto problem = [](const std::string& text) {
    const auto rules = EventRules::parse(text, "rules.json");
    return rules ? "" : rules.error().message;
  };
  EXPECT_TRUE(has(problem("{}"), "rules.json: ")) << problem("{}");
  EXPECT_TRUE(has(problem(R"([{"event":"a"}])"), "[0].action")) << problem(R"([{"event":"a"}])");
  EXPECT_TRUE(has(problem(R"([{"event":"a","action":"b","argument":{}}])"), "arguments"));
  EXPECT_TRUE(
      has(problem(R"([{"event":"a","action":"b","arguments":{"i":1}}])"), "[0].arguments.i"));
  EXPECT_TRUE(has(problem("[{"), "rules.json: "));
}

TEST_F(ModelServed, MalformedRequestsAreRefusedWithTheirPlace) {
  load(kElection, kElectionConfig);
  EXPECT_TRUE(has(bad(400, "[{"), "JSON")) << bad(400, "[{");
  EXPECT_TRUE(has(bad(400, ""), "JSON")) << bad(400, "");
  EXPECT_TRUE(has(bad(400, "{}"), "a list of events"));
  EXPECT_TRUE(has(bad(400, "[7]"), "[0]"));
  EXPECT_TRUE(has(bad(400, R"([{"Name":7}])"), "[0].Name"));
  EXPECT_TRUE(has(bad(400, R"([{"Name":"Timeout","Params":[1]}])"), "[0].Params"));
  EXPECT_TRUE(has(bad(400, R"([{"Name":"Timeout","Reset":"yes"}])"), "[0].Reset"));
  EXPECT_TRUE(has(bad(
                      413, "[" + std::string(200'001, ' ').replace(0, 2, "{}") +
                               [] {
                                 std::string more;
                                 for (int i = 0; i < 100'000; ++i) more += ",{}";
                                 return more;
                               }() +
                               "]"),
                  "100,001 events"));
  EXPECT_EQ(post("[]", "/nowhere").status, 404);
  EXPECT_EQ(post("[]", "/execute", "text/plain").status, 415);
  EXPECT_EQ(service_->handle({"GET", "/execute", {}, {{"host", "127.0.0.1:2023"}}, ""}).status,
            405);
  EXPECT_EQ(service_->handle({"GET", "/actions", {}, {{"host", "evil.example"}}, ""}).status, 403);
}

TEST_F(ModelServed, AnExpressionWithoutAValueIsAnErrorOfTheModel) {
  load(
      "EXTENDS Naturals\nVARIABLE x\nInit == x = <<1>>\nPick(n) == x' = <<x[n]>>\n"
      "Next == \\E n \\in 1..2 : Pick(n)",
      "INIT Init\nNEXT Next");
  EXPECT_EQ(outcomes(good(R"([{"Name":"Pick","Params":{"n":1}}])")), "taken");
  const std::string why = bad(500, R"([{"Name":"Pick","Params":{"n":2}}])");
  EXPECT_TRUE(has(why, "event 0 (Pick): ")) << why;
  EXPECT_TRUE(has(why, "Spec.tla:5:")) << why;
  EXPECT_EQ(outcomes(good(R"([{"Name":"Pick","Params":{"n":1}}])")), "taken");
}

TEST_F(ModelServed, ListsTheActions) {
  load(e2e::kCommit, e2e::kCommitConfig);
  const Answer answer = service_->handle({"GET", "/actions", {}, {{"host", "127.0.0.1:2023"}}, ""});
  EXPECT_EQ(answer.status, 200);
  const Json json = Json::parse(answer.body);
  EXPECT_EQ(json["specification"], "Spec");
  EXPECT_EQ(json["actions"][4].dump(), R"({"name":"Obey","parameters":["r"],"witnesses":["m"]})");
}

}  // namespace
}  // namespace ordeal::serve
