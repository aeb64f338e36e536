# What of the engine can be broken (src/base/mutant.h), compiled once more so that it can be, and the
# test that breaks it. All other objects are those of the engine itself.
add_library(ordeal_broken OBJECT ${ORDEAL_BREAKABLE})
ordeal_batches(ordeal_broken)
target_compile_definitions(ordeal_broken PUBLIC ORDEAL_MUTANTS)
target_include_directories(ordeal_broken PUBLIC ${PROJECT_SOURCE_DIR}/include PRIVATE src)
target_link_libraries(ordeal_broken PRIVATE ordeal_options ordeal_test_options fmt::fmt
  nlohmann_json::nlohmann_json)
target_compile_options(ordeal_broken PRIVATE -ffp-contract=off)
ordeal_headers(ordeal_broken HEADERS ${ORDEAL_LIB_HEADERS})

add_executable(mutants tests/oracle/mutants/mutants.cc)
# Written again by: build/release/mutants | sed -n 's/^noticed_by //p' | sort > tests/oracle/mutants/noticed_by.txt
target_compile_definitions(mutants PRIVATE
  ORDEAL_NOTICED_BY="${PROJECT_SOURCE_DIR}/tests/oracle/mutants/noticed_by.txt")
target_include_directories(mutants PRIVATE src ${PROJECT_SOURCE_DIR})
# Objects come before archives: no breakable one is taken from the engine.
target_link_libraries(mutants PRIVATE ordeal_options ordeal_test_options ordeal_broken
  ordeal_oracle ordeal_lib fmt::fmt
  GTest::gtest GTest::gtest_main)
gtest_discover_tests(mutants DISCOVERY_TIMEOUT 60 PROPERTIES LABELS mutants TIMEOUT 300)
