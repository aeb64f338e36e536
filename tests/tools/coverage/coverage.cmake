# scripts/coverage.py on a small input, where there is what it needs.
find_program(ORDEAL_GCOV gcov)
find_program(ORDEAL_PYTHON python3)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND ORDEAL_GCOV AND ORDEAL_PYTHON)
  add_test(NAME coverage.script COMMAND
    ${PROJECT_SOURCE_DIR}/tests/tools/coverage/script_test.sh ${PROJECT_SOURCE_DIR} ${CMAKE_CXX_COMPILER})
  set_tests_properties(coverage.script PROPERTIES LABELS unit)
endif()
