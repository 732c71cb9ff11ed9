// Checkpoints: parts of forward that store no intermediate results and are recomputed in backward.
#pragma once

#include <functional>
#include <vector>

#include "reference/core/runtime.hpp"
#include "reference/core/tensor/tensor.hpp"

namespace assay::reference {

using CheckpointBody = std::function<Tensor(const std::vector<Tensor>& inputs)>;

/// Returns the result of the body. The recomputation restores autocast's flags, dtypes and cache
/// flag (CAST-708); parameters that the body uses receive their gradients in it.
Tensor checkpoint(Runtime& runtime, const std::vector<Tensor>& inputs, CheckpointBody body);

}  // namespace assay::reference
