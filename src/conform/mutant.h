// Deliberate faults of what holds logs against models, one at a time, as those in base/mutant.h:
// what goes through all behaviours of random models (tests/oracle/conform) must notice each. A list
// of its own, because nothing else would.
#pragma once

#include <cstdint>

#include "base/mutant.h"

namespace ordeal::conform {

// name, what is broken
#define ORDEAL_LOG_MUTANT_LIST(X)                                                    \
  X(kNothingHidden, "steps that nobody logs do not happen")                          \
  X(kOneHidden, "of hidden steps one happens at most, whatever is said")             \
  X(kMaybeAlways, "what may happen happens")                                         \
  X(kFirstWayOnly, "of several ways the first alone is gone")                        \
  X(kWhenIgnored, "a way is gone in every state, whatever its condition says")       \
  X(kNothingSeen, "what is seen of a state is not asked")                            \
  X(kErasedIsNull, "a field that an event does not have differs from every value")   \
  X(kFirstSuccessor, "of the successors by an action the first alone counts")        \
  X(kArgumentsIgnored, "the arguments of an event are not asked")                    \
  X(kUnreadIsNothing, "at a line that nobody can read nothing happens")              \
  X(kUnreadAlwaysSteps, "at a line that nobody can read a step happens, if one can") \
  X(kFirstInitial, "of the initial states the first alone is possible")              \
  X(kForgottenStates, "where the past is forgotten, one state is left")              \
  X(kFirstOfEach, "of an action for each of several the first alone happens")        \
  X(kKindIgnored, "a step of another kind is taken for the one that is logged")      \
  X(kPayloadIgnored, "what a message carries is not compared")                       \
  X(kSenderIgnored, "who sent a message is not compared")                            \
  X(kStateIgnored, "the state of a node behind a step is not compared")              \
  X(kExtraIsFine, "a field of the log that the model does not have is left out")     \
  X(kFailuresPass, "a handler that fails is taken for one that does not")

enum class LogMutant : uint8_t {
  kNone,
#define ORDEAL_LOG_MUTANT_NAME(name, what) name,
  ORDEAL_LOG_MUTANT_LIST(ORDEAL_LOG_MUTANT_NAME)
#undef ORDEAL_LOG_MUTANT_NAME
};

#ifdef ORDEAL_MUTANTS
inline LogMutant& active_log_mutant() {
  static LogMutant active = LogMutant::kNone;
  return active;
}
inline bool mutant(LogMutant m) { return active_log_mutant() == m; }
#else
constexpr bool mutant(LogMutant) { return false; }
#endif

}  // namespace ordeal::conform
