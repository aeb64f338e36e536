#include "explore/audit/alike.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <unordered_set>

#include "base/guard.h"
#include "base/hash.h"
#include "base/mutant.h"
#include "base/rng.h"

namespace ordeal::explore {
namespace {

// How much is tried, counted in what is computed so that it is the same on every machine.
constexpr uint64_t kMostRenamings = 3000;     // states with a renaming
constexpr uint64_t kMostSuccessors = 40'000;  // of them
constexpr uint32_t kMostAlikeWalks = 1000;
constexpr uint32_t kLongestAlikeWalk = 60;
constexpr uint32_t kMostRepeats = 400;  // steps in a row that show nothing new

using Permutation = Symmetry::Permutation;

struct Sample {
  uint64_t fingerprint = 0;
  std::vector<uint32_t> state;
  std::vector<Choice> choices;
  bool terminal = true;
};

class AlikeTrial {
 public:
  AlikeTrial(Symmetry& symmetry, uint64_t seed)
      : symmetry_(symmetry),
        space_(symmetry.states()),
        explorer_(space_->explorer()),
        other_(space_->explorer()),
        random_(seed),
        identity_(points()) {
    std::iota(identity_.begin(), identity_.end(), uint8_t{0});
  }

  Result<std::vector<std::string>> run() {
    if (const auto valid = symmetry_.validate(); !valid) {
      return Error{"symmetry: " + valid.error().message};
    }
    auto initial = space_->initial();
    if (!initial) return initial.error();
    uint32_t repeats = 0;
    for (uint32_t walk = 0; walk < kMostAlikeWalks && enough_is_left() && repeats < kMostRepeats;
         ++walk) {
      const StateSpace::Initial& start = (*initial)[random_.below(initial->size())];
      Sample sample{start.fingerprint, start.state, {}, true};
      for (uint32_t step = 0; step < kLongestAlikeWalk && enough_is_left(); ++step) {
        if (!explorer_->within(sample.state)) break;
        enumerate(*explorer_, sample);
        const Permutation to = some_renaming();
        const uint64_t key = std::accumulate(to.begin(), to.end(), sample.fingerprint, combine);
        if (seen_.insert(key).second) {
          repeats = 0;
          ++pairs_;
          if (!pair_is_alike(sample, to)) return *problem_;
        } else if (++repeats >= kMostRepeats) {
          break;
        }
        if (!step_on(sample)) break;
      }
    }
    return notes();
  }

 private:
  bool enough_is_left() const { return pairs_ < kMostRenamings && successors_ < kMostSuccessors; }

  size_t points() const {
    size_t sum = 0;
    for (const auto& one : symmetry_.alike()) sum += one.size();
    return sum;
  }

  // Two exchanged, or any renaming.
  Permutation some_renaming() {
    Permutation to = identity_;
    const auto& classes = symmetry_.alike();
    if (random_.below(2) == 0) {
      const std::vector<uint8_t>& one = classes[random_.below(classes.size())];
      if (one.size() > 1) {
        const size_t a = random_.below(one.size());
        const size_t b = (a + 1 + random_.below(one.size() - 1)) % one.size();
        std::swap(to[one[a]], to[one[b]]);
      }
      return to;
    }
    for (const std::vector<uint8_t>& one : classes) {
      for (size_t i = one.size(); i > 1; --i) {
        std::swap(to[one[i - 1]], to[one[random_.below(i)]]);
      }
    }
    return to;
  }

  void enumerate(Explorer& explorer, Sample& sample) {
    sample.choices.clear();
    explorer.enumerate(sample.state, sample.choices);
    sample.terminal = std::none_of(sample.choices.begin(), sample.choices.end(),
                                   [](const Choice& choice) { return choice.progress; });
  }

