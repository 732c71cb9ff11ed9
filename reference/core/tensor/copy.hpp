// Copies: to another dtype, device or layout, and into a tensor that is there.
#pragma once

#include <optional>

#include "reference/core/runtime.hpp"
#include "reference/core/tensor/tensor.hpp"

namespace assay::reference {

enum class MemoryFormat : std::uint8_t { kPreserve, kContiguous, kChannelsLast };
/// `preserve`, `contiguous`, `channels_last`
std::optional<MemoryFormat> memory_format_named(std::string_view name);

struct ToOptions {
  std::optional<ScalarType> dtype = {};
  std::optional<Device> device = {};
  bool copy = false;
  bool non_blocking = false;
  MemoryFormat format = MemoryFormat::kPreserve;
};

/// The tensor itself when dtype, device and format agree already and no copy is asked (CORE-21).
Tensor to(Runtime& runtime, const Tensor& tensor, const ToOptions& options);

/// Broadcasts, converts, keeps the destination's dtype, device and strides, and returns it
/// (CORE-21).
Tensor copy_(Runtime& runtime, const Tensor& dst, const Tensor& src, bool non_blocking = false);

/// A copy with its own storage; dense strides are kept.
Tensor clone(Runtime& runtime, const Tensor& tensor);

/// Strides of a new tensor that keeps the order of the dimensions of another (CORE-21).
Shape preserved_strides(const Tensor& tensor);

}  // namespace assay::reference
