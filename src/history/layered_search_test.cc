// Register histories that are hard to check: many clients, many operations that never return, and a
// read that cannot be. What the answer must be is known from how they are made.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/rng.h"
#include "history/history_file.h"

namespace ordeal {
namespace {

constexpr int kNeverWritten = 99999;

struct Shape {
  int clients = 0;
  int operations = 0;
  uint64_t timeouts = 0;  // percent
  double planted = -1;    // where the impossible read is, as a part of the whole; -1: nowhere
  int values = 5;         // how many there are; 0: each write has its own
  bool stale = false;     // the impossible read returns an old value (with values == 0)
  uint64_t seed = 1;
};

// Clients of a real register: an operation takes effect at some time between call and return, one
// that timed out at any later time or never.
class Recorder {
 public:
  explicit Recorder(const Shape& shape) : shape_(shape), rng_(shape.seed) {}

  std::string record() {
    int left = shape_.operations;
    std::map<int, Op> pending;
    std::vector<int> process(static_cast<size_t>(shape_.clients));
    for (int i = 0; i < shape_.clients; ++i) process[static_cast<size_t>(i)] = i;
    int next_process = shape_.clients;
    while (left > 0 || !pending.empty()) {
      if (!late_.empty() && rng_.below(20) == 0) {
        const size_t at = rng_.below(late_.size());
        apply(late_[at]);
        late_.erase(late_.begin() + static_cast<ptrdiff_t>(at));
      }
      int& self = process[rng_.below(process.size())];
      const auto at = pending.find(self);
      if (at == pending.end()) {
        if (left == 0) continue;
        --left;
        pending.emplace(self, call(self));
        continue;
      }
      Op& op = at->second;
      if (rng_.below(5) < 2) {
        apply(op);
      } else if (op.done || rng_.below(2) == 0) {
        if (rng_.below(100) < shape_.timeouts) {
          if (!op.done && rng_.below(2) == 0) late_.push_back(op);
          line(self, ":info", op, ":timed-out");
          pending.erase(at);
          self = next_process++;
          continue;
        }
        apply(op);
        finish(self, op, shape_.operations - left);
        pending.erase(at);
      }
    }
    return text_;
  }

 private:
  using Value = std::optional<int>;
  enum class Function { kRead, kWrite, kCas };
  struct Op {
    Function function = Function::kRead;
    Value from, to;
    bool done = false, success = false;
    Value found;
  };

  int value() {
    if (shape_.values == 0) return next_value_++;
    return static_cast<int>(rng_.below(static_cast<uint64_t>(shape_.values)));
  }
  Op call(int process) {
    Op op;
    op.function = static_cast<Function>(rng_.below(3));
    if (op.function == Function::kCas)
      op.from = shape_.values == 0 ? register_.value_or(0) : value();
    if (op.function != Function::kRead) op.to = value();
    line(process, ":invoke", op, argument(op));
    return op;
  }
  void apply(Op& op) {
    if (op.done) return;
    op.done = true;
    op.found = register_;
    op.success = op.function != Function::kCas || register_ == op.from;
    if (op.function != Function::kRead && op.success) register_ = op.to;
  }
  void finish(int process, const Op& op, int number) {
    if (op.function != Function::kRead) {
      if (op.function == Function::kWrite && !first_written_) first_written_ = op.to;
      line(process, op.success ? ":ok" : ":fail", op, argument(op));
      return;
    }
    Value found = op.found;
    if (shape_.planted >= 0 && !planted_ && number >= shape_.planted * shape_.operations) {
      planted_ = true;
      found = shape_.stale ? *first_written_ : kNeverWritten;
    }
    line(process, ":ok", op, show(found));
  }

