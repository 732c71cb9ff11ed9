// What translated PTX tells the simulated runtime: its kernels and variables, by their names.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "cuda_impl/on_cpu/scheduler/shared_array.hpp"

namespace assay::cuda::on_cpu {

struct TranslatedKernel {
  /// The PTX entry's name, which is the kernel's mangled name in C++.
  const char* name;
  /// One CUDA thread, called inside a block of the scheduler. `parameters[i]` is the address of
  /// parameter i, aligned to 16 bytes; the kernel reads it and never writes it.
  void (*run)(void* const* parameters);
  std::span<const std::uint32_t> parameter_bytes;
  std::span<const SharedArray> shared;
  /// Shared memory of the block before the dynamic part, gaps included; a multiple of 16. The
  /// launch's dynamic shared memory begins at this offset.
  std::uint32_t static_shared_bytes;
  std::uint32_t max_threads;  ///< of a block, from __launch_bounds__; 0 where nothing was said
  std::uint32_t registers;    ///< of a thread, from __maxnreg__; 0 where nothing was said
};

/// A __device__ or __constant__ variable; `address` is where kernels see it, initialised.
struct TranslatedVariable {
  const char* name;
  void* address;
  std::size_t bytes;
};

/// Called at static initialisation by each translated file; what the spans show must live for ever.
/// A kernel may come several times (a template instantiated in two files) if its parameters agree;
/// std::logic_error otherwise. Returns true, so that a variable's initialiser can call it.
bool add_translated(std::span<const TranslatedKernel> kernels,
                    std::span<const TranslatedVariable> variables);

/// nullptr where no translated file has it. Ask after static initialisation: the order of files is
/// not defined.
const TranslatedKernel* find_translated_kernel(std::string_view name);

/// As above. std::logic_error where several files have a variable of that name: each kernel sees
/// its own file's.
const TranslatedVariable* find_translated_variable(std::string_view name);

}  // namespace assay::cuda::on_cpu
