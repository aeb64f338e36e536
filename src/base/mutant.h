// Deliberate faults of the engine, one at a time, for the test that shows that the suite would
// notice them (tests/oracle/mutants). In every other build mutant() is the constant false, and each
// place that asks compiles to what it would be without asking.
#pragma once

#include <cstdint>

namespace ordeal {

// name, what is broken
#define ORDEAL_MUTANT_LIST(X)                                                            \
  X(kCrashIsFree, "a crash does not spend its budget")                                   \
  X(kRecoveryIsFree, "a recovery does not spend its budget")                             \
  X(kDropWithoutBudget, "messages are dropped without a budget")                         \
  X(kDuplicateIsNone, "a duplicate adds no copy")                                        \
  X(kCopiesMerge, "equal messages in flight are one")                                    \
  X(kSetConsumes, "a network that keeps messages loses them when they are delivered")    \
  X(kNewestFirst, "an ordered network delivers the newest message")                      \
  X(kPartitionIgnored, "messages cross a partition")                                     \
  X(kFirstPathOnly, "choose explores its first answer only")                             \
  X(kCutLosesSends, "a crash at a persist loses what was sent before it")                \
  X(kCutKeepsSends, "a crash at a persist keeps what was sent after it")                 \
  X(kTimersSurvive, "timers survive a crash")                                            \
  X(kDecisionsLost, "decisions are lost in a crash")                                     \
  X(kDiskLost, "the disk is empty after a recovery")                                     \
  X(kPendingLost, "messages to a crashed node are lost where it may recover")            \
  X(kNotToldOnce, "who has been told of a crash is not remembered")                      \
  X(kStaysSuspected, "a suspicion that is taken back is remembered")                     \
  X(kSuspicionIsFree, "wrong suspicions have no budget")                                 \
  X(kTimeStandsStill, "timers of timed systems fire in any order")                       \
  X(kTimePassesAnyway, "time of prompt systems passes while something can be delivered") \
  X(kOtherClocksStop, "firing a timer takes no time off the others")                     \
  X(kIdleIsProgress, "idle timers keep a run alive")                                     \
  X(kPersistIsNoop, "a delivery that only persists is a no-op")                          \
  X(kCallsDropped, "components are not called")                                          \
  X(kXorInsteadOfSum, "two equal messages cancel out in the fingerprint")                \
  X(kQueuesUnordered, "the fingerprint ignores the order of queues")                     \
  X(kDiskNotInIdentity, "nodes that differ in their disk are one: also in the memo key") \
  X(kDecisionsNotInIdentity, "nodes that differ in their decisions are one")             \
  X(kHistoryNotInFingerprint, "the fingerprint leaves the history out")                  \
  X(kBudgetsNotInFingerprint, "the fingerprint leaves budgets and detectors out")        \
  X(kShortNamesAreTypes, "types that have one short name are one type")                  \
  X(kZerosAreOne, "0.0 and -0.0 are one value")                                          \
  X(kLastFieldLeftOut, "the last field of a record of run time is no part of its value") \
  X(kMadeListsNotRenamed, "a renaming leaves lists of run time as they are")             \
  X(kAnswersNotRemembered, "opaque objects that were answered differently are one")      \
  X(kSettledTooEarly, "what is declared behind partitions does not count for them")      \
  X(kConstraintIgnored, "states outside of the constraint are explored")                 \
  X(kCorrectMeansAll, "a property of correct nodes is judged on crashed ones too")       \
  X(kPairMemoHalfKey, "pairs of nodes are remembered by the first alone")                \
  X(kEventuallyEverywhere, "eventually is judged in states that are not terminal")       \
  X(kDisksNotRenamed, "a renaming leaves disks as they are")                             \
  X(kPayloadsNotRenamed, "a renaming leaves what messages carry as it is")               \
  X(kDetectorsNotRenamed, "a renaming leaves failure detectors as they are")             \
  X(kHistoriesNotRenamed, "a renaming leaves client histories as they are")              \
  X(kColoursByName, "the colours of nodes that are alike depend on their ids")           \
  X(kTiesNotTried, "among nodes of one colour only one order is tried")                  \
  X(kNothingKept, "a rehearsal forgets what handlers keep")                              \
  X(kEachIsTrusted, "a function of single nodes is not tried on renamed ones")           \
  X(kFootprintsTrusted, "declared footprints are not tried out")                         \
  X(kPathNotReexecuted, "a path through classes is taken for a run of the system")       \
  X(kStepsCountTwice, "the search counts every step twice")                              \
  X(kDepthOffByOne, "a bounded search goes one step too far")                            \
  X(kNoSecondExpansion, "a state reached on a shorter way is not expanded again")        \
  X(kVisitedForgets, "the visited set loses entries when it grows")                      \
  X(kSecondLaneIgnored, "of 128-bit fingerprints, only the first half is compared")      \
  X(kSpilledOutOfOrder, "chunks of a spilled frontier change places")                    \
  X(kLastRunNotCompared, "new states are not compared with the newest run on disk")      \
  X(kDiskDuplicatesKept, "states that are found on disk are expanded again")             \
  X(kLevelsOnDiskIgnored, "an edge that leads back to a state on disk is not noticed")   \
  X(kSleepsThroughDependent, "sleep sets are passed on past dependent actions")          \
  X(kSleepersNotWoken, "a state reached with a smaller sleep set is not expanded again") \
  X(kOtherStepsCounted, "a step is counted as another one")                              \
  X(kCheckpointWithoutSteps, "a checkpoint forgets what occurred")                       \
  X(kCheckpointWithoutCounts, "a checkpoint does not keep the counts")                   \
  X(kCheckpointForgetsFlags, "a checkpoint forgets what is only to be expanded again")   \
  X(kCheckpointForgetsLevels, "after resuming, all states lie on the level at hand")     \
  X(kCheckpointForgetsDropped, "after resuming, entries that are no states are some")    \
  X(kResumeTrusts, "resuming does not compare fingerprints")                             \
  X(kWrongParent, "a state is linked to the wrong action")                               \
  X(kOrderOfThreads, "with several threads, results are collected in another order")     \
  X(kCycleMissed, "cycles of progress are not noticed")                                  \
  X(kFailureIgnored, "handlers that fail are passed over")                               \
  X(kPrefixForgets, "the last alternative of each prefix is forgotten")                  \
  X(kReplayTrusts, "replaying does not compare digests")                                 \
  X(kFollowsNumbers, "a trace is followed by the numbers of its actions")                \
  X(kMinimiserLies, "the minimiser takes any shorter run for a violation")               \
  X(kHandlersCommute, "handlers that change one node are independent")                   \
  X(kCallsSeeNoReturns, "a client's call is independent of the others' returns")         \
  X(kPartitionsCutNothing, "a partition is independent of the deliveries it cuts off")   \
  X(kSuppliesNeverEnd, "two that want the last unit of a supply are independent")        \
  X(kSleepersStayAsleep, "dpor: what sleeps is not woken by what depends on it")         \
  X(kSleepersIgnored, "dpor: runs of traces that were explored are explored again")      \
  X(kReadsHaveNoOrder, "dpor: only actions that write the same keep their order")        \
  X(kNothingInstead, "dpor: actions that were made impossible are not explored")         \
  X(kFailuresAreOne, "two failures of different handlers are told as one")               \
  X(kStillPossible, "dpor: what is possible still competes, whatever it would do now")   \
  X(kShortWays, "dpor: what cannot follow all that went before follows the beginning")   \
  X(kOnlyTheLastStep, "dpor: what leads to a reversed race is lost")                     \
  X(kCopiesNotAnnounced, "a second copy of what is pending is not announced")            \
  X(kCancelledAnnounced, "a timer that was set and cancelled is announced")              \
  X(kDoneOnAnotherWay, "what a handler does is remembered without what it chose")        \
  X(kOfferWithoutSender, "what an action is about does not say who sent it")             \
  X(kAmendKeepsFingerprint, "an amended state keeps the fingerprint it had")             \
  X(kPointsRepeat, "pctcp: two change points may be the same")                           \
  X(kPointsSwap, "pctcp: a change point swaps two chains instead of lowering one")       \
  X(kPointsDoNothing, "pctcp: change points change nothing")                             \
  X(kNewChainsLast, "pctcp: a new chain always goes behind the others")                  \
  X(kChainsIgnoreCauses, "pctcp: a chain goes on with whatever comes")                   \
  X(kGroupsStay, "pctcp: the groups of chains do not change places")                     \
  X(kNodesForget, "pctcp: what happened at a node before is not in the past")            \
  X(kCopiesShareAnEvent, "an equal message is the event that has happened already")      \
  X(kRacesKeepPriorities, "pos: what races with a step keeps its priority")              \
  X(kDelayedStaysFirst, "delay: what is delayed keeps its turn")                         \
  X(kLastTurnNotDelayed, "delay: one turn of each run is never delayed")                 \
  X(kFewRoots, "of the number of an initial state only 16 bits are kept")                \
  X(kLargeChoicesCut, "of the number of an action only 8 bits are kept")                 \
  X(kTroubleIgnored, "a search passes over what could not be said")                      \
  X(kStepsNotJudged, "a search does not judge steps")                                    \
  X(kRunsShareDraws, "a run does not draw from its own number")

// Those of scenarios.
#define ORDEAL_SCENARIO_MUTANT_LIST(X)                                                  \
  X(kFiltersLastFirst, "filters are tried from the last to the first")                  \
  X(kFiltersBeforeMachine, "filters see an event before the property machine")          \
  X(kTwoTransitions, "the property machine takes two transitions for one event")        \
  X(kTransitionsLastFirst, "of several transitions the last declared is taken")         \
  X(kFailureGoesOn, "a run goes on after its machine has failed")                       \
  X(kEndNotSeen, "the property machine does not see the end of a run")                  \
  X(kOnceIsAlways, "a `once` is never spent")                                           \
  X(kOnceSpentInVain, "a `once` is spent by what it did not make true")                 \
  X(kReactionsOnceAlways, "reactions that shall be done once are done each time")       \
  X(kReleasedBackwards, "what was held is released in reverse order")                   \
  X(kHidesAllCopies, "where one copy is held, all copies are hidden")                   \
  X(kOneCopyHeld, "of several copies only one is held, delayed or delivered")           \
  X(kHeldByContent, "in a queue, what is held is known by its content alone")           \
  X(kDelaysStand, "delays do not get shorter")                                          \
  X(kDelaysNeverEnd, "what is delayed does not happen where nothing else can")          \
  X(kGoneStaysHeld, "what went with a crashed node stays in its set")                   \
  X(kSetAgainStaysHeld, "a timer that is set again stays held")                         \
  X(kFiredNotForced, "what a filter wants next is left to the strategy")                \
  X(kForcedIsIdle, "a fault that a filter wants does not keep the run alive")           \
  X(kScriptWaits, "a script stops at what is not possible")                             \
  X(kScriptForgives, "a line of a script that is not possible is left out")             \
  X(kScriptTakesHidden, "a script delivers what is held")                               \
  X(kFaultsAnyway, "the strategy picks faults that only filters may")                   \
  X(kChangesReplace, "of several changes to a message only the last is made")           \
  X(kPlaceNotKept, "a changed message goes to the end of its queue")                    \
  X(kInjectedIsEvent, "injected messages are events, which no fault touches")           \
  X(kAmendmentsLost, "in search, what filters change stays as it was")                  \
  X(kEventuallyAtOnce, "a condition asks whether an `eventually` holds before the end") \
  X(kPartsSwapped, "the sender's part of a partition counts for the receiver")          \
  X(kDrawForgotten, "the last way to draw is left out")                                 \
  X(kCountersNotHashed, "the fingerprint leaves out what was counted")                  \
  X(kHiddenNotHashed, "the fingerprint leaves out what is held")                        \
  X(kNextNotHashed, "the fingerprint leaves out what must happen next")                 \
  X(kSpentNotHashed, "the fingerprint leaves out which `once` is spent")                \
  X(kDrawNotHashed, "the fingerprint leaves out what was drawn")                        \
  X(kMachineNotHashed, "the fingerprint leaves out the state of the property machine")  \
  X(kCutIsEnd, "a run that was cut counts as one that came to its end")                 \
  X(kRequiredForgotten, "properties that a scenario requires are not judged")

// Those of recorded histories.
#define ORDEAL_HISTORY_MUTANT_LIST(X)                                             \
  X(kFifoForgetsOrder, "a fifo queue gives what is in it in any order")           \
  X(kInfoDidNotHappen, "an operation that ended with :info did not happen")       \
  X(kFailMayHaveHappened, "an operation that ended with :fail may have happened") \
  X(kNilReadsAnything, "a read that returned nil may have read anything")         \
  X(kReturnsAtTheEnd, "what returned before another one was called may come behind it")

// Those of learners.
#define ORDEAL_LEARNING_MUTANT_LIST(X)                                                  \
  X(kBonusAdds, "what a learner finds is worth the sum of what follows, not the best")  \
  X(kGoingBackPays, "going back to an earlier waypoint is rewarded")                    \
  X(kBlocksIgnored, "messages cross the blocks that a learner has made")                \
  X(kPaysAgain, "a transition that pays once in an episode pays each time")             \
  X(kMachineStands, "a reward machine stays where it was when an episode begins")       \
  X(kPromiseKept, "what the distance of a state promises is never taken back")          \
  X(kFarIsNear, "a state that is farther from its waypoint promises more")              \
  X(kOrderOfSteps, "what the causes of a step are depends on what happened beside it")  \
  X(kFrontGrows, "a step stays a last one when others have come of it")                 \
  X(kWorstMember, "a portfolio gives its runs to the member that brings the least")     \
  X(kMemberRunsShared, "members of a portfolio count each other's runs")                \
  X(kLongWaysStay, "branching keeps the longer of two ways to a state")                 \
  X(kWaysFromAnywhere, "branching takes ways to any waypoint, not to the farthest")     \
  X(kIntervalOneSided, "all doubt of an interval is at its upper end")                  \
  X(kCutRunsPlanned, "a number of runs that violations have cut counts as planned")     \
  X(kSomeWays, "a waypoint is mined that held on some of the ways")                     \
  X(kMinedAtStart, "a waypoint is mined that holds where runs begin")                   \
  X(kVerdictKept, "a verdict is kept although decisions have changed that it rests on") \
  X(kPairKept, "a verdict of two nodes is kept although the second has changed")        \
  X(kPlacesKept, "who waits in a queue does not move up when its first is taken")       \
  X(kOpenIsFine, "what is found out when an action is taken is never that it fails")    \
  X(kRestoresStart, "what branching comes back to is the start")

// Those of properties of runs.
#define ORDEAL_LIVENESS_MUTANT_LIST(X)                                           \
  X(kWeakIsNothing, "what is owed weakly is not asked for")                      \
  X(kStrongIsWeak, "what is owed strongly is asked for weakly")                  \
  X(kTakenApartOnce, "what is left of a component is taken for one again")       \
  X(kEndsDoNotStay, "the last state of a run does not stay")                     \
  X(kStayingIsFair, "a run may stay where something is owed")                    \
  X(kSelfLoopsIgnored, "a step to the same state is no cycle")                   \
  X(kEnabledInside, "what leads out of the constraint is not enabled")           \
  X(kOneForAll, "a step serves all to whom something is owed")                   \
  X(kPutOffForEver, "what shall come in the end may be put off for ever")        \
  X(kAlwaysIsNow, "what is always so is asked once")                             \
  X(kAssumptionIgnored, "runs that do not count are counted")                    \
  X(kProgressNotAsked, "a run may consist of faults while progress is possible") \
  X(kShortCycles, "a cycle does not go through all that it must")                \
  X(kLowLinksOfOthers, "what leads to a component that is done belongs to it")   \
  X(kFirstRootOnly, "runs from other initial states are not looked at")          \
  X(kFaultsAreOwed, "faults are owed")                                           \
  X(kOwedBySender, "messages from one node to another are one duty")             \
  X(kCycleNotRepeated, "replaying takes a cycle once")                           \
  X(kLoopStartForgotten, "a trace forgets where its run goes back to")

enum class Mutant : uint8_t {
  kNone,
#define ORDEAL_MUTANT_NAME(name, what) name,
  ORDEAL_MUTANT_LIST(ORDEAL_MUTANT_NAME) ORDEAL_SCENARIO_MUTANT_LIST(ORDEAL_MUTANT_NAME)
      ORDEAL_HISTORY_MUTANT_LIST(ORDEAL_MUTANT_NAME) ORDEAL_LEARNING_MUTANT_LIST(ORDEAL_MUTANT_NAME)
          ORDEAL_LIVENESS_MUTANT_LIST(ORDEAL_MUTANT_NAME)
#undef ORDEAL_MUTANT_NAME
};

#ifdef ORDEAL_MUTANTS
inline Mutant& active_mutant() {
  static Mutant active = Mutant::kNone;
  return active;
}
inline bool mutant(Mutant m) { return active_mutant() == m; }
#else
constexpr bool mutant(Mutant) { return false; }
#endif

}  // namespace ordeal
