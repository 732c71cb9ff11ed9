// The arguments of the loss-scaling operators: what they are, their checks, and their conversion
// from Python's.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>

#include "cuda_impl/core/contract.hpp"
#include "cuda_impl/core/tensor.hpp"

namespace assay::cuda {

/// References that must stay valid during the call only.
struct UpdateScaleTensors {
  const Tensor& scale;
  const Tensor& growth_tracker;
  const Tensor& found_inf;
};

struct UpdateFactors {
  double growth;
  double backoff;
  std::int64_t interval;
};

/// References that must stay valid during the call only.
struct UnscaleTensors {
  std::span<const Tensor> grads;
  const Tensor& found_inf;
  const Tensor& inv_scale;
};

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

/// An omitted argument.
struct Missing {};
/// A value of a type that no parameter accepts.
struct UnsupportedArgument {
  std::string kind;
};
using Bindable = std::variant<Missing, bool, std::int64_t, double, Tensor, UnsupportedArgument>;

/// A parameter as error messages name it; positions are 1-based.
struct Parameter {
  std::string_view op;
  std::string_view name;
  int position;
};

// AMP-007. Raise `type` if the parameter rejects the argument. Wait for numbers in tensors.

double bind_double(const Bindable& argument, const Parameter& parameter);
std::int64_t bind_int(const Bindable& argument, const Parameter& parameter);
Tensor bind_tensor(const Bindable& argument, const Parameter& parameter);

[[noreturn]] void refuse_argument(const Parameter& parameter, std::string_view wanted,
                                  std::string_view got);

}  // namespace assay::cuda
