// Applying a function to every tensor of a module, and what becomes of the tensors that were there.
#pragma once

#include <functional>

#include "reference/core/runtime.hpp"
#include "reference/module/module.hpp"

namespace assay::reference {

/// How conversion treats parameters from now on, for the process:
/// `runtime.shared<ConversionFlags>()` (MOVE-10).
struct ConversionFlags {
  bool overwrite = false;  ///< new objects, even where the old ones could be kept
  bool swap = false;       ///< the old objects with the contents of new ones; wins over `overwrite`
};

using TensorFunction = std::function<Tensor(const Tensor&)>;

/// Children first; of each module the parameters, each with its gradient, then the buffers
/// (MOVE-01). Parameters and gradients are converted without history. What `function` raises ends
/// it at once, and what was converted stays so (MOVE-11). Without `recurse` children stay.
void apply_tensors(Runtime& runtime, Module& module, const TensorFunction& function,
                   bool recurse = true);

}  // namespace assay::reference
