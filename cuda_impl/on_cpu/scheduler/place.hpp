// The position of a CUDA thread in its grid.
#pragma once

#include <cstdint>

namespace assay::cuda::on_cpu {

struct Dim3 {
  std::uint32_t x = 1;
  std::uint32_t y = 1;
  std::uint32_t z = 1;

  std::uint64_t count() const { return std::uint64_t{x} * y * z; }
  friend bool operator==(const Dim3&, const Dim3&) = default;
};

struct ThreadPlace {
  Dim3 grid;             ///< gridDim
  Dim3 block;            ///< blockDim
  Dim3 block_index;      ///< blockIdx
  Dim3 thread_index;     ///< threadIdx
  std::uint32_t linear;  ///< index in the block, x fastest; lane linear % 32 of warp linear / 32

  std::uint32_t lane() const { return linear % 32; }
  std::uint32_t warp() const { return linear / 32; }
};

}  // namespace assay::cuda::on_cpu
