// A world may have kinds of actions that nothing else knows: traces keep what it says of them, and
// every view and report tells them in its words.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "ordeal/check.h"
#include "ordeal/report.h"
#include "ordeal/trace.h"
#include "report/export/export.h"
#include "tests/engine/kinds/threads.h"

namespace ordeal::kinds {
namespace {

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

Report checked(const Checkable& subject, Options options = {}) {
  options.system = "threads";
  const Result<Report> report = check(subject, options);
  EXPECT_TRUE(report.ok()) << report.error().message;
  return report ? *report : Report();
}

Trace lost_update() {
  const Report report = checked(threads(false));
  EXPECT_EQ(report.violations.size(), 1U);
  return report.violations.empty() ? Trace() : *report.violations[0].trace;
}

TEST(DescribedKinds, AreWhatTracesAndReportsTell) {
  const Trace trace = lost_update();
  ASSERT_FALSE(trace.steps.empty());
  bool reads = false;
  for (const TraceStep& step : trace.steps) {
    EXPECT_EQ(step.detail.action.kind, ActionKind::kDescribed);
    reads = reads || show(step.detail.action) == "1 reads 0";
  }
  EXPECT_TRUE(reads);
  EXPECT_EQ(trace.kinds.size(), 6U);
  const std::string picture = to_svg(trace);
  EXPECT_TRUE(has(picture, "class=\"k-amber\"")) << picture;
  EXPECT_TRUE(has(picture, ">w</text>"));
  EXPECT_TRUE(has(picture, "0 takes m"));
  const std::string drawn = report::to_drawing(trace);
  EXPECT_TRUE(has(drawn, "L lock")) << drawn;  // in the legend
  EXPECT_TRUE(has(drawn, "1 gives m back"));
  const std::string mermaid = report::to_mermaid(trace);
  EXPECT_TRUE(has(mermaid, "0 wakes 1")) << mermaid;
}

TEST(DescribedKinds, SurviveAFileAndReplay) {
  const Trace trace = lost_update();
  const std::string text = to_json(trace);
  const Result<Trace> read = trace_from_json(text);
  ASSERT_TRUE(read.ok()) << read.error().message;
  EXPECT_EQ(to_json(*read), text);
  ASSERT_EQ(read->kinds.size(), trace.kinds.size());
  for (size_t i = 0; i < trace.kinds.size(); ++i) EXPECT_EQ(*read->kinds[i], *trace.kinds[i]);
  const Result<ReplayResult> again = replay(threads(false), *read);
  ASSERT_TRUE(again.ok()) << again.error().message;
  EXPECT_TRUE(again->reproduced);
  // Of another kind with the same number, nothing is the same.
  Trace other = *read;
  const auto kind = std::make_shared<const DescribedKind>(DescribedKind{"shout"});
  other.steps[0].detail.action.described = kind;
  const Result<ReplayResult> differs = replay(threads(false), other);
  ASSERT_TRUE(differs.ok()) << differs.error().message;
  EXPECT_FALSE(differs->reproduced);
}

TEST(DescribedKinds, ThatAreFaultsDoNotKeepARunAlive) {
  // A thread that dies with the lock leaves the other one waiting. All that can happen there is
  // that the other is killed too, and that nobody may wait for: the run is over.
  const auto nobody_waits = [](const Threads::State& s) {
    return std::all_of(s.threads.begin(), s.threads.end(),
                       [](const Threads::Thread& t) { return t.at == 4 || t.killed; });
  };
  Model<Threads> model = threads(true, 2);
  model.eventually("nobody waits", nobody_waits);
  const Report report = checked(model);
  ASSERT_EQ(report.violations.size(), 1U);
  EXPECT_EQ(report.violations[0].property, "nobody waits");
  const std::vector<TraceStep>& steps = report.violations[0].trace->steps;
  EXPECT_TRUE(std::any_of(steps.begin(), steps.end(), [](const TraceStep& step) {
    return show(step.detail.action) == "kill at 0";
  }));
  Model<Threads> unhurt = threads(true);
  unhurt.eventually("nobody waits", nobody_waits);
  EXPECT_EQ(checked(unhurt).verdict, Verdict::kHolds);
}

TEST(DescribedKinds, OfPropertiesAreWordsAndNeverHowTheyAreJudged) {
  const Report report = checked(threads(false));
  ASSERT_EQ(report.violations.size(), 1U);
  EXPECT_EQ(report.violations[0].kind, "eventually");
  EXPECT_EQ(report.violations[0].word, "leads-to");
  const Trace& trace = *report.violations[0].trace;
  EXPECT_EQ(trace.verdict.kind, "eventually");
  EXPECT_EQ(trace.verdict.word, "leads-to");
  EXPECT_TRUE(has(to_text(report), "violated: all counted (leads-to)")) << to_text(report);
  EXPECT_TRUE(has(to_text(trace), "violated: all counted (leads-to)")) << to_text(trace);
  EXPECT_TRUE(has(to_json(report), "\"word\": \"leads-to\"") ||
              has(to_json(report), "\"word\":\"leads-to\""));
  const auto refused = [](const std::string& word, PropertyKind kind) {
    Model<Threads> model = threads(true);
    model.add({.name = "odd", .kind = kind, .word = word}, [](const auto&) { return true; });
    const Result<Report> judged = check(model);
    return judged ? "" : judged.error().message;
  };
  EXPECT_TRUE(
      has(refused("always", PropertyKind::kEventually), "has the word \"always\", and is none"));
  EXPECT_TRUE(has(refused("failure", PropertyKind::kAlways), "and is none"));
  EXPECT_TRUE(has(refused("\x1b[31m", PropertyKind::kAlways), "small letters"));
  EXPECT_EQ(refused("always", PropertyKind::kAlways), "");
}

TEST(DescribedKinds, ThatNeverOccurAreTold) {
  EXPECT_TRUE(has(to_text(checked(threads(true))), "never       kill"));
  EXPECT_FALSE(has(to_text(checked(threads(true, 1))), "never       kill"));
}

TEST(DescribedKinds, AreUnderScenariosAndSamplersToo) {
  for (const char* strategy : {"random", "pct", "pos", "dfs", "dpor"}) {
    const Report report = checked(threads(false), {.strategy = strategy, .max_runs = 2000});
    ASSERT_EQ(report.violations.size(), 1U) << strategy;
    EXPECT_EQ(report.violations[0].trace->kinds.size(), 6U) << strategy;
  }
}

// One that says what is wrong with what it says.
struct Odd : Threads {
  std::vector<DescribedKind> described;
  std::vector<DescribedKind> kinds() const { return described; }
};

std::string refusal(std::vector<DescribedKind> kinds) {
  Odd odd;
  odd.described = std::move(kinds);
  Model<Odd> model(odd);
  const Result<Report> report = check(model);
  return report ? report->violations.empty() ? "" : report->violations[0].why
                : report.error().message;
}

TEST(DescribedKinds, ThatMakeNoSenseAreRefused) {
  EXPECT_TRUE(has(refusal({}), "kinds() describes no kind"));
  EXPECT_TRUE(has(refusal({{"Lock"}}), "small letters"));
  EXPECT_TRUE(has(refusal({{"crash"}}), "choose another"));
  EXPECT_TRUE(has(refusal({{"lock"}, {"lock"}}), "is described twice"));
  EXPECT_TRUE(
      has(refusal({{"lock", "{who} locks"}}), "{who}; there are {node}, {from} and {what}"));
  EXPECT_TRUE(has(refusal({{"lock", "", "LL"}}), "one character"));
  EXPECT_TRUE(has(refusal({{"lock", "", "e\u0301"}}), "one character"));
  EXPECT_TRUE(has(refusal(std::vector<DescribedKind>(70'000, {"lock"})), "1000 can be"));
}

TEST(DescribedKinds, DoNotTellOfNobody) {
  Action action;
  action.kind = ActionKind::kDescribed;
  action.type = "m";
  action.described =
      std::make_shared<const DescribedKind>(DescribedKind{"lock", "[{from}] [{node}] {what}"});
  EXPECT_EQ(show(action), "[] [] m");
  action.node = 2;
  EXPECT_EQ(show(action), "[] [2] m");
}

TEST(DescribedKinds, OfWhichThereIsNoneAreAMistakeOfTheModel) {
  EXPECT_TRUE(has(refusal({{"lock"}}), "doing() says \"wake\", which kinds() does not describe"))
      << refusal({{"lock"}});
}

}  // namespace
}  // namespace ordeal::kinds
