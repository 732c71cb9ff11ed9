// Connects tensors to the allocator: each CUDA storage owns a block.
#pragma once

#include "reference/core/tensor/tensor.hpp"
#include "reference/memory/caching_allocator.hpp"

namespace assay::reference {

/// Until the next reset, CUDA tensors are allocated by `allocator_of(runtime)` and operators are
/// submitted to the devices.
void use_devices(Runtime& runtime);

/// Calls `record_stream` for the block of the tensor's storage; does nothing if there is none
/// (MEM-006).
void record_tensor(const Tensor& tensor, const Stream& stream);

}  // namespace assay::reference
