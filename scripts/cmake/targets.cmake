# Interface targets that every library of the project links, and helper functions that define libraries.

set(assay_warnings -Wall -Wextra -Wconversion -Wsign-conversion -Wshadow -Werror)
add_library(assay_flags INTERFACE)
target_compile_features(assay_flags INTERFACE cxx_std_20)
target_include_directories(assay_flags INTERFACE ${PROJECT_SOURCE_DIR} ${PROJECT_BINARY_DIR}/generated)
target_compile_options(assay_flags INTERFACE
  $<$<COMPILE_LANGUAGE:CXX>:${assay_warnings} -ffp-contract=off -fno-math-errno
                            -fmacro-prefix-map=${PROJECT_SOURCE_DIR}/=>)  # programs name files of this tree, not of a machine
if(ASSAY_SANITIZE)
  # The checks left out double the compile time. Most of their findings are detected by the address sanitizer at the access.
  # "maybe" warnings have too many false positives in such builds.
  target_compile_options(assay_flags INTERFACE
    $<$<COMPILE_LANGUAGE:CXX>:-fsanitize=${ASSAY_SANITIZE} -fno-omit-frame-pointer
                              -fno-sanitize=null,object-size,vptr,pointer-overflow
                              -fno-sanitize-recover=all -Wno-error=maybe-uninitialized>)
  target_link_options(assay_flags INTERFACE -fsanitize=${ASSAY_SANITIZE})
endif()

# For code whose speed matters: linked privately. Other code of a release build is optimized lightly, because most of it is cases
# and tests, which run for moments and take minutes to compile.
add_library(assay_hot INTERFACE)
target_compile_options(assay_hot INTERFACE $<$<AND:$<CONFIG:Release>,$<COMPILE_LANGUAGE:CXX>>:-O2>)
# GCC 12.2 loses roundings when it vectorizes: two doubles, each cast to float and back, keep all their bits.
# Code whose result must be exact is therefore never vectorized, in any build. The self-test detected this.
target_compile_options(assay_hot INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-fno-tree-vectorize>)
# At -O2, GCC 12 warns about overlapping copies inside std::string.
target_compile_options(assay_hot INTERFACE
  $<$<AND:$<COMPILE_LANGUAGE:CXX>,$<CXX_COMPILER_ID:GNU>,$<VERSION_LESS:$<CXX_COMPILER_VERSION>,13>>:-Wno-restrict>)

# assay_only_in_full(tests...): tests that take long, or need more than a contributor has. `scripts/test` leaves them out, and
# `scripts/test --full` runs them.
function(assay_only_in_full)
  set_property(TEST ${ARGN} APPEND PROPERTY LABELS full)
endfunction()

# Builds every unit test program with the label; a sanitized build needs nothing else.
add_custom_target(unit_programs)
add_custom_target(threads_programs)

# assay_unit_tests(program LABELS ...): one ctest for each of its tests, or a single one if the program starts slowly, as with
# sanitizers.
function(assay_unit_tests program)
  cmake_parse_arguments(ARG "" "" "LABELS" ${ARGN})
  foreach(label unit ${ARG_LABELS})
    add_dependencies(${label}_programs ${program})
  endforeach()
  if(ASSAY_SANITIZE)
    add_test(NAME ${program} COMMAND ${program} --gtest_brief=1)
    # A test forks and its child starts threads, which the thread sanitizer rejects by default.
    # The leak checker reads a header before a plugin's thread-local storage which glibc does not write, and crashes.
    # Lists that are long for their counts of instructions take a quarter of an hour with a sanitizer, and find nothing that short ones do not.
    set_tests_properties(${program} PROPERTIES TIMEOUT 1800 LABELS "unit;unit_programs;${ARG_LABELS}"
                         ENVIRONMENT "TSAN_OPTIONS=die_after_fork=0;ASAN_OPTIONS=quarantine_size_mb=8:intercept_tls_get_addr=0;GTEST_FILTER=-*LongLists*")
  else()
    gtest_discover_tests(${program} DISCOVERY_TIMEOUT 600 PROPERTIES TIMEOUT 1800 LABELS unit)
  endif()
endfunction()

