// Deliberate faults of what evaluates specifications, one at a time, as those in base/mutant.h:
// what compares it with a naive evaluator (tests/oracle/tla) must notice each. A list of its own,
// because nothing else would.
#pragma once

#include <cstdint>

#include "base/mutant.h"

namespace ordeal::tla {

// name, what is broken
#define ORDEAL_TLA_MUTANT_LIST(X)                                                         \
  X(kTextsByNumber, "strings and model values are in the order in which they were met")   \
  X(kSetsByFirst, "of sets of one size, the first elements decide alone")                 \
  X(kTypesDiffer, "values of different types differ, instead of being an error")          \
  X(kHashForgets, "the hash of a value leaves its last part out")                         \
  X(kSequencesStay, "a function over 1..n is no sequence")                                \
  X(kLargeStayLarge, "what a large number comes down to is no small number")              \
  X(kIntervalHalfOpen, "the upper end of an interval lies outside")                       \
  X(kSubsetByFirst, "of what may be a subset, the first element is asked alone")          \
  X(kFirstChangeOnly, "of several changes in an EXCEPT the first is made alone")          \
  X(kExceptFails, "a change of what is not there is an error")                            \
  X(kForAllStops, "\\A is what it is of the first element")                               \
  X(kChooseLast, "CHOOSE picks the last witness")                                         \
  X(kFrameShared, "what is computed later finds names as they are by then")               \
  X(kFirstWitness, "of the witnesses of \\E in an action the first is taken alone")       \
  X(kDisjunctionOnce, "disjuncts without primes are a test, true once")                   \
  X(kCompleteBranches, "disjuncts behind a complete state make a successor each")         \
  X(kUnchangedTrusted, "UNCHANGED replaces the value that a variable has")                \
  X(kAssignedTwice, "x' = e replaces the value that x' has")                              \
  X(kEnabledSeesStep, "ENABLED goes on from the step that is being made")                 \
  X(kPrimeOfVariables, "a prime over an expression means the state before the step")      \
  X(kThunksStay, "under a prime, an argument keeps the value that it had without")        \
  X(kStatesFolded, "what depends on the state alone is computed once, for good")          \
  X(kOpenSymmetry, "permutations of SYMMETRY are not composed")                           \
  X(kFirstRenaming, "of the renamed states only one is looked at")                        \
  X(kForbiddenKept, "a step that ACTION_CONSTRAINT forbids is gone on from")              \
  X(kFirstInvariant, "of several invariants the first is judged alone")                   \
  X(kStutteringJudged, "[A]_v asks A of steps that change nothing")                       \
  X(kBoundNamesForgotten, "what fairness says of one element goes for all of \\A")        \
  X(kFairToTheFirst, "of \\A about fairness the first element is taken alone")            \
  X(kStrongIsWeak, "SF of a specification is WF")                                         \
  X(kAssumedForgotten, "what is assumed besides fairness is forgotten")                   \
  X(kLeadsToOnce, "~> is asked about the first state alone")                              \
  X(kSubscriptForgotten, "<<A>>_v asks A of steps that do not change v")                  \
  X(kEnabledStandsStill, "WF_v(A) and SF_v(A) ask whether A is enabled, and not <<A>>_v") \
  X(kInstancesNotAsked, "ENABLED of an instance is asked about what stands for its variables")

enum class TlaMutant : uint8_t {
  kNone,
#define ORDEAL_TLA_MUTANT_NAME(name, what) name,
  ORDEAL_TLA_MUTANT_LIST(ORDEAL_TLA_MUTANT_NAME)
#undef ORDEAL_TLA_MUTANT_NAME
};

#ifdef ORDEAL_MUTANTS
inline TlaMutant& active_tla_mutant() {
  static TlaMutant active = TlaMutant::kNone;
  return active;
}
inline bool mutant(TlaMutant m) { return active_tla_mutant() == m; }
#else
constexpr bool mutant(TlaMutant) { return false; }
#endif

}  // namespace ordeal::tla
