# CUDA: finds its headers, with which the host's compiler builds the CUDA implementation to run on the CPU, and nvcc, which builds it
# to run on a GPU.

set(ASSAY_CUDA AUTO CACHE STRING "AUTO: build the CUDA implementation where CUDA's headers are, and assay-cuda where nvcc and a GPU are; ON: both, fail without nvcc; OFF: neither")
set(ASSAY_CUDA_ROOT "" CACHE PATH "Where the CUDA toolkit is; empty: on the path, /usr/local/cuda, or what scripts/setup --cuda installed")
set(ASSAY_CUDA_ARCHITECTURES "" CACHE STRING "What the kernels are compiled for; empty: this machine's GPUs, or PTX for 7.5 and code for 9.0 where there is none, and PTX for 9.0; the preset cuda has all of a release")

# The folders of scripts/setup --cuda and of CUDA's headers alone, which are next to every build folder.
set(assay_toolkits ${PROJECT_BINARY_DIR}/cuda/nvidia/cu13 ${PROJECT_SOURCE_DIR}/build/cuda/nvidia/cu13)
list(TRANSFORM assay_toolkits REPLACE "/cuda/nvidia" "/cuda_headers/nvidia" OUTPUT_VARIABLE assay_headers)
file(GLOB assay_gpus /dev/nvidia[0-9]* /dev/dxg)
set(assay_wants_nvcc OFF)
if(ASSAY_CUDA STREQUAL "ON" OR (ASSAY_CUDA STREQUAL "AUTO" AND assay_gpus))
  set(assay_wants_nvcc ON)
  if(ASSAY_CUDA_ROOT)
    find_program(ASSAY_NVCC nvcc PATHS ${ASSAY_CUDA_ROOT}/bin NO_DEFAULT_PATH DOC "CUDA's compiler")
  else()
    find_program(ASSAY_NVCC nvcc PATHS ENV CUDA_HOME ENV CUDA_PATH /usr/local/cuda ${assay_toolkits} PATH_SUFFIXES bin
                 DOC "CUDA's compiler")
  endif()
endif()

