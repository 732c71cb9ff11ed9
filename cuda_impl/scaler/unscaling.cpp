// Groups gradients and creates the scalar arguments of the unscale.
#include "cuda_impl/scaler/unscaling.hpp"

#include <algorithm>

#include "cuda_impl/core/cuda_check.hpp"
#include "cuda_impl/core/graph.hpp"
#include "cuda_impl/kernels/scaler/unscale.hpp"
#include "cuda_impl/operators/copy/copy.hpp"
#include "cuda_impl/operators/sparse.hpp"

namespace assay::cuda {
namespace {

/// Returns the elements of a parameter's gradient that are to be unscaled.
Tensor elements_of(const Tensor& param) {
  const Tensor grad = param.grad();
  if (!grad.is_sparse()) return grad;
  if (grad.dtype() != Dtype::kFloat16) return grad->sparse->values;
  param.set_grad(coalesce(grad));
  return param.grad()->sparse->values;
}

/// Keeps devices in the order of first use and the dtypes of a device adjacent.
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

Tensor cleared_flag(const Shape& sizes, Device device) {
  Tensor flag = empty(sizes, Dtype::kFloat32, device);
  if (device.is_cuda()) {
    const DeviceScope scope(device.index);
    cuda_check(cudaMemsetAsync(flag.data(), 0, sizeof(float), current_stream()));
  } else {
    *flag.data_as<float>() = 0.0F;
  }
  return flag;
}

/// SCL-202, on the device of the scale.
InverseAndFlag made_from(const Tensor& scale, const Shape& sizes) {
  const Device home = scale.device();
  InverseAndFlag made{empty(sizes, Dtype::kFloat32, home), empty(sizes, Dtype::kFloat32, home)};
  float* const inverse = made.inverse.data_as<float>();
  float* const flag = made.flag.data_as<float>();
  if (home.is_cuda()) {
    const DeviceScope scope(home.index);
    launch_inverse_scale({scale.data_as<float>(), inverse, flag});
  } else {
    *inverse = static_cast<float>(1.0 / static_cast<double>(*scale.data_as<float>()));
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

const InverseAndFlag& UnscaleStart::home() {
  if (!home_) home_ = made_from(scale_, sizes_);
  return *home_;
}

InverseAndFlag UnscaleStart::on(Device device) {
  if (device == scale_.device()) return home();
  return {moved_to(home().inverse, device), cleared_flag(sizes_, device)};
}

InverseAndFlag CheckStart::on(Device device, const Shape& sizes) {
  const auto found = std::find_if(ones_.begin(), ones_.end(),
                                  [&](const Tensor& one) { return one.device() == device; });
  if (found != ones_.end()) return {*found, cleared_flag(sizes, device)};
  const Tensor one = empty({}, Dtype::kFloat32, device);
  fill_(one, Scalar(1));
  // Inside a capture, the fill runs only at replay, so the tensor cannot be cached.
  if (memory_of_capture() == nullptr) ones_.push_back(one);
  return {one, cleared_flag(sizes, device)};
}

}  // namespace assay::cuda
