// Random histories in EDN, of every model: what `check_history_text` says is what trying every
// order by naive.h says.
#include <gtest/gtest.h>

#include "tests/oracle/histories/problems.h"

namespace ordeal::histories {
namespace {

constexpr int kCases = 10'000;

std::string problem_with(const NaiveObject& object, uint64_t seed) {
  return problem_with_random_histories(object, seed, kCases);
}

TEST(EdnModels, RegistersAgreeWithTryingAllOrders) {
  EXPECT_EQ(problem_with(NaiveRegister(false), 100), "");
  EXPECT_EQ(problem_with(NaiveRegister(true), 200), "");
}

TEST(EdnModels, RegistersWhoseReadsOfNilAreUnknownAgreeWithTryingAllOrders) {
  EXPECT_EQ(problem_with(NaiveDoubtfulRegister(), 1100), "");
}

TEST(EdnModels, RegistersWithKeysAgreeWithTryingAllOrders) {
  EXPECT_EQ(problem_with(NaivePairs(), 1200), "");
}

TEST(EdnModels, TransactionsAgreeWithTryingAllOrders) {
  EXPECT_EQ(problem_with(NaiveRegisters(), 300), "");
}

TEST(EdnModels, MutexesAgreeWithTryingAllOrders) { EXPECT_EQ(problem_with(NaiveMutex(), 400), ""); }

TEST(EdnModels, FifoQueuesAgreeWithTryingAllOrders) {
  EXPECT_EQ(problem_with(NaiveQueue(true, 2), 500), "");
  EXPECT_EQ(problem_with(NaiveQueue(true, 4), 600), "");
  EXPECT_EQ(problem_with(NaiveQueue(true, 1000), 700), "");
}

TEST(EdnModels, UnorderedQueuesAgreeWithTryingAllOrders) {
  EXPECT_EQ(problem_with(NaiveQueue(false, 2), 800), "");
  EXPECT_EQ(problem_with(NaiveQueue(false, 1000), 900), "");
}

TEST(EdnModels, SetsAgreeWithTryingAllOrders) { EXPECT_EQ(problem_with(NaiveSet(), 1000), ""); }

}  // namespace
}  // namespace ordeal::histories
