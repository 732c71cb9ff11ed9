// The layout of a kernel's arrays in shared memory.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "cuda_impl/on_cpu/ptx/translator/parser/syntax.hpp"

namespace assay::cuda::on_cpu::ptx {

struct SharedLayout {
  std::map<const Variable*, std::uint64_t> offsets;  ///< bytes
  std::vector<const Variable*> arrays;  ///< of known size, in the order of their offsets
  std::uint64_t bytes = 0;              ///< a multiple of `alignment`
  std::uint64_t alignment = 16;
};

/// Appends `array`, after a red zone for the address sanitizer.
void add_array(SharedLayout& layout, const Variable& array);

/// The shared arrays declared in a block and in its nested blocks.
std::vector<const Variable*> shared_arrays_in(const Block& block);

}  // namespace assay::cuda::on_cpu::ptx
