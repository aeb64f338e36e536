// Logs against a small specification: what a mapper can say, and what is told where a log departs.
#include "conform/tla_log.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "base/rng.h"
#include "tests/tools/cli/folder.h"

namespace ordeal::conform {
namespace {

// A counter of one's own and a sum; a step of the sum is one that nobody logs.
constexpr const char* kBank = R"(---- MODULE Bank ----
EXTENDS Integers, Sequences
CONSTANTS Who, Nobody
VARIABLES owns, sum, told
vars == <<owns, sum, told>>
Init == owns = [w \in Who |-> 0] /\ sum = 0 /\ told = Nobody
Pay(w, n) == /\ owns[w] < 50 /\ owns' = [owns EXCEPT ![w] = @ + n] /\ UNCHANGED <<sum, told>>
Take(w, n) == /\ owns[w] >= n
              /\ owns' = [owns EXCEPT ![w] = @ - n] /\ UNCHANGED <<sum, told>>
Add == /\ \E w \in Who : owns[w] # 0
       /\ sum' = sum + 1 /\ UNCHANGED <<owns, told>>
Tell(w) == told' = w /\ UNCHANGED <<owns, sum>>
Next == \/ \E w \in Who, n \in 1 .. 9 : Pay(w, n) \/ Take(w, n)
        \/ Add
        \/ \E w \in Who : Tell(w)
====
)";
constexpr const char* kBankConfig =
    "CONSTANTS Who = {ann, bob} Nobody = nobody\nINIT Init\nNEXT Next\n";

class BankLog : public ::testing::Test {
 protected:
  BankLog() {
    std::ofstream(folder_.path() + "/Bank.tla") << kBank;
    std::ofstream(folder_.path() + "/Bank.cfg") << kBankConfig;
  }
  std::shared_ptr<tla::Specification> specification() {
    tla::LoadOptions options;
    options.path = folder_.path() + "/Bank.tla";
    auto loaded = tla::Specification::load(options);
    EXPECT_TRUE(loaded.ok()) << loaded.error().message;
    return *loaded;
  }
  Result<Conformance> tried(const std::string& log, const std::string& mapper,
                            const ConformOptions& options = {}, uint64_t pool = 1 << 20) {
    std::istringstream lines(log);
    TlaLogOptions tla;
    tla.mapper = mapper;
    tla.mapper_path = mapper.empty() ? "" : "bank.mapper";
    tla.pool_bytes = pool;
    return follow_tla_log(specification(), lines, tla, options);
  }
  Conformance follow(const std::string& log, const std::string& mapper = "",
                     const ConformOptions& options = {}, uint64_t pool = 1 << 20) {
    Result<Conformance> found = tried(log, mapper, options, pool);
    EXPECT_TRUE(found.ok()) << found.error().message;
    return found ? *std::move(found) : Conformance();
  }
  std::string error(const std::string& log, const std::string& mapper) {
    const Result<Conformance> found = tried(log, mapper);
    return found ? "" : found.error().message;
  }

