// The layout of a kernel's arrays in shared memory.
#include "cuda_impl/on_cpu/ptx/translator/shared_layout.hpp"

#include <algorithm>

namespace assay::cuda::on_cpu::ptx {
namespace {

constexpr std::uint64_t kGapBytes = 32;

std::uint64_t rounded_up(std::uint64_t value, std::uint64_t to) {
  return (value + to - 1) / to * to;
}

}  // namespace

void add_array(SharedLayout& layout, const Variable& array) {
  // A red zone ends where the next array begins, in steps of 16 bytes.
  const auto alignment = std::max<std::uint64_t>(array.alignment, 16);
  const auto offset = rounded_up(layout.bytes, alignment);
  layout.offsets[&array] = offset;
  layout.arrays.push_back(&array);
  layout.alignment = std::max(layout.alignment, alignment);
  layout.bytes = rounded_up(offset + array.bytes() + kGapBytes, layout.alignment);
}

std::vector<const Variable*> shared_arrays_in(const Block& block) {
  std::vector<const Variable*> arrays;
  for (const auto& statement : block.statements) {
    if (const auto* inner = std::get_if<Block>(&statement)) {
      std::ranges::copy(shared_arrays_in(*inner), std::back_inserter(arrays));
    } else if (const auto* variable = std::get_if<Variable>(&statement)) {
      if (variable->space == Space::kShared) arrays.push_back(variable);
    }
  }
  return arrays;
}

}  // namespace assay::cuda::on_cpu::ptx
