// Specifications followed by the names of their actions.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "language/tla/model/follower.h"
#include "language/tla/model/space.h"
#include "ordeal/tla.h"
#include "tests/tools/tla/modules.h"

namespace ordeal::tla {
namespace {

using e2e::has;
using Arguments = std::map<std::string, std::string>;

class Following : public testing::Test {
 protected:
  Execution open(const std::string& body, const std::string& config, const std::string& key = "") {
    auto model = Execution::open({.path = modules_.add("Spec", body, config), .key = key});
    if (!model) ADD_FAILURE() << model.error().message;
    return *std::move(model);
  }
  Execution commit() { return open(e2e::kCommit, e2e::kCommitConfig); }

  static Execution::Visit take(Execution& model, const std::string& name,
                               const Arguments& arguments = {}) {
    const auto command = model.find(name, arguments);
    EXPECT_TRUE(command) << command.error().message;
    const auto visit = model.take(*command);
    EXPECT_TRUE(visit) << visit.error().message;
    return *visit;
  }
  static std::string refusal(Execution& model, const std::string& name,
                             const Arguments& arguments = {}) {
    const auto command = model.find(name, arguments);
    return command ? "it was found" : command.error().message;
  }

  e2e::Modules modules_;
};

TEST_F(Following, TakesTheActionThatIsNamedWithItsArguments) {
  Execution model = commit();
  EXPECT_EQ(model.state(),
            "/\\ rm = (r1 :> \"working\" @@ r2 :> \"working\" @@ r3 :> \"working\")\n"
            "/\\ tm = \"init\"\n/\\ prepared = {}\n/\\ msgs = {}\n");
  EXPECT_TRUE(take(model, "Prepare", {{"r", "r2"}}).taken);
  EXPECT_EQ(*model.evaluate("rm[r2]"), "\"prepared\"");
  EXPECT_EQ(*model.evaluate("msgs"), "{[rm |-> r2, type |-> \"prepared\"]}");
  EXPECT_TRUE(take(model, "Hear", {{"r", "r2"}}).taken);
  EXPECT_TRUE(take(model, "Abort").taken);
  EXPECT_TRUE(take(model, "Obey", {{"r", "r1"}}).taken);
  EXPECT_EQ(*model.evaluate("rm"),
            "(r1 :> \"aborted\" @@ r2 :> \"prepared\" @@ r3 :> \"working\")");
}

TEST_F(Following, AnActionThatIsNotEnabledLeavesTheStateAsItIs) {
  Execution model = commit();
  const int64_t key = model.key();
  const std::string state = model.state();
  const Execution::Visit visit = take(model, "Hear", {{"r", "r1"}});
  EXPECT_FALSE(visit.taken);
  EXPECT_EQ(visit.key, key);
  EXPECT_EQ(model.state(), state);
  // Nor does one whose argument lies outside of its set.
  EXPECT_FALSE(take(model, "Prepare", {{"r", "7"}}).taken);
  EXPECT_EQ(model.key(), key);
}

TEST_F(Following, KeysAreOfTheStateAloneAndTheSameInEveryProcess) {
  Execution model = commit();
  const int64_t initial = model.key();
  take(model, "Prepare", {{"r", "r1"}});
  take(model, "Prepare", {{"r", "r3"}});
  const int64_t one_way = model.key();
  EXPECT_NE(one_way, initial);
  ASSERT_TRUE(model.reset());
  EXPECT_EQ(model.key(), initial);
  take(model, "Prepare", {{"r", "r3"}});
  take(model, "Prepare", {{"r", "r1"}});
  EXPECT_EQ(model.key(), one_way);
  Execution again = commit();
  EXPECT_EQ(again.key(), initial);
  EXPECT_EQ(initial, 8356165159850070585) << "states are hashed otherwise: old keys are void";
}

TEST_F(Following, WhatIsNotGivenIsTheFirstThatThereIs) {
  Execution model = commit();
  const Execution::Visit visit = take(model, "Prepare");
  EXPECT_TRUE(visit.taken);
  EXPECT_FALSE(visit.unique);
  EXPECT_EQ(*model.evaluate("rm[r1]"), "\"prepared\"");
  EXPECT_TRUE(take(model, "Prepare", {{"r", "r2"}}).unique);
  take(model, "Prepare");
  EXPECT_EQ(*model.evaluate("rm[r3]"), "\"prepared\"");
  EXPECT_FALSE(take(model, "Prepare").taken);
}

TEST_F(Following, OfSeveralSuccessorsTheFirstIsTakenAndSaidSo) {
  Execution model = open(
      "EXTENDS Naturals\nVARIABLES x, y\nInit == x = 0 /\\ y = 0\n"
      "Pick(n) == x' \\in {n + 2, n + 1} /\\ y' = n\n"
      "Next == \\E n \\in 0..3 : Pick(n)",
      "INIT Init\nNEXT Next");
  const Execution::Visit visit = take(model, "Pick", {{"n", "2"}});
  EXPECT_TRUE(visit.taken);
  EXPECT_FALSE(visit.unique);
  EXPECT_EQ(model.state(), "/\\ x = 3\n/\\ y = 2\n");
}

TEST_F(Following, WaysThatLeadToOneStateAreOneSuccessor) {
  Execution model = open(
      "EXTENDS Naturals\nVARIABLE x\nInit == x = 0\nStep == x' = x + 1\n"
      "Next == Step \\/ (\\E n \\in 1..2 : x >= 0 /\\ Step)",
      "INIT Init\nNEXT Next");
  EXPECT_TRUE(take(model, "Step").unique);
  EXPECT_EQ(model.state(), "x = 1\n");
}

TEST_F(Following, GoesThroughConjunctionsAroundAndBehindTheAction) {
  Execution model = open(
      "EXTENDS Naturals\nVARIABLES x, n, who\nInit == x = 0 /\\ n = 0 /\\ who = 0\n"
      "A(p) == x' = x + p /\\ who' = p\nB(p) == x' = x - p /\\ who' = p\n"
      "Next == /\\ n < 2\n        /\\ \\/ \\E i \\in 1..3 : A(i)\n           \\/ \\E i \\in 1..3 : "
      "B(i)\n"
      "        /\\ n' = n + 1\n        /\\ x' >= 0",
      "INIT Init\nNEXT Next");
  EXPECT_FALSE(take(model, "B", {{"p", "1"}}).taken) << "what follows the action was not asked";
  EXPECT_TRUE(take(model, "A", {{"p", "3"}}).taken);
  EXPECT_EQ(model.state(), "/\\ x = 3\n/\\ n = 1\n/\\ who = 3\n");
  EXPECT_TRUE(take(model, "B", {{"i", "2"}}).taken) << "by the name of the witness";
  EXPECT_EQ(model.state(), "/\\ x = 1\n/\\ n = 2\n/\\ who = 2\n");
  EXPECT_FALSE(take(model, "A", {{"p", "1"}}).taken)
      << "what stands before the action was not asked";
}

TEST_F(Following, BindsWhatIsComputedAndWhatIsPassedOn) {
  Execution model = open(
      "EXTENDS Naturals, Sequences\nVARIABLE x\nInit == x = <<>>\n"
      "Put(v) == Len(x) < 3 /\\ x' = Append(x, v)\nTwice(w) == Put(2 * w)\nThrice(w) == Put(3 * "
      "w)\n"
      "Swap == \\E <<a, b>> \\in {<<1, 2>>, <<2, 1>>} : Len(x) = 3 /\\ x' = <<x[a], x[b]>>\n"
      "Either(b) == IF b THEN \\E n \\in 1..9 : Twice(n) ELSE \\E n \\in 1..9 : Thrice(n)\n"
      "Next == (\\E b \\in BOOLEAN : Either(b)) \\/ Swap",
      "INIT Init\nNEXT Next");
  EXPECT_TRUE(take(model, "Put", {{"v", "9"}}).taken);
  EXPECT_TRUE(take(model, "Twice", {{"w", "9"}}).taken);
  EXPECT_TRUE(take(model, "Put", {{"v", "6"}, {"b", "TRUE"}}).taken);
  EXPECT_EQ(model.state(), "x = <<9, 18, 6>>\n");
  EXPECT_TRUE(take(model, "Swap", {{"a", "2"}}).taken);
  EXPECT_EQ(model.state(), "x = <<18, 9>>\n");
  EXPECT_FALSE(take(model, "Put", {{"v", "7"}}).taken) << "no witness comes to this";
}

TEST_F(Following, FindsInstancesAndDefinitionsAboveOtherActions) {
  modules_.add("Cell", "EXTENDS Naturals\nVARIABLE v\nSet(n) == v' = n\n", "");
  Execution model = open(
      "EXTENDS Naturals\nVARIABLES a, b\nA == INSTANCE Cell WITH v <- a\nB == INSTANCE Cell WITH v "
      "<- b\n"
      "Init == a = 0 /\\ b = 0\n"
      "Left == \\E n \\in 1..3 : A!Set(n) /\\ UNCHANGED b\nRight == \\E n \\in 1..3 : B!Set(n) /\\ "
      "UNCHANGED a\n"
      "Next == Left \\/ Right",
      "INIT Init\nNEXT Next");
  EXPECT_TRUE(take(model, "B!Set", {{"n", "3"}}).taken);
  EXPECT_TRUE(take(model, "Left", {{"n", "2"}}).taken);
  EXPECT_EQ(model.state(), "/\\ a = 2\n/\\ b = 3\n");
  EXPECT_TRUE(take(model, "Next").taken);
  EXPECT_EQ(model.state(), "/\\ a = 1\n/\\ b = 3\n");
}

TEST_F(Following, ListsActionsWithWhatTheyBind) {
  Execution model = commit();
  std::string out;
  for (const Execution::Action& action : model.actions()) {
    out += action.name + "(";
    for (const std::string& name : action.parameters) out += name + " ";
    out += "|";
    for (const std::string& name : action.witnesses) out += " " + name;
    out += ") ";
  }
  EXPECT_EQ(out, "Commit(|) Abort(|) Prepare(r |) Hear(r |) Obey(r | m) ");
}

TEST_F(Following, WrongNamesAreToldWithTheNearestRightOnes) {
  Execution model = commit();
  EXPECT_EQ(
      refusal(model, "Prepar", {{"r", "r1"}}),
      "there is no action 'Prepar' (did you mean 'Prepare'?); there are Commit, Abort, Prepare, "
      "Hear and Obey");
  EXPECT_EQ(refusal(model, "Prepare", {{"rm", "r1"}}),
            "action Prepare has no argument 'rm' (did you mean 'r'?); it has r");
  EXPECT_EQ(refusal(model, "Commit", {{"r", "r1"}}),
            "action Commit has no argument 'r'; it has none");
  EXPECT_TRUE(has(refusal(model, "Prepare", {{"r", "r9"}}), "r9 is not defined"));
  EXPECT_TRUE(has(refusal(model, "Prepare", {{"r", "1 +"}}), "argument r: <expression>:1:"));
  EXPECT_TRUE(has(refusal(model, "Prepare", {{"r", "tm"}}), "depends on the state"));
}

TEST_F(Following, AnErrorHasItsPlaceAndLeavesTheStateAsItIs) {
  Execution model = open(
      "EXTENDS Naturals\nVARIABLES x, y\nInit == x = 0 /\\ y = <<5>>\n"
      "Good == x' = x + 1 /\\ UNCHANGED y\nBad == x' = y[x] /\\ UNCHANGED y\nHalf == x' = 7\n"
      "Next == Good \\/ Bad \\/ Half",
      "INIT Init\nNEXT Next");
  for (const char* name : {"Bad", "Half"}) {
    const auto command = model.find(name);
    ASSERT_TRUE(command);
    const auto visit = model.take(*command);
    ASSERT_FALSE(visit);
    EXPECT_TRUE(
        has(visit.error().message, std::string(name) == "Bad" ? "Spec.tla:6:" : "UNCHANGED y"))
        << visit.error().message;
    EXPECT_EQ(model.state(), "/\\ x = 0\n/\\ y = <<5>>\n");
  }
  EXPECT_TRUE(take(model, "Good").taken);
  EXPECT_TRUE(take(model, "Bad").taken);
  EXPECT_EQ(*model.evaluate("x"), "5");
}

TEST_F(Following, AKeyOfOnesOwnTellsStatesApart) {
  Execution model = open(e2e::kCommit, e2e::kCommitConfig, "<<tm, prepared>>");
  const int64_t initial = model.key();
  EXPECT_EQ(take(model, "Prepare", {{"r", "r1"}}).key, initial);
  EXPECT_NE(take(model, "Hear", {{"r", "r1"}}).key, initial);
  const auto primed = Execution::open({.path = modules_.file("Spec.tla"), .key = "tm'"});
  ASSERT_FALSE(primed);
  EXPECT_TRUE(has(primed.error().message, "more than one")) << primed.error().message;
  // Without one it is the VIEW of the configuration.
  Execution viewed = open(std::string(e2e::kCommit) + "\nWhat == <<tm, prepared>>",
                          std::string(e2e::kCommitConfig) + "VIEW What");
  EXPECT_EQ(viewed.key(), initial);
}

TEST_F(Following, InitialStatesAreChosenByNumber) {
  Execution model =
      open("EXTENDS Naturals\nVARIABLE x\nInit == x \\in 3..5\nUp == x' = x + 1\nNext == Up",
           "INIT Init\nNEXT Next");
  EXPECT_EQ(model.state(), "x = 3\n");
  ASSERT_TRUE(model.reset(2));
  EXPECT_EQ(model.state(), "x = 5\n");
  const auto wrong = model.reset(3);
  ASSERT_FALSE(wrong);
  EXPECT_TRUE(has(wrong.error().message, "numbered from 0 to 2")) << wrong.error().message;
  EXPECT_EQ(model.state(), "x = 5\n");
}

TEST_F(Following, TellsWhichInvariantsAreFalse) {
  Execution model = open(std::string(e2e::kCommit) + "\nIdle == msgs = {}",
                         std::string(e2e::kCommitConfig) + "INVARIANT Idle");
  EXPECT_EQ(*model.violated(), std::vector<std::string>());
  take(model, "Abort");
  EXPECT_EQ(*model.violated(), std::vector<std::string>({"Idle"}));
}

TEST_F(Following, ARunShowsEveryStateAndBeginsAgainWhereItIsTold) {
  Execution model = commit();
  const auto states =
      model.run({{"Abort"}, {"Abort"}, {.reset = true}, {"Commit"}, {.reset = true}});
  ASSERT_TRUE(states) << states.error().message;
  ASSERT_EQ(states->size(), 5U);
  EXPECT_NE((*states)[0].key, (*states)[1].key);
  EXPECT_EQ((*states)[1].key, (*states)[2].key);
  EXPECT_FALSE((*states)[2].taken);
  EXPECT_EQ((*states)[3].key, (*states)[0].key);
  EXPECT_FALSE((*states)[4].taken);
  const auto wrong = model.run({{"Abort"}, {"Abrot"}});
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error().message.substr(0, 46), "event 2: there is no action 'Abrot' (did you m");
}

TEST_F(Following, SpecificationsWithoutBehaviourAreRefused) {
  const auto model = Execution::open({.path = modules_.add("Plain", "Two == 2", "")});
  ASSERT_FALSE(model);
  EXPECT_TRUE(has(model.error().message, "there are no behaviours to follow"));
}

// --- Against the successors that are enumerated --------------------------------------------------

std::string as_expression(const value::Tree& tree) {
  using Kind = value::Tree::Kind;
  const auto list = [&](const char* open, const char* close) {
    std::string out = open;
    for (const value::Tree& item : tree.items) {
      out += (out.size() > std::string(open).size() ? ", " : "") + as_expression(item);
    }
    return out + close;
  };
  if (tree.kind == Kind::kInteger) return std::to_string(tree.integer);
  if (tree.kind == Kind::kBoolean) return tree.integer != 0 ? "TRUE" : "FALSE";
  if (tree.kind == Kind::kText) return "\"" + tree.text + "\"";
  if (tree.kind == Kind::kEnumerator) return tree.text;
  if (tree.kind == Kind::kSet) return list("{", "}");
  if (tree.kind == Kind::kList) return list("<<", ">>");
  if (tree.kind == Kind::kRecord) {
    std::string out;
    for (size_t i = 0; i < tree.items.size(); ++i) {
      out += (out.empty() ? "[" : ", ") + tree.names[i] + " |-> " + as_expression(tree.items[i]);
    }
    return out + "]";
  }
  ADD_FAILURE() << "no expression for " << value::show(tree);
  return "";
}

// In every state: for each name with its bindings, the follower takes the first of the successors
// that are called so, and says whether there are others. The number of states.
size_t compare_with_enumeration(const std::string& path) {
  LoadOptions options;
  options.path = path;
  auto loaded = Specification::load(options);
  EXPECT_TRUE(loaded) << loaded.error().message;
  const std::shared_ptr<Specification> spec = *loaded;
  TlaSpace space(spec);
  auto made = Follower::make(spec, "");
  EXPECT_TRUE(made) << made.error().message;
  Follower& follower = **made;
  const auto explorer = space.explorer();
  std::map<std::string, FollowedAction> known;
  std::set<uint64_t> seen;
  std::vector<std::vector<uint32_t>> waiting;
  const auto roots = space.initial();
  for (const auto& root : *roots) {
    if (seen.insert(root.fingerprint).second) waiting.push_back(root.state);
  }
  while (!waiting.empty()) {
    const std::vector<uint32_t> state = std::move(waiting.back());
    waiting.pop_back();
    std::vector<Choice> choices;
    explorer->enumerate(state, choices);
    EXPECT_EQ(explorer->trouble(), nullptr);
    struct Successors {
      std::string name;
      value::Tree bindings;
      std::vector<uint64_t> fingerprints;
    };
    std::map<std::string, Successors> by_label;
    for (const Choice& choice : choices) {
      std::vector<uint32_t> packed;
      const uint64_t fingerprint = explorer->apply(state, 0, choice, packed);
      if (seen.insert(fingerprint).second) waiting.push_back(packed);
      const Action action = explorer->action(state, choice);
      Successors& same = by_label[action.type + value::show(action.payload)];
      same.name = action.type;
      same.bindings = action.payload;
      same.fingerprints.push_back(fingerprint);
    }
    std::vector<Value> values(state.size() / 2);
    for (size_t i = 0; i < values.size(); ++i) {
      values[i] = Value::from_word(uint64_t{state[2 * i]} | uint64_t{state[2 * i + 1]} << 32);
    }
    for (const auto& [label, successors] : by_label) {
      if (!known.contains(label)) {
        std::vector<std::pair<std::string, std::vector<Value>>> arguments;
        for (size_t i = 0; i < successors.bindings.items.size(); ++i) {
          const auto value = follower.constant(as_expression(successors.bindings.items[i]));
          EXPECT_TRUE(value) << value.error().message;
          arguments.push_back({successors.bindings.names[i], {*value}});
        }
        auto found = follower.find(successors.name, arguments);
        EXPECT_TRUE(found) << label << ": " << found.error().message;
        known.emplace(label, *std::move(found));
      }
      EXPECT_TRUE(follower.go_to(values));
      const auto followed = follower.take(known.at(label));
      EXPECT_TRUE(followed) << followed.error().message;
      EXPECT_TRUE(followed->taken) << label;
      EXPECT_EQ(static_cast<uint64_t>(follower.key()), successors.fingerprints[0]) << label;
      const bool is_one =
          std::all_of(successors.fingerprints.begin(), successors.fingerprints.end(),
                      [first = successors.fingerprints[0]](uint64_t one) { return one == first; });
      EXPECT_EQ(followed->unique, is_one) << label;
      if (testing::Test::HasFailure()) return seen.size();
    }
  }
  return seen.size();
}

TEST_F(Following, ComesToWhatIsEnumerated) {
  EXPECT_EQ(compare_with_enumeration(modules_.add("Commit", e2e::kCommit, e2e::kCommitConfig)),
            251U);
  EXPECT_EQ(
      compare_with_enumeration(modules_.add(
          "Mixed",
          "EXTENDS Naturals, Sequences\nCONSTANT P\nVARIABLES x, q, s\n"
          "Init == x \\in {0, 1} /\\ q = <<>> /\\ s = {}\n"
          "Send(p, v) == Len(q) < 2 /\\ q' = Append(q, [from |-> p, what |-> v]) /\\ UNCHANGED s\n"
          "Receive == \\E keep \\in BOOLEAN, bonus \\in 0..1 :\n"
          "             /\\ q # <<>>\n"
          "             /\\ s' = IF keep THEN s \\cup {Head(q).from} ELSE s\n"
          "             /\\ q' = Tail(q)\n"
          "Forget == s' \\in SUBSET s /\\ UNCHANGED q\n"
          "Work == \\/ \\E p \\in P, v \\in 1..2 : Send(p, v)\n        \\/ Receive\n        \\/ "
          "Forget\n"
          "Turn(n) == x' = n\n"
          "Next == /\\ Work\n        /\\ x' = 1 - x\n",
          "CONSTANT P = {a, b}\nINIT Init\nNEXT Next\nCHECK_DEADLOCK FALSE")),
      168U);
}

}  // namespace
}  // namespace ordeal::tla