  bool step_on(Sample& sample) {
    std::erase_if(sample.choices, [](const Choice& choice) { return choice.fails; });
    if (sample.choices.empty()) return false;
    enumerate(*explorer_, sample);
    std::vector<size_t> possible;
    for (size_t i = 0; i < sample.choices.size(); ++i) {
      if (!sample.choices[i].fails) possible.push_back(i);
    }
    const Choice& choice = sample.choices[possible[random_.below(possible.size())]];
    std::vector<uint32_t> next;
    sample.fingerprint = explorer_->apply(sample.state, sample.fingerprint, choice, next);
    sample.state = std::move(next);
    return true;
  }

  bool refuse(const std::string& why) {
    problem_ = Error{"symmetry: " + symmetry_.what() + " are declared alike, but are not: " + why};
    return false;
  }

  std::string words(const Permutation& to) const {
    std::string text;
    for (size_t i = 0; i < to.size(); ++i) {
      if (to[i] == i) continue;
      text += (text.empty() ? "" : ", ") + symmetry_.name(static_cast<uint8_t>(i)) + " as " +
              symmetry_.name(to[i]);
    }
    return "with " + text;
  }

  // What distinguishes two states, in words.
  std::string difference(StateRef expected, StateRef found) {
    const Snapshot a = explorer_->observe(expected);
    const Snapshot b = explorer_->observe(found);
    for (size_t i = 0; i < a.parts.size() && i < b.parts.size(); ++i) {
      if (a.parts[i].tree == b.parts[i].tree) continue;
      const std::vector<value::Change> changes = value::diff(a.parts[i].tree, b.parts[i].tree);
      if (changes.empty()) continue;
      return b.parts[i].name + ": " + changes[0].path + (changes[0].path.empty() ? "" : " ") +
             "is " + changes[0].after + ", not " + changes[0].before;
    }
    return "the states differ";
  }

  struct Successor {
    uint64_t fingerprint = 0;
    bool fails = false;
    bool progress = true;
    std::vector<uint32_t> state;
    bool operator<(const Successor& other) const {
      return std::tie(fails, progress, fingerprint) <
             std::tie(other.fails, other.progress, other.fingerprint);
    }
    bool same(const Successor& other) const {
      return fails == other.fails && progress == other.progress && fingerprint == other.fingerprint;
    }
  };

  Successor successor(Explorer& explorer, const Sample& sample, const Choice& choice,
                      const Permutation& to) {
    Successor out;
    out.fails = choice.fails;
    out.progress = choice.progress;
    ++successors_;
    if (choice.fails) return out;
    std::vector<uint32_t> reached;
    out.fingerprint = explorer.apply(sample.state, sample.fingerprint, choice, reached);
    if (to == identity_) {
      out.state = std::move(reached);
      return out;
    }
    symmetry_.renamed(reached, to, out.state);
    out.fingerprint = explorer.fingerprint(out.state);
    return out;
  }

  // The renamed state must be able to do the same, renamed; and be judged the same.
  bool pair_is_alike(const Sample& sample, const Permutation& to) {
    Sample renamed;
    symmetry_.renamed(sample.state, to, renamed.state);
    renamed.fingerprint = other_->fingerprint(renamed.state);
    enumerate(*other_, renamed);
    std::vector<Successor> expected;
    std::vector<Successor> found;
    for (const Choice& choice : sample.choices) {
      expected.push_back(successor(*explorer_, sample, choice, to));
    }
    for (const Choice& choice : renamed.choices) {
      found.push_back(successor(*other_, renamed, choice, identity_));
    }
    std::vector<Successor> a = expected;
    std::vector<Successor> b = found;
    std::sort(a.begin(), a.end());
    std::sort(b.begin(), b.end());
    if (!std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const Successor& x, const Successor& y) { return x.same(y); })) {
      return explain(sample, renamed, to, expected, found);
    }
    return judged_alike(sample, renamed, to);
  }

