// What happens in the end: small specifications with every kind of fairness and of formula, and
// what TLC says of them (tests/data/tla/liveness.csv).
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "language/tla/model/space.h"
#include "ordeal/check.h"
#include "tests/tools/cli/folder.h"

namespace ordeal::tla {
namespace {

const std::string kLivenessData = ORDEAL_SOURCE_DIR "/tests/data/tla/";

struct LivenessRow {
  std::string spec, behaviours, properties, more, verdict;
};

std::vector<LivenessRow> liveness_rows() {
  std::ifstream in(kLivenessData + "liveness.csv");
  std::vector<LivenessRow> out;
  for (std::string line; std::getline(in, line);) {
    if (line.empty() || line[0] == '#' || line.starts_with("spec,")) continue;
    std::istringstream fields(line);
    LivenessRow& row = out.emplace_back();
    for (std::string* field :
         {&row.spec, &row.behaviours, &row.properties, &row.more, &row.verdict}) {
      std::getline(fields, *field, ',');
    }
    std::replace(row.more.begin(), row.more.end(), ';', ',');
  }
  return out;
}

// The module and a configuration.
Result<Report> judged(const std::string& module, const std::string& config, Options options = {}) {
  const e2e::Folder folder;
  LoadOptions load;
  load.path = kLivenessData + module + ".tla";
  load.config = folder.path() + "/Model.cfg";
  std::ofstream(load.config) << config;
  Result<std::shared_ptr<Specification>> specification = Specification::load(load);
  if (!specification) return specification.error();
  return check(TlaSystem(*specification), options);
}

std::string configuration(const LivenessRow& row) {
  return "SPECIFICATION " + row.behaviours + "\nPROPERTIES " + row.properties + "\n" + row.more +
         "\nCHECK_DEADLOCK FALSE\n";
}

TEST(TlaLiveness, SmallSpecificationsHaveTheVerdictsOfTlc) {
  const std::vector<LivenessRow> rows = liveness_rows();
  ASSERT_GT(rows.size(), 50U);
  for (const LivenessRow& row : rows) {
    SCOPED_TRACE(row.spec + " " + row.behaviours + " " + row.properties);
    const Result<Report> report = judged(row.spec, configuration(row));
    ASSERT_TRUE(report) << report.error().message;
    ASSERT_FALSE(report->trouble) << report->trouble->message;
    EXPECT_EQ(to_string(report->verdict), row.verdict);
  }
}

// Each counterexample is a run that goes on for ever, and is one again when it is replayed.
TEST(TlaLiveness, LassosReplay) {
  size_t seen = 0;
  for (const LivenessRow& row : liveness_rows()) {
    if (row.verdict != "violated" || row.spec == "FairLock") continue;
    SCOPED_TRACE(row.behaviours + " " + row.properties);
    LoadOptions load;
    const e2e::Folder folder;
    load.path = kLivenessData + row.spec + ".tla";
    load.config = folder.path() + "/Model.cfg";
    std::ofstream(load.config) << configuration(row);
    const auto specification = Specification::load(load);
    ASSERT_TRUE(specification) << specification.error().message;
    const TlaSystem system(*specification);
    const Result<Report> report = check(system, {});
    ASSERT_TRUE(report) << report.error().message;
    ASSERT_EQ(report->violations.size(), 1U);
    ASSERT_TRUE(report->violations[0].trace);
    const Trace& trace = *report->violations[0].trace;
    ASSERT_TRUE(trace.loop_start);
    EXPECT_LE(*trace.loop_start, trace.steps.size());
    const Result<Trace> read = trace_from_json(to_json(trace));
    ASSERT_TRUE(read) << read.error().message;
    const Result<ReplayResult> again = replay(system, *read);
    ASSERT_TRUE(again) << again.error().message;
    EXPECT_TRUE(again->reproduced) << again->why;
    ++seen;
  }
  EXPECT_GT(seen, 10U);
}

TEST(TlaLiveness, ThreadsChangeNoLasso) {
  Options options;
  std::string first;
  for (const int threads : {1, 3}) {
    options.threads = threads;
    const Result<Report> report =
        judged("FairLock",
               "SPECIFICATION WeakLock\nPROPERTIES Served\nCONSTANT Procs = {1, 2, 3}\n", options);
    ASSERT_TRUE(report) << report.error().message;
    ASSERT_EQ(report->violations.size(), 1U);
    Trace trace = *report->violations[0].trace;
    if (threads == 1) first = to_json(trace);
    EXPECT_EQ(to_json(trace), first);
  }
}

// A fault that may come again makes no difference to who is strongly fair: the cycle is the one
// that leaves the lock to the others.
TEST(TlaLiveness, ALassoSaysWhereItGoesOn) {
  const Result<Report> report =
      judged("FairLock", "SPECIFICATION WeakLock\nPROPERTIES Served\nCONSTANT Procs = {1, 2}\n");
  ASSERT_TRUE(report) << report.error().message;
  ASSERT_EQ(report->violations.size(), 1U);
  const Trace& trace = *report->violations[0].trace;
  ASSERT_TRUE(trace.loop_start);
  EXPECT_LT(*trace.loop_start, trace.steps.size());
}

// A counter that is seen up to its remainder by `hides`, and what is said of it.
Result<Report> looked_at(const std::string& next, const std::string& view,
                         const std::string& more) {
  const e2e::Folder folder;
  LoadOptions load;
  load.path = folder.path() + "/Looked.tla";
  load.config = folder.path() + "/Looked.cfg";
  std::ofstream(load.path) << "---- MODULE Looked ----\nEXTENDS Naturals, TLC\nCONSTANTS a, b\n"
                              "VARIABLES x, n\nInit == x = a /\\ n = 0\n"
                              "Next == "
                           << next << "\nSpec == Init /\\ [][Next]_<<x, n>> /\\ WF_<<x, n>>(Next)\n"
                           << "Looks == " << view
                           << "\nRenamed == Permutations({a, b})\nGoesOn == []<>(x = a)\n"
                              "Ends == <>[](x = b)\nSafe == [][x' \\in {a, b}]_x\n====\n";
  std::ofstream(load.config) << "SPECIFICATION Spec\nCONSTANTS a = a\nb = b\nCHECK_DEADLOCK FALSE\n"
                             << more << "\n";
  const auto specification = Specification::load(load);
  if (!specification) return specification.error();
  return check(TlaSystem(*specification), {});
}

const PropertyResult& result_of(const Report& report, const std::string& name) {
  return *std::find_if(report.properties.begin(), report.properties.end(),
                       [&](const PropertyResult& one) { return one.property.name == name; });
}

const char* const kTurns = "x' = (IF x = a THEN b ELSE a) /\\ ";

TEST(TlaLiveness, UnderSymmetryWhatHappensInTheEndIsUndecidedAndSafetyIsNot) {
  const Result<Report> report =
      looked_at(std::string(kTurns) + "n' = 0", "x", "SYMMETRY Renamed\nPROPERTIES GoesOn Safe");
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_EQ(report->verdict, Verdict::kUndecided);
  EXPECT_EQ(result_of(*report, "GoesOn").verdict, Verdict::kUndecided);
  EXPECT_NE(result_of(*report, "GoesOn").note.find("check it without"), std::string::npos);
  EXPECT_EQ(result_of(*report, "Safe").verdict, Verdict::kHolds);
}

// The hidden counter stops the run, which no view shows: TLC says that GoesOn holds.
TEST(TlaLiveness, AViewThatHidesWhatMattersIsToldOfAndDecidesNothing) {
  const Result<Report> report = looked_at("n < 5 /\\ " + std::string(kTurns) + "n' = n + 1", "x",
                                          "VIEW Looks\nPROPERTIES GoesOn Safe");
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_EQ(result_of(*report, "GoesOn").verdict, Verdict::kUndecided);
  const std::string note = result_of(*report, "GoesOn").note;
  EXPECT_NE(note.find("behave differently (x = b, n = 1, and x = b, n = 5)"), std::string::npos)
      << note;
  EXPECT_EQ(result_of(*report, "Safe").verdict, Verdict::kHolds);
}

TEST(TlaLiveness, AViewThatHidesNothingThatMattersDecides) {
  const std::string counted = std::string(kTurns) + "n' = (n + 1) % 6";
  for (const auto& [property, verdict] :
       {std::pair("GoesOn", Verdict::kHolds), std::pair("Ends", Verdict::kViolated)}) {
    const Result<Report> report =
        looked_at(counted, "x", std::string("VIEW Looks\nPROPERTIES ") + property);
    ASSERT_TRUE(report) << report.error().message;
    EXPECT_EQ(report->verdict, verdict) << property;
    EXPECT_EQ(report->distinct_states, 2U);
  }
}

// Nobody can look at all states behind the views: what is shown is a run that comes back to a view.
TEST(TlaLiveness, AViewOfStatesWithoutEndShowsViolationsAndProvesNothing) {
  const std::string counted = std::string(kTurns) + "n' = n + 1";
  const Result<Report> holds = looked_at(counted, "x", "VIEW Looks\nPROPERTIES GoesOn");
  ASSERT_TRUE(holds) << holds.error().message;
  EXPECT_EQ(holds->verdict, Verdict::kUndecided);
  EXPECT_NE(result_of(*holds, "GoesOn").note.find("is not known of all"), std::string::npos);
  const Result<Report> violated = looked_at(counted, "x", "VIEW Looks\nPROPERTIES Ends");
  ASSERT_TRUE(violated) << violated.error().message;
  ASSERT_EQ(violated->verdict, Verdict::kViolated);
  EXPECT_NE(violated->assumption.find("one VIEW behave alike"), std::string::npos);
  const Trace& trace = *violated->violations[0].trace;
  EXPECT_EQ(trace.loop_start, 0U);
  EXPECT_EQ(trace.steps.size(), 2U);
}

// What is said of every element of a constant set is judged of each where it is found: a violation
// of safety is a shortest run, and no lasso.
TEST(TlaLiveness, SafetyOfEveryElementIsJudgedInStatesAndSteps) {
  const e2e::Folder folder;
  LoadOptions load;
  load.path = folder.path() + "/Each.tla";
  load.config = folder.path() + "/Each.cfg";
  std::ofstream(load.path) << "---- MODULE Each ----\nEXTENDS Naturals\nVARIABLE x\nInit == x = 0\n"
                              "Next == x < 5 /\\ x' = x + 1\n"
                              "Spec == Init /\\ [][Next]_x /\\ WF_x(Next)\n"
                              "Bounded == x <= 5\n"
                              "Misses == \\A n \\in {7, 2} : [](x # n)\n"
                              "Leaps == \\A n \\in 1 .. 9 : [][x = n => x' # n + 1 \\/ n > 3]_x\n"
                              "Mixed == \\A n \\in 1 .. 5 : (x < n) /\\ []Bounded /\\ <>(x = n)\n"
                              "====\n";
  const auto judge = [&](const char* property) {
    std::ofstream(load.config) << "SPECIFICATION Spec\nCHECK_DEADLOCK FALSE\nPROPERTY " << property
                               << "\n";
    const auto specification = Specification::load(load);
    return check(TlaSystem(*specification), {});
  };
  for (const auto& [property, steps] : {std::pair("Misses", 2U), std::pair("Leaps", 2U)}) {
    const Result<Report> report = judge(property);
    ASSERT_TRUE(report) << report.error().message;
    ASSERT_EQ(report->violations.size(), 1U) << property;
    EXPECT_EQ(report->violations[0].trace->steps.size(), steps) << property;
    EXPECT_FALSE(report->violations[0].trace->loop_start);
  }
  const Result<Report> mixed = judge("Mixed");
  ASSERT_TRUE(mixed) << mixed.error().message;
  EXPECT_EQ(mixed->verdict, Verdict::kHolds);
  size_t parts = 0;
  for (const PropertyResult& result : mixed->properties) {
    parts += result.property.name.starts_with("Mixed");
  }
  EXPECT_EQ(parts, 3U);
}

// What cannot be checked is told with the place and what could be written instead; the other
// properties are decided.
TEST(TlaLiveness, WhatCannotBeCheckedIsUndecidedByItsName) {
  const e2e::Folder folder;
  LoadOptions load;
  load.path = folder.path() + "/Open.tla";
  load.config = folder.path() + "/Open.cfg";
  std::ofstream(load.path) << "---- MODULE Open ----\nEXTENDS Naturals\nVARIABLE x\nInit == x = 0\n"
                              "Next == x < 3 /\\ x' = x + 1\n"
                              "Spec == Init /\\ [][Next]_x /\\ WF_x(Next)\n"
                              "Odd == Spec /\\ []<>(\\EE h : h = x)\n"
                              "Grows == [](x' > x)\nEnds == <>(x = 3)\n====\n";
  const auto report = [&](const char* behaviours) {
    std::ofstream(load.config) << "SPECIFICATION " << behaviours
                               << "\nPROPERTIES Grows Ends\nCHECK_DEADLOCK FALSE\n";
    const auto specification = Specification::load(load);
    return check(TlaSystem(*specification), {});
  };
  const Result<Report> some = report("Spec");
  ASSERT_TRUE(some) << some.error().message;
  EXPECT_EQ(some->verdict, Verdict::kUndecided);
  EXPECT_EQ(result_of(*some, "Ends").verdict, Verdict::kHolds);
  const std::string note = result_of(*some, "Grows").note;
  EXPECT_NE(note.find("Open.tla:8:12: "), std::string::npos) << note;
  EXPECT_NE(note.find("say [][A]_v or <><<A>>_v"), std::string::npos) << note;
  EXPECT_EQ(note.find('\n'), std::string::npos);
  // Where it is the specification that cannot be read, nothing that depends on it is decided.
  const Result<Report> none = report("Odd");
  ASSERT_TRUE(none) << none.error().message;
  EXPECT_EQ(result_of(*none, "Ends").verdict, Verdict::kUndecided);
  EXPECT_NE(result_of(*none, "Ends").note.find("Open.tla:7:"), std::string::npos);
}

// What a quantifier binds is compared with what states hold: sets and records, too.
TEST(TlaLiveness, QuantifiersOverSetsAndRecordsBindWhatStatesHold) {
  const e2e::Folder folder;
  std::ofstream(folder.path() + "/Objects.tla") << R"(---- MODULE Objects ----
EXTENDS Naturals, FiniteSets
VARIABLES held, sent
vars == <<held, sent>>
Parts == SUBSET {1, 2}
Letters == [to : {1, 2}, text : {<<"a">>, <<"b">>}]
Init == held = {} /\ sent = {}
Hold(s) == Cardinality(held) < 2 /\ s = {1, 2} \ held /\ held' = s /\ UNCHANGED sent
Send(l) == l \notin sent /\ sent' = sent \cup {l} /\ UNCHANGED held
Next == (\E s \in Parts : Hold(s)) \/ (\E l \in Letters : Send(l))
Spec == Init /\ [][Next]_vars /\ WF_vars(\E s \in Parts : Hold(s))
             /\ \A l \in {l \in Letters : l.to = 1} : WF_vars(Send(l))
AllHeld == \A s \in Parts : held = s ~> held = {1, 2}
NoneStays == \A s \in {{}, {1}} : []<>(held # s)
FullStays == \A s \in {{1, 2}} : <>[](held # s)
FirstSent == \A l \in Letters : l.to = 1 => <>(l \in sent)
AllSent == \A l \in Letters : <>(l \in sent)
====
)";
  for (const auto& [property, verdict] :
       {std::pair("AllHeld", Verdict::kHolds), std::pair("NoneStays", Verdict::kHolds),
        std::pair("FullStays", Verdict::kViolated), std::pair("FirstSent", Verdict::kHolds),
        std::pair("AllSent", Verdict::kViolated)}) {
    LoadOptions load;
    load.path = folder.path() + "/Objects.tla";
    load.config = folder.path() + "/Objects.cfg";
    std::ofstream(load.config) << "SPECIFICATION Spec\nCHECK_DEADLOCK FALSE\nPROPERTY " << property
                               << "\n";
    const auto specification = Specification::load(load);
    ASSERT_TRUE(specification) << specification.error().message;
    const Result<Report> report = check(TlaSystem(*specification), {});
    ASSERT_TRUE(report) << report.error().message;
    EXPECT_EQ(report->verdict, verdict) << property;
  }
}

// ENABLED of an action of an instance is about the variables of the instance: what stands for them
// need not be able to take its next value by itself.
TEST(TlaLiveness, EnablednessOfAnInstanceIsThatOfItsVariables) {
  const e2e::Folder folder;
  std::ofstream(folder.path() + "/Clock.tla") << R"(---- MODULE Clock ----
EXTENDS Naturals
VARIABLES hand, rung
Tick == hand' = (hand + 1) % 3 /\ rung' = (hand = 2)
Free == hand' \in 0 .. 2 /\ hand' # hand
Spec == hand = 0 /\ rung = FALSE /\ [][Tick]_<<hand, rung>> /\ WF_<<hand, rung>>(Tick)
Loose == WF_hand(Free)
====
)";
  std::ofstream(folder.path() + "/Seconds.tla") << R"(---- MODULE Seconds ----
EXTENDS Naturals
VARIABLE s
Init == s = 0
Next == s' = (s + 1) % 6
Fair == Init /\ [][Next]_s /\ WF_s(Next)
Lazy == Init /\ [][Next]_s
Abstract == INSTANCE Clock WITH hand <- (s + 1) \div 2 % 3, rung <- s = 5
Still == INSTANCE Clock WITH hand <- 1, rung <- FALSE
Moves == Abstract!Loose
StandsStill == Still!Loose
====
)";
  const auto verdict = [&](const char* behaviours, const char* property) {
    LoadOptions load;
    load.path = folder.path() + "/Seconds.tla";
    load.config = folder.path() + "/Seconds.cfg";
    std::ofstream(load.config) << "SPECIFICATION " << behaviours << "\nPROPERTY " << property
                               << "\n";
    const auto specification = Specification::load(load);
    if (!specification) return specification.error().message;
    const Result<Report> report = check(TlaSystem(*specification), {});
    if (!report) return report.error().message;
    if (report->trouble) return report->trouble->message;
    return std::string(to_string(report->verdict));
  };
  EXPECT_EQ(verdict("Fair", "Moves"), "holds");
  EXPECT_EQ(verdict("Lazy", "Moves"), "violated");
  // It could always move, and never does, although no step of this specification could move it.
  EXPECT_EQ(verdict("Fair", "StandsStill"), "violated");
}

}  // namespace
}  // namespace ordeal::tla
