// The operators that the runtime brings itself, in the namespace `aten`, and autocast's rules for
// them.
#pragma once

#include "cuda_impl/dispatch/registry/dispatcher.hpp"

namespace assay::cuda::aten {

/// Defines the operators with their kernels, and registers autocast's wrappers on the keys of all
/// devices that have lists: also for operators that have no kernel here. `has_cuda`: as a build
/// with CUDA has them. Once for each dispatcher.
void add_operators(dispatch::Dispatcher& dispatcher, bool has_cuda);

/// One operator with the kernel for all devices.
struct Definition {
  const char* schema;  ///< without the namespace
  dispatch::Kernel kernel;
};
std::vector<Definition> product_definitions();
std::vector<Definition> elementwise_definitions();
std::vector<Definition> reduction_definitions();
/// Operators that are made of others, which are defined already.
std::vector<Definition> composite_definitions(const dispatch::Dispatcher& dispatcher);

}  // namespace assay::cuda::aten
