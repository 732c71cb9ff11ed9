// A function on all tensors of a module: what stays an object, and what is replaced.
#pragma once

#include <functional>

#include "cuda_impl/core/contract.hpp"
#include "cuda_impl/module/module.hpp"

namespace assay::cuda {

/// Of the process (MOVE-10).
struct ConversionFlags {
  bool overwrite = false;  ///< new objects where the old ones could stay
  bool swap = false;       ///< old objects where new ones would be needed; wins
};
ConversionFlags& conversion_flags();

struct Application {
  std::function<Tensor(const Tensor& tensor)> function;
  bool recurses = true;
  Contract contract;
};
/// Children first; of each module the parameters, each with its gradient, and then the buffers
/// (MOVE-01, MOVE-02). An error goes on at once, and what is done stays (MOVE-11).
void apply_to_tensors(Module& module, const Application& application);

}  // namespace assay::cuda
