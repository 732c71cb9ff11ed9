// Flags of a scaler on one device, for reuse from iteration to iteration.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>
#include <vector>

#include "cuda_impl/core/tensor.hpp"

namespace assay::cuda {

/// What launches need to write a flag.
struct FlagTicket {
  std::uint32_t* word = nullptr;  ///< where they count their blocks
  float* scale = nullptr;         ///< room for a copy of the scale
  bool is_reusable = false;       ///< with the flag, by launches on `stream`
  cudaStream_t stream = nullptr;
};

struct CountedFlag {
  Tensor flag;  ///< found_inf
  FlagTicket ticket = {};
};

class FlagPool {
 public:
  /// Returns a flag on the current device for launches on its current stream, of 1 element in these
  /// sizes. A flag that was given back on that stream costs nothing; a new one is allocated and
  /// cleared. In a capture, the flag and its word belong to the graph.
  CountedFlag take(const Shape& sizes = {});
  /// Keeps a reusable flag of the current device if nobody else can see it and the current stream
  /// is its own: then all that used it comes before its next use.
  void give_back(CountedFlag flag);

 private:
  std::vector<CountedFlag> flags_;
};

}  // namespace assay::cuda
