# Installation rules, in three components: `program`, `development` (for find_package(assay)) and `documentation`.

set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/assay)

# The program, and separately the programs and libraries that only it uses. Those that were not built are skipped.
install(TARGETS assay RUNTIME COMPONENT program)
foreach(companion assay-cuda assay-cuda-on-cpu assay_cudart_on_cpu assay-libtorch assay_libtorch_plugin)
  if(TARGET ${companion})
    install(FILES $<TARGET_FILE:${companion}> DESTINATION ${CMAKE_INSTALL_LIBEXECDIR}/assay COMPONENT program OPTIONAL
            PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
  endif()
endforeach()

# What completes its command line, where the shells look for it.
set(completion ${PROJECT_SOURCE_DIR}/harness/cli/completion)
install(FILES ${completion}/assay.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME assay COMPONENT program)
install(FILES ${completion}/assay.zsh DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions RENAME _assay COMPONENT program)
install(FILES ${completion}/assay.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d COMPONENT program)

# The package for subjects in Python, which the program offers to those that it starts.
install(DIRECTORY ${PROJECT_SOURCE_DIR}/harness/subject/python/assay DESTINATION ${CMAKE_INSTALL_LIBEXECDIR}/assay/python
        COMPONENT program FILES_MATCHING PATTERN "*.py")

# The library for subjects in C++. It is always built with the program, from objects that the program needs too. Its sources instead
# suit every compiler, and not only those that share a C++ library with this one.
option(ASSAY_INSTALL_SOURCES "Install the sources of the library for subjects, which users compile, instead of the library" OFF)
add_library(assay_for_subjects STATIC $<TARGET_OBJECTS:assay_protocol_installed> $<TARGET_OBJECTS:assay_subject_installed>)
set_target_properties(assay_for_subjects PROPERTIES EXPORT_NAME subject OUTPUT_NAME assay_subject LINKER_LANGUAGE CXX)
target_compile_features(assay_for_subjects INTERFACE cxx_std_20)
target_include_directories(assay_for_subjects INTERFACE $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
target_link_libraries(assay_for_subjects PRIVATE Threads::Threads ZLIB::ZLIB)
add_dependencies(assay assay_for_subjects)
if(NOT ASSAY_INSTALL_SOURCES)
  install(TARGETS assay_for_subjects EXPORT assay ARCHIVE COMPONENT development)
  install(EXPORT assay NAMESPACE assay:: DESTINATION ${package_folder} FILE assay-targets.cmake COMPONENT development)
endif()

# The headers: `#include "harness/subject/serve.hpp"` is installed as <assay/subject/serve.hpp>.
set(ASSAY_INSTALLED_HEADERS
  protocol/dtype.hpp protocol/json.hpp protocol/message.hpp protocol/recipe.hpp protocol/value.hpp
  subject/answer.hpp subject/arguments.hpp subject/bench_loop.hpp subject/call.hpp subject/command_table.hpp subject/common_commands.hpp
  subject/interpreter.hpp subject/names.hpp subject/object.hpp subject/plugin.h subject/plugin_export.hpp subject/serve.hpp subject/subject.hpp)
# assay_copy_for_installation(to files...): copies files of harness/ below the folder, with the paths of the installation in them.
function(assay_copy_for_installation to)
  foreach(file IN LISTS ARGN)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/harness/${file})
    file(READ ${PROJECT_SOURCE_DIR}/harness/${file} text)
    string(REPLACE "#include \"harness/" "#include \"assay/" text "${text}")
    file(CONFIGURE OUTPUT ${to}/${file} CONTENT "${text}" @ONLY)
  endforeach()
endfunction()
assay_copy_for_installation(generated/installed/assay ${ASSAY_INSTALLED_HEADERS})
install(DIRECTORY ${PROJECT_BINARY_DIR}/generated/installed/assay DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT development)

if(ASSAY_INSTALL_SOURCES)
  set(sources protocol/json_guard.hpp protocol/json_scan.hpp protocol/json_values.hpp protocol/json_writer.hpp protocol/utf8.hpp
              subject/interpreter/interpreter_state.hpp subject/interpreter/named_threads.hpp subject/lines.hpp
              subject/serve_loop.hpp)  # headers that are not for users
  foreach(part protocol subject)
    get_target_property(compiled assay_${part}_installed SOURCES)
    list(TRANSFORM compiled REPLACE "^${PROJECT_SOURCE_DIR}/harness/" "")
    list(APPEND sources ${compiled})
  endforeach()
  assay_copy_for_installation(generated/installed_sources/assay ${sources})
  install(DIRECTORY ${PROJECT_BINARY_DIR}/generated/installed_sources/assay DESTINATION ${package_folder}/sources COMPONENT development)
  install(FILES scripts/cmake/assay-sources.cmake DESTINATION ${package_folder} RENAME assay-targets.cmake COMPONENT development)
endif()

include(CMakePackageConfigHelpers)
configure_package_config_file(scripts/cmake/assay-config.cmake.in generated/assay-config.cmake
                              INSTALL_DESTINATION ${package_folder} PATH_VARS CMAKE_INSTALL_BINDIR NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file(generated/assay-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/generated/assay-config.cmake ${PROJECT_BINARY_DIR}/generated/assay-config-version.cmake
              harness/subject/plugin.map
        DESTINATION ${package_folder} COMPONENT development)

# The documents, in the folders that their links expect.
file(GLOB_RECURSE documents RELATIVE ${PROJECT_SOURCE_DIR} CONFIGURE_DEPENDS harness/*.md suites/*.md results/*.md reference/*.md
     cuda_impl/*.md scripts/*.md)
file(GLOB_RECURSE more RELATIVE ${PROJECT_SOURCE_DIR} CONFIGURE_DEPENDS harness/subject/example/* harness/protocol/*.svg results/schema/*.json
     results/gallery/*.png results/gallery/*.html)
list(APPEND documents ${more} harness/subject/plugin.h harness/subject/python/assay/subject.py README.md CHANGELOG.md CONTRIBUTING.md SECURITY.md LICENSE)
list(REMOVE_DUPLICATES documents)
foreach(document IN LISTS documents)
  cmake_path(GET document PARENT_PATH folder)
  install(FILES ${document} DESTINATION ${CMAKE_INSTALL_DOCDIR}/${folder} COMPONENT documentation)
endforeach()
install(DIRECTORY ${PROJECT_BINARY_DIR}/generated/waist/areas DESTINATION ${CMAKE_INSTALL_DOCDIR}/harness/protocol COMPONENT documentation
        FILES_MATCHING PATTERN *.json)
