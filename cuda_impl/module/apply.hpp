// Applies a function to all tensors of a module; updates tensors in place or replaces them.
#pragma once

#include <functional>

#include "cuda_impl/core/contract.hpp"
#include "cuda_impl/module/module.hpp"

namespace assay::cuda {

/// Process-wide (MOVE-10).
struct ConversionFlags {
  bool overwrite = false;  ///< create new objects even where the old ones could stay
  bool swap = false;       ///< keep old objects where new ones would be needed; wins
};
ConversionFlags& conversion_flags();

struct Application {
  std::function<Tensor(const Tensor& tensor)> function;
  bool recurses = true;
  Contract contract;
};
/// Visits children first; in each module the parameters, each with its gradient, then the buffers
/// (MOVE-01, MOVE-02). An error propagates at once and leaves earlier changes (MOVE-11).
void apply_to_tensors(Module& module, const Application& application);

}  // namespace assay::cuda
