// What is said of whole runs, and which runs count: formulas of linear time over what is true of
// states and of steps, and fairness.
//
// A run goes on for ever, or it ends in a state where no progress action is enabled; then that
// state stays for ever. Where a subject stutters (Liveness::stutters) a run may stay in any state
// for ever, as far as fairness lets it.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace ordeal {

struct Formula {
  enum class Is : uint8_t {
    kTrue,
    kFalse,
    kState,       // atom number `atom` is true of the state
    kStep,        // … of the step; never of one that changes nothing
    kNot,         // of its one part
    kAnd,         // of any number of parts
    kOr,
    kAlways,      // of its one part: now and ever after
    kEventually,  // … now or at some time
  };
  Is is = Is::kTrue;
  uint32_t atom = 0;
  std::vector<Formula> parts = {};

  bool operator==(const Formula&) const = default;
};

namespace formula {
inline Formula state(uint32_t atom) { return {.is = Formula::Is::kState, .atom = atom}; }
inline Formula step(uint32_t atom) { return {.is = Formula::Is::kStep, .atom = atom}; }
inline Formula negation(Formula of) { return {.is = Formula::Is::kNot, .parts = {std::move(of)}}; }
inline Formula all(std::vector<Formula> parts) {
  return {.is = Formula::Is::kAnd, .parts = std::move(parts)};
}
inline Formula any(std::vector<Formula> parts) {
  return {.is = Formula::Is::kOr, .parts = std::move(parts)};
}
inline Formula always(Formula of) { return {.is = Formula::Is::kAlways, .parts = {std::move(of)}}; }
inline Formula eventually(Formula of) {
  return {.is = Formula::Is::kEventually, .parts = {std::move(of)}};
}
// Whenever the one, then or later the other.
inline Formula leads_to(Formula from, Formula to) {
  return always(any({negation(std::move(from)), eventually(std::move(to))}));
}
}  // namespace formula

// What is owed to an action: nothing; that it is taken in the end if it is enabled from some time
// on for ever (weak fairness), or if it is enabled again and again (strong fairness).
enum class Owed : uint8_t { kNothing, kWeakly, kStrongly };

// An action that is owed something, where all of them are known from the start.
struct FairAction {
  std::string name;  // "WF_vars(Next)", for people
  Owed owed = Owed::kWeakly;
  uint32_t enabled = 0;  // the atom of states
  uint32_t taken = 0;    // the atom of steps

  bool operator==(const FairAction&) const = default;
};

// Whom a step serves, where that is only known in the state: one message, one timer of one node.
// Steps with equal keys serve the same; it is enabled in a state where one of them is.
struct Duty {
  uint64_t key = 0;  // from content
  Owed owed = Owed::kNothing;
};

// What a subject says of runs. States are not judged by properties that are `on_runs`
// (ordeal/property.h); an `eventually` is judged in terminal states, and has a claim here, too.
struct Liveness {
  struct Claim {
    uint32_t property = 0;
    Formula formula = {};
  };
  std::vector<Claim> claims = {};
  // How many atoms there are, of states and of steps; Explorer::atoms_of_state() and
  // Explorer::atoms_of_step() say which are true.
  uint32_t state_atoms = 0;
  uint32_t step_atoms = 0;
  std::vector<FairAction> fair = {};
  bool has_duties = false;  // Explorer::duty() is to be asked
  Formula assumed = {};     // only runs of which this is true count
  bool stutters = false;
  std::string assumption = {};  // all that is assumed, in a sentence: for reports
};

// What `--fairness` chooses, of subjects that have duties: as the subject declares it, nothing, or
// the same for all that is owed anything.
enum class Fairness : uint8_t { kDeclared, kNone, kWeak, kStrong };

}  // namespace ordeal
