// The correct forms under faults beyond those of their own tests: samples of every environment that
// a subject offers find no violation. What a protocol does not promise under a fault, its subject
// does not claim.
#include "protocols/testing.h"

namespace ordeal::protocols {
namespace {

using testing::Given;

constexpr uint64_t kRuns = 300;

// Ways to ask for each subject; `everybody` are the nodes that may crash.
struct Form {
  std::string name;
  Given given;
  std::string everybody;
  bool knows_duplicates = true;  // a request that arrives again is not served again
};

const std::vector<Form>& forms() {
  static const std::vector<Form> all = {
      {"hierarchical-consensus", {}, "1,2,3"},
      {"hierarchical-consensus", {{"messaging", "request-response"}}, "1,2,3"},
      {"eager-reliable-broadcast", {{"broadcasts", "2"}}, "1,2,3"},
      {"regular-register", {{"writes", "2"}}, "1,2,3"},
      {"paxos", {}, "0,1,2"},
      {"paxos", {{"nodes", "3"}}, "1,2,3"},
      {"multi-paxos", {{"proposals", "3"}}, "1,2,3"},
      {"abd-register", {{"servers", "3"}}, "0,1,2", false},
      {"single-copy-register", {{"clients", "3"}}, "0", false},
      {"two-phase-commit", {{"form", "actors"}}, "1,2,3,4"},
      {"rsl",
       {{"requests", "4"}, {"ballots", "3"}, {"heartbeats", "1"}, {"retries", "1"}},
       "1,2,3"},
      {"tendermint", {{"byzantine", "0"}, {"rounds", "2"}}, "1,2,3,4"},
      {"pbft", {{"clients", "2"}, {"views", "2"}, {"retries", "1"}}, "1,2,3,4"},
  };
  return all;
}

void expect_nothing_found(const Form& form, const Given& environment) {
  Given given = form.given;
  given.insert(environment.begin(), environment.end());
  const Report report = testing::run(form.name, given, "", testing::runs_of("random", kRuns));
  EXPECT_NE(report.verdict, Verdict::kViolated) << testing::describe(form.name, given, "") << "\n"
                                                << testing::brief(report);
}

TEST(Environments, LinksOfEveryKind) {
  for (const Form& form : forms()) {
    for (const char* network : {"bag", "ordered"}) {
      for (const std::string fault : {"drops", "duplicates", "partitions"}) {
        if (fault == "duplicates" && !form.knows_duplicates) continue;
        expect_nothing_found(form, {{"network", network}, {fault, "2"}});
      }
    }
  }
}

TEST(Environments, AnyNumberOfCrashesOnAnyLinks) {
  for (const Form& form : forms()) {
    expect_nothing_found(form, {{"crash", form.everybody}});
    const char* duplicates = form.knows_duplicates ? "1" : "0";
    expect_nothing_found(form, {{"crash", form.everybody},
                                {"network", "bag"},
                                {"drops", "1"},
                                {"duplicates", duplicates}});
    expect_nothing_found(form, {{"crash", form.everybody}, {"partitions", "1"}});
  }
}

TEST(Environments, PaxosServersThatComeBack) {
  const Form paxos = {"paxos", {{"clients", "3"}}, "0,1,2"};
  expect_nothing_found(paxos, {{"crash", "0,1,2"}, {"recoveries", "3"}, {"drops", "2"}});
}

TEST(Environments, RslReplicasThatComeBack) {
  const Form rsl = {"rsl", {{"candidates", "0"}, {"requests", "4"}, {"ballots", "3"}}, "1,2,3"};
  expect_nothing_found(rsl, {{"crash", "1,2,3"}, {"recoveries", "3"}, {"drops", "2"}});
}

TEST(Environments, PaxosStaysSafeUnderWrongSuspicions) {
  for (const char* nodes : {"3", "4", "5"}) {
    const Given given = {{"nodes", nodes}, {"detector", "eventually-perfect"}};
    expect_nothing_found({"paxos", given, ""}, {{"crash", "3"}});
    expect_nothing_found({"multi-paxos", given, ""}, {{"crash", "3"}, {"drops", "1"}});
  }
}

TEST(Environments, NobodyIsToldOfCrashes) {
  for (const char* crash : {"", "3"}) {
    const Given environment = {{"detector", "none"}, {"crash", crash}};
    for (const char* name : {"hierarchical-consensus", "multi-paxos"}) {
      expect_nothing_found({name, {}, ""}, environment);
    }
    expect_nothing_found({"paxos", {{"nodes", "3"}}, ""}, environment);
  }
}

TEST(Environments, WhatDoesNotFitTogetherIsExplainedByEverySubject) {
  for (const Form& form : forms()) {
    const auto error = [&](const Given& environment) {
      Given given = environment;
      given.insert(form.given.begin(), form.given.end());
      return testing::error_of(form.name, given);
    };
    EXPECT_EQ(error({{"crash", "99"}}).find("--crash 99: "), 0U) << form.name;
    EXPECT_EQ(error({{"max-crashes", "1"}}), "--max-crashes: --crash names no node that may crash")
        << form.name;
    EXPECT_EQ(error({{"network", "set"}, {"duplicates", "1"}}),
              "--duplicates: --network set delivers any message any number of times already")
        << form.name;
  }
  EXPECT_EQ(testing::error_of("paxos", {{"recoveries", "1"}}),
            "--recoveries 1: no node can crash; name some with --crash");
  EXPECT_EQ(testing::error_of("paxos", {{"recoveries", "1"}, {"crash", "1"}, {"max-crashes", "0"}}),
            "--recoveries 1: no node can crash; name some with --crash");
  for (const char* name : {"paxos", "abd-register", "single-copy-register"}) {
    EXPECT_EQ(testing::error_of(name, {{"clients", "2"}, {"writers", "3"}}),
              "--writers 3: there are 2 clients");
  }
}

TEST(Environments, MessagesThatStayForEver) {
  for (const Form& form : forms()) {
    if (!form.knows_duplicates) continue;
    Given given = form.given;
    given["network"] = "set";
    Options options = testing::runs_of("random", 50);
    options.max_depth = 100;
    const Report report = testing::run(form.name, given, "", options);
    EXPECT_NE(report.verdict, Verdict::kViolated) << testing::describe(form.name, given, "") << "\n"
                                                  << testing::brief(report);
  }
}

}  // namespace
}  // namespace ordeal::protocols