  e2e::Folder folder_;
};

bool conforms(const Conformance& found) { return found.conforms && *found.conforms; }
uint64_t departed_at(const Conformance& found) {
  return found.conforms && !*found.conforms ? found.departure->line : 0;
}

TEST_F(BankLog, NeedsNoMapperWhereEventsNameActionsArgumentsAndVariables) {
  const Conformance good = follow(
      "{\"action\": \"Pay\", \"arguments\": {\"w\": \"ann\", \"n\": 3}}\n\n"
      "{\"event\": \"Pay\", \"w\": \"bob\", \"n\": 2, \"state\": {\"owns\": {\"$map\": "
      "[[\"ann\", 3], [\"bob\", 2]]}, \"sum\": 0}}\n"
      "{\"name\": \"Tell\", \"w\": \"bob\", \"state\": {\"told\": \"bob\"}}\n"
      "{\"name\": \"Rest\"}\n");
  EXPECT_TRUE(conforms(good)) << to_text(good, "log");
  EXPECT_EQ(good.lines, 5U);
  EXPECT_EQ(good.events, 3U);
  EXPECT_EQ(good.ignored, 1U);
  ASSERT_EQ(good.notes.size(), 1U);
  EXPECT_NE(good.notes[0].find("'Rest' is no action of Bank"), std::string::npos);
  const Conformance bad = follow(
      "{\"action\": \"Pay\", \"w\": \"ann\", \"n\": 3}\n"
      "{\"action\": \"Take\", \"w\": \"ann\", \"n\": 4}\n{\"action\": \"Add\"}\n");
  EXPECT_EQ(departed_at(bad), 2U) << to_text(bad, "log");
  EXPECT_EQ(bad.lines, 3U) << "what follows is counted";
  EXPECT_EQ(bad.conforming, 1U);
}

TEST_F(BankLog, ThatSaysNothingOfTheModelIsUndecided) {
  const Conformance found = follow("{\"action\": \"Rest\"}\n");
  EXPECT_FALSE(found.conforms.has_value());
  EXPECT_NE(found.why.find("no line of the log stands for anything"), std::string::npos);
}

TEST_F(BankLog, KeepsAllStatesThatAPartialEventMayMean) {
  const std::string any = "{\"action\": \"Pay\", \"w\": \"ann\"}\n";
  const Conformance found = follow(any + any);
  EXPECT_TRUE(conforms(found));
  EXPECT_EQ(found.most, 17U) << "sums of two numbers from 1 to 9";
  EXPECT_EQ(found.most_at, 2U);
  const Conformance settled =
      follow(any + any +
             "{\"action\": \"Take\", \"w\": \"ann\", \"n\": 9, \"state\": {\"owns\": {\"$map\": "
             "[[\"ann\", 1], [\"bob\", 0]]}}}\n");
  EXPECT_TRUE(conforms(settled)) << to_text(settled, "log");
  EXPECT_EQ(settled.frontier, 1U);
}

TEST_F(BankLog, TellsWhatTheModelWouldHaveAllowedTheNearestFirst) {
  const Conformance found = follow(
      "{\"action\": \"Pay\", \"w\": \"ann\", \"n\": 3, \"state\": {\"owns\": {\"$map\": [[\"ann\", "
      "4], [\"bob\", 0]]}, \"sum\": 0}}\n");
  ASSERT_EQ(departed_at(found), 1U);
  const Departure& departure = *found.departure;
  EXPECT_EQ(departure.states, 1U);
  ASSERT_EQ(departure.stands_for.size(), 1U);
  EXPECT_EQ(departure.stands_for[0], "Pay(w: ann, n: 3)");
  ASSERT_GE(departure.nearest.size(), 2U);
  ASSERT_EQ(departure.nearest[0].differs.size(), 1U);
  EXPECT_EQ(departure.nearest[0].differs[0].what, "owns");
  EXPECT_EQ(departure.nearest[0].differs[0].log, "(ann :> 4 @@ bob :> 0)");
  EXPECT_EQ(departure.nearest[0].differs[0].model, "(ann :> 3 @@ bob :> 0)");
  EXPECT_EQ(departure.nearest[1].step, "Pay(w: ann, n: 4)") << "one argument differs";
  ASSERT_EQ(departure.nearest[1].differs.size(), 1U);
  EXPECT_EQ(departure.nearest[1].differs[0].what, "argument n");
}

TEST_F(BankLog, TellsWhyAnActionIsNotEnabled) {
  const Conformance found = follow("{\"action\": \"Take\", \"w\": \"ann\", \"n\": 3}\n");
  ASSERT_EQ(departed_at(found), 1U);
  bool is_told = false;
  for (const Near& near : found.departure->nearest) {
    for (const std::string& why : near.why) {
      is_told =
          is_told || (near.step == "Take(w: ann, n: 3)" &&
                      why.find("owns[w] >= n is false: the left side is 0, the right side 3") !=
                          std::string::npos &&
                      why.find("Bank.tla:8:18") != std::string::npos);
    }
  }
  EXPECT_TRUE(is_told) << to_text(found, "log");
}

// An inner \E without a witness is what is to blame; what is seen is told on one line.
TEST_F(BankLog, TellsThatThereIsNoWitness) {
  const Conformance found =
      follow("{\"op\": \"add\"}\n", "specification Bank\non event.op = \"add\"\n do Add\n");
  ASSERT_EQ(departed_at(found), 1U);
  ASSERT_FALSE(found.departure->nearest.empty());
  EXPECT_NE(to_text(found, "log").find("owns[w] # 0"), std::string::npos) << to_text(found, "log");
  const Conformance seen =
      follow("{\"op\": \"look\"}\n",
             "specification Bank\non event.op = \"look\"\n see \\A w \\in Who :\n   owns[w] > 0\n");
  ASSERT_EQ(departed_at(seen), 1U);
  EXPECT_EQ(seen.departure->nearest[0].differs[0].what, "\\A w \\in Who : owns[w] > 0");
}

// As of a message that is not there: the \E gives variables their values.
TEST_F(BankLog, TellsThatThereIsNoWitnessOfAStep) {
  std::ofstream(folder_.path() + "/Bank.tla") << R"(---- MODULE Bank ----
EXTENDS Naturals, Sequences
CONSTANTS Who, Nobody
VARIABLES inbox
Init == inbox = [w \in Who |-> <<>>]
Hear(w) == /\ \E k \in 1 .. Len(inbox[w]) : inbox' = [inbox EXCEPT ![w] = Tail(@)]
Send(w) == inbox' = [inbox EXCEPT ![w] = Append(@, 1)]
Next == \E w \in Who : Hear(w) \/ Send(w)
====
)";
  const Conformance found = follow("{\"action\": \"Hear\", \"w\": \"ann\"}\n");
  ASSERT_EQ(departed_at(found), 1U);
  EXPECT_NE(to_text(found, "log").find("there is none: \\E k \\in 1 .. Len(inbox[w])"),
            std::string::npos)
      << to_text(found, "log");
}

