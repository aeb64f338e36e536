// Histories of thousands of operations, with many that never returned. The answer is known from how
// they are made; the search must not try much more than it needs to.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <vector>

#include "history/history_file.h"
#include "tests/oracle/histories/naive_objects.h"
#include "tests/oracle/histories/recorder.h"

namespace ordeal::histories {
namespace {

struct Shape {
  size_t clients = 0, operations = 0;
  uint64_t lost = 0;  // of ten
};

const std::vector<Shape> kShapes = {{5, 1000, 0}, {10, 2000, 1}, {20, 2000, 3}};

HistoryVerdict check(const NaiveObject& object, const std::string& text) {
  HistoryOptions options;
  options.model = object.model();
  options.limits.time = std::chrono::milliseconds(0);
  const Result<HistoryVerdict> verdict = check_history_text("h.edn", text, options);
  EXPECT_TRUE(verdict) << verdict.error().message;
  return verdict ? *verdict : HistoryVerdict{};
}

// Among its results, from the middle on, a result that is not what it was.
std::string spoiled(std::string text, const std::string& function, const std::string& wrong) {
  for (size_t at = text.size() / 2; (at = text.find("{", at)) != text.npos; ++at) {
    const size_t end = text.find("}", at);
    const std::string event = text.substr(at, end - at);
    const size_t value = event.find(":value ");
    if (event.find(":type :ok") == event.npos || event.find(":f :" + function) == event.npos ||
        value == event.npos) {
      continue;
    }
    const size_t begin = at + value + 7;
    const size_t length = text.find_first_not_of("0123456789", begin) - begin;
    if (length == 0) continue;
    return text.replace(begin, length, wrong);
  }
  ADD_FAILURE() << "nothing to spoil";
  return text;
}

TEST(LargeHistories, OfAFifoQueueAreDecidedAtOnce) {
  const NaiveQueue queue(true, 1'000'000'000);
  for (const Shape& shape : kShapes) {
    for (uint64_t seed = 1; seed <= 3; ++seed) {
      SCOPED_TRACE(
          fmt::format("{} clients, {} of ten lost, seed {}", shape.clients, shape.lost, seed));
      Rng rng(seed);
      const std::string text =
          Recorder(queue, rng, shape.clients, shape.operations, 0, shape.lost).record().text;
      const HistoryVerdict good = check(queue, text);
      EXPECT_EQ(good.verdict, LinearVerdict::kLinearizable);
      EXPECT_LT(good.configurations, 3 * shape.operations);
      const HistoryVerdict bad = check(queue, spoiled(text, "dequeue", "1234567890123"));
      EXPECT_EQ(bad.verdict, LinearVerdict::kNotLinearizable);
      EXPECT_LT(bad.configurations, 100u);
      EXPECT_EQ(bad.operations[bad.unplaced.front()].result, "1234567890123");
    }
  }
}

// Values that come back make the order in which they left uncertain.
TEST(LargeHistories, OfAFifoQueueWithFewValuesAreDecided) {
  const NaiveQueue queue(true, 50);
  for (uint64_t seed = 1; seed <= 3; ++seed) {
    Rng rng(seed);
    const std::string text = Recorder(queue, rng, 4, 200, 0, 0).record().text;
    EXPECT_EQ(check(queue, text).verdict, LinearVerdict::kLinearizable);
  }
}

TEST(LargeHistories, OfAnUnorderedQueueAreDecidedAtOnce) {
  const NaiveQueue queue(false, 100);
  for (const Shape& shape : kShapes) {
    Rng rng(shape.clients);
    const std::string text =
        Recorder(queue, rng, shape.clients, shape.operations, 0, shape.lost).record().text;
    const HistoryVerdict good = check(queue, text);
    EXPECT_EQ(good.verdict, LinearVerdict::kLinearizable);
    EXPECT_LT(good.configurations, 3 * shape.operations);
    const HistoryVerdict bad = check(queue, spoiled(text, "dequeue", "1234567890123"));
    EXPECT_EQ(bad.verdict, LinearVerdict::kNotLinearizable);
  }
}

// Each value once.
class Growing : public NaiveSet {
 public:
  NaiveCall random_call(Rng& rng) const override {
    if (rng.below(20) == 0) return {"read", {}};
    return {"add", {small(rng, 1'000'000'000)}};
  }
};

TEST(LargeHistories, OfASetAreDecidedAtOnce) {
  const Growing set;
  for (const Shape& shape : kShapes) {
    SCOPED_TRACE(shape.clients);
    Rng rng(shape.clients);
    const std::string text =
        Recorder(set, rng, shape.clients, shape.operations, 0, shape.lost).record().text;
    const HistoryVerdict good = check(set, text);
    EXPECT_EQ(good.verdict, LinearVerdict::kLinearizable);
    EXPECT_LT(good.configurations, 3 * shape.operations);

    // A read in the middle that has one value too many: that one is blamed, and the value is named.
    std::string wrong = text;
    size_t at = wrong.find("#{", wrong.size() / 2);
    while (wrong.find_first_not_of("0123456789 ", at + 2) == at + 2) at = wrong.find("#{", at + 2);
    wrong.insert(at + 2, "1234567890123 ");
    const HistoryVerdict bad = check(set, wrong);
    EXPECT_EQ(bad.verdict, LinearVerdict::kNotLinearizable);
    EXPECT_NE(bad.explanation.find("; the read has 1234567890123 "), std::string::npos)
        << bad.explanation;
    EXPECT_LT(bad.configurations, 30 * shape.operations);
  }
}

TEST(LargeHistories, OfAMutexAreDecidedAtOnce) {
  const NaiveMutex mutex;
  for (const Shape& shape : kShapes) {
    Rng rng(shape.clients);
    const std::string text =
        Recorder(mutex, rng, shape.clients, shape.operations, 0, shape.lost).record().text;
    const HistoryVerdict good = check(mutex, text);
    EXPECT_EQ(good.verdict, LinearVerdict::kLinearizable);
    EXPECT_LT(good.configurations, 100 * shape.operations);
  }
}

TEST(LargeHistories, OfRegistersUnderTransactionsAreDecidedAtOnce) {
  const NaiveRegisters registers;
  for (const Shape& shape : kShapes) {
    Rng rng(shape.clients);
    const std::string text =
        Recorder(registers, rng, shape.clients, shape.operations, 0, shape.lost).record().text;
    const HistoryVerdict good = check(registers, text);
    EXPECT_EQ(good.verdict, LinearVerdict::kLinearizable);
    EXPECT_LT(good.configurations, 100 * shape.operations);
  }
}

}  // namespace
}  // namespace ordeal::histories
