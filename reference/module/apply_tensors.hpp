// Applies a function to all tensors of a module and replaces or updates them.
#pragma once

#include <functional>

#include "reference/core/runtime.hpp"
#include "reference/module/module.hpp"

namespace assay::reference {

/// Process-wide conversion flags:
/// `runtime.shared<ConversionFlags>()` (MOVE-10).
struct ConversionFlags {
  bool overwrite = false;  ///< always create new tensor objects
  bool swap = false;       ///< swap contents with the new tensors; takes precedence
};

using TensorFunction = std::function<Tensor(const Tensor&)>;

/// Visits children first, then each parameter with its gradient, then buffers (MOVE-01). Parameters
/// and gradients are converted without history. An exception of `function` stops at once; earlier
/// conversions remain (MOVE-11). `recurse` false skips children.
void apply_tensors(Runtime& runtime, Module& module, const TensorFunction& function,
                   bool recurse = true);

}  // namespace assay::reference
