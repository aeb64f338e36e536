# One test program per folder that holds *_test.cc files, and one more, labelled soak, for the
# folder's *_soak_test.cc files: tests/oracle/random has test_oracle_random and soak_oracle_random,
# src/value has test_src_value.
find_package(GTest REQUIRED)
include(GoogleTest)

file(GLOB_RECURSE ORDEAL_TESTS CONFIGURE_DEPENDS
  src/*_test.cc protocols/*_test.cc tests/*_test.cc)
if(NOT ORDEAL_EXAMPLES)
  list(FILTER ORDEAL_TESTS EXCLUDE REGEX "/tests/tools/docs/")  # they run the examples
endif()
foreach(test IN LISTS ORDEAL_TESTS)
  get_filename_component(folder ${test} DIRECTORY)
  file(RELATIVE_PATH folder ${PROJECT_SOURCE_DIR} ${folder})
  string(REGEX REPLACE "^tests/" "" folder ${folder})
  if(test MATCHES "_soak_test\\.cc$")
    string(MAKE_C_IDENTIFIER "soak_${folder}" name)
    set(${name}_LABEL soak)
  else()
    string(MAKE_C_IDENTIFIER "test_${folder}" name)
    set(${name}_LABEL unit)
  endif()
  list(APPEND ORDEAL_TEST_PROGRAMS ${name})
  list(APPEND ${name}_SOURCES ${test})
endforeach()
list(REMOVE_DUPLICATES ORDEAL_TEST_PROGRAMS)
# Its type has the name of one in another source: that is what it is for.
set_source_files_properties(${PROJECT_SOURCE_DIR}/tests/oracle/verdicts/hidden_test.cc PROPERTIES
  SKIP_UNITY_BUILD_INCLUSION ON)

# A program that AddressSanitizer finds something in, linked to an engine without it.
include(CheckCXXSourceCompiles)
set(CMAKE_REQUIRED_FLAGS -fsanitize=address)
check_cxx_source_compiles("int main() {}" ORDEAL_HAS_ASAN)
unset(CMAKE_REQUIRED_FLAGS)
if(ORDEAL_HAS_ASAN AND NOT ORDEAL_SANITIZE)
  add_executable(wounded tests/tools/cli/wounded.cc)
  target_compile_options(wounded PRIVATE -fsanitize=address)
  target_link_options(wounded PRIVATE -fsanitize=address)
  target_link_libraries(wounded PRIVATE ordeal_options ordeal_lib)
endif()

# What several of them use and is slow to compile: generators of random systems, and the reference.
file(GLOB ORDEAL_ORACLE_SOURCES CONFIGURE_DEPENDS
  tests/oracle/random/*.cc tests/oracle/reference/*.cc tests/oracle/scenario/*.cc
  tests/oracle/seams/*.cc tests/oracle/tla/*.cc tests/oracle/conform/*.cc)
list(FILTER ORDEAL_ORACLE_SOURCES EXCLUDE REGEX "_test\\.cc$")
add_library(ordeal_oracle STATIC ${ORDEAL_ORACLE_SOURCES})
target_include_directories(ordeal_oracle PRIVATE src PUBLIC ${PROJECT_SOURCE_DIR})
target_link_libraries(ordeal_oracle PUBLIC ordeal_options ordeal_lib)
ordeal_headers(ordeal_oracle FROM ordeal_protocols)

# The engine and the reference are as fast as they are; what is around them is compiled fast.
add_library(ordeal_test_options INTERFACE)
target_compile_options(ordeal_test_options INTERFACE "$<$<CONFIG:Release>:-O1;-g0>")

foreach(name IN LISTS ORDEAL_TEST_PROGRAMS)
  add_executable(${name} ${${name}_SOURCES})
  ordeal_batches(${name})
  target_include_directories(${name} PRIVATE src ${PROJECT_SOURCE_DIR})
  target_compile_definitions(${name} PRIVATE ORDEAL_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
  if(name MATCHES "^test_(oracle_verdicts|tools_headers)$")
    target_compile_definitions(${name} PRIVATE ORDEAL_COMPILER="${CMAKE_CXX_COMPILER}")
  endif()
  target_link_libraries(${name} PRIVATE ordeal_options fmt::fmt
    nlohmann_json::nlohmann_json GTest::gtest GTest::gtest_main)
  # The first has the headers of all, but for those that are compiled otherwise.
  if(NOT name STREQUAL "test_src_base")  # which is told where it crashes
    target_link_libraries(${name} PRIVATE ordeal_test_options)
    if(NOT ORDEAL_TEST_HEADERS)
      set(ORDEAL_TEST_HEADERS ${name})
      ordeal_headers(${name} HEADERS <filesystem> <fstream> <map> <set> <sstream> <thread>
        <gtest/gtest.h> <ordeal/ordeal.h>)
    elseif(NOT (ORDEAL_COVERAGE AND name MATCHES "^test_protocols"))
      ordeal_headers(${name} FROM ${ORDEAL_TEST_HEADERS})
    endif()
  endif()
  target_link_libraries(${name} PRIVATE ordeal_oracle ordeal_protocols)
  if(name MATCHES "^test_protocols")
    target_link_libraries(${name} PRIVATE ordeal_coverage)
    list(APPEND ORDEAL_PROTOCOL_TESTS ${name})
  endif()
  target_link_libraries(${name} PRIVATE ordeal_lib)
  target_compile_definitions(${name} PRIVATE ORDEAL_BINARY="$<TARGET_FILE:ordeal>")
  add_dependencies(${name} ordeal)
  if(name STREQUAL "test_tools_serve")
    target_link_libraries(${name} PRIVATE PkgConfig::httplib)  # its client
  endif()
  if(name STREQUAL "test_tools_docs")
    target_compile_definitions(${name} PRIVATE
      ORDEAL_EXAMPLES_DIR="${PROJECT_BINARY_DIR}/examples")
    add_dependencies(${name} ${ORDEAL_EXAMPLES})
  endif()
  if(name STREQUAL "test_tools_cli" AND TARGET wounded)
    target_compile_definitions(${name} PRIVATE ORDEAL_WOUNDED="$<TARGET_FILE:wounded>")
    add_dependencies(${name} wounded)
  endif()
  gtest_discover_tests(${name} DISCOVERY_TIMEOUT 60 PROPERTIES LABELS ${${name}_LABEL})
endforeach()

add_custom_target(protocol_tests DEPENDS ${ORDEAL_PROTOCOL_TESTS})

# What notices a broken engine runs on the whole one in the tests above: broken once more under a
# sanitizer it would tell nothing about memory.
if(NOT ORDEAL_SANITIZE)
  include(tests/oracle/mutants/mutants.cmake)
endif()
include(cmake/grammar.cmake)
include(tests/engine/from_trace/from_trace.cmake)
include(tests/tools/coverage/coverage.cmake)

# The package as a user meets it: projects outside, built against an install of this build.
foreach(project tests/tools/package/ping_pong tests/tools/package/headers examples/08-in-your-build)
  get_filename_component(outside ${project} NAME)
  add_test(NAME package.${outside} COMMAND ${CMAKE_COMMAND}
    -D BUILD=${PROJECT_BINARY_DIR}
    -D CONFIG=$<CONFIG>
    -D SOURCE=${PROJECT_SOURCE_DIR}/${project}
    -D WORK=${PROJECT_BINARY_DIR}/package/${outside}
    -D GENERATOR=${CMAKE_GENERATOR}
    -D COMPILER=${CMAKE_CXX_COMPILER}
    -D SANITIZE=${ORDEAL_SANITIZE}
    -P ${PROJECT_SOURCE_DIR}/tests/tools/package/outside.cmake)
  set_tests_properties(package.${outside} PROPERTIES
    LABELS package TIMEOUT 600 RESOURCE_LOCK ordeal_install)
endforeach()

# The viewer: its types against the schema of traces, its parts alone, and the whole in a browser, on
# pages that this build's command writes and serves.
if(ORDEAL_VIEWER)
  set(viewer ${PROJECT_SOURCE_DIR}/viewer)
  add_test(NAME viewer.types WORKING_DIRECTORY ${viewer}
    COMMAND sh -c "node scripts/types.mjs --check && node_modules/.bin/tsc --noEmit")
  add_test(NAME viewer.parts WORKING_DIRECTORY ${viewer} COMMAND node_modules/.bin/vitest run)
  add_test(NAME viewer.browser WORKING_DIRECTORY ${viewer}
    COMMAND node_modules/.bin/playwright test)
  set_tests_properties(viewer.types viewer.parts viewer.browser PROPERTIES LABELS viewer
    TIMEOUT 900 ENVIRONMENT
    "ORDEAL=$<TARGET_FILE:ordeal>;VIEWER_DIST=${PROJECT_BINARY_DIR}/viewer/dist")
  # It starts two browsers of its own.
  set_tests_properties(viewer.browser PROPERTIES PROCESSORS 2)
endif()
