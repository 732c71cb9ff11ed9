// The numbers that loops of `bench.run` work on, and the sum of what they leave.
#pragma once

#include <cstdint>
#include <span>

#include "cuda_impl/core/tensor.hpp"

namespace assay::cuda {

/// Element i is (i * 40503 mod 65536 - 32768) / 1024, rounded to the tensor's type.
class BenchNumbers {
 public:
  BenchNumbers(Dtype dtype, Device device);

  /// Into a contiguous tensor of that type and device, in the order of the current stream.
  void fill(const Tensor& target) const;

 private:
  Tensor period_;  ///< after so many elements they begin again
};

/// CRC-32 of the elements as bytes: of all, one tensor after the other, or of the first ones of the
/// first tensor and the last ones of the last. Waits.
std::uint32_t bench_result(std::span<const Tensor> tensors, bool whole);

}  // namespace assay::cuda
