// The parts of unscaling that need no scaler state: collecting the gradients, and the two scalar
// arguments of the operator.
#pragma once

#include <vector>

#include "cuda_impl/core/contract.hpp"
#include "cuda_impl/optim/optimizer.hpp"
#include "cuda_impl/scaler/replicas.hpp"

namespace assay::cuda {

/// The gradients of one operator call (SCL-204).
struct GradientGroup {
  Device device;
  Dtype dtype = Dtype::kFloat32;
  std::vector<Tensor> gradients;
};

enum class HalfGradients : std::uint8_t { kRefused, kTaken };

/// Groups by device, then by dtype, in the order of first occurrence (SCL-203, SCL-204). Sparse
/// gradients contribute their values; float16 ones are first replaced by their coalesced form
/// (SCL-207). Raises `value` for rejected float16 before it changes anything (SCL-205).
std::vector<GradientGroup> gradients_of(const Optimizer& optimizer, HalfGradients halves);

/// The inverse scale and the found_inf flag of one device.
struct InverseAndFlag {
  Tensor inverse;
  Tensor flag;
};

/// Creates the scalars of each device: one launch and no copy on the scale's device; on other
/// devices the inverse is copied.
class UnscaleStart {
 public:
  /// `sizes`: the shape of the scalars (SCL-108).
  UnscaleStart(Tensor scale, Shape sizes) : scale_(std::move(scale)), sizes_(std::move(sizes)) {}

  InverseAndFlag on(Device device);

 private:
  const InverseAndFlag& home();

  Tensor scale_;
  Shape sizes_;
  std::optional<InverseAndFlag> home_;
};

/// The scalars for a check without unscaling (SCL-513): the inverse is 1, made once for each device
/// and read-only; a new flag is cleared without a launch.
class CheckStart {
 public:
  InverseAndFlag on(Device device, const Shape& sizes);

 private:
  std::vector<Tensor> ones_;
};

}  // namespace assay::cuda
