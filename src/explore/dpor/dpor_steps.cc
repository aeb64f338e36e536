#include "explore/dpor/dpor_steps.h"

#include <unordered_map>
#include <utility>

#include "base/hash.h"

namespace ordeal::explore {
namespace {

constexpr uint64_t kEndKey = 0x656e64206f662072ULL;

uint64_t owned_bytes(const Footprint& footprint) {
  return detail::allocated(footprint.reads.capacity() * sizeof(uint64_t)) +
         detail::allocated(footprint.writes.capacity() * sizeof(uint64_t)) +
         detail::allocated(footprint.adds.capacity() * sizeof(uint64_t)) +
         detail::allocated(footprint.spends.capacity() * sizeof(Footprint::Spent)) +
         detail::allocated(footprint.takes.capacity() * sizeof(Footprint::Taken));
}

// What both kinds share: leaving out what cannot happen any more, and adding the end.
void finish(const std::vector<Footprint>& failed, Listed& listed) {
  listed.terminal = std::none_of(listed.acts.begin(), listed.acts.end(),
                                 [](const Act& act) { return act.progress; });
  std::erase_if(listed.acts, [&](const Act& act) {
    return std::any_of(failed.begin(), failed.end(), [&](const Footprint& footprint) {
      return !independent(footprint, act.touch);
    });
  });
  const bool goes_on = std::any_of(listed.acts.begin(), listed.acts.end(),
                                   [](const Act& act) { return act.progress; });
  if (!goes_on) {
    Act& end = listed.acts.emplace_back();
    end.key = kEndKey;
    end.index = Act::kEnd;
    end.touch.everything = true;
  }
  listed.next.resize(listed.acts.size());
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
    out.failed = from.failed;
    if (act.fails) {
      out.failed.push_back(act.touch);
      out.state = from.state;
      out.fingerprint = from.fingerprint;
      list(out);
      enumerate(from.state);
      return explorer_->detail(from.state, choices_[act.index]).failure;
    }
    Listed::Next& next = from.listed->next[static_cast<size_t>(&act - from.begin())];
    if (!next.known) {
      if (enumerated_ != from.state) enumerate(from.state);
      next.fingerprint =
          explorer_->apply(from.state, from.fingerprint, choices_[act.index], next.state);
      next.known = true;
      listed_bytes_ += value::owned_bytes(next.state);
    }
    out.state = next.state;
    out.fingerprint = next.fingerprint;
    list(out);
    return "";
  }

  Action action(const Place& place, const Act& act) override {
    enumerate(place.state);
    return explorer_->action(place.state, choices_[act.index]);
  }
  void judge(const Place& place, Judgement& out) override {
    explorer_->judge(place.state, place.terminal(), out);
    look_for_trouble();
  }
  const std::string& trouble() const override { return trouble_; }
  void forget() override {
    listed_.clear();
    listed_bytes_ = 0;
  }
  uint64_t bytes() const override {
    using Node = std::pair<const uint64_t, std::shared_ptr<Listed>>;
    return space_.statistics().bytes + explorer_->bytes() + listed_bytes_ +
           listed_.size() * detail::allocated(sizeof(Node) + sizeof(void*)) +
           listed_.bucket_count() * sizeof(void*);
  }

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
    enumerated_ = state;
    look_for_trouble();
  }
  void look_for_trouble() {
    const std::string* trouble = explorer_->trouble();
    if (trouble == nullptr) return;
    trouble_ = *trouble;
    choices_.clear();
  }

  void list(Place& out) {
    std::shared_ptr<Listed>* known = nullptr;
    if (out.failed.empty()) {
      known = &listed_[out.fingerprint];
      if (*known != nullptr && (*known)->state == out.state) {
        out.listed = *known;
        return;
      }
    }
    out.listed = std::make_shared<Listed>();
    out.listed->state = out.state;
    enumerate(out.state);
    for (uint32_t i = 0; i < choices_.size(); ++i) {
      Act& act = out.listed->acts.emplace_back();
      act.index = i;
      act.progress = choices_[i].progress;
      act.fails = choices_[i].fails;
      act.sort = choices_[i].sort;
      act.key = explorer_->key(out.state, choices_[i]);
      explorer_->footprint(out.state, choices_[i], act.touch);
      if (act.fails) act.touch.adds.clear();
    }
    finish(out.failed, *out.listed);
    if (known == nullptr) return;
    *known = out.listed;
    listed_bytes_ += out.listed->bytes();
    if (listed_.size() > kMostListed) forget();
  }

  static constexpr size_t kMostListed = 100'000;

  StateSpace& space_;
  std::unique_ptr<Explorer> explorer_;
  std::vector<StateSpace::Initial> initial_;
  std::vector<Choice> choices_;  // of the state that was enumerated last
  std::vector<uint32_t> enumerated_;
  std::string trouble_;
  std::unordered_map<uint64_t, std::shared_ptr<Listed>> listed_;  // by fingerprint
  uint64_t listed_bytes_ = 0;
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

  Action action(const Place& place, const Act& act) override {
    go_to(place.state);
    return world_.action(act.index);
  }
  void judge(const Place& place, Judgement& out) override {
    go_to(place.state);
    world_.judge(place.terminal(), out);
    look_for_trouble();
  }
  const std::string& trouble() const override { return trouble_; }
  uint64_t bytes() const override { return world_.statistics().bytes; }
  bool changed_its_mind() const override { return changed_its_mind_; }

 private:
  void look_for_trouble() {
    if (const std::string* trouble = world_.trouble()) trouble_ = *trouble;
  }

  // Opaque objects tell what they do by doing it. Calls and returns of clients, and questions in
  // the middle of a handler, are not foreseen in what an action is said to touch.
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
    look_for_trouble();
    out.listed = std::make_shared<Listed>();
    for (uint32_t i = 0; i < enabled.size(); ++i) {
      Act& act = out.listed->acts.emplace_back();
      act.index = i;
      act.progress = enabled[i].progress;
      act.sort = enabled[i].sort;
      act.key = world_.key(i);
      if (enabled[i].kind == ActionKind::kChoose && !all_depend_) give_up();
      world_.footprint(i, act.touch);
      act.touch.everything = act.touch.everything || all_depend_;
    }
    finish(out.failed, *out.listed);
  }

  World& world_;
  uint32_t initial_ = 0;
  std::optional<std::vector<uint32_t>> at_;  // where the world is
  bool all_depend_ = false;
  bool changed_its_mind_ = false;
  std::string trouble_;
};

}  // namespace

uint64_t Listed::bytes() const {
  uint64_t sum = detail::allocated(sizeof(Listed) + 2 * sizeof(void*)) + value::owned_bytes(state) +
                 detail::allocated(acts.capacity() * sizeof(Act)) +
                 detail::allocated(next.capacity() * sizeof(Next));
  for (const Act& act : acts) sum += owned_bytes(act.touch);
  return sum;
}

uint64_t Place::bytes() const {
  uint64_t sum = value::owned_bytes(state) + failed.capacity() * sizeof(Footprint);
  for (const Footprint& footprint : failed) sum += owned_bytes(footprint);
  if (listed.use_count() == 1) sum += listed->bytes();
  return sum;
}

std::unique_ptr<Steps> steps_of(StateSpace* space, World* world) {
  if (space != nullptr) return std::make_unique<SpaceSteps>(*space);
  return std::make_unique<WorldSteps>(*world);
}

}  // namespace ordeal::explore
