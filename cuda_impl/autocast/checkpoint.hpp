// Checkpoints: nothing inside is kept, and backward computes it again (CAST-708).
#pragma once

#include <functional>
#include <vector>

#include "cuda_impl/core/tensor.hpp"

namespace assay::cuda::autocast {

using CheckpointBody = std::function<Tensor(const std::vector<Tensor>& inputs)>;

/// The second time, `body` sees what autocast was set to the first time.
Tensor checkpoint(const std::vector<Tensor>& inputs, const CheckpointBody& body);

}  // namespace assay::cuda::autocast
