#include <gtest/gtest.h>

#include "tests/oracle/tla/problems.h"

namespace ordeal::oracle::naive {
namespace {

TEST(TlaOracle, RandomExpressionsHaveTheValueThatANaiveEvaluatorGivesThem) {
  Tally tally;
  EXPECT_EQ(problem_with_expressions(0, 100, tally), "");
  EXPECT_EQ(tally.cases, 12'000U);
  EXPECT_GT(tally.values, 10'000U);
  EXPECT_GT(tally.without_value, 200U);
  EXPECT_LT(tally.skipped, 300U);
  // Nothing was left untried.
  for (const char* const what : {"%",
                                 "*",
                                 "+",
                                 "-",
                                 "-.",
                                 "..",
                                 "/=",
                                 "/\\",
                                 "/\\ list",
                                 ":>",
                                 "<",
                                 "<<…>>",
                                 "<=",
                                 "<=>",
                                 "=",
                                 "=>",
                                 ">",
                                 ">=",
                                 "@",
                                 "@@",
                                 "Append",
                                 "BOOLEAN",
                                 "CASE",
                                 "CHOOSE",
                                 "Cardinality",
                                 "DOMAIN",
                                 "EXCEPT",
                                 "EXCEPT by a path",
                                 "FALSE",
                                 "Head",
                                 "I!Op",
                                 "IF",
                                 "Int",
                                 "IsFiniteSet",
                                 "LET",
                                 "Len",
                                 "Nat",
                                 "Op(…)",
                                 "Permutations",
                                 "STRING",
                                 "SUBSET",
                                 "SelectSeq",
                                 "Seq",
                                 "SubSeq",
                                 "TRUE",
                                 "Tail",
                                 "UNION",
                                 "[S -> T]",
                                 "[a : …]",
                                 "[a |-> …]",
                                 "[x \\in S |-> …]",
                                 "\\",
                                 "\\/",
                                 "\\/ list",
                                 "\\A",
                                 "\\A <<x, y>>",
                                 "\\E",
                                 "\\E <<x, y>>",
                                 "\\X",
                                 "\\cap",
                                 "\\cup",
                                 "\\div",
                                 "\\in",
                                 "\\notin",
                                 "\\o",
                                 "\\subseteq",
                                 "^",
                                 "f[…]",
                                 "r.a",
                                 "string",
                                 "variable",
                                 "{<<x, y>> \\in S : …}",
                                 "{x \\in S : …}",
                                 "{… : x \\in S}",
                                 "{…}",
                                 "~"}) {
    EXPECT_GT(tally.seen[what], 4U) << what;
  }
}

}  // namespace
}  // namespace ordeal::oracle::naive
