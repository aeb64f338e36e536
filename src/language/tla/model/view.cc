// Whether states that a VIEW takes for one behave alike, as far as formulas about behaviours ask.
#include <algorithm>
#include <deque>
#include <set>
#include <unordered_map>

#include "base/text.h"
#include "language/tla/model/explorer.h"
#include "ordeal/detail/hash.h"

namespace ordeal::tla {

namespace {

constexpr size_t kStatesLookedAt = 20'000;

std::string in_words(const Specification& spec, const std::vector<uint32_t>& state) {
  std::string out;
  for (size_t i = 0; i < spec.variables().size(); ++i) {
    const Value value = Value::from_word(uint64_t{state[2 * i]} | uint64_t{state[2 * i + 1]} << 32);
    out += (i == 0 ? "" : ", ") + spec.variables()[i] + " = " + to_text(value);
  }
  constexpr size_t kWidth = 200;
  return cut_to(out, kWidth);
}

void add(detail::Hasher& hasher, const std::vector<bool>& atoms) {
  for (const bool atom : atoms) hasher.word(atom);
}

}  // namespace

// Goes through the states themselves, breadth first. Those of one view must have the same atoms,
// and in the same order the same steps: by their atoms, and by the view to which they lead. Where
// that is so of all states, every behaviour through views is one of the specification.
Result<bool> TlaSpace::view_is_faithful() {
  TlaExplorer explorer(*this);
  const auto failed = [&] { return explorer.trouble() != nullptr; };
  struct Seen {
    uint64_t shows = 0;
    std::vector<uint32_t> state;
  };
  std::unordered_map<uint64_t, Seen> views;
  std::set<std::vector<uint32_t>> known;
  struct Waiting {
    uint64_t view;
    std::vector<uint32_t> state;
    uint32_t depth;
  };
  std::deque<Waiting> waiting;
  const auto reach = [&](uint64_t view, std::vector<uint32_t> state, uint32_t depth) {
    if (known.insert(state).second) waiting.push_back({view, std::move(state), depth});
  };
  Result<std::vector<Initial>> roots = initial();
  if (!roots) return roots.error();
  for (Initial& root : *roots) reach(root.fingerprint, std::move(root.state), 0);
  std::vector<Choice> choices;
  std::vector<bool> atoms;
  for (size_t count = 0; !waiting.empty(); waiting.pop_front(), ++count) {
    if (count == kStatesLookedAt) return false;
    const auto& [view, state, depth] = waiting.front();
    explorer.at_depth(depth);
    const bool inside = explorer.within(state);
    if (failed()) return false;  // the search tells of it
    if (!inside) continue;
    choices.clear();
    explorer.enumerate(state, choices);
    if (failed()) return false;
    detail::Hasher shows;
    explorer.atoms_of_state(state, choices.empty(), atoms);
    if (failed()) return Error{*explorer.trouble()};
    add(shows, atoms);
    std::vector<std::pair<uint64_t, std::vector<uint32_t>>> next;
    for (const Choice& choice : choices) {
      if (choice.outside) continue;
      std::vector<uint32_t> after;
      const uint64_t there = explorer.apply(state, view, choice, after);
      explorer.atoms_of_step(state, choice, after, atoms);
      if (failed()) return Error{*explorer.trouble()};
      add(shows, atoms);
      shows.word(choice.sort);
      next.emplace_back(there, std::move(after));
    }
    for (auto& [there, after] : next) {
      if (!explorer.within(after)) continue;
      shows.word(there);
      reach(there, std::move(after), depth + 1);
    }
    const uint64_t all = shows.finish();
    const auto [other, is_new] = views.try_emplace(view, Seen{all, state});
    if (is_new || other->second.shows == all) continue;
    return Error{"VIEW " + specification_->view.name +
                 " takes states for one that behave differently (" +
                 in_words(*specification_, other->second.state) + ", and " +
                 in_words(*specification_, state) + "): check it without the VIEW"};
  }
  return true;
}

}  // namespace ordeal::tla