constexpr const char* kMapper = R"(specification Bank
\* Who is written in large letters, and nobody as null.
value "ANN" is ann
value "BOB" is bob
value null is Nobody
define Twice(n) == 2 * n
hidden Add at most 2
see owns[event.who] = event.balance
on event.op = "pay"
  do Pay(event.who, event.amount)
on event.op = "pay twice"
  do Pay(w: event.who, n: k) for k in <<event.amount, event.amount>>
  see sum = event.sum ?? sum
on event.op = "move"
  do Take(event.from, event.amount) then Pay(event.to, event.amount)
on event.op = "maybe"
  do Pay(event.who, Twice(event.amount)) then maybe Tell(event.who)
  or nothing when owns[event.who] > 3
on event.op = "look"
  see sum = event.sum
  see told = event.told
on event.op = "noise"
  ignore
otherwise depart
)";

TEST_F(BankLog, IsReadAsTheMapperSays) {
  const std::string log =
      "{\"op\": \"pay\", \"who\": \"ANN\", \"amount\": 2, \"balance\": 2}\n"
      "{\"op\": \"noise\"}\n"
      "{\"op\": \"pay twice\", \"who\": \"BOB\", \"amount\": 3, \"balance\": 6}\n"
      "{\"op\": \"move\", \"from\": \"BOB\", \"to\": \"ANN\", \"amount\": 5}\n"
      "{\"op\": \"look\", \"who\": \"ANN\", \"balance\": 7, \"sum\": 5, \"told\": null}\n"
      "{\"op\": \"maybe\", \"who\": \"ANN\", \"amount\": 1, \"balance\": 7}\n"
      "{\"op\": \"maybe\", \"who\": \"BOB\", \"amount\": 1, \"balance\": 3}\n"
      "{\"op\": \"look\", \"told\": \"BOB\"}\n";
  const Conformance found = follow(log, kMapper);
  EXPECT_TRUE(conforms(found)) << to_text(found, "log");
  EXPECT_EQ(found.events, 7U);
  EXPECT_EQ(found.ignored, 1U);
  // Two hidden steps between two events: five lines cannot hide more than ten, but three can.
  const Conformance hidden =
      follow("{\"op\": \"pay\", \"who\": \"ANN\", \"amount\": 2}\n{\"op\": \"look\", \"sum\": 3}\n",
             kMapper);
  EXPECT_EQ(departed_at(hidden), 2U);
  EXPECT_EQ(departed_at(follow(log + "{\"op\": \"more\"}\n", kMapper)), 9U);
  EXPECT_EQ(departed_at(follow(
                "{\"op\": \"maybe\", \"who\": \"ANN\", \"amount\": 1, \"balance\": 0}\n", kMapper)),
            1U)
      << "nothing may happen above 3 only";
}

