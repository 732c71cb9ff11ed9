# Unity builds: compile up to twenty sources of a target at a time, so that they share headers, which take most of the time.
# For one-time builds; when files change and are rebuilt, one file at a time is faster.

option(ASSAY_UNITY "Compile several sources as one, in groups that scripts/cmake/unity_groups.py finds" OFF)

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
  # GCC treats an included file as no header, and warns more because it inlines more.
  target_compile_options(${target} PRIVATE
    "$<$<AND:$<COMPILE_LANGUAGE:CXX>,$<CXX_COMPILER_ID:GNU>>:-Wno-subobject-linkage;-Wno-error=maybe-uninitialized>")
endfunction()

if(ASSAY_UNITY)
  assay_unite(${PROJECT_SOURCE_DIR})
endif()
