// Unscale on the CPU: one tensor after another.
#include "cuda_impl/amp/unscale_cpu.hpp"

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cmath>
#include <type_traits>

#include "cuda_impl/amp/checks.hpp"

namespace assay::cuda {
namespace {

/// AMP-202: half types are multiplied in float and rounded again by the store.
template <typename Real>
using Wide = std::conditional_t<std::is_same_v<Real, double>, double, float>;

template <typename Real>
bool unscale_tensor(const Tensor& grad, float factor) {
  Real* const data = grad.data_as<Real>();
  bool any_bad = false;
  for_each_offset(grad.sizes(), grad.strides(), [&](std::int64_t offset) {
    const auto value = static_cast<Wide<Real>>(data[offset]);
    any_bad = any_bad || !std::isfinite(value);  // AMP-209: a double is tested as a double
    if (factor != 1.0f) data[offset] = static_cast<Real>(value * static_cast<Wide<Real>>(factor));
  });
  return any_bad;
}

bool unscale_tensor_of_its_type(const Tensor& grad, float factor) {
  switch (grad.dtype()) {
    case Dtype::kFloat16:
      return unscale_tensor<__half>(grad, factor);
    case Dtype::kBFloat16:
      return unscale_tensor<__nv_bfloat16>(grad, factor);
    case Dtype::kFloat32:
      return unscale_tensor<float>(grad, factor);
    default:
      return unscale_tensor<double>(grad, factor);
  }
}

}  // namespace

void unscale_on_cpu(const UnscaleTensors& tensors) {
  for (const Tensor& grad : tensors.grads) {
    check_no_shared_elements(grad);
    check_gradient_dtype(grad, DeviceKind::kCpu, kUnscaleTogether);
    const float factor = *tensors.inv_scale.data_as<const float>();
    if (unscale_tensor_of_its_type(grad, factor)) *tensors.found_inf.data_as<float>() = 1.0f;
  }
}

}  // namespace assay::cuda
