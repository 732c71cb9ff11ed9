// Work on streams: kernels that clients launch explicitly, and the operators' work.
#pragma once

#include <cstdint>

#include "reference/core/runtime.hpp"
#include "reference/core/tensor/tensor.hpp"
#include "reference/core/types/scalar.hpp"
#include "reference/runtime/streams/stream.hpp"

namespace assay::reference {

/// The default stream of such work: the current stream of the tensor's device (STR-030).
Stream stream_for(Runtime& runtime, const Tensor& tensor);

/// These functions check the launch (FLT-006) and return before the work has run.
void launch_kernel(Runtime& runtime, const Stream& stream, Work work);
/// Fills the tensor. Raises `error` if the value is out of the dtype's range.
void launch_store(Runtime& runtime, const Stream& stream, const Tensor& tensor,
                  const Scalar& value);
/// Copies the tensor into a new one.
Tensor launch_load(Runtime& runtime, const Stream& stream, const Tensor& tensor);

struct VectorSum {
  std::int64_t threads = 0;  ///< threads that ran
  std::int64_t right = 0;    ///< correct elements
};
/// Adds two vectors of `count` elements with one thread for each, without a launch check, and waits
/// (FLT-019).
VectorSum launch_vector_sum(Runtime& runtime, const Stream& stream, const LaunchShape& shape,
                            std::int64_t count);

/// Blocks later work in the stream until the gate is open.
GateHandle put_gate(Runtime& runtime, const Stream& stream, std::int64_t timeout_ms);

/// Until the next reset, operators are submitted to CUDA devices (STR-030).
void use_streams(Runtime& runtime);

}  // namespace assay::reference
