# The sources of the mutants: scripts/cmake/mutants.py applies the changes of suites/faults/*.toml to copies of the sources.
file(GLOB assay_fault_rows CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/suites/faults/*.toml)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${assay_fault_rows})
set(assay_mutants_script ${PROJECT_SOURCE_DIR}/scripts/cmake/mutants.py)
execute_process(COMMAND ${Python3_EXECUTABLE} ${assay_mutants_script} list
                OUTPUT_VARIABLE assay_mutated OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
string(REPLACE "\n" ";" assay_mutated "${assay_mutated}")
set(assay_mutants_folder ${PROJECT_BINARY_DIR}/generated/mutants)
list(TRANSFORM assay_mutated PREPEND ${PROJECT_SOURCE_DIR}/ OUTPUT_VARIABLE assay_mutated_sources)
list(TRANSFORM assay_mutated PREPEND ${assay_mutants_folder}/ OUTPUT_VARIABLE assay_mutants)
add_custom_command(
  OUTPUT ${assay_mutants}
  COMMAND Python3::Interpreter ${assay_mutants_script} write ${assay_mutants_folder}
  DEPENDS ${assay_mutated_sources} ${assay_fault_rows} ${assay_mutants_script} ${PROJECT_SOURCE_DIR}/scripts/cmake/cpp_text.py
  COMMENT "Writing the sources of the mutants"
  VERBATIM)
add_custom_target(assay_mutants DEPENDS ${assay_mutants})

# assay_with_copies(target folder): compiles the copies of the target's sources that the folder has instead of them.
function(assay_with_copies target folder)
  get_target_property(sources ${target} SOURCES)
  set(chosen "")
  foreach(source IN LISTS sources)
    cmake_path(RELATIVE_PATH source BASE_DIRECTORY ${PROJECT_SOURCE_DIR} OUTPUT_VARIABLE path)
    if(EXISTS ${folder}/${path})
      set(source ${folder}/${path})
    endif()
    list(APPEND chosen ${source})
  endforeach()
  set_target_properties(${target} PROPERTIES SOURCES "${chosen}")
  target_include_directories(${target} BEFORE PRIVATE ${folder})
  target_compile_options(${target} PRIVATE -w)  # what a mechanical change does to warnings says nothing
endfunction()

# assay_with_faults(target): compiles the target with faults, of which a program can enable one.
function(assay_with_faults target)
  get_target_property(sources ${target} SOURCES)
  set(rewritten "")
  foreach(source IN LISTS sources)
    cmake_path(RELATIVE_PATH source BASE_DIRECTORY ${PROJECT_SOURCE_DIR} OUTPUT_VARIABLE path)
    if(path IN_LIST assay_mutated)
      set(source ${assay_mutants_folder}/${path})
      set_source_files_properties(${source} PROPERTIES GENERATED ON LANGUAGE CXX)
    endif()
    list(APPEND rewritten ${source})
  endforeach()
  set_target_properties(${target} PROPERTIES SOURCES "${rewritten}")
  target_include_directories(${target} BEFORE PRIVATE ${assay_mutants_folder})
  # A change is on one line, and may leave a variable unused.
  target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-Wno-misleading-indentation -Wno-unused>)
  add_dependencies(${target} assay_mutants)
endfunction()
