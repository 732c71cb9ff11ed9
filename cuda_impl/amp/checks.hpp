// Argument checks of the loss-scaling kernels.
#pragma once

#include <span>
#include <string_view>

#include "cuda_impl/amp/arguments.hpp"

namespace assay::cuda {

/// A one-element argument with the name that error messages use.
struct ScalarArgument {
  const char* name;
  const Tensor& tensor;
  Dtype dtype;
};

/// AMP-115, AMP-116, AMP-401: checks all devices, then all element counts, then all dtypes.
void check_scalars(std::span<const ScalarArgument> arguments, DeviceKind kernel);
void check_update(const UpdateScaleTensors& tensors, DeviceKind kernel);
/// Returns whether all tensors are defined, strided and on the device.
bool are_strided_on(Device device, std::span<const Tensor> tensors);
void check_unscale(const UnscaleTensors& tensors, DeviceKind kernel);
/// AMP-401. The choice of a backend has checked this.
void check_gradients(std::span<const Tensor> grads, DeviceKind kernel);

/// AMP-212. `operation` is the kernel name, without the device.
void check_gradient_dtype(const Tensor& grad, DeviceKind kernel, std::string_view operation);
/// AMP-307: returns whether elements of the gradient certainly share memory.
bool shares_elements(const TensorBody& grad);
/// AMP-307: raises `error` if they do.
void refuse_shared_elements(const Tensor& grad);
inline void check_no_shared_elements(const Tensor& grad) {
  if (!grad.is_dense()) [[unlikely]]
    refuse_shared_elements(grad);
}

inline const char* const kUnscaleTogether = "_amp_foreach_non_finite_check_and_unscale_";
inline const char* const kUnscaleAlone = "_amp_non_finite_check_and_unscale_";

}  // namespace assay::cuda
