// Kernels that programs put into streams themselves.
#pragma once

#include <cstdint>

#include "reference/core/tensor/tensor.hpp"
#include "reference/core/types/scalar.hpp"
#include "reference/runtime/streams/stream.hpp"

namespace assay::reference {

/// Where work goes that nobody gave a stream: the current one of the tensor's device (STR-030).
Stream stream_for(Runtime& runtime, const Tensor& tensor);

/// Each of them checks its launch (FLT-006), and returns before the work has run.
void launch_kernel(Runtime& runtime, const Stream& stream, Work work);
/// Fills the tensor. Raises `error` when the value is out of its dtype's range.
void launch_store(Runtime& runtime, const Stream& stream, const Tensor& tensor,
                  const Scalar& value);
/// Copies it into a new tensor.
Tensor launch_load(Runtime& runtime, const Stream& stream, const Tensor& tensor);

struct VectorSum {
  std::int64_t threads = 0;  ///< that ran
  std::int64_t right = 0;    ///< elements that hold their sum
};
/// Adds two vectors of `count` elements, a thread for each, without a check of the launch; then
/// waits (FLT-019).
VectorSum launch_vector_sum(Runtime& runtime, const Stream& stream, const LaunchShape& shape,
                            std::int64_t count);

/// Nothing behind it in the stream runs before it is open.
GateHandle put_gate(Runtime& runtime, const Stream& stream, std::int64_t timeout_ms);

}  // namespace assay::reference
