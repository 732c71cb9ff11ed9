// Checkpointing: discards intermediate results and recomputes them in backward (CAST-708).
#pragma once

#include <functional>
#include <vector>

#include "cuda_impl/core/tensor.hpp"

namespace assay::cuda::autocast {

using CheckpointBody = std::function<Tensor(const std::vector<Tensor>& inputs)>;

/// The recomputation runs `body` with the autocast state of the first run.
Tensor checkpoint(const std::vector<Tensor>& inputs, const CheckpointBody& body);

}  // namespace assay::cuda::autocast
