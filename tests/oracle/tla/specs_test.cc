#include <gtest/gtest.h>

#include <fstream>
#include <iostream>

#include "tests/oracle/tla/problems.h"
#include "tests/oracle/tla/random_specs.h"

namespace ordeal::oracle::naive {
namespace {

TEST(DebugSpecs, Dump) {
  Tally t;
  const uint64_t n = getenv("N") ? atoi(getenv("N")) : 300;
  for (uint64_t s = 0; s < n; ++s) {
    std::string p = problem_with_specs(s, 1, t);
    if (p.empty()) continue;
    std::cout << "== " << p << "\n";
    std::string text = random_spec(s).module;
    std::ofstream("/tmp/oracle_spec_" + std::to_string(s) + ".tla") << text << random_spec(s).config;
  }
  std::cout << t.cases << " " << t.values << " " << t.without_value << " " << t.skipped << "\n";
  for (const auto& [what, count] : t.seen) std::cout << what << " " << count << "; ";
}

}  // namespace
}  // namespace ordeal::oracle::naive
