#include <gtest/gtest.h>

#include "tests/oracle/tla/problems.h"

namespace ordeal::oracle::naive {
namespace {

TEST(TlaOracle, RandomExpressionsHaveTheValueThatANaiveEvaluatorGivesThem) {
  Tally tally;
  EXPECT_EQ(problem_with_expressions(0, getenv("N") ? atoi(getenv("N")) : 60, tally), "");
  std::cout << tally.cases << " " << tally.values << " " << tally.without_value << " "
            << tally.skipped << "\n";
  for (const auto& [what, count] : tally.seen) std::cout << what << " " << count << "; ";
  std::cout << "\n";
}

}  // namespace
}  // namespace ordeal::oracle::naive
#include <fstream>
#include "tests/oracle/tla/random_expressions.h"
namespace ordeal::oracle::naive {
TEST(Debug, Dump) {
  for (uint64_t s = 0; s < 3000; ++s) {
    Tally t;
    std::string p = problem_with_expressions(s, 1, t);
    if (p.empty()) continue;
    std::cout << "== " << p << "\n";
    std::string text = random_expressions(s).text;
    std::ofstream("/tmp/oracle_dump_" + std::to_string(s) + ".tla") << text;
    auto d = p.find(", D");
    if (d != std::string::npos) {
      std::string name = p.substr(d + 2, p.find_first_of(" :", d + 2) - d - 2);
      auto at = text.find("\n" + name + " ==");
      auto end = text.find("\nD", at + 3);
      std::cout << text.substr(at, std::min<size_t>(1500, end - at)) << "\n";
    }
  }
}
}
