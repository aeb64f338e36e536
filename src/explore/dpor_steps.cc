#include "explore/dpor_steps.h"

#include <utility>

#include "base/hash.h"

namespace ordeal::explore {
namespace {

constexpr uint64_t kEndKey = 0x656e64206f662072ULL;

// What both kinds share: leaving out what cannot happen any more, and adding the end.
void finish(const std::vector<Choice>& enabled, Place& out) {
  out.terminal = std::none_of(enabled.begin(), enabled.end(),
                              [](const Choice& choice) { return choice.progress; });
  const bool goes_on = std::any_of(out.begin(), out.end(), [](const Act& a) { return a.progress; });
  if (goes_on) return;
  Act& end = out.add_act();
  end.key = kEndKey;
  end.index = Act::kEnd;
  end.progress = false;
  end.fails = false;
  end.touch.clear();
  end.touch.everything = true;
}

bool survives(const Place& place, const Footprint& touch) {
  return std::all_of(place.failed.begin(), place.failed.end(),
                     [&](const Footprint& failed) { return independent(failed, touch); });
}

class SpaceSteps : public Steps {
 public:
  explicit SpaceSteps(StateSpace& space) : space_(space), explorer_(space.explorer()) {
    explorer_->watch_properties();
  }

  uint32_t initial_count() override {
    load();
    return static_cast<uint32_t>(initial_.size());
  }

  std::string start(uint32_t initial, Place& out) override {
    if (const std::string failure = load(); !failure.empty()) return failure;
    if (initial >= initial_.size()) {
      return "there is no initial state number " + std::to_string(initial) + ": there are " +
             std::to_string(initial_.size());
    }
    out.state = initial_[initial].state;
    out.fingerprint = initial_[initial].fingerprint;
    out.failed.clear();
    list(out);
    return "";
  }

  std::string take(const Place& from, const Act& act, Place& out) override {
    if (listed_ != from.state) enumerate(from.state);
    const Choice choice = choices_[act.index];
    out.failed = from.failed;
    if (choice.fails) {
      out.failed.push_back(act.touch);
      out.state = from.state;
      out.fingerprint = from.fingerprint;
      list(out);
      return explorer_->detail(from.state, choice).failure;
    }
    out.state.clear();
    out.fingerprint = explorer_->apply(from.state, from.fingerprint, choice, out.state);
    list(out);
    return "";
  }

  void judge(const Place& place, Judgement& out) override {
    explorer_->judge(place.state, place.terminal, out);
  }
  uint64_t bytes() const override { return space_.statistics().bytes; }

 private:
  std::string load() {
    if (!initial_.empty()) return "";
    auto states = space_.initial();
    if (!states) return states.error().message;
    initial_ = std::move(*states);
    return "";
  }

  void enumerate(const std::vector<uint32_t>& state) {
    choices_.clear();
    explorer_->enumerate(state, choices_);
    listed_ = state;
  }

  void list(Place& out) {
    enumerate(out.state);
    out.clear_acts();
    for (uint32_t i = 0; i < choices_.size(); ++i) {
      Act& act = out.add_act();
      act.index = i;
      act.progress = choices_[i].progress;
      act.fails = choices_[i].fails;
      act.key = explorer_->key(out.state, choices_[i]);
      explorer_->footprint(out.state, choices_[i], act.touch);
      if (act.fails) act.touch.adds.clear();
      if (!survives(out, act.touch)) out.drop_last();
    }
    finish(choices_, out);
  }

  StateSpace& space_;
  std::unique_ptr<Explorer> explorer_;
  std::vector<StateSpace::Initial> initial_;
  std::vector<Choice> choices_;  // of the state that was listed last
  std::vector<uint32_t> listed_;
};

// Runs the world again from the start whenever it is not where it should be.
class WorldSteps : public Steps {
 public:
  explicit WorldSteps(World& world) : world_(world) {}

  uint32_t initial_count() override { return world_.initial_count(); }

  std::string start(uint32_t initial, Place& out) override {
    initial_ = initial;
    changed_its_mind_ = false;
    at_.reset();
    const Result<void> started = world_.reset(initial);
    if (!started) return started.error().message;
    at_.emplace();
    out.state.clear();
    out.failed.clear();
    list(out);
    return "";
  }

  std::string take(const Place& from, const Act& act, Place& out) override {
    out.failed = from.failed;
    go_to(from.state);
    const Result<void> done = world_.apply(act.index);
    out.state = from.state;
    if (!done) {
      at_.reset();
      out.failed.push_back(act.touch);
      go_to(out.state);
    } else {
      out.state.push_back(act.index);
      at_ = out.state;
      if (!all_depend_) {
        StepDetail effects;
        world_.after_step(effects);
        if (!effects.history.empty()) give_up();
      }
    }
    list(out);
    return done ? "" : done.error().message;
  }

  void judge(const Place& place, Judgement& out) override {
    go_to(place.state);
    world_.judge(place.terminal, out);
  }
  uint64_t bytes() const override { return world_.statistics().bytes; }
  bool changed_its_mind() const override { return changed_its_mind_; }

 private:
  // Live objects tell what they do by doing it. Calls and returns of clients, and questions in the
  // middle of a handler, are not foreseen in what an action is said to touch.
  void give_up() {
    all_depend_ = true;
    changed_its_mind_ = true;
  }

  void go_to(const std::vector<uint32_t>& choices) {
    if (at_ && *at_ == choices) return;
    if (!world_.reset(initial_)) return;
    for (uint32_t choice : choices) {
      if (choice >= world_.enabled().size() || !world_.apply(choice)) break;
    }
    at_ = choices;
  }

  void list(Place& out) {
    out.fingerprint = world_.fingerprint();
    const std::vector<Choice> enabled = world_.enabled();
    out.clear_acts();
    for (uint32_t i = 0; i < enabled.size(); ++i) {
      Act& act = out.add_act();
      act.index = i;
      act.progress = enabled[i].progress;
      act.fails = false;
      act.key = world_.key(i);
      if (enabled[i].kind == ActionKind::kChoose && !all_depend_) give_up();
      world_.footprint(i, act.touch);
      act.touch.everything = act.touch.everything || all_depend_;
      if (!survives(out, act.touch)) out.drop_last();
    }
    finish(enabled, out);
  }

  World& world_;
  uint32_t initial_ = 0;
  std::optional<std::vector<uint32_t>> at_;  // where the world is
  bool all_depend_ = false;
  bool changed_its_mind_ = false;
};

}  // namespace

std::unique_ptr<Steps> steps_of(StateSpace* space, World* world) {
  if (space != nullptr) return std::make_unique<SpaceSteps>(*space);
  return std::make_unique<WorldSteps>(*world);
}

}  // namespace ordeal::explore
