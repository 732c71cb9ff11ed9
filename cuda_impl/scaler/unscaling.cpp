// Gradients by device and dtype, and the scalars that they are unscaled with.
#include "cuda_impl/scaler/unscaling.hpp"

#include <algorithm>

#include "cuda_impl/core/cuda_check.hpp"
#include "cuda_impl/kernels/inverse_scale.cuh"
#include "cuda_impl/operators/fill.hpp"
#include "cuda_impl/operators/sparse.hpp"

namespace assay::cuda {
namespace {

/// What is unscaled of a parameter's gradient.
Tensor elements_of(const Tensor& param) {
  const Tensor grad = param.grad();
  if (!grad.is_sparse()) return grad;
  if (grad.dtype() != Dtype::kFloat16) return grad->sparse->values;
  param.set_grad(coalesce(grad));
  return param.grad()->sparse->values;
}

/// Devices in the order first seen, and the dtypes of each after one another.
void add_to(std::vector<GradientGroup>& groups, const Tensor& gradient) {
  const auto of_device = [&](const GradientGroup& group) {
    return group.device == gradient.device();
  };
  const auto same = std::find_if(groups.begin(), groups.end(), [&](const GradientGroup& group) {
    return of_device(group) && group.dtype == gradient.dtype();
  });
  if (same != groups.end()) return same->gradients.push_back(gradient);
  const auto last = std::find_if(groups.rbegin(), groups.rend(), of_device);
  const auto where = last == groups.rend() ? groups.end() : last.base();
  groups.insert(where, {gradient.device(), gradient.dtype(), {gradient}});
}

UnscaleScalars uninitialised(const Shape& sizes, Device device) {
  return {empty(sizes, Dtype::kFloat32, device), empty(sizes, Dtype::kFloat32, device)};
}

/// SCL-202. `scale` lies on `device`, or is undefined for an inverse of 1.
UnscaleScalars made_on(Device device, const Tensor& scale, const Shape& sizes) {
  UnscaleScalars made = uninitialised(sizes, device);
  float* const inverse = made.inverse.data_as<float>();
  float* const flag = made.flag.data_as<float>();
  const float* const given = scale.defined() ? scale.data_as<float>() : nullptr;
  if (device.is_cuda()) {
    const DeviceScope scope(device.index);
    launch_inverse_scale({given, inverse, flag});
  } else {
    *inverse = given == nullptr ? 1.0F : static_cast<float>(1.0 / static_cast<double>(*given));
    *flag = 0.0F;
  }
  return made;
}

}  // namespace

std::vector<GradientGroup> gradients_of(const Optimizer& optimizer, HalfGradients halves) {
  std::vector<GradientGroup> groups;
  for (const Tensor& param : optimizer.params()) {
    const Tensor grad = param.grad();
    if (!grad.defined()) continue;
    require(halves == HalfGradients::kTaken || grad.dtype() != Dtype::kFloat16, ErrorKind::kValue,
            [] { return "unscale_() was to unscale FP16 gradients: it takes float32"; });
    add_to(groups, elements_of(param));
  }
  return groups;
}

const UnscaleScalars& UnscaleStart::home() {
  if (!home_) home_ = made_on(scale_.device(), scale_, sizes_);
  return *home_;
}

UnscaleScalars UnscaleStart::on(Device device) {
  if (!scale_.defined()) return made_on(device, {}, sizes_);
  if (device == scale_.device()) return home();
  UnscaleScalars made;
  made.inverse = moved_to(home().inverse, device);
  made.flag = empty(sizes_, Dtype::kFloat32, device);
  fill_(made.flag, 0.0);
  return made;
}

}  // namespace assay::cuda