  bool explain(const Sample& sample, const Sample& renamed, const Permutation& to,
               const std::vector<Successor>& expected, const std::vector<Successor>& found) {
    for (size_t i = 0; i < expected.size(); ++i) {
      if (std::any_of(found.begin(), found.end(),
                      [&](const Successor& other) { return other.same(expected[i]); })) {
        continue;
      }
      const std::string action = "\"" + show(explorer_->action(sample.state, sample.choices[i])) +
                                 "\" does not do the same " + words(to) + ": ";
      const uint64_t key = symmetry_.renamed_key(sample.state, sample.choices[i], to);
      for (size_t k = 0; k < found.size(); ++k) {
        if (other_->key(renamed.state, renamed.choices[k]) != key) continue;
        if (found[k].fails != expected[i].fails) {
          return refuse(action + (found[k].fails ? "it fails then" : "it does not fail then"));
        }
        return refuse(action + difference(expected[i].state, found[k].state));
      }
      return refuse(action + "it is not enabled then");
    }
    return refuse("there are actions that only one of two like states has, " + words(to));
  }

  bool judged_alike(const Sample& sample, const Sample& renamed, const Permutation& to) {
    const std::vector<Property>& properties = space_->properties();
    if (explorer_->within(sample.state) != other_->within(renamed.state)) {
      problem_ = Error{
          "symmetry: a constraint does not treat like nodes alike: it holds of a "
          "state and not of the same state " +
          words(to)};
      return false;
    }
    Judgement here;
    Judgement there;
    explorer_->judge(sample.state, sample.terminal, here);
    other_->judge(renamed.state, renamed.terminal, there);
    for (uint32_t i = 1; i < properties.size(); ++i) {
      const auto has = [i](const std::vector<uint32_t>& list) {
        return std::find(list.begin(), list.end(), i) != list.end();
      };
      if (has(here.violated) != has(there.violated) || has(here.reached) != has(there.reached)) {
        problem_ = Error{"symmetry: \"" + properties[i].name +
                         "\" does not treat like nodes alike: it says one thing of a state and "
                         "another of the same state " +
                         words(to)};
        return false;
      }
    }
    if (judged_.insert(sample.fingerprint).second) return names_no_node(sample);
    return true;
  }

  bool names_no_node(const Sample& sample) {
    const std::vector<Property>& properties = space_->properties();
    const uint32_t count = static_cast<uint32_t>(properties.size()) + symmetry_.constraints();
    for (uint32_t i = 1; i < count; ++i) {
      if (symmetry_.is_alike_by_form(i)) continue;
      const std::string node = symmetry_.names_a_node(sample.state, sample.terminal, i);
      if (node.empty()) continue;
      const std::string who =
          i < properties.size() ? "\"" + properties[i].name + "\"" : "a constraint";
      problem_ = Error{"symmetry: " + who + " names " + node + ", one of those declared alike (" +
                       symmetry_.what() + "): where they count as the same, none of them can be " +
                       "asked for by its id. Go over view.nodes() instead, or check without "
                       "symmetry"};
      return false;
    }
    return true;
  }

  std::vector<std::string> notes() const {
    std::vector<std::string> out;
    const std::vector<Property>& properties = space_->properties();
    for (uint32_t i = 1; i < properties.size() + symmetry_.constraints(); ++i) {
      if (symmetry_.is_alike_by_form(i)) continue;
      const std::string who =
          i < properties.size() ? "\"" + properties[i].name + "\"" : "a constraint";
      out.push_back("symmetry: " + who + " was found symmetric on " +
                    std::to_string(judged_.size()) + " sampled states, not proven so");
    }
    return out;
  }

  Symmetry& symmetry_;
  std::shared_ptr<StateSpace> space_;
  std::unique_ptr<Explorer> explorer_;
  std::unique_ptr<Explorer> other_;
  Rng random_;
  Permutation identity_;
  uint64_t pairs_ = 0;
  uint64_t successors_ = 0;
  std::unordered_set<uint64_t> seen_;
  std::unordered_set<uint64_t> judged_;
  std::optional<Error> problem_;
};

