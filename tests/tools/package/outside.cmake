# Installs BUILD into a fresh prefix under WORK, then configures and builds the project SOURCE against
# that prefix alone, and runs its tests, or its program `outside` if it has none. Any step that
# fails, fails the script with what it printed.
file(REMOVE_RECURSE ${WORK})
file(MAKE_DIRECTORY ${WORK})

function(step what)
  message(STATUS "${what}")
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE rc OUTPUT_VARIABLE out ERROR_VARIABLE out)
  if(NOT rc EQUAL 0)
    list(JOIN ARGN " " command)
    message(FATAL_ERROR "${what} failed (${rc}): ${command}\n${out}")
  endif()
endfunction()

set(flags "")
if(SANITIZE)
  set(flags "-fsanitize=${SANITIZE}")
endif()
step("install" ${CMAKE_COMMAND} --install ${BUILD} --config ${CONFIG} --prefix ${WORK}/prefix)
step("configure" ${CMAKE_COMMAND} -S ${SOURCE} -B ${WORK}/build -G ${GENERATOR}
  -D CMAKE_BUILD_TYPE=${CONFIG} -D CMAKE_CXX_COMPILER=${COMPILER} -D CMAKE_CXX_FLAGS=${flags}
  -D CMAKE_PREFIX_PATH=${WORK}/prefix -D CMAKE_FIND_USE_PACKAGE_REGISTRY=OFF)
file(STRINGS ${WORK}/build/CMakeCache.txt found REGEX "^ordeal_DIR:")
string(FIND "${found}" "${WORK}/prefix/" at)
if(at EQUAL -1)
  message(FATAL_ERROR "find_package(ordeal) found another ordeal: ${found}")
endif()
step("build" ${CMAKE_COMMAND} --build ${WORK}/build --parallel 2)
if(EXISTS ${WORK}/build/CTestTestfile.cmake)
  step("test" ${CMAKE_CTEST_COMMAND} --test-dir ${WORK}/build --output-on-failure --no-tests=error)
else()
  step("run" ${WORK}/build/outside)
endif()
