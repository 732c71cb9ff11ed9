// The gradients of an optimizer as rows of launches, without sharing them.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "cuda_impl/core/device/device.hpp"
#include "cuda_impl/kernels/scaler/unscale_by_scale.hpp"
#include "cuda_impl/optim/optimizer.hpp"
#include "cuda_impl/scaler/unscaling.hpp"

namespace assay::cuda {

/// Reuses its memory from step to step.
class GradientRows {
 public:
  /// Returns false if launches of `unscale_by_scale.hpp` alone cannot do: for gradients that are
  /// sparse, on another device, of another dtype, or with gaps; for those that raise; if there is
  /// nothing to launch. Changes nothing but itself.
  bool collect(const Optimizer& optimizer, Device home, HalfGradients halves);
  /// Requires that `collect` returned true, and the device to be current. One launch for each dtype
  /// whose gradients fit into a table.
  void launch(const UnscaleByScale& work) const;

 private:
  struct Group {
    Dtype dtype;
    std::vector<TensorRow<1>> rows = {};  ///< room for all gradients
    std::size_t used = 0;
    std::size_t tensors = 0;  ///< with those that have no elements
  };

  bool add(const TensorBody& grad, Device home, HalfGradients halves);

  std::array<Group, 3> groups_ = {{{Dtype::kFloat32}, {Dtype::kFloat64}, {Dtype::kFloat16}}};
};

}  // namespace assay::cuda
