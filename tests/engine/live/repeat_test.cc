// Requests that are made again, as System::free_faults() allows it: on random protocols, making one
// again is what would happen if it waited once more.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/rng.h"
#include "ordeal/system.h"
#include "tests/oracle/random/generator.h"

namespace ordeal::live {
namespace {

using State = std::vector<uint32_t>;

bool is_repeat(const Choice& choice) {
  return choice.kind == ActionKind::kRequest && !choice.progress;
}

// What the actions for one request lead to, in their order; 0 where the handler fails.
using Ends = std::vector<uint64_t>;

class Walker {
 public:
  explicit Walker(System& system)
      : declaration_(system.declaration()), space_(system.space()), engine_(space_->explorer()) {}

  void walk(uint64_t seed) {
    const auto initial = space_->initial();
    if (!initial.ok()) return;
    State state = (*initial)[0].state;
    uint64_t fingerprint = (*initial)[0].fingerprint;
    Rng rng(seed);
    for (int step = 0; step < 30; ++step) {
      compare(state, fingerprint);
      std::vector<Choice> enabled;
      engine_->enumerate(state, enabled);
      std::erase_if(enabled, [](const Choice& choice) { return choice.fails; });
      if (enabled.empty() || ::testing::Test::HasFailure()) return;
      State next;
      fingerprint = engine_->apply(state, fingerprint, enabled[rng.below(enabled.size())], next);
      state = std::move(next);
    }
  }

  size_t repeats() const { return repeats_; }

 private:
  Ends ends(const State& state, uint64_t fingerprint, NodeId node, const value::Any& request,
            bool repeated) {
    std::vector<Choice> enabled;
    engine_->enumerate(state, enabled);
    Ends out;
    for (const Choice& choice : enabled) {
      if (choice.kind != ActionKind::kRequest || is_repeat(choice) != repeated) continue;
      const Offer offer = engine_->offer(state, choice);
      if (offer.node != node || offer.content != request.hash()) continue;
      State next;
      out.push_back(choice.fails ? 0 : engine_->apply(state, fingerprint, choice, next));
    }
    return out;
  }

  bool is_pending(const State& state, NodeId node, const value::Any& request) {
    std::vector<Event> pending;
    engine_->on_its_way(state, pending);
    return std::any_of(pending.begin(), pending.end(), [&](const Event& event) {
      return event.kind == EventKind::kSubmit && event.to == node && event.payload == request;
    });
  }

  void compare(const State& state, uint64_t fingerprint) {
    for (const auto& [node, request] : declaration_.requests) {
      const Ends again = ends(state, fingerprint, node, request, true);
      repeats_ += again.size();
      if (is_pending(state, node, request)) {
        EXPECT_TRUE(again.empty()) << "it waits, and could be made again all the same";
        continue;
      }
      const Amendment add{Amendment::Kind::kAdd, ActionKind::kRequest, -1, node, request};
      State waiting;
      const uint64_t other = engine_->amend(state, {&add, 1}, waiting);
      EXPECT_EQ(again, ends(waiting, other, node, request, false));
    }
  }

  const detail::Declaration& declaration_;
  std::shared_ptr<StateSpace> space_;
  std::unique_ptr<Explorer> engine_;
  size_t repeats_ = 0;
};

TEST(RepeatedRequests, AreAsIfTheyWaitedOnceMore) {
  size_t repeats = 0;
  for (uint64_t seed = 0; seed < 300; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    oracle::Case random = oracle::generate(seed);
    random.system.free_faults();
    if (random.system.space() == nullptr) continue;
    ASSERT_TRUE(random.system.validate()) << random.system.validate().error().message;
    Walker walker(random.system);
    walker.walk(seed);
    repeats += walker.repeats();
  }
  EXPECT_GT(repeats, 1000U);
}

TEST(RepeatedRequests, FitNoSymmetry) {
  oracle::Case random = oracle::generate(1, {.alike = true});
  random.system.free_faults();
  const auto symmetry = random.system.symmetry();
  ASSERT_FALSE(symmetry);
  EXPECT_NE(symmetry.error().message.find("made again"), std::string::npos);
}

}  // namespace
}  // namespace ordeal::live
