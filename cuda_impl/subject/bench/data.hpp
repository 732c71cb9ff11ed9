// The input numbers of `bench.run` loops, and the checksum of their results.
#pragma once

#include <cstdint>
#include <span>

#include "cuda_impl/core/tensor.hpp"

namespace assay::cuda {

/// Element i is ((i + seed) * 40503 mod 65536 - 32768) / 1024, rounded to the tensor's type, with
/// the seed of the loop.
class BenchNumbers {
 public:
  BenchNumbers(Dtype dtype, Device device);

  /// Fills a contiguous tensor of this dtype and device on the current stream.
  void fill(const Tensor& target) const;

 private:
  Tensor period_;  ///< one period of the repeating sequence
};

/// Returns the CRC-32 of the elements' bytes: of all tensors in order, or of the first elements of
/// the first and the last elements of the last one. Waits.
std::uint32_t bench_result(std::span<const Tensor> tensors, bool whole);

}  // namespace assay::cuda
