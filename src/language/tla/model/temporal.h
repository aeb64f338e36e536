// What a specification says of whole behaviours, as formulas over atoms (ordeal/liveness.h).
//
// A formula is taken apart as far as it is about behaviours: through definitions with their
// arguments, LET, quantifiers over constant sets, IF and CASE. What is left is about a state or a
// step, is an atom, and is evaluated as everything else is; ENABLED <<A>>_v of a fairness condition
// is an atom of states. Only what does not tell behaviours apart that differ in stuttering has a
// meaning: an action stands as [A]_v below [], or as <<A>>_v below <>.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "language/tla/eval/machine.h"
#include "language/tla/model/part.h"
#include "ordeal/liveness.h"
#include "ordeal/result.h"

namespace ordeal::tla {

class Specification;

class Temporal {
 public:
  struct Atom {
    enum class Is : uint8_t { kTrue, kFalse, kEnabled };
    Is is = Is::kTrue;  // when it is true: where the part is
    Part part;
    // The part is <<Next>>_v, with v a tuple of variables: every step that changes one of these is
    // one of it.
    const BoxNode* of_next = nullptr;
  };

  explicit Temporal(Specification& specification);
  Temporal(const Temporal&) = delete;
  Temporal& operator=(const Temporal&) = delete;

  // An Error has the place, and what could be written instead.
  Result<Formula> formula(const Part& part);
  // A conjunct of the specification besides its initial states and its steps: into `fair`, or else
  // into `assumed`.
  Result<void> assume(const Part& part);

  const std::vector<Atom>& of_states() const { return of_states_; }
  const std::vector<Atom>& of_steps() const { return of_steps_; }
  const std::vector<FairAction>& fair() const { return fair_; }
  Formula assumed() const;
  // What assume() was told, as the specification writes it.
  const std::vector<std::string>& assumptions() const { return assumptions_; }

 private:
  class Translator;
  // Of atoms: equal keys, equal atoms.
  using Key = std::vector<uint64_t>;

  uint32_t atom(bool of_step, Atom::Is is, const Part& part);
  // Of a frame with so many slots.
  const Layout* layout(uint32_t slots);

  Specification& spec_;
  std::map<uint32_t, std::unique_ptr<Layout>> layouts_;
  // In its memory lie the values of bound names. They are of no pool: states have theirs.
  Machine machine_;
  std::vector<Atom> of_states_, of_steps_;
  std::map<Key, uint32_t> known_;
  std::vector<FairAction> fair_;
  std::vector<Formula> assumed_;
  std::vector<std::string> assumptions_;
};

// As people write it: "[](s0 => <>s1)"; s and t with a number are atoms of states and of steps.
std::string to_text(const Formula& formula);

}  // namespace ordeal::tla
