// What formulas about behaviours ask of states and steps.
#include <algorithm>

#include "language/tla/model/explorer.h"
#include "language/tla/value/mutant.h"

namespace ordeal::tla {

// Whether a successor of the state that was enumerated last differs in a variable of the subscript.
// Equal values of states are one object.
bool TlaExplorer::is_enabled_in_list(const BoxNode& box) const {
  const size_t count = now_.size();
  for (size_t i = 0; i < list_.size(); ++i) {
    for (const uint32_t variable : box.variables) {
      if (!same(successors_[i * count + variable], now_[variable])) return true;
    }
  }
  return false;
}

void TlaExplorer::atoms_of_state(StateRef state, bool, std::vector<bool>& out) {
  const std::vector<Temporal::Atom>& atoms = space_.temporal().of_states();
  out.assign(atoms.size(), false);
  tried([&] {
    ask(state);
    const bool is_listed = std::equal(state.begin(), state.end(), listed_.begin(), listed_.end());
    for (size_t i = 0; i < atoms.size(); ++i) {
      const Temporal::Atom& atom = atoms[i];
      if (atom.is == Temporal::Atom::Is::kTrue) {
        out[i] = part_is_true(atom.part);
      } else if (atom.of_next != nullptr && is_listed && !mutant(TlaMutant::kEnabledStandsStill)) {
        out[i] = is_enabled_in_list(*atom.of_next);
      } else {
        out[i] = is_enabled(machine_, atom.part.frame(machine_), *atom.part.node);
      }
    }
  });
}

void TlaExplorer::atoms_of_step(StateRef before, const Choice&, StateRef after,
                                std::vector<bool>& out) {
  const std::vector<Temporal::Atom>& atoms = space_.temporal().of_steps();
  out.assign(atoms.size(), false);
  if (std::equal(before.begin(), before.end(), after.begin(), after.end())) {
    trouble_.clear();
    return;
  }
  tried([&] {
    ask(before);
    load(after, next_);
    machine_.next = next_.data();
    for (size_t i = 0; i < atoms.size(); ++i) {
      const Temporal::Atom& atom = atoms[i];
      if (atom.of_next != nullptr) {
        const std::vector<uint32_t>& variables = atom.of_next->variables;
        out[i] = std::any_of(variables.begin(), variables.end(),
                             [&](uint32_t v) { return !same(now_[v], next_[v]); });
      } else {
        out[i] = part_is_true(atom.part) == (atom.is == Temporal::Atom::Is::kTrue);
      }
    }
    machine_.next = nullptr;
  });
}

}  // namespace ordeal::tla
