// Wrappers of operators whose signature is known by their schema alone.
#pragma once

#include <string>

#include "cuda_impl/autocast/rules.hpp"
#include "cuda_impl/dispatch/registry/dispatcher.hpp"

namespace assay::cuda::autocast {

struct WrapOptions {
  CastPolicy policy = CastPolicy::kLowerPrecision;
  DeviceKind device = DeviceKind::kCpu;
  /// The operator that is called in the wrapped one's place; empty: that one itself.
  std::string target = {};
};

/// A kernel for the device's autocast key, of an operator of any schema (CAST-303). The target is
/// looked for at each call: it may be defined later.
dispatch::Kernel boxed_wrapper(WrapOptions options);

/// CAST-801: casts to one type, whatever the region's, with neither the CPU's nor CUDA's autocast
/// on inside. Raises `assertion` for an operator with keyword-only arguments, when it is called.
dispatch::Kernel fixed_wrapper(DeviceKind device, Dtype to);

}  // namespace assay::cuda::autocast
