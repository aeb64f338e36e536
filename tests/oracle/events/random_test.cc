// Events of random systems: against what traces show of the same steps, and of opaque objects
// against those of the same nodes as values.
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "tests/oracle/events/drive.h"
#include "tests/oracle/events/examine.h"

namespace ordeal::oracle {
namespace {

TEST(RandomEvents, AreWhatTracesShowOfTheSameSteps) {
  EventExaminer::Totals totals;
  EXPECT_EQ(problem_with_events(1000, totals), "");
  // The comparison is worth something only where everything happens.
  EXPECT_GT(totals.steps, 15'000U);
  for (int kind = 0; kind < kEventKinds; ++kind) {
    const auto event = static_cast<EventKind>(kind);
    if (event == EventKind::kStep || event == EventKind::kEnd) continue;
    if (event == EventKind::kSubmit) continue;  // requests wait from the start
    EXPECT_GT(totals.events[event], 10U) << to_string(event);
  }
}

// One system as values and as opaque objects, step by step.
class Pair {
 public:
  explicit Pair(uint64_t seed)
      : values_(generate(seed, {.may_live = true})),
        live_(generate(seed, {.may_live = true, .lives = true})),
        rng_(seed) {}

  bool is_of_use() const { return !values_.features.contains("failing handler"); }

  // What differs; "": nothing.
  std::string walk(uint32_t most_steps) {
    const auto initial = values_.system.space()->initial();
    if (!initial) return "the values cannot start";
    const uint32_t start = static_cast<uint32_t>(rng_.below(initial->size()));
    value_world_ = values_.system.world();
    live_world_ = live_.system.world();
    if (!value_world_->reset(start) || !live_world_->reset()) return "one cannot start";
    const std::vector<uint32_t>& answers = (*initial)[start].choices;
    if (!answer(answers)) return "a start asks for something else";
    std::string problem = compare_pending("at the start");
    for (uint32_t step = 0; step < most_steps && problem.empty() && !over_; ++step) {
      if (value_world_->enabled().empty()) break;
      problem = rng_.below(8) == 0 ? amend_both() : take_both();
    }
    return problem;
  }
  uint64_t steps() const { return steps_; }

 private:
  bool answer(const std::vector<uint32_t>& answers) {
    for (uint32_t given : answers) {
      const auto& enabled = live_world_->enabled();
      if (enabled.empty() || enabled[0].kind != ActionKind::kChoose) return false;
      if (!live_world_->apply(given)) return false;
    }
    return live_world_->enabled().empty() || live_world_->enabled()[0].kind != ActionKind::kChoose;
  }

  std::string take_both() {
    const auto index = static_cast<uint32_t>(rng_.below(value_world_->enabled().size()));
    Action action = value_world_->action(index);
    const std::string words = show(action);
    uint32_t same = 0;
    bool asks = false;
    for (; same < live_world_->enabled().size(); ++same) {
      const Action other = live_world_->action(same);
      if (same_identity(action, other)) break;
      Action silent = action;
      silent.choices.clear();
      asks = same_identity(silent, other);
      if (asks) break;
    }
    if (same == live_world_->enabled().size()) return words + " is not possible for opaque objects";
    if (value_world_->offer(index) != live_world_->offer(same)) return words + ": other offers";
    const bool fails = !value_world_->apply(index).ok();
    const bool ends = !live_world_->apply(same).ok() || (asks && !answer(action.choices));
    if (fails != ends) return words + ": one fails";
    over_ = fails;
    if (fails) return "";
    ++steps_;
    std::vector<Event> values;
    std::vector<Event> lives;
    value_world_->events(values);
    live_world_->events(lives);
    if (shown(values) != shown(lives)) return words + ": other events";
    for (size_t i = 0; i < values.size(); ++i) {
      const Event& a = values[i];
      const Event& b = lives[i];
      if (a.node != b.node || a.from != b.from || a.to != b.to) return words + ": elsewhere";
      if (is_on_its_way(a.kind) && a.offer() != b.offer()) return words + ": other contents";
    }
    return compare_pending("after " + words);
  }

  std::string amend_both() {
    std::vector<Event> events;
    value_world_->on_its_way(events);
    if (events.empty()) return "";
    const Event& event = events[rng_.below(events.size())];
    const Offer offer = event.offer();
    Amendment change = {Amendment::Kind::kRemove, offer.kind, offer.from, offer.node,
                        event.payload};
    if (event.kind == EventKind::kSetTimer) {
      change.payload = value::Any::of(std::string(event.text));
    } else if (!event.payload.empty() && rng_.below(2) == 0) {
      change.kind = Amendment::Kind::kAdd;
    }
    const std::string words = show(event);
    value_world_->amend({&change, 1});
    live_world_->amend({&change, 1});
    return compare_pending("after amending " + words);
  }

  std::string compare_pending(const std::string& when) {
    std::vector<Event> values;
    std::vector<Event> lives;
    value_world_->on_its_way(values);
    live_world_->on_its_way(lives);
    return shown(values) == shown(lives) ? "" : "something else is on its way " + when;
  }

  Case values_;
  Case live_;
  Rng rng_;
  std::unique_ptr<World> value_world_;
  std::unique_ptr<World> live_world_;
  uint64_t steps_ = 0;
  bool over_ = false;
};

TEST(RandomEvents, AreThoseOfTheSameNodesAsLiveObjects) {
  uint64_t steps = 0;
  for (uint64_t seed = 0; seed < 150; ++seed) {
    Pair pair(seed);
    if (!pair.is_of_use()) continue;
    ASSERT_EQ(pair.walk(40), "") << "system " << seed;
    steps += pair.steps();
  }
  EXPECT_GT(steps, 800U);
}

}  // namespace
}  // namespace ordeal::oracle