# assay_folder(name LINKS ... TEST_LINKS ... TEST_LABELS ... ROOMS ... INSTALLED ... OBJECT HOT): one target per folder. It contains every
# .cpp of the folder and of the sub-folders in ROOMS; every foo_test.cpp belongs to its unit tests, each of which is a ctest. A folder without
# sources makes an interface target.
# OBJECT keeps files that are only used by self-registration. HOT is for code whose speed matters.
# INSTALLED lists the sources, without .cpp, that are also in the installed library: the object library ${name}_installed.
function(assay_folder name)
  cmake_parse_arguments(ARG "OBJECT;HOT" "" "LINKS;TEST_LINKS;TEST_LABELS;ROOMS;INSTALLED" ${ARGN})
  list(TRANSFORM ARG_ROOMS APPEND /*.cpp OUTPUT_VARIABLE sources)
  list(TRANSFORM ARG_ROOMS APPEND /*_test.cpp OUTPUT_VARIABLE tests)
  file(GLOB sources CONFIGURE_DEPENDS *.cpp ${sources})
  file(GLOB tests CONFIGURE_DEPENDS *_test.cpp ${tests})
  list(REMOVE_ITEM sources ${tests} "")
  if(ARG_INSTALLED)
    list(TRANSFORM ARG_INSTALLED REPLACE "(.+)" "${CMAKE_CURRENT_SOURCE_DIR}/\\1.cpp")
    list(REMOVE_ITEM sources ${ARG_INSTALLED})
    add_library(${name}_installed OBJECT ${ARG_INSTALLED})
    set_target_properties(${name}_installed PROPERTIES POSITION_INDEPENDENT_CODE ON)
    target_link_libraries(${name}_installed PRIVATE assay_flags $<$<BOOL:${ARG_HOT}>:assay_hot>)
    list(APPEND sources $<TARGET_OBJECTS:${name}_installed>)
  endif()
  if(NOT sources)
    add_library(${name} INTERFACE)
    target_link_libraries(${name} INTERFACE assay_flags ${ARG_LINKS})
  else()
    if(ARG_OBJECT)
      add_library(${name} OBJECT ${sources})
    else()
      add_library(${name} STATIC ${sources})
    endif()
    set_target_properties(${name} PROPERTIES POSITION_INDEPENDENT_CODE ON)
    target_link_libraries(${name} PUBLIC assay_flags ${ARG_LINKS})
    if(ARG_HOT)
      target_link_libraries(${name} PRIVATE assay_hot)
    endif()
  endif()
  if(tests)
    add_executable(${name}_test ${tests})
    target_link_libraries(${name}_test PRIVATE ${name} ${ARG_TEST_LINKS} GTest::gtest_main)
    assay_unit_tests(${name}_test LABELS ${ARG_TEST_LABELS})
  endif()
endfunction()

# assay_embed(target symbol FILES ... [FOLDER folder]): compiles texts into the program, so that it needs no other files.
# Declares `std::span<const assay::EmbeddedFile> symbol()`; names are relative to the folder, by default the calling folder.
function(assay_embed target symbol)
  cmake_parse_arguments(ARG "" "FOLDER" "FILES" ${ARGN})
  if(NOT ARG_FOLDER)
    set(ARG_FOLDER ${CMAKE_CURRENT_SOURCE_DIR})
  endif()
  list(TRANSFORM ARG_FILES PREPEND ${ARG_FOLDER}/ OUTPUT_VARIABLE paths)
  set(output ${PROJECT_BINARY_DIR}/generated/embedded_${symbol}.cpp)
  string(JOIN "|" files ${ARG_FILES})
  add_custom_command(
    OUTPUT ${output}
    COMMAND ${CMAKE_COMMAND} -DOUTPUT=${output} -DSYMBOL=${symbol} -DFILES=${files}
            -DFOLDER=${ARG_FOLDER} -P ${PROJECT_SOURCE_DIR}/scripts/cmake/embed.cmake
    DEPENDS ${paths} ${PROJECT_SOURCE_DIR}/scripts/cmake/embed.cmake
    VERBATIM)
  set_source_files_properties(${output} PROPERTIES SKIP_PRECOMPILE_HEADERS ON)  # it includes next to nothing
  target_sources(${target} PRIVATE ${output})
endfunction()

# assay_embed_bytes(target symbol FOLDER folder FILES ...): compiles binary files into `target`; the function `symbol()`, declared
# by hand as for assay_embed, returns them by their path in the folder.
function(assay_embed_bytes target symbol)
  cmake_parse_arguments(ARG "" "FOLDER" "FILES" ${ARGN})
  set(output ${CMAKE_CURRENT_BINARY_DIR}/${symbol}.cpp)
  set(pieces "")
  set(declarations "")
  set(rows "")
  set(number 0)
  foreach(file IN LISTS ARG_FILES)
    set(name ${symbol}_${number})
    string(APPEND pieces "asm(\".section .rodata\\n.global ${name}, ${name}_end\\n${name}:\\n.incbin \\\"${ARG_FOLDER}/${file}\\\"\\n\"\n"
           "    \"${name}_end:\\n.byte 0\\n.previous\\n\");\n")
    string(APPEND declarations "extern \"C\" const char ${name}[], ${name}_end[];\n")
    string(APPEND rows "      EmbeddedFile{\"${file}\", {${name}, ${name}_end}},\n")
    math(EXPR number "${number} + 1")
  endforeach()
  file(GENERATE OUTPUT ${output} CONTENT "// Generated: files compiled into the program.
#include <vector>

#include \"harness/protocol/embedded.hpp\"

${pieces}
${declarations}
namespace assay {

std::span<const EmbeddedFile> ${symbol}() {
  static const std::vector<EmbeddedFile> files{
${rows}  };
  return files;
}

}  // namespace assay
")
  list(TRANSFORM ARG_FILES PREPEND ${ARG_FOLDER}/ OUTPUT_VARIABLE paths)
  set_source_files_properties(${output} PROPERTIES OBJECT_DEPENDS "${paths}")
  target_sources(${target} PRIVATE ${output})
endfunction()
