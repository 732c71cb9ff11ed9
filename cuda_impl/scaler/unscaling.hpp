// The steps of unscaling that need no scaler: which gradients there are, and the two scalars that
// the operator is given with them.
#pragma once

#include <vector>

#include "cuda_impl/core/contract.hpp"
#include "cuda_impl/optim/optimizer.hpp"
#include "cuda_impl/scaler/replicas.hpp"

namespace assay::cuda {

/// Gradients that one call of the operator takes (SCL-204).
struct GradientGroup {
  Device device;
  Dtype dtype = Dtype::kFloat32;
  std::vector<Tensor> gradients;
};

enum class HalfGradients : std::uint8_t { kRefused, kTaken };

/// By device, then by dtype, each in the order first seen (SCL-203, SCL-204). Of sparse gradients
/// their values; those of float16 are replaced by their coalesced form before (SCL-207). Raises
/// `value` for float16 where it is refused, before anything is changed (SCL-205).
std::vector<GradientGroup> gradients_of(const Optimizer& optimizer, HalfGradients halves);

/// What one device multiplies by, and raises.
struct InverseAndFlag {
  Tensor inverse;
  Tensor flag;
};

/// Makes them device by device, each in one launch and no copy at the scale's home; elsewhere the
/// inverse is copied.
class UnscaleStart {
 public:
  /// `sizes`: those of all scalars (SCL-108).
  UnscaleStart(Tensor scale, Shape sizes) : scale_(std::move(scale)), sizes_(std::move(sizes)) {}

  InverseAndFlag on(Device device);

 private:
  const InverseAndFlag& home();

  Tensor scale_;
  Shape sizes_;
  std::optional<InverseAndFlag> home_;
};

/// The scalars of a check that leaves gradients as they are (SCL-513): the inverse is 1, made once
/// for each device and never written to; a new flag is cleared without a launch.
class CheckStart {
 public:
  InverseAndFlag on(Device device, const Shape& sizes);

 private:
  std::vector<Tensor> ones_;
};

}  // namespace assay::cuda
