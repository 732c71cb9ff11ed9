// The registry of translated kernels and variables for the simulated runtime, by name.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "cuda_impl/on_cpu/scheduler/shared_array.hpp"

namespace assay::cuda::on_cpu {

struct TranslatedKernel {
  /// The name of the PTX entry: the kernel's mangled C++ name.
  const char* name;
  /// One CUDA thread, called inside a block of the scheduler. `parameters[i]` is the address of
  /// parameter i, aligned to 16 bytes; the kernel reads it and never writes it.
  void (*run)(void* const* parameters);
  std::span<const std::uint32_t> parameter_bytes;
  std::span<const SharedArray> shared;
  /// The block's static shared memory, including gaps; a multiple of 16. Dynamic shared memory
  /// begins at this offset.
  std::uint32_t static_shared_bytes;
  std::uint32_t max_threads;  ///< of a block, from __launch_bounds__; 0 if unspecified
  std::uint32_t registers;    ///< of a thread, from __maxnreg__; 0 if unspecified
};

/// A __device__ or __constant__ variable; `address` is the initialized memory that kernels access.
struct TranslatedVariable {
  const char* name;
  void* address;
  std::size_t bytes;
};

/// Called at static initialization by each translated file; the spans must have static lifetime.
/// A kernel may be registered repeatedly (a template instantiated in two files) if its parameters
/// agree; throws std::logic_error otherwise. Returns true, for use in an initializer.
bool add_translated(std::span<const TranslatedKernel> kernels,
                    std::span<const TranslatedVariable> variables);

/// nullptr if no translated file has it. Call only after static initialization, since the order of
/// files is undefined.
const TranslatedKernel* find_translated_kernel(std::string_view name);

/// The same. Throws std::logic_error if several files have a variable of that name, since each
/// kernel uses that of its own file.
const TranslatedVariable* find_translated_variable(std::string_view name);

}  // namespace assay::cuda::on_cpu
