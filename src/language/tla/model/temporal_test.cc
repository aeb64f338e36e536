#include "language/tla/model/temporal.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "language/tla/model/explorer.h"
#include "language/tla/model/space.h"

namespace ordeal::tla {
namespace {

const char* const kModule = R"(---- MODULE Here ----
EXTENDS Naturals, Sequences
VARIABLES x, y
vars == <<x, y>>
Init == x = 0 /\ y = 0
Up == x < 3 /\ x' = x + 1 /\ UNCHANGED y
Wrap == x = 3 /\ x' = 0 /\ y' = 1 - y
Next == Up \/ Wrap
Add(n) == x' = x + n /\ y' = y
None == {}
Leads(P, Q) == P ~> Q
Apply(F(_), n) == F(n)
RECURSIVE EachUpTo(_)
EachUpTo(n) == IF n = 0 THEN TRUE ELSE <>(x = n) /\ EachUpTo(n - 1)
Holds(P) == []P
Fair(A) == WF_vars(A)
)";

struct Loaded {
  std::shared_ptr<Specification> spec;
  std::unique_ptr<Temporal> temporal;
  std::string trouble;
};

Loaded loaded(const std::string& definitions) {
  LoadOptions options;
  options.path = "Here.tla";
  options.text = kModule + definitions + "\n====\n";
  options.init = "Init";
  options.next = "Next";
  Loaded out;
  auto spec = Specification::load(options);
  if (!spec) {
    out.trouble = spec.error().message;
    return out;
  }
  out.spec = *std::move(spec);
  out.temporal = std::make_unique<Temporal>(*out.spec);
  return out;
}

Part part_named(Specification& spec, const std::string& name) {
  const Operator* const op = spec.compiler().find(name);
  return {op->body, &op->layout, name, {}};
}

// The formula that the text becomes, or "! " and the first line of why there is none.
std::string formula_of(const std::string& text) {
  Loaded here = loaded("Here == " + text);
  if (here.spec == nullptr) return "!! " + here.trouble;
  const Result<Formula> formula = here.temporal->formula(part_named(*here.spec, "Here"));
  if (formula) return to_text(*formula);
  std::string why = formula.error().message;
  return "! " + why.substr(0, why.find('\n'));
}

TEST(TlaTemporal, FormulasBecomeAtomsOfStatesAndOfSteps) {
  const std::vector<std::pair<const char*, const char*>> table = {
      {"[]<>(x = 1)", "[]<>s0"},
      {"<>[](x = 1 /\\ y = 0)", "<>[]s0"},
      {"x = 1 ~> y = 1", "[](~s0 \\/ <>s1)"},
      {"[][Next]_vars", "[]~t0"},
      {"[][x' > x]_x", "[]~t0"},
      {"<><<Up>>_vars", "<>t0"},
      {"[]<><<Up>>_vars", "[]<>t0"},
      {"<>[][Up]_x", "<>[]~t0"},
      {"WF_vars(Up)", "[]<>(~s0 \\/ t0)"},
      {"SF_x(Up)", "(<>[]~s0 \\/ []<>t0)"},
      {"WF_vars(Up) /\\ WF_vars(Up)", "[]<>(~s0 \\/ t0)"},
      {"WF_vars(Up) => []<>(x = 0)", "(~[]<>(~s0 \\/ t0) \\/ []<>s1)"},
      {"[]<>(x = 0) <=> <>(y = 1)", "(([]<>s0 /\\ <>s1) \\/ (~[]<>s0 /\\ ~<>s1))"},
      {"~<>(x = 4)", "~<>s0"},
      {"~~[]<>(x = 0)", "[]<>s0"},
      {"\\A n \\in 0 .. 2 : <>(x = n)", "(<>s0 /\\ <>s1 /\\ <>s2)"},
      {"\\E n \\in {1, 3} : <>[](x = n)", "(<>[]s0 \\/ <>[]s1)"},
      {"\\A n \\in None : <>(x = n)", "TRUE"},
      {"\\A n \\in 1 .. 2 : WF_vars(Add(n))", "([]<>(~s0 \\/ t0) /\\ []<>(~s1 \\/ t1))"},
      {"\\A <<n, m>> \\in {<<1, 2>>} : x = n ~> x = m", "[](~s0 \\/ <>s1)"},
      {"[](x = 1 => <>(y = 1))", "[](~s0 \\/ <>s1)"},
      {"[](x = 1 => [Up]_vars)", "[]~t0"},
      {"[](x < 4 /\\ [Next]_vars)", "[](s0 /\\ ~t0)"},
      {"<>(x = 4 \\/ <<Wrap>>_y)", "<>(s0 \\/ t0)"},
      {"<>(\\E n \\in 1 .. 2 : <<Add(n)>>_x)", "<>t0"},
      {"<>(x = 3 /\\ <<Wrap>>_y)", "<>t0"},
      {"<<Wrap>>_y ~> x = 0", "[](~t0 \\/ <>s0)"},
      {"IF 1 = 2 THEN []<>(x = 0) ELSE <>(x = 1)", "<>s0"},
      {"IF x = 0 THEN <>(x = 1) ELSE <>(x = 2)", "((s0 /\\ <>s1) \\/ (~s0 /\\ <>s2))"},
      {"CASE x = 0 -> <>(x = 1) [] OTHER -> <>(x = 2)", "((s0 /\\ <>s1) \\/ (~s0 /\\ <>s2))"},
      {"LET P == x = 1 IN []<>P", "[]<>s0"},
      {"LET P == []<>(x = 1) IN ~P", "~[]<>s0"},
      {"LET P(n) == <>(x = n) IN P(1) /\\ P(2)", "(<>s0 /\\ <>s1)"},
      {"Leads(x = 1, <<Up>>_x)", "[](~s0 \\/ <>t0)"},
      {"Holds(<>(x = 1))", "[]<>s0"},
      {"Holds([x' > x]_x)", "[]~t0"},
      {"Fair(Up)", "[]<>(~s0 \\/ t0)"},
      {"Apply(LAMBDA n : <>(x = n), 2)", "<>s0"},
      {"EachUpTo(2)", "(<>s0 /\\ <>s1)"},
      {"1 = 1 => <>(x = 1)", "<>s0"},
      {"[]<>(ENABLED Up)", "[]<>s0"},
      {"[][]<>(x = 0)", "[]<>s0"},
  };
  for (const auto& [text, wanted] : table) EXPECT_EQ(formula_of(text), wanted) << text;
}

TEST(TlaTemporal, WhatCannotBeCheckedIsToldWithItsPlaceAndWhatToWriteInstead) {
  const std::vector<std::pair<const char*, const char*>> table = {
      {"[](x' > x)", "say [][A]_v or <><<A>>_v"},
      {"x' > x", "say [][A]_v or <><<A>>_v"},
      {"[Next]_vars", "say [][A]_v or <>[][A]_v"},
      {"<>[Next]_vars", "say <>[][A]_v, or <><<A>>_v"},
      {"[]<<Next>>_vars", "say []<><<A>>_v, or [][A]_v"},
      {"<>(x' > x)", "say [][A]_v or <><<A>>_v"},
      {"\\A n \\in 0 .. x : <>(y = n)", "must not depend on the state"},
      {"\\A n : <>(y = n)", "without \\in ranges over everything"},
      {"\\EE z : []<>(z = 1)", "hides a variable"},
      {"([]<>(x = 1)) = <>(x = 2)", "within /\\, \\/, ~, =>, <=>"},
      {"CASE x = 0 -> <>(x = 1)", "needs an OTHER"},
  };
  for (const auto& [text, wanted] : table) {
    const std::string told = formula_of(text);
    EXPECT_TRUE(told.starts_with("! Here.tla:")) << text << " → " << told;
    EXPECT_NE(told.find(wanted), std::string::npos) << text << " → " << told;
  }
}

// What a specification assumes: its fairness one by one, and the rest as a formula.
TEST(TlaTemporal, FairnessOfASpecificationIsTakenOneByOne) {
  Loaded here = loaded(R"(
Some == /\ WF_vars(Next)
        /\ \A n \in 1 .. 2 : SF_x(Add(n)) /\ WF_vars(Next)
        /\ LET P == y = 1 IN []<>P
        /\ Fair(Up))");
  ASSERT_NE(here.spec, nullptr) << here.trouble;
  Temporal& temporal = *here.temporal;
  const Result<void> taken = temporal.assume(part_named(*here.spec, "Some"));
  ASSERT_TRUE(taken) << taken.error().message;
  std::vector<std::string> names;
  for (const FairAction& fair : temporal.fair()) {
    names.push_back(fair.name + (fair.owed == Owed::kStrongly ? " strongly" : " weakly"));
  }
  EXPECT_EQ(names, (std::vector<std::string>{
                       "WF_vars(Next) weakly", "SF_x(Add(n)) for n = 1 strongly",
                       "SF_x(Add(n)) for n = 2 strongly", "WF_vars(A) for A = Up weakly"}));
  EXPECT_EQ(to_text(temporal.assumed()), "[]<>s3");
}

TEST(TlaTemporal, ASpecificationAssumesNothingOfInitialStatesAndStepsWithinQuantifiers) {
  for (const char* const text :
       {"\\A n \\in 1 .. 2 : (x >= 0) /\\ WF_vars(Add(n))", "\\A n \\in 1 .. 2 : [][Add(n)]_vars",
        "LET P == x < 9 IN []P /\\ WF_vars(Next)"}) {
    Loaded here = loaded(std::string("Some == ") + text);
    ASSERT_NE(here.spec, nullptr) << here.trouble;
    EXPECT_FALSE(here.temporal->assume(part_named(*here.spec, "Some"))) << text;
  }
}

}  // namespace
}  // namespace ordeal::tla
