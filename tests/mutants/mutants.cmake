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
gtest_discover_tests(mutants DISCOVERY_TIMEOUT 60 PROPERTIES LABELS mutants TIMEOUT 300)
