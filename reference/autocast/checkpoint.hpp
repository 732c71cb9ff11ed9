// Checkpoints: a part of the forward pass that keeps nothing, and is computed again in backward.
#pragma once

#include <functional>
#include <vector>

#include "reference/core/runtime.hpp"
#include "reference/core/tensor/tensor.hpp"

namespace assay::reference {

using CheckpointBody = std::function<Tensor(const std::vector<Tensor>& inputs)>;

/// The body's result. When it is computed again autocast is as it was the first time: flags, dtypes
/// and cache flag (CAST-708). Parameters that the body uses get their gradients then.
Tensor checkpoint(Runtime& runtime, const std::vector<Tensor>& inputs, CheckpointBody body);

}  // namespace assay::reference
