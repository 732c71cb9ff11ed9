// Copies to another dtype, device or layout, and into an existing tensor.
#pragma once

#include <optional>

#include "reference/core/runtime.hpp"
#include "reference/core/tensor/tensor.hpp"

namespace assay::reference {

enum class MemoryFormat : std::uint8_t { kPreserve, kContiguous, kChannelsLast };
/// Parses `preserve`, `contiguous` or `channels_last`.
std::optional<MemoryFormat> memory_format_named(std::string_view name);

struct ToOptions {
  std::optional<ScalarType> dtype = {};
  std::optional<Device> device = {};
  bool copy = false;
  bool non_blocking = false;
  MemoryFormat format = MemoryFormat::kPreserve;
};

/// Returns the tensor itself if nothing changes and no copy is requested (CORE-21).
Tensor to(Runtime& runtime, const Tensor& tensor, const ToOptions& options);

/// Broadcasts and converts `src` into `dst`, keeping the dtype, device and strides of `dst`, and
/// returns `dst` (CORE-21).
Tensor copy_(Runtime& runtime, const Tensor& dst, const Tensor& src, bool non_blocking = false);

/// Returns a copy with its own storage; preserves dense strides.
Tensor clone(Runtime& runtime, const Tensor& tensor);
/// Copies into a tensor of the same sizes that was made for it, so that it counts as unwritten
/// (CORE-13), and returns it.
Tensor copy_into_new(Runtime& runtime, const Tensor& made, const Tensor& src);

/// Returns strides for a new tensor with the same order of dimensions (CORE-21).
Shape preserved_strides(const Tensor& tensor);

}  // namespace assay::reference
