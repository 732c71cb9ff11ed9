// Copies and conversions: between types, layouts and devices.
#pragma once

#include <cstdint>
#include <optional>

#include "cuda_impl/core/contract.hpp"
#include "cuda_impl/core/tensor.hpp"

namespace assay::cuda {

enum class MemoryFormat : std::uint8_t { kPreserve, kContiguous, kChannelsLast };

struct ToOptions {
  std::optional<Dtype> dtype;
  std::optional<Device> device;  ///< resolved by the caller: CUDA has an index
  bool copy = false;
  bool non_blocking = false;
  MemoryFormat format = MemoryFormat::kPreserve;
};

/// CORE-21: `tensor` itself where nothing is to be done.
Tensor to(const Tensor& tensor, const ToOptions& options, const Contract& contract = {});
/// `tensor` itself where it is of that type already.
Tensor to(const Tensor& tensor, Dtype dtype);
/// `tensor` itself where it is contiguous.
Tensor contiguous(const Tensor& tensor);
/// A new tensor of its own memory; strides are kept where the tensor is dense.
Tensor clone(const Tensor& tensor);

/// A copy in pinned memory; `tensor` itself where it lies there (MEM-028). Raises `error` for a
/// tensor of a device.
Tensor pinned(const Tensor& tensor);

/// `read` itself, or its copy where elements that lie elsewhere in `written` may be among it: the
/// outcome does not depend on which of them is written first.
Tensor read_before(const Tensor& written, const Tensor& read);

struct CopyOptions {
  bool non_blocking = false;
  Contract contract;
};

/// `source` is broadcast and converted. Raises where elements of `target` are one, or still to be
/// read (CORE-21). Counts one version of `target`, and one copy.
void copy_(const Tensor& target, const Tensor& source, const CopyOptions& options = {});

/// The same sizes; any types, strides and devices. No check, no version: for those who made them.
/// Counts one copy. A copy to the host has arrived when this returns, unless it is not blocking.
void copy_elements(const Tensor& target, const Tensor& source, bool non_blocking = false);

}  // namespace assay::cuda
