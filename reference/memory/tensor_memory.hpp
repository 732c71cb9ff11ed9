// The memory of tensors: a block of the caching allocator behind each storage on a CUDA device.
#pragma once

#include "reference/core/tensor/tensor.hpp"
#include "reference/memory/caching_allocator.hpp"

namespace assay::reference {

/// From now on, until the next reset, the runtime's CUDA tensors come from `allocator_of(runtime)`,
/// and its operators launch on the devices.
void use_devices(Runtime& runtime);

/// `record_stream` on the block behind the tensor's storage; nothing where none of ours is
/// (MEM-006).
void record_tensor(const Tensor& tensor, const Stream& stream);

}  // namespace assay::reference
