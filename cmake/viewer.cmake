# The web viewer, built from its lock file and turned into a C++ source: ORDEAL_BUNDLE.
find_program(ORDEAL_NODE node)
find_program(ORDEAL_NPM npm)
if(NOT ORDEAL_NODE OR NOT ORDEAL_NPM)
  message(FATAL_ERROR "The viewer needs node (18 or newer) and npm, and they are not there. "
    "'make build' installs them; -D ORDEAL_VIEWER=OFF builds without: pages are static then, and "
    "'ordeal serve' has nothing to show.")
endif()
set(ORDEAL_BUNDLE ${PROJECT_BINARY_DIR}/viewer/bundle.cc)
file(GLOB_RECURSE ORDEAL_VIEWER_SOURCES CONFIGURE_DEPENDS
  ${PROJECT_SOURCE_DIR}/viewer/src/*.ts ${PROJECT_SOURCE_DIR}/viewer/src/*.tsx
  ${PROJECT_SOURCE_DIR}/viewer/src/*.css)
list(FILTER ORDEAL_VIEWER_SOURCES EXCLUDE REGEX "\\.test\\.tsx?$")
add_custom_command(
  OUTPUT ${ORDEAL_BUNDLE}
  COMMAND ${PROJECT_SOURCE_DIR}/scripts/viewer.sh ${PROJECT_BINARY_DIR}/viewer
  DEPENDS ${ORDEAL_VIEWER_SOURCES}
    ${PROJECT_SOURCE_DIR}/docs/reference/trace.schema.json
    ${PROJECT_SOURCE_DIR}/scripts/viewer.sh
    ${PROJECT_SOURCE_DIR}/viewer/package.json
    ${PROJECT_SOURCE_DIR}/viewer/package-lock.json
    ${PROJECT_SOURCE_DIR}/viewer/scripts/embed.mjs
    ${PROJECT_SOURCE_DIR}/viewer/vite.config.ts
  COMMENT "Building the viewer"
  VERBATIM)
