# The engine once more, in a build that can be broken (src/base/mutant.h), and the test that breaks
# it. Reports and the command line are left out: nothing in them is a mutant.
set(ORDEAL_MUTANT_SOURCES ${ORDEAL_SOURCES})
list(FILTER ORDEAL_MUTANT_SOURCES EXCLUDE REGEX "/src/(report|cli)/")
add_library(ordeal_lib_mutants STATIC ${ORDEAL_MUTANT_SOURCES})
target_compile_definitions(ordeal_lib_mutants PUBLIC ORDEAL_MUTANTS)
target_include_directories(ordeal_lib_mutants PUBLIC ${PROJECT_SOURCE_DIR}/include PRIVATE src)
target_link_libraries(ordeal_lib_mutants
  PUBLIC Threads::Threads PRIVATE ordeal_options fmt::fmt nlohmann_json::nlohmann_json)

add_executable(mutants tests/mutants/mutants.cc)
target_include_directories(mutants PRIVATE src ${PROJECT_SOURCE_DIR})
target_link_libraries(mutants PRIVATE ordeal_options ordeal_lib_mutants fmt::fmt
  GTest::gtest GTest::gtest_main)
# Mutants that live longest are for `make soak`.
set(ORDEAL_LONG_LIVED_MUTANTS
  EveryOne/HistoryMutants.IsCaught/FailMayHaveHappened
  EveryOne/HistoryMutants.IsCaught/FifoForgetsOrder
  EveryOne/HistoryMutants.IsCaught/ReturnsAtTheEnd
  EveryOne/Mutants.IsCaught/CallsSeeNoReturns
  EveryOne/Mutants.IsCaught/CancelledAnnounced
  EveryOne/Mutants.IsCaught/ChainsIgnoreCauses
  EveryOne/Mutants.IsCaught/LastTurnNotDelayed
  EveryOne/Mutants.IsCaught/NodesForget
  EveryOne/Mutants.IsCaught/NothingInstead
  EveryOne/Mutants.IsCaught/OfferWithoutSender
  EveryOne/Mutants.IsCaught/OnlyTheLastStep
  EveryOne/Mutants.IsCaught/PointsDoNothing
  EveryOne/Mutants.IsCaught/PointsRepeat
  EveryOne/Mutants.IsCaught/RacesKeepPriorities
  EveryOne/Mutants.IsCaught/SleepersIgnored
  EveryOne/Mutants.IsCaught/StillPossible
  EveryOne/ScenarioMutants.IsCaught/AmendmentsLost
  EveryOne/ScenarioMutants.IsCaught/CountersNotHashed
  EveryOne/ScenarioMutants.IsCaught/CutIsEnd
  EveryOne/ScenarioMutants.IsCaught/DelaysNeverEnd
  EveryOne/ScenarioMutants.IsCaught/DrawNotHashed
  EveryOne/ScenarioMutants.IsCaught/FailureGoesOn
  EveryOne/ScenarioMutants.IsCaught/FaultsAnyway
  EveryOne/ScenarioMutants.IsCaught/FiltersLastFirst
  EveryOne/ScenarioMutants.IsCaught/ForcedIsIdle
  EveryOne/ScenarioMutants.IsCaught/HeldByContent
  EveryOne/ScenarioMutants.IsCaught/HidesAllCopies
  EveryOne/ScenarioMutants.IsCaught/NextNotHashed
  EveryOne/ScenarioMutants.IsCaught/OnceIsAlways
  EveryOne/ScenarioMutants.IsCaught/PartsSwapped
  EveryOne/ScenarioMutants.IsCaught/PlaceNotKept
  EveryOne/ScenarioMutants.IsCaught/ReactionsOnceAlways
  EveryOne/ScenarioMutants.IsCaught/ScriptForgives
  EveryOne/ScenarioMutants.IsCaught/SetAgainStaysHeld
  EveryOne/ScenarioMutants.IsCaught/TwoTransitions)
list(JOIN ORDEAL_LONG_LIVED_MUTANTS ":" ORDEAL_LONG_LIVED_MUTANTS)
gtest_discover_tests(mutants DISCOVERY_TIMEOUT 60 TEST_FILTER "-${ORDEAL_LONG_LIVED_MUTANTS}"
  PROPERTIES LABELS mutants TIMEOUT 300)
gtest_discover_tests(mutants DISCOVERY_TIMEOUT 60 TEST_FILTER "${ORDEAL_LONG_LIVED_MUTANTS}"
  TEST_LIST mutants_LONG_LIVED PROPERTIES LABELS soak TIMEOUT 900)
