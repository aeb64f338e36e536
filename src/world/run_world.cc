#include <algorithm>
#include <utility>

#include "ordeal/world.h"

namespace ordeal {
namespace {

class SpaceWorld : public World {
 public:
  SpaceWorld(std::shared_ptr<StateSpace> space, uint64_t memory_limit)
      : space_(std::move(space)), explorer_(space_->explorer()), memory_limit_(memory_limit) {
    explorer_->take_runs();
  }

  const std::vector<Property>& properties() const override { return space_->properties(); }

  Result<void> reset(uint32_t initial) override {
    // Once in a while is enough to stay bounded.
    if (++runs_ % kLooks == 0) forget_in_time();
    if (initial_.empty()) {
      auto states = space_->initial();
      if (!states) return states.error();
      initial_ = std::move(*states);
    }
    if (initial >= initial_.size()) {
      return Error{"there is no initial state number " + std::to_string(initial) + ": there are " +
                   std::to_string(initial_.size())};
    }
    state_ = initial_[initial].state;
    fingerprint_ = initial_[initial].fingerprint;
    listed_ = false;
    stepped_ = false;
    trouble_.reset();
    depth_ = 0;
    explorer_->at_depth(depth_);
    return {};
  }

  uint32_t initial_count() override {
    if (initial_.empty() && !reset(0)) return 0;
    return static_cast<uint32_t>(initial_.size());
  }

  const std::vector<Choice>& enabled() override {
    if (!listed_) {
      enabled_.clear();
      explorer_->enumerate(state_, enabled_);
      listed_ = true;
      if (meets_trouble()) enabled_.clear();
    }
    return enabled_;
  }

  Result<void> apply(uint32_t index) override {
    const Choice choice = settled(index);
    if (choice.fails) return Error{explorer_->detail(state_, choice).failure};
    next_.clear();
    fingerprint_ = explorer_->apply(state_, fingerprint_, choice, next_);
    std::swap(state_, next_);
    listed_ = false;
    stepped_ = true;
    amended_ = false;
    trouble_.reset();
    ++steps_;
    step_ = choice;
    explorer_->at_depth(++depth_);
    return {};
  }

  uint64_t fingerprint() override { return fingerprint_; }
  bool within() override {
    // What lies behind a step that is outside of the constraint is, too.
    if (stepped_ && step_.outside) return false;
    const bool within = explorer_->within(state_);
    return !meets_trouble() && within;
  }
  bool judges_outside() const override { return space_->judges_outside(); }
  void judge(bool terminal, Judgement& out) override {
    explorer_->judge(state_, terminal, out);
    meets_trouble();
  }
  Outcome explain(bool terminal, uint32_t property) override {
    return explorer_->explain(state_, terminal, property);
  }
  void judge_step(Judgement& out) override {
    if (!stepped_) return;
    list_step();
    explorer_->judge_step(next_, step_, stepped_to(), out);
    meets_trouble();
  }
  Outcome explain_step(uint32_t property) override {
    if (!stepped_) return true;
    list_step();
    return explorer_->explain_step(next_, step_, stepped_to(), property);
  }
  const std::string* trouble() override { return trouble_ ? &*trouble_ : nullptr; }
  Action action(uint32_t index) override { return explorer_->action(state_, enabled()[index]); }
  StepDetail detail(uint32_t index) override { return explorer_->detail(state_, settled(index)); }
  void footprint(uint32_t index, Footprint& out) override {
    explorer_->footprint(state_, settled(index), out);
  }
  uint64_t key(uint32_t index) override { return explorer_->key(state_, enabled()[index]); }
  Snapshot observe() override { return explorer_->observe(state_); }
  // What was forgotten since it was last asked for counts: it was there.
  SpaceStatistics statistics() const override {
    SpaceStatistics out = held();
    out.bytes = std::max(out.bytes, std::exchange(forgotten_bytes_, 0));
    return out;
  }
  std::vector<StepSort> sorts() const override { return space_->sorts(); }
  std::vector<KindRef> kinds() const override { return space_->kinds(); }
  void forget() override {
    space_->forget();
    initial_.clear();
    ++forgotten_;
  }

  std::optional<Saved> save() override {
    Saved out{state_, fingerprint_, depth_, forgotten_};
    if (space_->can_travel()) space_->encode(state_, out.content);
    return out;
  }
  bool restore(const Saved& saved) override {
    if (++runs_ % kLooks == 0) forget_in_time();
    if (saved.forgotten == forgotten_) {
      state_ = saved.state;
    } else {
      if (saved.content.empty()) return false;
      next_.clear();
      if (!space_->decode(saved.content, next_)) return false;
      std::swap(state_, next_);
    }
    fingerprint_ = saved.fingerprint;
    listed_ = false;
    stepped_ = false;
    amended_ = false;
    trouble_.reset();
    depth_ = saved.depth;
    explorer_->at_depth(depth_);
    return true;
  }

