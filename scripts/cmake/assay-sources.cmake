# The library assay::subject from its sources, compiled as a part of the project that has called find_package(assay).
file(GLOB_RECURSE assay_sources ${CMAKE_CURRENT_LIST_DIR}/sources/assay/*.cpp)
add_library(assay_subject STATIC EXCLUDE_FROM_ALL ${assay_sources})
set_target_properties(assay_subject PROPERTIES POSITION_INDEPENDENT_CODE ON CXX_EXTENSIONS OFF)
target_compile_features(assay_subject PUBLIC cxx_std_20)
target_compile_options(assay_subject PRIVATE -O2 -ffp-contract=off -fno-math-errno -fno-tree-vectorize)  # its conversions are exact
get_filename_component(assay_includes ${CMAKE_CURRENT_LIST_DIR}/../../../include ABSOLUTE)
target_include_directories(assay_subject SYSTEM PUBLIC ${assay_includes})
target_include_directories(assay_subject PRIVATE ${CMAKE_CURRENT_LIST_DIR}/sources)
target_link_libraries(assay_subject PRIVATE Threads::Threads ZLIB::ZLIB)
add_library(assay::subject ALIAS assay_subject)
