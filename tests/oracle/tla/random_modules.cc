#include <fmt/format.h>

#include "tests/oracle/tla/random_expressions.h"

namespace ordeal::oracle::naive {

namespace {

const char* const kNested = R"(
---- MODULE Nested ----
EXTENDS Integers
VARIABLES c, w
Scaled(x) == x * c + w
Above == {x \in 0..5 : x > c + w}
Picked == CHOOSE x \in Above \cup {c} : TRUE
====
I == INSTANCE Nested WITH c <- 3, w <- v1 + 1
J(p) == INSTANCE Nested WITH c <- p, w <- v1
)";

}  // namespace

std::string expression_helpers() {
  return R"(
Max(S) == CHOOSE x \in S : \A y \in S : y <= x
RECURSIVE SumSet(_)
SumSet(S) == IF S = {} THEN 0 ELSE LET x == CHOOSE x \in S : TRUE IN x + SumSet(S \ {x})
Fact[n \in Nat] == IF n = 0 THEN 1 ELSE n * Fact[n - 1]
Apply(F(_), x) == F(x)
Twice(F(_), x) == F(F(x))
Fold2(F(_, _), x, y) == F(x, F(y, x))
x \oplus y == x + 2 * y
x ^+ == x + 1
RECURSIVE Even(_), Odd(_)
Even(n) == IF n = 0 THEN TRUE ELSE Odd(n - 1)
Odd(n) == IF n = 0 THEN FALSE ELSE Even(n - 1)
Range(f) == {f[x] : x \in DOMAIN f}
MapSeq(s, F(_)) == [i \in DOMAIN s |-> F(s[i])]
)";
}

ExpressionModule random_expressions(uint64_t seed) {
  Rng rng(seed);
  ExpressionGenerator generator(rng);
  const Type &integer = kInt, &string = kStr;
  const std::vector<ExpressionGenerator::Name> variables = {
      {"v1", integer},
      {"v2", {K::kSet, {integer}}},
      {"v3", {K::kFunction, {string, integer}}},
      {"v4", {K::kSequence, {integer}}},
      {"v5", {K::kRecord, {integer, string}}}};
  ExpressionModule out;
  out.text =
      "---- MODULE Expressions ----\nEXTENDS Integers, Sequences, FiniteSets, TLC\n"
      "CONSTANTS m1, m2, m3\nVARIABLES v1, v2, v3, v4, v5\n";
  for (size_t state = 1; state <= out.states; ++state) {
    std::string values;
    // They mention nothing.
    for (const auto& variable : variables) {
      values += (values.empty() ? "" : ", ") + generator.make(variable.type, 0);
    }
    out.text += fmt::format("State{} == <<{}>>\n", state, values);
  }
  out.text += "Init == FALSE\nNext == FALSE\n";
  out.text += expression_helpers() + kNested;
  generator.names = variables;
  generator.names.push_back({"I!Scaled", integer, {integer}});
  generator.names.push_back({"I!Above", {K::kSet, {integer}}});
  generator.names.push_back({fmt::format("J({})!Scaled", rng.below(4)), integer, {integer}});
  generator.names.push_back({fmt::format("J(v1 - {})!Picked", rng.below(4)), integer});
  for (size_t i = 1; i <= out.definitions; ++i) {
    const Type type = generator.random_type(2);
    const int depth = 3 + static_cast<int>(rng.below(2));
    const std::string name = fmt::format("D{}", i);
    // Some can be called by those that follow.
    if (generator.one_in(5)) {
      const std::string p = generator.fresh("p");
      const Type of = generator.random_type(1);
      generator.names.push_back({p, of});
      const std::string body = generator.body(type, depth - 1);
      generator.names.pop_back();
      out.text += fmt::format("Op{}({}) == {}\n", i, p, body);
      generator.names.push_back({fmt::format("Op{}", i), type, {of}});
    }
    out.text += fmt::format("{} == {}\n", name, generator.body(type, depth));
    if (generator.one_in(3)) generator.names.push_back({name, type});
  }
  out.text += "====\n";
  return out;
}

}  // namespace ordeal::oracle::naive