  Offer offer(uint32_t index) override { return explorer_->offer(state_, enabled()[index]); }
  void events(std::vector<Event>& out) override {
    if (!stepped_) return;
    list_step();
    explorer_->events(next_, step_, stepped_to(), out);
  }
  void on_its_way(std::vector<Event>& out) override { explorer_->on_its_way(state_, out); }
  void amend(std::span<const Amendment> changes) override {
    std::vector<uint32_t> amended;
    fingerprint_ = explorer_->amend(state_, changes, amended);
    // The events of the last step stay what they were.
    if (!amended_) after_step_ = std::move(state_);
    amended_ = true;
    state_ = std::move(amended);
    listed_ = false;
  }

  Result<uint32_t> predicate(const std::string& text) override {
    return explorer_->predicate(text);
  }
  bool holds(uint32_t predicate) override { return explorer_->holds(state_, predicate); }
  std::optional<uint32_t> distance(uint32_t predicate) override {
    return explorer_->distance(state_, predicate);
  }
  Result<uint32_t> colouring(const std::string& name) override {
    return explorer_->colouring(name);
  }
  void colours(uint32_t colouring, std::vector<uint64_t>& out) override {
    explorer_->colours(state_, colouring, out);
  }
  void show_colours(uint32_t colouring, std::vector<value::Tree>& out) override {
    explorer_->show_colours(state_, colouring, out);
  }

 private:
  SpaceStatistics held() const {
    SpaceStatistics out = space_->statistics();
    out.bytes += explorer_->bytes();
    return out;
  }
  // What rarely comes back is sooner found out again than looked up in tables that have outgrown
  // the caches of the processor.
  void forget_in_time() {
    const SpaceStatistics now = held();
    if (now.bytes <= room_ && now.bytes <= memory_limit_) return;
    const bool comes_back = (now.handler_calls - calls_) * kComesBack < steps_;
    if (now.bytes > memory_limit_ || !comes_back) {
      forgotten_bytes_ = std::max(forgotten_bytes_, now.bytes);
      forget();
    } else {
      room_ *= 2;
    }
    calls_ = now.handler_calls;
    steps_ = 0;
  }
  Choice settled(uint32_t index) {
    Choice choice = enabled()[index];
    choice.fails = explorer_->fails(state_, choice);
    return choice;
  }
  // The last step means something to the explorer as long as it has listed no other state.
  void list_step() {
    if (!listed_) return;
    enabled_.clear();
    explorer_->at_depth(depth_ - 1);
    explorer_->enumerate(next_, enabled_);
    explorer_->at_depth(depth_);
    listed_ = false;
  }
  const std::vector<uint32_t>& stepped_to() const { return amended_ ? after_step_ : state_; }
  // Whether the last question could not be answered.
  bool meets_trouble() {
    const std::string* trouble = explorer_->trouble();
    if (trouble != nullptr && !trouble_) trouble_ = *trouble;
    return trouble != nullptr;
  }

  static constexpr uint64_t kLooks = 8;  // every so many runs
  static constexpr uint64_t kRoom = uint64_t{4} << 20;
  static constexpr uint64_t kComesBack = 4;  // steps for every call of a handler, at least

  std::shared_ptr<StateSpace> space_;
  std::unique_ptr<Explorer> explorer_;
  uint64_t memory_limit_;
  std::vector<StateSpace::Initial> initial_;
  std::vector<uint32_t> state_;
  std::vector<uint32_t> next_;          // after a step: the state before it
  std::vector<uint32_t> after_step_;    // where the state has been amended since
  Choice step_;                         // the last one
  std::optional<std::string> trouble_;  // the first since then
  std::vector<Choice> enabled_;
  uint64_t fingerprint_ = 0;
  uint64_t runs_ = 0;
  uint64_t forgotten_ = 0;                // how often
  mutable uint64_t forgotten_bytes_ = 0;  // the most that was held when it was forgotten
  uint64_t room_ = kRoom;
  uint64_t steps_ = 0;  // since it was last asked whether they come back
  uint64_t calls_ = 0;  // of handlers, until then
  uint32_t depth_ = 0;  // steps since the start of the run
  bool listed_ = false;
  bool stepped_ = false;
  bool amended_ = false;
};

}  // namespace

std::unique_ptr<World> run_world(std::shared_ptr<StateSpace> space, uint64_t memory_limit) {
  return std::make_unique<SpaceWorld>(std::move(space), memory_limit);
}

}  // namespace ordeal