set(ASSAY_HAS_CUDA OFF)
if(ASSAY_NVCC AND assay_wants_nvcc)
  set(ENV{CUDACXX} ${ASSAY_NVCC})
  if(NOT ASSAY_CUDA_ARCHITECTURES)
    execute_process(COMMAND ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/scripts/cmake/gpu_architectures.py ${ASSAY_NVCC}
                    OUTPUT_VARIABLE ASSAY_CUDA_ARCHITECTURES OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
    message(STATUS "Kernels are compiled for ${ASSAY_CUDA_ARCHITECTURES} (ASSAY_CUDA_ARCHITECTURES)")
  endif()
  if(NOT CMAKE_CUDA_HOST_COMPILER)
    set(CMAKE_CUDA_HOST_COMPILER ${CMAKE_CXX_COMPILER})
  endif()
  set(CMAKE_CUDA_ARCHITECTURES ${ASSAY_CUDA_ARCHITECTURES})
  include(CheckLanguage)
  if(NOT CMAKE_CUDA_COMPILER)
    unset(CMAKE_CUDA_COMPILER CACHE)  # an earlier nvcc did not work
  endif()
  check_language(CUDA)
endif()

if(CMAKE_CUDA_COMPILER AND assay_wants_nvcc)
  foreach(type RELEASE RELWITHDEBINFO)  # the same, so that a sanitized build takes kernels from the compiler cache
    set(CMAKE_CUDA_FLAGS_${type} "-O3 -DNDEBUG" CACHE STRING "Of such a build")
  endforeach()
  enable_language(CUDA)
  if(NOT DEFINED CMAKE_CUDA20_STANDARD_COMPILE_OPTION)  # CMake 3.25 thinks that nvcc ends with C++17
    set(CMAKE_CUDA20_STANDARD_COMPILE_OPTION -std=c++20)
    set(CMAKE_CUDA20_EXTENSION_COMPILE_OPTION -std=c++20)
  endif()
  set(CMAKE_CUDA_STANDARD 20)
  set(CMAKE_CUDA_STANDARD_REQUIRED ON)
  set(CMAKE_CUDA_EXTENSIONS OFF)
  if(ASSAY_CCACHE)
    set(CMAKE_CUDA_COMPILER_LAUNCHER ${assay_ccache})
  endif()
  # The files of this nvcc's toolkit, not of another one on the machine.
  get_filename_component(toolkit ${ASSAY_NVCC} REALPATH)
  cmake_path(GET toolkit PARENT_PATH toolkit)
  cmake_path(GET toolkit PARENT_PATH toolkit)
  # Of the same release are the headers that scripts/run may have installed before: what was compiled with them stays as it is.
  set(include ${toolkit}/include)
  string(REPLACE "/cuda/nvidia" "/cuda_headers/nvidia" alone ${toolkit})
  if(toolkit IN_LIST assay_toolkits AND EXISTS ${alone}/include)
    set(include ${alone}/include)
  endif()
  unset(ASSAY_CUDA_INCLUDE CACHE)
  find_path(ASSAY_CUDA_INCLUDE cuda_runtime_api.h PATHS ${include} REQUIRED NO_DEFAULT_PATH
            DOC "Where CUDA's headers are")
  find_library(ASSAY_CUDART_STATIC cudart_static PATHS ${toolkit}/lib64 ${toolkit}/lib REQUIRED NO_DEFAULT_PATH
               DOC "CUDA's runtime, to be linked statically")
  string(REPLACE "/cuda/nvidia" "/cuda_tools/nvidia" tools "${assay_toolkits}")
  find_program(ASSAY_CUOBJDUMP cuobjdump PATHS ${toolkit}/bin ${tools} PATH_SUFFIXES bin
               DOC "Reads what nvcc made of the kernels, for a test; scripts/test --full installs it")
  set(ASSAY_HAS_CUDA ON)
elseif(ASSAY_CUDA STREQUAL "ON")
  message(FATAL_ERROR "ASSAY_CUDA is ON and no nvcc was found: scripts/setup --cuda installs one")
else()
  message(STATUS "assay-cuda is not built: it needs nvcc and a GPU, or ASSAY_CUDA=ON")
  find_path(ASSAY_CUDA_INCLUDE cuda_runtime_api.h PATHS ENV CUDA_HOME ENV CUDA_PATH /usr/local/cuda ${assay_toolkits} ${assay_headers}
            PATH_SUFFIXES include DOC "Where CUDA's headers are")
endif()
if(NOT ASSAY_CUDA_INCLUDE)
  message(STATUS "The CUDA implementation is not built: CUDA's headers were not found (scripts/run installs them)")
endif()
set(ASSAY_RUNS_ON_CPU OFF)
if(ASSAY_CUDA_INCLUDE AND NOT ASSAY_CUDA STREQUAL "OFF")
  set(ASSAY_RUNS_ON_CPU ON)
endif()

# Kernels as C++: the header that gives them CUDA's language comes before each file, and small replacements of CUB's headers before
# CUB's own. nvcc's warnings are those of CUDA code, which converts between integers freely.
add_library(assay_kernel_warnings INTERFACE)
target_compile_options(assay_kernel_warnings INTERFACE -Wno-conversion -Wno-sign-conversion -Wno-unknown-pragmas)
add_library(assay_kernel_language INTERFACE)
target_link_libraries(assay_kernel_language INTERFACE assay_flags assay_hot assay_kernel_warnings)  # in this order
target_compile_options(assay_kernel_language INTERFACE
  -include ${PROJECT_SOURCE_DIR}/cuda_impl/on_cpu/kernels/language.hpp -fsanitize=alignment)
target_include_directories(assay_kernel_language INTERFACE ${PROJECT_SOURCE_DIR}/cuda_impl/on_cpu/kernels)
target_include_directories(assay_kernel_language SYSTEM INTERFACE ${ASSAY_CUDA_INCLUDE})

# assay_kernels(name sources...): an object library of kernel files, compiled as C++. They must be in no target of the same folder
# that nvcc compiles.
function(assay_kernels name)
  add_library(${name} OBJECT ${ARGN})
  set_source_files_properties(${ARGN} PROPERTIES LANGUAGE CXX)
  set_target_properties(${name} PROPERTIES POSITION_INDEPENDENT_CODE ON)
  target_link_libraries(${name} PRIVATE assay_kernel_language)
endfunction()

# assay_runs_on_cpu(program): links the simulated runtime instead of CUDA's, for kernels compiled as C++.
set(assay_all_compiled ${PROJECT_BINARY_DIR}/generated/all_compiled.cpp)
file(CONFIGURE OUTPUT ${assay_all_compiled} CONTENT "// Generated: there is code for the simulated devices.
extern const char* const assay_compiled_code;
const char* const assay_compiled_code = \"all\";\n")
function(assay_runs_on_cpu program)
  target_sources(${program} PRIVATE ${assay_all_compiled})
  target_link_libraries(${program} PRIVATE assay_on_cpu_kernels assay_on_cpu_launch assay_cudart_objects assay_scheduler Threads::Threads)
endfunction()

# The flags of every file compiled by nvcc. Neither kernels nor hosts contract multiply-adds, so that each product and sum is
# rounded by IEEE 754, on a GPU and on a CPU. GCC 12.2 loses roundings when it vectorizes.
add_library(assay_cuda_flags INTERFACE)
target_link_libraries(assay_cuda_flags INTERFACE assay_flags)
target_compile_options(assay_cuda_flags INTERFACE
  $<$<COMPILE_LANGUAGE:CUDA>:-fmad=false -lineinfo --expt-relaxed-constexpr -Werror=all-warnings
                             -Xcompiler=-Wall,-Wextra,-ffp-contract=off,-fno-math-errno,-fno-tree-vectorize
                             -fmacro-prefix-map=${PROJECT_SOURCE_DIR}/=>)  # not as -Xcompiler=, whose value the compiler cache compares
# By default, the names of CUB's kernels contain the architectures of the build, and a list of kernels would be of one build only.
target_compile_definitions(assay_cuda_flags INTERFACE
  "$<$<COMPILE_LANGUAGE:CUDA>:CUB_DISABLE_NAMESPACE_MAGIC;CUB_IGNORE_NAMESPACE_MAGIC_ERROR>")
if(ASSAY_SANITIZE)
  string(REPLACE "," ";" sanitizers ${ASSAY_SANITIZE})
  list(TRANSFORM sanitizers PREPEND "-Xcompiler=-fsanitize=")
  target_compile_options(assay_cuda_flags INTERFACE
    "$<$<COMPILE_LANGUAGE:CUDA>:${sanitizers};-Xcompiler=-fno-omit-frame-pointer;-Xcompiler=-g1>")
endif()

# The architectures of the kernels, which a program reports.
set(assay_compiled_code ${PROJECT_BINARY_DIR}/generated/compiled_code.cpp)
file(CONFIGURE OUTPUT ${assay_compiled_code} CONTENT "// Generated: what the kernels are compiled for.
extern const char* const assay_compiled_code;
const char* const assay_compiled_code = \"${ASSAY_CUDA_ARCHITECTURES}\";\n")

# assay_runs_on_gpu(program): links CUDA's runtime, which loads the driver at run time.
function(assay_runs_on_gpu program)
  target_sources(${program} PRIVATE ${assay_compiled_code})
  set_target_properties(${program} PROPERTIES CUDA_RUNTIME_LIBRARY None LINKER_LANGUAGE CXX)
  target_link_libraries(${program} PRIVATE ${ASSAY_CUDART_STATIC} Threads::Threads ${CMAKE_DL_LIBS} rt)
endfunction()

# assay_runs_on_nothing(program): links no runtime; the program's own sources have one. Kernels, which never run, need the rest.
function(assay_runs_on_nothing program)
  target_sources(${program} PRIVATE ${assay_all_compiled})
  if(NOT ASSAY_SANITIZE MATCHES "undefined")
    target_sources(${program} PRIVATE ${PROJECT_SOURCE_DIR}/cuda_impl/on_cpu/kernels/alignment.cpp)
  endif()
  target_link_libraries(${program} PRIVATE assay_scheduler Threads::Threads ${CMAKE_DL_LIBS})
endfunction()