const char kNoWay[] =
    "symmetry: what is declared alike is not: a run through classes of states is no run of the "
    "system. Check without symmetry";

}  // namespace

Result<std::vector<std::string>> try_symmetry(Symmetry& symmetry, uint64_t seed) {
  Result<std::vector<std::string>> out = Error{""};
  const std::string failure = guarded([&] { out = AlikeTrial(symmetry, seed).run(); });
  if (!failure.empty()) return Error{failure};
  return out;
}

Result<Finding> real_finding(Symmetry& symmetry, const Finding& finding) {
  if (mutant(Mutant::kPathNotReexecuted)) return finding;
  const std::shared_ptr<StateSpace> classes = symmetry.classes();
  const std::shared_ptr<StateSpace> states = symmetry.states();
  const auto class_roots = classes->initial();
  const auto roots = states->initial();
  if (!class_roots) return class_roots.error();
  if (!roots) return roots.error();
  if (finding.path.initial >= class_roots->size()) return Error{kNoWay};

  const std::unique_ptr<Explorer> through_classes = classes->explorer();
  const std::unique_ptr<Explorer> through_states = states->explorer();
  StateSpace::Initial place = (*class_roots)[finding.path.initial];
  StateSpace::Initial state;
  Finding out = finding;
  out.path.choices.clear();
  const auto root = std::find_if(roots->begin(), roots->end(), [&](const auto& candidate) {
    return symmetry.class_of(candidate.state) == place.fingerprint;
  });
  if (root == roots->end()) return Error{kNoWay};
  out.path.initial = static_cast<uint32_t>(root - roots->begin());
  state = *root;

  std::vector<Choice> choices;
  const auto list = [&choices](Explorer& explorer, StateRef where) {
    choices.clear();
    explorer.enumerate(where, choices);
  };
  for (const uint32_t number : finding.path.choices) {
    list(*through_classes, place.state);
    if (number >= choices.size()) return Error{kNoWay};
    const Choice taken = choices[number];
    if (taken.fails) {
      list(*through_states, state.state);
      const auto fails = std::find_if(choices.begin(), choices.end(), [&](const Choice& choice) {
        return choice.fails && choice.kind == taken.kind;
      });
      if (fails == choices.end()) return Error{kNoWay};
      out.path.choices.push_back(static_cast<uint32_t>(fails - choices.begin()));
      return out;
    }
    std::vector<uint32_t> next;
    place.fingerprint = through_classes->apply(place.state, place.fingerprint, taken, next);
    place.state = std::move(next);
    list(*through_states, state.state);
    bool found = false;
    for (uint32_t i = 0; i < choices.size() && !found; ++i) {
      if (choices[i].fails || choices[i].kind != taken.kind) continue;
      std::vector<uint32_t> reached;
      const uint64_t fingerprint =
          through_states->apply(state.state, state.fingerprint, choices[i], reached);
      if (symmetry.class_of(reached) != place.fingerprint) continue;
      out.path.choices.push_back(i);
      state.fingerprint = fingerprint;
      state.state = std::move(reached);
      found = true;
    }
    if (!found) return Error{kNoWay};
  }
  list(*through_states, state.state);
  const bool terminal = std::none_of(choices.begin(), choices.end(),
                                     [](const Choice& choice) { return choice.progress; });
  Judgement judgement;
  through_states->judge(state.state, terminal, judgement);
  const auto& violated = judgement.violated;
  if (std::find(violated.begin(), violated.end(), finding.property) == violated.end()) {
    return Error{"symmetry: \"" + states->properties()[finding.property].name +
                 "\" does not treat like nodes alike: it is violated in a state and not in the "
                 "same state with like nodes renamed. Check without symmetry"};
  }
  return out;
}

}  // namespace ordeal::explore
