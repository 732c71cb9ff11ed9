// Unscale on each device, with the plan of PyTorch's launches and the geometry of strided views.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "cuda_impl/amp/arguments.hpp"
#include "cuda_impl/core/tensor.hpp"
#include "cuda_impl/kernels/scaler/unscale.hpp"

namespace assay::cuda {

/// Requires checked arguments and CPU gradients. If a gradient is rejected, those before it are
/// already unscaled (AMP-310, AMP-313).
void unscale_on_cpu(const UnscaleTensors& tensors);

/// AMP-312: the number of elements that one block of PyTorch's kernel processes.
inline constexpr std::int64_t kPlannedChunk = 65536;

struct LaunchLimits {
  std::int64_t most_tensors = 110;
  std::int64_t most_blocks = 320;
};

struct PlannedLaunch {
  std::int64_t blocks;
  /// The launch ends after this element of this tensor.
  std::size_t tensor;
  std::int64_t element;
};

/// `keeps_empty` (1.13): tensors without elements count, and an empty last tensor discards the
/// launch that is being filled (AMP-303).
std::vector<PlannedLaunch> plan_launches(std::span<const std::int64_t> counts,
                                         const LaunchLimits& limits, bool keeps_empty);

/// Drops dimensions of size 1, sorts the others by stride and merges
/// adjacent ones. Raises `error` if more than `StridedRow::kMostDims`
/// dimensions remain. The tensor must have elements.
StridedRow strided_row(const TensorBody& tensor);

/// Requires checked arguments and gradients on one CUDA device (or none). Does not wait for the
/// device or allocate on it (AMP-502). `update` is part of the last launch, or a separate one.
void unscale_on_cuda(const UnscaleTensors& tensors, const Contract& contract,
                     const std::optional<ScaleUpdate>& update = std::nullopt);

}  // namespace assay::cuda
