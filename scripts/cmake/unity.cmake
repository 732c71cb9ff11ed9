# Unity builds: compile up to twenty sources of a target at a time, so that they share headers, which take most of the time, and
# precompile the headers that most of them include. For one-time builds; when files change and are rebuilt, one file at a time is
# faster. What must see each file's own includes (headers_alone.py, clang-tidy) uses no unity build.

option(ASSAY_UNITY "Compile several sources as one, in groups that scripts/cmake/unity_groups.py finds" OFF)
string(COMPARE EQUAL "${CMAKE_CXX_COMPILER_ID}" GNU assay_is_gcc)
option(ASSAY_PRECOMPILED "With ASSAY_UNITY: libraries share precompiled headers" ${assay_is_gcc})

if(ASSAY_UNITY)
  execute_process(COMMAND ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/scripts/cmake/unity_groups.py
                  OUTPUT_VARIABLE groups COMMAND_ERROR_IS_FATAL ANY)
  string(REGEX MATCHALL "[^\n]+" groups "${groups}")
  foreach(line IN LISTS groups)
    string(REPLACE " " ";" line "${line}")
    list(POP_FRONT line source group)
    set("assay_group_of_${source}" ${group})
  endforeach()
endif()

# assay_unite(folder): applies to the targets of the folder and below, after all sources were added. Generated sources and those
# with flags of their own have no group and stay separate.
function(assay_unite folder)
  get_property(targets DIRECTORY ${folder} PROPERTY BUILDSYSTEM_TARGETS)
  foreach(target IN LISTS targets)
    get_target_property(type ${target} TYPE)
    if(type MATCHES "EXECUTABLE|STATIC|SHARED|MODULE|OBJECT")
      assay_unite_target(${target})
    endif()
  endforeach()
  get_property(subfolders DIRECTORY ${folder} PROPERTY SUBDIRECTORIES)
  foreach(subfolder IN LISTS subfolders)
    assay_unite(${subfolder})
  endforeach()
endfunction()

function(assay_unite_target target)
  get_target_property(sources ${target} SOURCES)
  get_target_property(folder ${target} SOURCE_DIR)
  list(FILTER sources INCLUDE REGEX "^[^$].*[.]cpp$")
  foreach(source IN LISTS sources)
    cmake_path(ABSOLUTE_PATH source BASE_DIRECTORY ${folder} OUTPUT_VARIABLE path)
    cmake_path(RELATIVE_PATH path BASE_DIRECTORY ${PROJECT_SOURCE_DIR})
    string(REGEX REPLACE "^.*generated/mutants/" "" path ${path})  # as the file of which it was made
    if(DEFINED "assay_group_of_${path}")
      set_source_files_properties(${source} TARGET_DIRECTORY ${target} PROPERTIES UNITY_GROUP "${assay_group_of_${path}}")
    endif()
  endforeach()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  assay_precompile(${target})
  # GCC treats an included file as no header, and warns more because it inlines more; of a precompiled std::string too.
  target_compile_options(${target} PRIVATE
    "$<$<AND:$<COMPILE_LANGUAGE:CXX>,$<CXX_COMPILER_ID:GNU>>:-Wno-subobject-linkage;-Wno-error=maybe-uninitialized;-Wno-error=array-bounds>")
endfunction()

# One set of precompiled headers for all targets with the same flags. Programs are a file or two and use none; the folders left out
# include little of this or have flags of their own. Sanitized builds do without: GCC guesses wrongly about more strings there.
set(assay_common_headers
  <algorithm> <array> <atomic> <bit> <charconv> <chrono> <cmath> <complex> <cstdint> <cstring> <functional> <limits> <map> <memory>
  <mutex> <optional> <set> <source_location> <span> <stdexcept> <string> <string_view> <thread> <type_traits> <typeindex>
  <unordered_map> <utility> <variant> <vector> ${PROJECT_SOURCE_DIR}/harness/subject/subject.hpp)

function(assay_precompile target)
  get_target_property(folder ${target} SOURCE_DIR)
  get_target_property(options ${target} COMPILE_OPTIONS)
  get_target_property(libraries ${target} LINK_LIBRARIES)
  get_target_property(pic ${target} POSITION_INDEPENDENT_CODE)
  if(NOT ASSAY_PRECOMPILED OR ASSAY_SANITIZE OR NOT pic OR NOT libraries MATCHES "assay_"
     OR libraries MATCHES "assay_kernel_language" OR folder MATCHES "/(on_cpu|adapters)(/|$)")
    return()
  endif()
  set(headers assay_headers)
  set(links assay_flags)
  if(libraries MATCHES "assay_hot")
    string(APPEND headers _hot)
    list(APPEND links assay_hot)
  endif()
  if(options MATCHES "-Og")
    string(APPEND headers _debuggable)
  endif()
  if(NOT TARGET ${headers})
    file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/unity/${headers}.cpp CONTENT "// Generated: makes ${headers} a target.\n")
    add_library(${headers} OBJECT EXCLUDE_FROM_ALL ${PROJECT_BINARY_DIR}/unity/${headers}.cpp)
    set_target_properties(${headers} PROPERTIES POSITION_INDEPENDENT_CODE ON)
    target_link_libraries(${headers} PRIVATE ${links})
    target_compile_options(${headers} PRIVATE $<$<STREQUAL:${headers},assay_headers_debuggable>:$<$<CONFIG:Release>:-Og>>)
    target_precompile_headers(${headers} PRIVATE ${assay_common_headers})
  endif()
  target_precompile_headers(${target} REUSE_FROM ${headers})
endfunction()

if(ASSAY_UNITY)
  assay_unite(${PROJECT_SOURCE_DIR})
endif()
