// Going on costs what was left, and the ways to where it was left; not a second search.
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <filesystem>
#include <memory>
#include <optional>
#include <vector>

#include "ordeal/check.h"
#include "ordeal/model.h"
#include "tests/tools/cli/folder.h"

namespace ordeal {
namespace {

// Numbers that only grow, one at a time: no edge leads back, so that none can close a cycle. Levels
// are wide, so that a search is stopped in the middle of them. Counts what it is asked for.
struct Growing {
  static constexpr uint32_t kMost = 24;
  static constexpr uint32_t kNumbers = 4;
  static constexpr uint64_t kStates = 25 * 25 * 25 * 25;
  struct State {
    std::array<uint32_t, kNumbers> numbers = {};
  };
  using Action = uint32_t;
  std::shared_ptr<std::atomic<uint64_t>> asked = std::make_shared<std::atomic<uint64_t>>(0);

  std::vector<State> initial() const { return {State{}}; }
  void actions(const State&, std::vector<Action>& out) const {
    for (uint32_t i = 0; i < kNumbers; ++i) out.push_back(i);
  }
  std::optional<State> next(const State& state, Action number) const {
    ++*asked;
    if (state.numbers[number] == kMost) return std::nullopt;
    State out = state;
    ++out.numbers[number];
    return out;
  }
};

class Cost : public testing::Test {
 protected:
  Cost() : model_(growing_) {
    model_.eventually("all are large", [](const Growing::State& state) {
      return state.numbers == std::array<uint32_t, 4>{24, 24, 24, 24};
    });
    model_.always("goes on", [this](const Growing::State&) {
      if (++judged_ == stop_after_) stop_ = true;
      return true;
    });
    options_.strategy = "bfs";
    options_.threads = 1;
  }

  // What the model was asked for.
  uint64_t asked_by(const Options& options, Verdict expected) {
    *growing_.asked = 0;
    judged_ = 0;
    stop_ = false;
    const Result<Report> report = check(model_, options);
    EXPECT_TRUE(report.ok());
    EXPECT_EQ(report.ok() ? report->verdict : Verdict::kViolated, expected);
    return *growing_.asked;
  }

  Growing growing_;
  Model<Growing> model_;
  Options options_;
  std::atomic<uint64_t> judged_ = 0;
  uint64_t stop_after_ = 0;
  std::atomic<bool> stop_ = false;
};

TEST_F(Cost, OfGoingOnIsNoMoreThanThatOfStartingAnew) {
  const e2e::Folder folder;
  const uint64_t anew = asked_by(options_, Verdict::kHolds);
  options_.checkpoint = folder.path() + "/search";
  options_.stop = &stop_;
  for (const uint64_t tenths : {3, 6, 9}) {
    stop_after_ = Growing::kStates * tenths / 10;
    const uint64_t before = asked_by(options_, Verdict::kUndecided);
    stop_after_ = 0;
    const uint64_t after = asked_by(options_, Verdict::kHolds);
    EXPECT_GT(before, anew * (tenths - 1) / 10);
    // What was left, and the ways, each common part once.
    EXPECT_LE(after, anew) << tenths << " tenths were done";
  }
}

TEST_F(Cost, OfASearchOnDiskIsThatOfOneInMemory) {
  const e2e::Folder folder;
  const uint64_t in_memory = asked_by(options_, Verdict::kHolds);
  options_.spill = folder.path();
  options_.spill_bytes = 1;
  EXPECT_EQ(asked_by(options_, Verdict::kHolds), in_memory);
}

}  // namespace
}  // namespace ordeal
