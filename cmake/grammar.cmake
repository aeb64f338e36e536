# The published grammar of TLA+, as the oracle of our parser (tests/oracle/tla/grammar_test.cc). It
# is left out where it cannot be had: without libtree-sitter, npm or a network.
option(ORDEAL_GRAMMAR "Hold the parser of TLA+ against the published grammar" ON)
set(grammar_test ${PROJECT_SOURCE_DIR}/tests/oracle/tla/grammar_test.cc)
set_source_files_properties(${grammar_test} PROPERTIES
  SKIP_UNITY_BUILD_INCLUSION ON SKIP_PRECOMPILE_HEADERS ON)
if(ORDEAL_GRAMMAR AND CMAKE_BUILD_TYPE STREQUAL "Release" AND NOT ORDEAL_SANITIZE
   AND NOT ORDEAL_FUZZ)
  find_path(ORDEAL_TREE_SITTER_INCLUDE tree_sitter/api.h)
  find_library(ORDEAL_TREE_SITTER tree-sitter)
  find_program(ORDEAL_NPM npm)
  if(ORDEAL_TREE_SITTER_INCLUDE AND ORDEAL_TREE_SITTER AND ORDEAL_NPM)
    execute_process(COMMAND ${PROJECT_SOURCE_DIR}/scripts/grammar.sh ${PROJECT_BINARY_DIR}/grammar
      RESULT_VARIABLE failed OUTPUT_QUIET ERROR_QUIET TIMEOUT 120)
  else()
    set(failed "libtree-sitter or npm is missing")
  endif()
  if(failed)
    message(STATUS "Without the published grammar of TLA+: its test is left out (${failed})")
  else()
    enable_language(C)
    set(grammar ${PROJECT_BINARY_DIR}/grammar/package/src)
    add_library(tlaplus_grammar STATIC ${grammar}/parser.c ${grammar}/scanner.c)
    target_include_directories(tlaplus_grammar PRIVATE ${grammar})
    # 37 MB of tables: there is nothing to optimise.
    target_compile_options(tlaplus_grammar PRIVATE -O0 -g0 -w)
    target_link_libraries(test_oracle_tla PRIVATE tlaplus_grammar ${ORDEAL_TREE_SITTER})
    set_source_files_properties(${grammar_test} PROPERTIES COMPILE_DEFINITIONS ORDEAL_TLA_GRAMMAR)
    # Where the compiler looks anyway, it must not be told.
    if(NOT ORDEAL_TREE_SITTER_INCLUDE IN_LIST CMAKE_CXX_IMPLICIT_INCLUDE_DIRECTORIES)
      set_source_files_properties(${grammar_test} PROPERTIES
        INCLUDE_DIRECTORIES ${ORDEAL_TREE_SITTER_INCLUDE})
    endif()
  endif()
endif()