TEST_F(BankLog, WithALineThatIsNoJsonIsUndecidedAndItsRestChecked) {
  const std::string pay = "{\"op\": \"pay\", \"who\": \"ANN\", \"amount\": 2}\n";
  const Conformance found = follow(pay + "{\"op\": \n" + pay + "[1]\n", kMapper);
  EXPECT_FALSE(found.conforms.has_value());
  EXPECT_FALSE(found.departure.has_value());
  EXPECT_EQ(found.unread, 2U);
  ASSERT_EQ(found.unread_lines.size(), 2U);
  EXPECT_EQ(found.unread_lines[0].line, 2U);
  EXPECT_EQ(found.unread_lines[1].line, 4U);
  EXPECT_NE(found.unread_lines[1].why.find("no object"), std::string::npos);
  // Which of two counts, readers of JSON do not agree about.
  const Conformance twice = follow(
      "{\"op\": \"pay\", \"who\": \"ANN\", \"op\": \"take: \\\" \", \"amount\": 2}\n", kMapper);
  ASSERT_EQ(twice.unread_lines.size(), 1U);
  EXPECT_EQ(twice.unread_lines[0].why, "the field 'op' is there twice");
  // One step may have happened at the line, not two.
  const Conformance one = follow(
      pay + "oops\n{\"op\": \"look\", \"who\": \"ANN\", \"balance\": 11, \"sum\": 0}\n", kMapper);
  EXPECT_FALSE(one.departure.has_value()) << to_text(one, "log");
  const Conformance two = follow(
      pay + "oops\n{\"op\": \"look\", \"who\": \"ANN\", \"balance\": 12, \"sum\": 0}\n", kMapper);
  EXPECT_EQ(departed_at(two), 3U);
}

TEST_F(BankLog, BeyondTheFrontierIsUndecidedWhereItDeparts) {
  ConformOptions options;
  options.max_frontier = 3;
  const std::string any = "{\"action\": \"Pay\", \"w\": \"ann\"}\n";
  const Conformance found = follow(any + any, "", options);
  EXPECT_TRUE(conforms(found)) << "a behaviour was found";
  EXPECT_TRUE(found.cut);
  const Conformance lost =
      follow(any + any + "{\"action\": \"Take\", \"w\": \"ann\", \"n\": 9}\n", "", options);
  EXPECT_FALSE(lost.conforms.has_value());
  EXPECT_NE(lost.why.find("--max-frontier"), std::string::npos);
}

TEST_F(BankLog, IsTheSameWhereThePastIsForgotten) {
  std::string log;
  for (int i = 0; i < 300; ++i) {
    log += fmt::format("{{\"action\": \"{}\", \"w\": \"{}\", \"n\": 5}}\n",
                       i % 2 == 0 ? "Pay" : "Take", i % 4 < 2 ? "ann" : "bob");
    log += "{\"action\": \"Tell\"}\n";
    if (i % 50 == 0) log += "{\"action\": \"Take\", \"w\": \"ann\"}\n{\"action\": \"Pay\"}\n";
  }
  const Conformance kept = follow(log, "", {}, uint64_t{1} << 30);
  const Conformance forgotten = follow(log, "", {}, 1);
  EXPECT_EQ(kept.conforming, forgotten.conforming);
  EXPECT_EQ(kept.most, forgotten.most);
  EXPECT_EQ(kept.mean, forgotten.mean);
  EXPECT_EQ(departed_at(kept), departed_at(forgotten));
  EXPECT_GT(kept.conforming, 300U);
  EXPECT_GT(kept.most, 10U);
}

