// What is remembered of a system is bounded by its size in bytes: that must follow the values.
#include <gtest/gtest.h>

#include <string>

#include "ordeal/check.h"
#include "ordeal/system.h"

namespace ordeal {
namespace {

constexpr int kStates = 50;

struct Hoarder {
  size_t size = 0;
  std::string hoard;
  int left = kStates;
  ORDEAL_FIELDS(hoard, left);
  ORDEAL_CONSTANTS(size);

  void start(Context& ctx) { ctx.set_timer("more"); }
  void timer(Context& ctx, const std::string&) {
    hoard = std::string(size, static_cast<char>('a' + left % 26));
    if (--left > 0) ctx.set_timer("more");
  }
};

uint64_t bytes_of(size_t size) {
  Hoarder hoarder;
  hoarder.size = size;
  System system;
  system.add<Hoarder>(1, [hoarder](NodeId) { return hoarder; });
  Options options;
  options.strategy = "random";
  options.max_runs = 10;
  const Result<Report> report = check(system, options);
  return report ? report->bytes : 0;
}

TEST(Memory, GrowsWithTheValuesThatAreKept) {
  const uint64_t small = bytes_of(1);
  const uint64_t large = bytes_of(100'000);
  EXPECT_GT(small, 0U);
  EXPECT_LT(small, 1'000'000U);
  EXPECT_GT(large, uint64_t{kStates} * 100'000);
}

}  // namespace
}  // namespace ordeal
