// The runtime's own operators in the
// namespace `aten`, and their autocast rules.
#pragma once

#include "cuda_impl/autocast/rules.hpp"
#include "cuda_impl/dispatch/registry/dispatcher.hpp"

namespace assay::cuda::aten {

/// Defines the operators with their kernels and registers autocast's wrappers for all devices that
/// have lists, also for operators without a kernel here. `has_cuda`: use the lists of a CUDA build.
/// Call once for each dispatcher.
void add_operators(dispatch::Dispatcher& dispatcher, bool has_cuda);

/// An operator with one kernel for all devices.
struct Definition {
  const char* schema;  ///< without the namespace
  dispatch::Kernel kernel;
  autocast::Releases releases = {};  ///< the releases that have it
};
std::vector<Definition> product_definitions();
std::vector<Definition> elementwise_definitions();
std::vector<Definition> function_definitions();
std::vector<Definition> reduction_definitions();
/// Operators composed of others, which a call looks up in its dispatcher.
std::vector<Definition> composite_definitions();

}  // namespace assay::cuda::aten
