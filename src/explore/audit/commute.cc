#include "explore/audit/commute.h"

#include <memory>
#include <optional>
#include <utility>

#include "base/guard.h"
#include "base/mutant.h"
#include "base/rng.h"
#include "ordeal/footprint.h"

namespace ordeal::explore {
namespace {

// How much is tried, counted in what is computed so that it is the same on every machine.
constexpr uint32_t kMostWalks = 200;
constexpr uint32_t kLongestWalk = 60;
constexpr uint64_t kMostPairs = 4000;

class CommuteTrial {
 public:
  CommuteTrial(StateSpace& space, uint64_t seed) : space_(space), random_(seed) {
    explorer_ = space.explorer();
  }

  Result<std::vector<std::string>> run() {
    if (!explorer_->declares_footprints()) return std::vector<std::string>();
    const auto initial = space_.initial();
    if (!initial) return initial.error();
    for (uint32_t walk = 0; walk < kMostWalks && pairs_ < kMostPairs; ++walk) {
      State at = made((*initial)[random_.below(initial->size())].state);
      for (uint32_t step = 0; step < kLongestWalk && pairs_ < kMostPairs; ++step) {
        if (!explorer_->within(at.words) || at.actions.empty()) break;
        for (size_t i = 0; i < at.actions.size(); ++i) {
          if (!tried(at, i)) return *problem_;
        }
        at = after(at, random_.below(at.actions.size()));
      }
    }
    return std::vector<std::string>{
        "footprints: declared independent actions were found to commute "
        "on " +
        std::to_string(pairs_) + " sampled pairs, not proven so"};
  }

 private:
  struct Named {
    Choice choice;
    uint64_t key = 0;
    Footprint footprint;
    std::string words;
  };
  struct State {
    std::vector<uint32_t> words;
    std::vector<Named> actions;  // those that do not fail
  };

  State made(std::vector<uint32_t> words) {
    State out{std::move(words), {}};
    std::vector<Choice> choices;
    explorer_->enumerate(out.words, choices);
    if (explorer_->trouble() != nullptr) return out;
    for (const Choice& choice : choices) {
      if (choice.fails) continue;
      Named named{choice, explorer_->key(out.words, choice), {}, {}};
      explorer_->footprint(out.words, choice, named.footprint);
      named.words = show(explorer_->action(out.words, choice));
      out.actions.push_back(std::move(named));
    }
    return out;
  }

  State after(const State& state, size_t action) {
    // Choices are valid for the state that was enumerated last.
    std::vector<Choice> ignored;
    explorer_->enumerate(state.words, ignored);
    std::vector<uint32_t> next;
    explorer_->apply(state.words, explorer_->fingerprint(state.words), state.actions[action].choice,
                     next);
    return made(std::move(next));
  }

  static std::optional<size_t> find(const State& state, uint64_t key) {
    for (size_t i = 0; i < state.actions.size(); ++i) {
      if (state.actions[i].key == key) return i;
    }
    return std::nullopt;
  }

  bool refuse(const Named& a, const Named& b, const std::string& why) {
    problem_ = Error{"footprints: \"" + a.words + "\" and \"" + b.words +
                     "\" are declared independent, but are not: " + why +
                     ". Say more in footprint() (what it reads, what it writes), or leave it out"};
    return false;
  }

  // Action `first` with all others that are enabled beside it, and with what it makes possible.
  bool tried(const State& state, size_t first) {
    if (mutant(Mutant::kFootprintsTrusted)) return true;
    const Named& a = state.actions[first];
    const State after_a = after(state, first);
    for (size_t second = first + 1; second < state.actions.size(); ++second) {
      const Named& b = state.actions[second];
      if (!independent(a.footprint, b.footprint)) continue;
      ++pairs_;
      const State after_b = after(state, second);
      const std::optional<size_t> b_then = find(after_a, b.key);
      const std::optional<size_t> a_then = find(after_b, a.key);
      if (!b_then) return refuse(a, b, "the first makes the second impossible");
      if (!a_then) return refuse(a, b, "the second makes the first impossible");
      const uint64_t one = explorer_->fingerprint(after(after_a, *b_then).words);
      const uint64_t other = explorer_->fingerprint(after(after_b, *a_then).words);
      if (one != other) return refuse(a, b, "the order in which they happen makes a difference");
    }
    for (const Named& next : after_a.actions) {
      if (find(state, next.key) || ordered(a.footprint, next.footprint)) continue;
      if (feeds(a.footprint, next.footprint)) continue;
      return refuse(a, next, "the first makes the second possible");
    }
    return true;
  }

  // What is taken comes after what was added.
  static bool feeds(const Footprint& a, const Footprint& b) {
    for (const uint64_t thing : a.adds) {
      for (const Footprint::Taken& taken : b.takes) {
        if (taken.thing == thing) return true;
      }
    }
    return false;
  }

  StateSpace& space_;
  Rng random_;
  std::unique_ptr<Explorer> explorer_;
  uint64_t pairs_ = 0;
  std::optional<Error> problem_;
};

}  // namespace

Result<std::vector<std::string>> try_footprints(StateSpace& space, uint64_t seed) {
  Result<std::vector<std::string>> out = Error{""};
  const std::string failure = guarded([&] { out = CommuteTrial(space, seed).run(); });
  if (!failure.empty()) return Error{"a property or the model failed: " + failure};
  return out;
}

}  // namespace ordeal::explore
