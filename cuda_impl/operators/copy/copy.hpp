// Copies and conversions between dtypes, layouts and devices.
#pragma once

#include <cstdint>
#include <optional>

#include "cuda_impl/core/contract.hpp"
#include "cuda_impl/core/tensor.hpp"

namespace assay::cuda {

enum class MemoryFormat : std::uint8_t { kPreserve, kContiguous, kChannelsLast };

struct ToOptions {
  std::optional<Dtype> dtype;
  std::optional<Device> device;  ///< must be resolved: a CUDA device has an index
  bool copy = false;
  bool non_blocking = false;
  MemoryFormat format = MemoryFormat::kPreserve;
};

/// CORE-21: returns `tensor` itself if nothing has to change.
Tensor to(const Tensor& tensor, const ToOptions& options, const Contract& contract = {});
/// Returns `tensor` itself if it has the dtype.
Tensor to(const Tensor& tensor, Dtype dtype);
/// Returns `tensor` itself if it is contiguous.
Tensor contiguous(const Tensor& tensor);
/// Returns a copy with its own memory; dense strides are preserved.
Tensor clone(const Tensor& tensor);

/// Returns a copy in pinned memory, or `tensor` itself if it is pinned (MEM-028). Raises `error`
/// for a device tensor.
Tensor pinned(const Tensor& tensor);

/// Returns `read`, or a copy of it if it may overlap `written` at other positions, so that the
/// result does not depend on the order of the writes.
Tensor read_before(const Tensor& written, const Tensor& read);

struct CopyOptions {
  bool non_blocking = false;
  Contract contract;
};

/// Broadcasts and converts `source`. Raises if elements of `target` share memory with each other or
/// with elements still to be read (CORE-21). Counts one version of `target` and one copy.
void copy_(const Tensor& target, const Tensor& source, const CopyOptions& options = {});

/// Both must have the same sizes; dtypes, strides and devices are arbitrary. Makes no checks and
/// counts no version, but one copy. A copy to the host is complete on return, unless non_blocking.
void copy_elements(const Tensor& target, const Tensor& source, bool non_blocking = false);

}  // namespace assay::cuda