TEST_F(BankLog, ThatIsStoppedTellsWhatWasFoundSoFar) {
  std::atomic<bool> stop = false;
  ConformOptions options;
  options.stop = &stop;
  options.progress = [&](const LogProgress& progress) { stop = progress.lines >= 128; };
  std::string log;
  for (int i = 0; i < 1000; ++i) log += "{\"action\": \"Tell\", \"w\": \"ann\"}\n";
  const Conformance found = follow(log, "", options);
  EXPECT_FALSE(found.conforms.has_value());
  EXPECT_TRUE(found.stopped);
  EXPECT_GE(found.conforming, 128U);
  EXPECT_LT(found.conforming, 1000U);
  EXPECT_NE(found.why.find("stopped"), std::string::npos);
}

TEST_F(BankLog, WithAnEventThatTwoRulesAreAboutIsRefused) {
  const std::string mapper =
      "specification Bank\non event.op = \"a\"\n do Add\non event.n = 1\n ignore\n";
  const std::string message = error("{\"op\": \"b\"}\n{\"op\": \"a\", \"n\": 1}\n", mapper);
  EXPECT_NE(message.find("line 2: two rules of the mapper are about it, at line 2 and at line 4"),
            std::string::npos)
      << message;
}

TEST_F(BankLog, MapperThatIsWrongIsRefusedWithThePlaceAndWhatWouldBeRight) {
  struct Case {
    std::string mapper, message;
  };
  const std::string head = "specification Bank\n";
  const std::vector<Case> cases = {
      {"on TRUE\n ignore\n", "bank.mapper:1:1: the first statement says which specification"},
      {"\\* nothing\n", "bank.mapper: it does not say which specification it is for"},
      {"specification Bonk\n",
       "bank.mapper:1:15: this mapper is for another specification; here it "
       "is Bank (did you mean 'Bank'?)"},
      {head + "specification Bank\n", "bank.mapper:2:15: the specification was named before"},
      {head + "om event.a = 1\n", "bank.mapper:1:"},
      {head + "do Add\n", "bank.mapper:2:1: 'do' belongs to an 'on' above it"},
      {head + "ignore\n", "bank.mapper:2:1: 'ignore' belongs to an 'on' above it"},
      {head + "on event.op = 1\n do Pai(event.w, 1)\n",
       "bank.mapper:3:5: there is no action 'Pai' (did you mean 'Pay'?)"},
      {head + "on event.op = 1\n do Pay(event.w)\n",
       "bank.mapper:3:5: Pay takes 2 arguments (w, n), and here are 1"},
      {head + "on event.op = 1\n do Pay(who: event.w)\n",
       "bank.mapper:3:5: action Pay has no argument "
       "'who'"},
      {head + "on event.op = 1\n do Pay(n: 1, n: 2)\n", "argument n is given twice"},
      {head + "on event.op = 1\n do Pay(event.w, 1) Add\n",
       "bank.mapper:3:21: after an action come"},
      {head + "on event.op = 1\n do\n", "something must follow 'do'"},
      {head + "see ows[event.w] = event.b\n", "bank.mapper:2:5: "},
      {head + "see sum' = event.b\n", "is about more than one state"},
      {head + "on sum = 1\n ignore\n", "bank.mapper:2:4: what an event is about does not depend"},
      {head + "value [] is ann\n", "bank.mapper:2:7: a value of the log is a text, a number"},
      {head + "value \"x\" as ann\n", "bank.mapper:2:11: a value is said so"},
      {head + "value \"x\" is ann\nvalue \"x\" is bob\n", "bank.mapper:3:7: it was said before"},
      {head + "value \"x\" is sum\n", "bank.mapper:2:14: it depends on the state"},
      {head + "hidden Add at most 99\n", "bank.mapper:2:20: at most"},
      {head + "otherwise wonder\n", "bank.mapper:2:11: what no rule is about is said so"},
      {head + "on event.op = \n ignore\n", "bank.mapper:2:"},
      {head + "on event.op = 1\n do Pay(w: event.w, n: k) for k of <<1>>\n",
       "an action for each of several is said so"},
      {head + "define Twice(n) = 2\n", "bank.mapper:2:8: "},
      {head + "ignore everything\n", "belongs to an 'on'"},
  };
  for (const Case& one : cases) {
    const std::string message = error("{}\n", one.mapper);
    EXPECT_NE(message.find(one.message), std::string::npos)
        << one.mapper << "---\n"
        << message << "\nexpected: " << one.message;
  }
  const std::string unknown = error("{}\n", head + "see ows[event.w] = event.b\n");
  EXPECT_NE(unknown.find("owns"), std::string::npos) << unknown;
}

