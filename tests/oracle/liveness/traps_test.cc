// What is easily got wrong about runs that go on for ever, one by one.
#include <gtest/gtest.h>

#include <atomic>
#include <optional>
#include <string>
#include <vector>

#include "ordeal/check.h"
#include "ordeal/model.h"
#include "ordeal/report.h"

namespace ordeal::oracle::liveness::traps {
namespace {

// Rooms with passages between them.
struct Rooms {
  struct State {
    uint32_t room = 0;
  };
  struct Action {
    uint32_t to = 0;
    bool fault = false;
  };
  struct Passage {
    uint32_t from = 0;
    uint32_t to = 0;
    bool fault = false;
  };
  std::vector<Passage> passages = {};

  std::vector<State> initial() const { return {State{}}; }
  void actions(const State& state, std::vector<Action>& out) const {
    for (const Passage& one : passages) {
      if (one.from == state.room) out.push_back({one.to, one.fault});
    }
  }
  std::optional<State> next(const State&, const Action& action) const { return State{action.to}; }
  std::vector<DescribedKind> kinds() const {
    return {{.name = "walk"}, {.name = "fall", .fault = true}};
  }
  Doing doing(const State&, const Action& action) const {
    return {action.fault ? "fall" : "walk", -1, -1, std::to_string(action.to)};
  }
};

auto in_room(uint32_t room) {
  return [room](const Rooms::State& state) { return state.room == room; };
}

Report checked(const Checkable& subject, Options options = {}) {
  options.threads = 1;
  const Result<Report> report = check(subject, options);
  EXPECT_TRUE(report.ok()) << (report.ok() ? "" : report.error().message);
  return report.ok() ? *report : Report();
}

Verdict verdict_on(const Checkable& subject, Options options = {}) {
  return checked(subject, std::move(options)).verdict;
}

// The run that is shown, which must replay.
Trace lasso_of(const Checkable& subject, const Report& report) {
  EXPECT_EQ(report.violations.size(), 1U);
  if (report.violations.size() != 1 || !report.violations[0].trace) return {};
  const Trace& trace = *report.violations[0].trace;
  EXPECT_TRUE(trace.loop_start);
  const Result<ReplayResult> again = replay(subject, trace);
  EXPECT_TRUE(again.ok() && again->reproduced);
  return trace;
}

Model<Rooms> comes_to(uint32_t room, std::vector<Rooms::Passage> passages) {
  Model<Rooms> model(Rooms{std::move(passages)});
  model.eventually("comes there", in_room(room));
  return model;
}

TEST(Lassos, AnEventuallyThatFailsOnACycleOnly) {
  const Model<Rooms> model = comes_to(3, {{0, 1}, {1, 2}, {2, 1}, {2, 3}});
  const Trace trace = lasso_of(model, checked(model));
  EXPECT_EQ(trace.steps.size(), 3U);
  EXPECT_EQ(trace.loop_start, 1U);
}

TEST(Lassos, AnEventuallyThatFailsBehindAJoinOnly) {
  // Room 4 is met first on a way where 3 was seen: whoever remembers that for the room is wrong.
  const Model<Rooms> model = comes_to(3, {{0, 3}, {3, 4}, {0, 1}, {1, 2}, {2, 4}, {4, 5}, {5, 4}});
  const Trace trace = lasso_of(model, checked(model));
  EXPECT_EQ(trace.steps.size(), 5U);
  EXPECT_EQ(trace.loop_start, 3U);
}

TEST(Lassos, AnEventuallyThatIsTrueAtOnceIsTrue) {
  EXPECT_EQ(verdict_on(comes_to(0, {{0, 1}, {1, 1}})), Verdict::kHolds);
}

TEST(Lassos, AStepToTheSameStateIsACycle) {
  const Model<Rooms> model = comes_to(1, {{0, 0}, {0, 1}});
  const Trace trace = lasso_of(model, checked(model));
  EXPECT_EQ(trace.steps.size(), 1U);
  EXPECT_EQ(trace.loop_start, 0U);
}

TEST(Lassos, AFaultMayComeAgainAndAgain) {
  // Without the fault that takes it back, the run comes to 2.
  const Model<Rooms> model = comes_to(2, {{0, 1}, {1, 0, true}, {1, 2}});
  EXPECT_EQ(lasso_of(model, checked(model)).steps.size(), 2U);
  Model<Rooms> fair = comes_to(2, {{0, 1}, {1, 0, true}, {1, 2}});
  fair.fair("on", Owed::kStrongly, [](const Rooms::Action& action) { return action.to == 2; });
  EXPECT_EQ(verdict_on(fair), Verdict::kHolds);
}

TEST(Lassos, FaultsAloneDoNotKeepARunGoing) {
  EXPECT_EQ(verdict_on(comes_to(2, {{0, 1, true}, {1, 0, true}, {0, 2}, {1, 2}})), Verdict::kHolds);
}

TEST(Lassos, WhatIsOwedWeaklyNeedNotHappenWhereItIsNotAlwaysPossible) {
  for (const Owed owed : {Owed::kWeakly, Owed::kStrongly}) {
    Model<Rooms> model = comes_to(2, {{0, 1}, {1, 0}, {1, 2}});
    model.fair("on", owed, [](const Rooms::Action& action) { return action.to == 2; });
    EXPECT_EQ(verdict_on(model), owed == Owed::kWeakly ? Verdict::kViolated : Verdict::kHolds);
    EXPECT_EQ(verdict_on(model, {.fairness = Fairness::kNone}), Verdict::kViolated);
    EXPECT_EQ(verdict_on(model, {.fairness = Fairness::kWeak}), Verdict::kViolated);
    EXPECT_EQ(verdict_on(model, {.fairness = Fairness::kStrong}), Verdict::kHolds);
  }
}

TEST(Lassos, TwoThingsOwedStronglyMayNeedTwoLooks) {
  // Without room 1, where "to 4" is possible, rooms 2 and 3 are left, where "to 5" is.
  std::vector<Rooms::Passage> passages = {{0, 1}, {1, 2}, {2, 3}, {3, 2}, {3, 1}, {1, 4}, {2, 5}};
  Model<Rooms> model(Rooms{passages});
  model.eventually("leaves", [](const Rooms::State& state) { return state.room >= 4; });
  for (const uint32_t to : {4U, 5U}) {
    model.fair("to " + std::to_string(to), Owed::kStrongly,
               [to](const Rooms::Action& action) { return action.to == to; });
  }
  EXPECT_EQ(verdict_on(model), Verdict::kHolds);
  passages.back() = {0, 5};
  Model<Rooms> other(Rooms{passages});
  other.eventually("leaves", [](const Rooms::State& state) { return state.room >= 4; });
  other.fair("to 4", Owed::kStrongly, [](const Rooms::Action& action) { return action.to == 4; });
  const Trace trace = lasso_of(other, checked(other));
  EXPECT_EQ(trace.steps.size() - *trace.loop_start, 2U);  // between 2 and 3
}

TEST(Lassos, ARunMayStayWhereItEnds) {
  Model<Rooms> model(Rooms{{{0, 1}}});
  model.infinitely_often("in 0", in_room(0));
  model.eventually_always("in 1", in_room(1));
  const Report report = checked(model, {.keep_going = true});
  const Trace trace = lasso_of(model, report);
  EXPECT_EQ(trace.loop_start, trace.steps.size());
  EXPECT_EQ(report.properties[1].verdict, Verdict::kViolated);
  EXPECT_EQ(report.properties[2].verdict, Verdict::kHolds);
  EXPECT_NE(to_text(report).find("and it stays like that for ever"), std::string::npos)
      << to_text(report);
}

TEST(Lassos, ARunMayStayAnywhereWhereTheModelSays) {
  Model<Rooms> model(Rooms{{{0, 1}}});
  model.infinitely_often("in 1", in_room(1));
  EXPECT_EQ(verdict_on(model), Verdict::kHolds);
  model.stutters();
  EXPECT_EQ(verdict_on(model), Verdict::kViolated);
  model.fair("walks", Owed::kWeakly, [](const Rooms::Action&) { return true; });
  EXPECT_EQ(verdict_on(model), Verdict::kHolds);
}

TEST(Lassos, WhatLeadsOutOfTheConstraintIsPossible) {
  // It would be owed, and is never done: no run of these counts.
  Model<Rooms> model(Rooms{{{0, 0}, {0, 1}}});
  model.claim("nothing", {.is = Formula::Is::kFalse});
  model.within([](const Rooms::State& state) { return state.room == 0; });
  EXPECT_EQ(verdict_on(model), Verdict::kViolated);
  model.fair_each(Owed::kWeakly);
  const Report report = checked(model);
  EXPECT_EQ(report.verdict, Verdict::kHolds);
  EXPECT_NE(report.properties.back().note.find("no run that counts"), std::string::npos);
}

TEST(Lassos, LeadsToIsAskedWheneverTheFirstIsTrue) {
  Model<Rooms> model(Rooms{{{0, 1}, {1, 2}, {2, 1}, {1, 0}}});
  model.fair_each(Owed::kWeakly);
  model.leads_to("from 0 to 1", in_room(0), in_room(1));
  EXPECT_EQ(verdict_on(model), Verdict::kHolds);
  model.leads_to("from 1 to 0", in_room(1), in_room(0));
  const Report report = checked(model);
  const Trace trace = lasso_of(model, report);
  EXPECT_EQ(report.violations[0].word, "leads-to");
  EXPECT_EQ(trace.loop_start, 1U);
  EXPECT_NE(to_text(report).find("then again from step 2, for ever"), std::string::npos);
  EXPECT_NE(report.assumption.find("each action by itself"), std::string::npos);
}

TEST(Lassos, OnlyRunsOfWhichTheAssumptionIsTrueCount) {
  Model<Rooms> model = comes_to(2, {{0, 1}, {1, 0}, {1, 2}});
  EXPECT_EQ(verdict_on(model), Verdict::kViolated);
  const Formula falls = model.step_atom([](const Rooms::State&, const Rooms::Action& action,
                                           const Rooms::State&) { return action.to == 0; });
  model.assume(formula::eventually(formula::always(formula::negation(falls))),
               "it goes back a few times only");
  EXPECT_EQ(verdict_on(model), Verdict::kHolds);
}

TEST(Lassos, NoDeadlockIsAboutRunsThatEnd) {
  Model<Rooms> model(Rooms{{{0, 1}, {1, 0}}});
  model.no_deadlock([](const Rooms::State&) { return false; });
  EXPECT_EQ(verdict_on(model), Verdict::kHolds);
}

TEST(Lassos, AreFoundAgainByTheirShortForms) {
  const Model<Rooms> model = comes_to(3, {{0, 1}, {1, 2}, {2, 1}, {2, 3}});
  const Trace trace = lasso_of(model, checked(model));
  const Result<ShortForm> form = parse_short_form(short_form(trace));
  ASSERT_TRUE(form.ok());
  const Result<Trace> again = record(model, *form, {.system = trace.system});
  ASSERT_TRUE(again.ok());
  EXPECT_EQ(again->loop_start, 1U);
  EXPECT_EQ(again->verdict.property, "comes there");
  const Result<Trace> part = record(model, {0, {0, 0}}, {});
  ASSERT_TRUE(part.ok());
  EXPECT_FALSE(part->loop_start);
  EXPECT_EQ(part->verdict.property, "");
}

TEST(Lassos, ATamperedOneDoesNotReplay) {
  const Model<Rooms> model = comes_to(3, {{0, 1}, {1, 2}, {2, 1}, {2, 3}});
  Trace trace = lasso_of(model, checked(model));
  trace.loop_start = 0;
  const Result<ReplayResult> elsewhere = replay(model, trace);
  ASSERT_TRUE(elsewhere.ok());
  EXPECT_FALSE(elsewhere->reproduced);
  EXPECT_NE(elsewhere->why.find("is not the one after step 0"), std::string::npos)
      << elsewhere->why;
  // It cannot stay in room 1, whence it can go on.
  trace.loop_start = static_cast<uint32_t>(trace.steps.size());
  const Result<ReplayResult> stays = replay(model, trace);
  EXPECT_FALSE(stays.ok() && stays->reproduced);
  const Model<Rooms> other = comes_to(1, {{0, 1}, {1, 2}, {2, 1}, {2, 3}});
  trace.loop_start = 1;
  const Result<ReplayResult> fine = replay(other, trace);
  ASSERT_TRUE(fine.ok());
  EXPECT_FALSE(fine->reproduced);
}

TEST(Lassos, StrategiesThatCannotSeeThemSaySo) {
  Model<Rooms> model(Rooms{{{0, 1}, {1, 0}}});
  model.infinitely_often("in 2", in_room(2));
  for (const std::string strategy : {"bfs", "dfs"}) {
    EXPECT_EQ(verdict_on(model, {.strategy = strategy}), Verdict::kViolated);
  }
  const Report sampled = checked(model, {.strategy = "random", .max_depth = 9, .max_runs = 5});
  EXPECT_EQ(sampled.verdict, Verdict::kUndecided);
  EXPECT_NE(sampled.properties.back().note.find("does not look at those"), std::string::npos);
  EXPECT_EQ(verdict_on(model, {.strategy = "prefix", .max_depth = 9}), Verdict::kUndecided);
  for (const Options& options : {Options{.strategy = "bfs", .reduce = "sleep"},
                                 Options{.strategy = "bfs", .symmetry = true}}) {
    const Result<Report> refused = check(model, options);
    ASSERT_FALSE(refused.ok());
    EXPECT_NE(refused.error().message.find("in 2"), std::string::npos);
  }
}

TEST(Lassos, ASearchThatIsInterruptedDecidesNothing) {
  std::atomic<bool> stop = false;
  Model<Rooms> model(Rooms{{{0, 1}, {1, 0}}});
  model.infinitely_often("in 0", [&](const Rooms::State& state) {
    stop = true;
    return state.room == 0;
  });
  Options options;
  options.stop = &stop;
  const Report report = checked(model, options);
  EXPECT_EQ(report.verdict, Verdict::kUndecided);
  EXPECT_NE(report.properties.back().note.find("interrupted"), std::string::npos);
}

TEST(Lassos, AreTheSameOnAnyNumberOfThreads) {
  Model<Rooms> model = comes_to(9, {{0, 1}, {1, 2}, {2, 3}, {3, 1}, {0, 4}, {4, 5}, {5, 4}});
  const Result<Report> one = check(model, {.strategy = "bfs", .threads = 1});
  const Result<Report> many = check(model, {.strategy = "bfs", .threads = 3});
  ASSERT_TRUE(one.ok() && many.ok());
  ASSERT_TRUE(one->violations[0].trace && many->violations[0].trace);
  EXPECT_EQ(to_json(*one->violations[0].trace), to_json(*many->violations[0].trace));
}

}  // namespace
}  // namespace ordeal::oracle::liveness::traps
