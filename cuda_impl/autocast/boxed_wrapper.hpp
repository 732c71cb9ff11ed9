// Autocast wrappers for operators of which only the schema is known.
#pragma once

#include <string>

#include "cuda_impl/autocast/rules.hpp"
#include "cuda_impl/dispatch/registry/dispatcher.hpp"

namespace assay::cuda::autocast {

struct WrapOptions {
  CastPolicy policy = CastPolicy::kLowerPrecision;
  DeviceKind device = DeviceKind::kCpu;
  /// The operator to call instead of the wrapped one; empty for the same operator.
  std::string target = {};
};

/// A kernel for a device's autocast key that works with any schema (CAST-303). The target is looked
/// up at each call, so it may be defined later.
dispatch::Kernel boxed_wrapper(WrapOptions options);

/// CAST-801: casts to a fixed dtype, independent of the region, and disables CPU and CUDA autocast
/// inside. A call raises `assertion` if the operator has keyword-only arguments.
dispatch::Kernel fixed_wrapper(DeviceKind device, Dtype to);

}  // namespace assay::cuda::autocast