TEST_F(BankLog, IsReadFromHostileLinesWithoutHarm) {
  std::string deep(100'000, '[');
  const std::vector<std::string> lines = {
      deep,
      "{\"op\": " + deep + "}",
      "{\"op\": 1e999}",
      "{\"op\": \"\\ud800\"}",
      "null",
      "\"x\"",
      std::string("{\"op\": \"a\0b\"}", 13),
      "{\"op\": \"\xff\xfe\"}",
      "{\"\": 1}",
      "{\"op\": \"look\", \"sum\": 123456789012345678901234567890}",
      "{\"op\": \"look\", \"sum\": {\"$map\": [[1, 2], [1, 3]]}}",
      "{\"op\": \"look\", \"sum\": {\"$map\": 3}}",
      "{\"op\": \"look\", \"sum\": [1, \"a\"]}",
      "{\"op\": \"pay\", \"who\": 3, \"amount\": \"x\"}",
      "{\"op\": \"pay twice\"}",
      "{\"op\": \"move\", \"from\": {}, \"to\": [], \"amount\": 0.5}"};
  for (const std::string& line : lines) {
    const Result<Conformance> found = tried(line + "\n", kMapper);
    if (found) {
      EXPECT_FALSE(conforms(*found) && found->unread > 0) << line.substr(0, 50);
    } else {
      EXPECT_NE(found.error().message.find("line 1"), std::string::npos) << found.error().message;
    }
  }
}

// Mappers and logs with pieces doubled, cut out and put elsewhere: refused or read, never more.
TEST_F(BankLog, IsReadFromScrambledTextsWithoutHarm) {
  const std::string log =
      "{\"op\": \"pay\", \"who\": \"ANN\", \"amount\": 2, \"balance\": 2}\n"
      "{\"op\": \"maybe\", \"who\": \"ANN\", \"amount\": 1}\n{\"op\": \"look\", \"told\": "
      "\"BOB\"}\n";
  Rng rng(7);
  const auto scrambled = [&](std::string text) {
    for (uint64_t i = 1 + rng.below(3); i > 0; --i) {
      const size_t from = rng.below(text.size());
      const std::string piece = text.substr(from, rng.below(12));
      if (rng.below(2) == 0) text.erase(from, piece.size());
      if (rng.below(2) == 0) text.insert(rng.below(text.size() + 1), piece);
      if (text.empty()) text = "x";
    }
    return text;
  };
  int refused = 0, read = 0;
  for (int i = 0; i < 600; ++i) {
    const bool both = i % 3 == 0;
    const Result<Conformance> found =
        tried(i % 3 == 1 ? log : scrambled(log), i % 3 == 1 || both ? scrambled(kMapper) : kMapper);
    ++(found ? read : refused);
    if (found) continue;
    EXPECT_FALSE(found.error().message.empty());
  }
  EXPECT_GT(refused, 100);
  EXPECT_GT(read, 100);
}

}  // namespace
}  // namespace ordeal::conform
