# What `cmake --install` gives: the command, the library, its headers, and the files that make
# find_package(ordeal) and ordeal::ordeal work in a project outside.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
set(ORDEAL_CMAKE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/ordeal)

install(TARGETS ordeal_lib EXPORT ordealTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(TARGETS ordeal RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(DIRECTORY include/ordeal DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
  FILES_MATCHING PATTERN "*.h")
install(EXPORT ordealTargets NAMESPACE ordeal:: DESTINATION ${ORDEAL_CMAKE_DIR})
configure_package_config_file(cmake/ordealConfig.cmake.in
  ${PROJECT_BINARY_DIR}/ordealConfig.cmake INSTALL_DESTINATION ${ORDEAL_CMAKE_DIR})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/ordealConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES
  ${PROJECT_BINARY_DIR}/ordealConfig.cmake ${PROJECT_BINARY_DIR}/ordealConfigVersion.cmake
  DESTINATION ${ORDEAL_CMAKE_DIR})
