// What worlds may say that nodes and raw models do not, held against a naive search.
#include <gtest/gtest.h>

#include <string>

#include "ordeal/model.h"
#include "ordeal/report.h"
#include "tests/oracle/seams/problems.h"
#include "tests/tools/cli/folder.h"

namespace ordeal::oracle {
namespace {

TEST(Seams, RandomTablesAreSearchedAsANaiveSearchDoes) {
  const e2e::Folder folder;
  TableTally tally;
  EXPECT_EQ(problem_with_tables(0, 400, folder.path(), tally), "");
  // Nothing was left untried.
  EXPECT_GT(tally.troubles, 40U);
  EXPECT_GT(tally.on_steps, 10U);
  EXPECT_GT(tally.bad_steps, 40U);
  EXPECT_GT(tally.bad_states, 40U);
  EXPECT_GT(tally.outside, 40U);
  EXPECT_GT(tally.views, 40U);
  EXPECT_GT(tally.both, 5U);
  EXPECT_GT(tally.resumed, 200U);
}

TEST(Seams, ThereMayBeMoreThan65536InitialStatesAndActions) {
  const e2e::Folder folder;
  EXPECT_EQ(problem_with_many(700'000, 200'000, folder.path()), "");
}

// What is kept of states that look the same decides what is found: the first, on any number of
// threads. 3,000 states of one level lead to one place each, three ways.
TEST(Seams, OfStatesThatLookTheSameTheFirstIsKept) {
  Table table;
  table.next = [](uint32_t state, std::vector<Table::Edge>& edges) {
    if (state == 0) {
      for (uint32_t i = 0; i < 3000; ++i) edges.push_back({1 + i});
    } else if (state <= 3000) {
      // The last three digits look like nothing.
      for (uint32_t i = 0; i < 3; ++i) edges.push_back({(10 + (state + i) % 500) * 10'000 + state});
    }
  };
  table.view = [](uint32_t state) { return state < 10'000 ? state : state / 10'000 * 10'000; };
  table.bad = [](uint32_t state) { return state >= 10'000 && state % 10'000 > 500; };
  const TableSubject subject(table);
  // Each place is first reached from one of the first 500.
  for (const int threads : {1, 2, 8}) {
    const Result<Report> report = check(subject, {.strategy = "bfs", .threads = threads});
    ASSERT_TRUE(report.ok());
    EXPECT_EQ(report->verdict, Verdict::kHolds) << threads;
    EXPECT_EQ(report->distinct_states, 3501U);
    EXPECT_EQ(report->generated_states, 12'001U);
  }
}

// A counter that must not go down.
struct Counter {
  struct State {
    int n = 0;
  };
  struct Action {
    int to = 0;
  };
  std::vector<State> initial() const { return {State{}}; }
  void actions(const State& s, std::vector<Action>& out) const {
    if (s.n < 6) out.push_back({s.n + 1});
    if (s.n == 4) out.push_back({2});
  }
  std::optional<State> next(const State&, const Action& action) const { return State{action.to}; }
};

Model<Counter> growing() {
  Model<Counter> model;
  model.always_steps("it grows", [](const Counter::State& before, const Counter::Action&,
                                    const Counter::State& after) { return after.n > before.n; });
  return model;
}

TEST(Steps, AreJudgedByEveryStrategyThatClaimsThem) {
  for (const char* strategy : {"bfs", "dfs", "prefix", "random", "pct", "pos", "delay"}) {
    Options options;
    options.strategy = strategy;
    options.max_depth = 8;
    const Result<Report> report = check(growing(), options);
    ASSERT_TRUE(report.ok()) << strategy << ": " << report.error().message;
    ASSERT_EQ(report->violations.size(), 1U) << strategy;
    const Violation& violation = report->violations[0];
    EXPECT_EQ(violation.property, "it grows");
    EXPECT_EQ(violation.step, 5U) << strategy;  // the run ends with the step
    EXPECT_EQ(violation.trace->steps.size(), 5U) << strategy;
    EXPECT_EQ(violation.why, "from State{n: 4} to State{n: 2}") << strategy;
  }
}

TEST(Steps, AreRefusedWhereNotEveryStepIsTaken) {
  const Model<Counter> model = growing();
  Options options;
  options.strategy = "dpor";
  const Result<Report> dpor = check(model, options);
  ASSERT_FALSE(dpor.ok());
  EXPECT_NE(dpor.error().message.find("cannot check \"it grows\" (always), which is about steps"),
            std::string::npos)
      << dpor.error().message;
  options.strategy = "bfs";
  options.reduce = "sleep";
  const Result<Report> sleep = check(model, options);
  ASSERT_FALSE(sleep.ok());
  EXPECT_NE(sleep.error().message.find("which is about steps"), std::string::npos);
}

TEST(Steps, ArePropertiesThatAreAlwaysSo) {
  Model<Counter> model;
  Property property{"it may grow", PropertyKind::kSometimes};
  property.on_steps = true;
  model.add(property, [](const Counter::State&) { return true; });
  const Result<void> valid = model.validate();
  ASSERT_FALSE(valid.ok());
  EXPECT_EQ(valid.error().message,
            "the property \"it may grow\" is about steps, and must be an always: sometimes is said "
            "of states");
}

// 0 → 1 → 2 → 3, and of 3 nothing can be said.
Table unknown_at_three(Table::Unknown unknown) {
  Table out;
  out.next = [](uint32_t state, std::vector<Table::Edge>& edges) { edges.push_back({state + 1}); };
  out.unknown = [unknown](uint32_t state) {
    return state == 3 ? unknown : Table::Unknown::kNothing;
  };
  return out;
}

TEST(Trouble, EndsEveryStrategyAndTellsTheRun) {
  for (const char* strategy :
       {"bfs", "dfs", "prefix", "random", "pct", "pctcp", "pos", "delay", "portfolio"}) {
    for (const auto unknown :
         {Table::Unknown::kNext, Table::Unknown::kVerdict, Table::Unknown::kWithin}) {
      const TableSubject subject(unknown_at_three(unknown));
      Options options;
      options.strategy = strategy;
      options.seed = 7;
      options.max_depth = 9;
      const Result<Report> report = check(subject, options);
      ASSERT_TRUE(report.ok()) << strategy << ": " << report.error().message;
      EXPECT_EQ(report->verdict, Verdict::kError) << strategy;
      ASSERT_TRUE(report->trouble) << strategy;
      EXPECT_EQ(report->trouble->message, subject.table().trouble_of(3));
      EXPECT_FALSE(report->trouble->on_step);
      ASSERT_EQ(report->trouble->trace->steps.size(), 3U) << strategy;
      EXPECT_TRUE(report->violations.empty());
      EXPECT_FALSE(report->complete);
      EXPECT_TRUE(report->ended_by(Bound::Kind::kTrouble)) << strategy;
    }
  }
}

TEST(Trouble, IsToldInEveryReport) {
  const TableSubject subject(unknown_at_three(Table::Unknown::kNext));
  const Result<Report> report =
      check(subject, {.strategy = "bfs", .states = true, .system = "table"});
  ASSERT_TRUE(report.ok());
  const std::string message = subject.table().trouble_of(3);
  const std::string text = to_text(*report);
  EXPECT_TRUE(text.starts_with("error: evaluation (of a state)\n  " + message + "\n")) << text;
  const std::string json = to_json(*report);
  EXPECT_NE(json.find("\"verdict\": \"error\""), std::string::npos);
  EXPECT_NE(json.find("\"message\": \"" + message + "\""), std::string::npos) << json;
  EXPECT_NE(json.find("\"on\": \"state\""), std::string::npos);
  EXPECT_NE(json.find("\"short\": \"0.0.0\""), std::string::npos);
  const std::string junit = to_junit(*report);
  EXPECT_NE(junit.find("errors=\"1\""), std::string::npos) << junit;
  EXPECT_NE(junit.find("<error type=\"error\" message=\"" + message), std::string::npos) << junit;
  const std::string html = to_html(*report);
  EXPECT_NE(html.find("<span class=\"verdict error\">error</span>evaluation"), std::string::npos);
  EXPECT_NE(html.find("✗ error"), std::string::npos);
}

TEST(NamedSteps, AreFoundByTheirNameAndWhatTheirParametersAre) {
  const TableSubject subject(unknown_at_three(Table::Unknown::kNext));
  const auto explorer = subject.space()->explorer();
  const std::vector<uint32_t> first = {0}, third = {3};
  const auto step = [&](const std::vector<uint32_t>& state, NamedStep named) {
    return explorer->step_named(state, named);
  };
  const Result<std::optional<Choice>> any = step(first, {"go"});
  ASSERT_TRUE(any.ok() && *any);
  std::vector<uint32_t> next;
  explorer->apply(first, explorer->fingerprint(first), **any, next);
  EXPECT_EQ(next, std::vector<uint32_t>{1});
  const auto bound = step(first, {"go", value::Tree::number(0)});
  EXPECT_TRUE(bound.ok() && *bound);
  const auto other = step(first, {"go", value::Tree::number(1)});
  EXPECT_TRUE(other.ok() && !*other);
  const auto stay = step(first, {"stay"});
  EXPECT_TRUE(stay.ok() && !*stay);
  const auto unknown = step(third, {"go"});
  ASSERT_FALSE(unknown.ok());
  EXPECT_EQ(unknown.error().message, subject.table().trouble_of(3));
}

}  // namespace
}  // namespace ordeal::oracle
