# Every planted bug of the subjects: found, its trace turned into C++ source, and that compiled as
# any test is. from_trace_test.cc runs the result in both forms.
add_executable(from_trace_generate tests/engine/from_trace/generate.cc)
target_include_directories(from_trace_generate PRIVATE ${PROJECT_SOURCE_DIR})
target_link_libraries(from_trace_generate PRIVATE ordeal_options ordeal_protocols ordeal_lib)
set(ORDEAL_FROM_TRACE ${PROJECT_BINARY_DIR}/from_trace/generated.cc)
file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/from_trace)
add_custom_command(OUTPUT ${ORDEAL_FROM_TRACE}
  COMMAND from_trace_generate ${ORDEAL_FROM_TRACE} DEPENDS from_trace_generate)
add_executable(from_trace_generated ${ORDEAL_FROM_TRACE})
target_include_directories(from_trace_generated PRIVATE ${PROJECT_SOURCE_DIR})
target_link_libraries(from_trace_generated PRIVATE ordeal_options ordeal_protocols ordeal_lib
  GTest::gtest GTest::gtest_main)
target_compile_definitions(test_engine_from_trace PRIVATE
  ORDEAL_GENERATED_SOURCE="${ORDEAL_FROM_TRACE}"
  ORDEAL_GENERATED_TESTS="$<TARGET_FILE:from_trace_generated>")
add_dependencies(test_engine_from_trace from_trace_generated)