  static std::string show(Value value) { return value ? std::to_string(*value) : "nil"; }
  static std::string argument(const Op& op) {
    if (op.function == Function::kCas) return fmt::format("[{} {}]", show(op.from), show(op.to));
    return show(op.to);
  }
  void line(int process, const char* kind, const Op& op, const std::string& value) {
    const char* name = op.function == Function::kRead    ? ":read"
                       : op.function == Function::kWrite ? ":write"
                                                         : ":cas";
    text_ += fmt::format("INFO  jepsen.util - {} {} {} {}\n", process, kind, name, value);
  }

  const Shape& shape_;
  Rng rng_;
  Value register_, first_written_;
  int next_value_ = 1;
  bool planted_ = false;
  std::vector<Op> late_;
  std::string text_;
};

// The order has distinct operations, no one before another that had returned when it was called.
void expect_real_time(const HistoryVerdict& verdict) {
  std::vector<bool> seen(verdict.operations.size());
  size_t latest_call = 0;
  for (const size_t op : verdict.order) {
    EXPECT_FALSE(seen[op]);
    seen[op] = true;
    latest_call = std::max(latest_call, verdict.operations[op].called.line);
    const size_t returned = verdict.operations[op].returned.line;
    EXPECT_TRUE(returned == 0 || latest_call < returned);
  }
  if (verdict.verdict != LinearVerdict::kLinearizable) return;
  for (size_t op = 0; op < seen.size(); ++op) {
    EXPECT_TRUE(seen[op] || verdict.operations[op].returned.line == 0);
  }
}

void expect_decided(const Shape& shape, size_t most_configurations) {
  SCOPED_TRACE(fmt::format(
      "{} clients, {} operations, {}% time out, {} values, planted {}, seed {}", shape.clients,
      shape.operations, shape.timeouts, shape.values, shape.planted, shape.seed));
  HistoryOptions options;
  options.limits.time = std::chrono::milliseconds(0);
  const Result<HistoryVerdict> verdict = check_history_text("h", Recorder(shape).record(), options);
  ASSERT_TRUE(verdict) << verdict.error().message;
  EXPECT_EQ(verdict->verdict,
            shape.planted < 0 ? LinearVerdict::kLinearizable : LinearVerdict::kNotLinearizable);
  EXPECT_LT(verdict->configurations, most_configurations);
  expect_real_time(*verdict);
  if (shape.planted < 0 || shape.stale) return;
  // All before it is right, so nothing else can be the first that does not fit.
  ASSERT_FALSE(verdict->unplaced.empty());
  EXPECT_EQ(verdict->operations[verdict->unplaced.front()].result, std::to_string(kNeverWritten));
}

TEST(LayeredSearch, AnImpossibleReadIsFoundAmongManyTimeOuts) {
  for (uint64_t seed = 1; seed <= 3; ++seed) {
    for (const double planted : {0.1, 0.5, 0.95}) {
      expect_decided({10, 200, 30, planted, 5, false, seed}, 1'000'000);
      expect_decided({5, 500, 10, planted, 5, false, seed}, 1'000'000);
    }
  }
  expect_decided({20, 2000, 15, 0.95, 5, false, 1}, 3'000'000);
  expect_decided({30, 400, 30, 0.95, 5, false, 1}, 3'000'000);
  expect_decided({40, 400, 5, 0.95, 5, false, 1}, 5'000'000);
}

TEST(LayeredSearch, HistoriesWithManyTimeOutsAreFoundLinearizable) {
  for (uint64_t seed = 1; seed <= 3; ++seed) {
    expect_decided({10, 200, 30, -1, 5, false, seed}, 1'000'000);
    expect_decided({20, 2000, 15, -1, 5, false, seed}, 1'000'000);
    expect_decided({10, 300, 30, -1, 0, false, seed}, 1'000'000);
  }
  expect_decided({40, 400, 5, -1, 5, false, 1}, 5'000'000);
}

TEST(LayeredSearch, WritesThatDifferAllAreNoHarder) {
  for (const bool stale : {false, true}) {
    for (const double planted : {0.3, 0.95}) {
      expect_decided({10, 300, stale ? 0u : 30u, planted, 0, stale, 1}, 1'000'000);
      expect_decided({20, 1000, stale ? 0u : 20u, planted, 0, stale, 2}, 2'000'000);
      expect_decided({40, 400, stale ? 0u : 10u, planted, 0, stale, 3}, 3'000'000);
    }
  }
}

// `ones` writes of 1, `swaps` from 0 to 1, `detours` from 0 to 2 and from 2 to 1 never returned:
// after each write of 0 one of them is used up for the read of 1. Enough for exactly their sum.
std::string scarce(int ones, int swaps, int detours, int reads) {
  std::string text;
  int process = 1;
  const auto add = [&](int count, const std::string& call, const std::string& function) {
    for (; count > 0; --count, ++process) {
      text += fmt::format("INFO  jepsen.util - {} :invoke {}\n", process, call);
      text += fmt::format("INFO  jepsen.util - {} :info {} :timed-out\n", process, function);
    }
  };
  add(ones, ":write 1", ":write");
  add(swaps, ":cas [0 1]", ":cas");
  add(detours, ":cas [0 2]", ":cas");
  add(detours, ":cas [2 1]", ":cas");
  for (int i = 0; i < reads; ++i) {
    for (const char* event :
         {":invoke :write 0", ":ok :write 0", ":invoke :read nil", ":ok :read 1"}) {
      text += fmt::format("INFO  jepsen.util - 0 {}\n", event);
    }
  }
  return text;
}

TEST(LayeredSearch, OperationsThatNeverReturnAreUsedAtMostOnce) {
  for (const int extra : {0, 1}) {
    for (const auto& [ones, swaps, detours] : std::vector<std::tuple<int, int, int>>{
             {30, 0, 0}, {0, 30, 0}, {0, 0, 30}, {10, 12, 0}, {12, 10, 8}}) {
      const int enough = ones + swaps + detours;
      const Result<HistoryVerdict> verdict =
          check_history_text("h", scarce(ones, swaps, detours, enough + extra));
      ASSERT_TRUE(verdict);
      EXPECT_EQ(verdict->verdict,
                extra == 0 ? LinearVerdict::kLinearizable : LinearVerdict::kNotLinearizable);
      EXPECT_LT(verdict->configurations, 200'000u);
      expect_real_time(*verdict);
      if (extra == 0) continue;
      ASSERT_FALSE(verdict->unplaced.empty());
      EXPECT_EQ(verdict->unplaced.front(), verdict->operations.size() - 1);
    }
  }
}

TEST(LayeredSearch, LimitsOnMemoryAndTimeMakeTheAnswerUndecided) {
  const std::string text = Recorder({40, 400, 5, 0.95, 5, false, 1}).record();
  for (const LinearLimits& limits : {LinearLimits{std::chrono::milliseconds(0), size_t{1} << 20},
                                     LinearLimits{std::chrono::milliseconds(0), size_t{9} << 18},
                                     LinearLimits{std::chrono::milliseconds(1), 0}}) {
    HistoryOptions options;
    options.limits = limits;
    const Result<HistoryVerdict> verdict = check_history_text("h", text, options);
    ASSERT_TRUE(verdict);
    EXPECT_EQ(verdict->verdict, LinearVerdict::kUndecided);
    EXPECT_FALSE(verdict->explanation.empty());
    expect_real_time(*verdict);
    EXPECT_FALSE(render(*verdict).empty());
  }
}

TEST(LayeredSearch, UnlessToldOtherwiseACheckIsBounded) {
  const LinearLimits limits = HistoryOptions{}.limits;
  EXPECT_EQ(limits.time, std::chrono::seconds(60));
  EXPECT_LE(limits.memory_bytes, size_t{768} << 20);
  EXPECT_GT(limits.memory_bytes, 0u);
}

}  // namespace
}  // namespace ordeal
