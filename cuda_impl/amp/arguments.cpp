// Checks the arguments of the loss-scaling kernels, and converts those of the Python binding.
#include "cuda_impl/amp/arguments.hpp"

#include <algorithm>
#include <array>

#include "cuda_impl/core/scalar.hpp"

namespace assay::cuda {
namespace {

std::string_view kind_name(DeviceKind kernel) {
  return kernel == DeviceKind::kCuda ? "CUDA" : "CPU";
}

void check_gradient(const Tensor& grad, const Tensor& first, DeviceKind kernel) {
  require(grad.device().kind == kernel, [&] {
    return "each of scaled_grads must be a " + std::string(kind_name(kernel)) +
           " tensor, but one is " + describe(grad);
  });
  require(grad.device() == first.device(), [&] {
    return "all scaled_grads must be on the same device, but found " + to_text(first.device()) +
           " and " + to_text(grad.device());
  });
  require(!grad.is_sparse(),
          [&] { return "each of scaled_grads must be strided, but one is " + describe(grad); });
}

bool has_unscale_kernel(Dtype dtype, DeviceKind kernel) {
  switch (dtype) {
    case Dtype::kFloat16:
    case Dtype::kFloat32:
    case Dtype::kFloat64:
      return true;
    case Dtype::kBFloat16:
      return kernel == DeviceKind::kCpu;
    default:
      return false;
  }
}

std::string kind_of(const Bindable& argument) {
  constexpr std::array kKinds = {"nothing", "bool", "int", "float"};
  if (const auto* tensor = std::get_if<Tensor>(&argument)) return describe(*tensor);
  if (const auto* foreign = std::get_if<UnsupportedArgument>(&argument)) return foreign->kind;
  return kKinds[argument.index()];
}

/// Returns the tensor if it can stand for a number: 0-dim, without gradient, with memory. Otherwise
/// null.
const Tensor* number_tensor(const Bindable& argument) {
  const auto* tensor = std::get_if<Tensor>(&argument);
  if (tensor == nullptr || !tensor->defined()) return nullptr;
  const bool has_memory = !tensor->is_sparse() && !tensor->is_meta();
  const bool is_number = has_memory && tensor->dim() == 0 && !(*tensor)->requires_grad;
  return is_number ? tensor : nullptr;
}

}  // namespace

void check_scalars(std::span<const ScalarArgument> arguments, DeviceKind kernel) {
  for (const auto& [name, tensor, dtype] : arguments) {
    require(tensor.device().kind == kernel, [&] {
      return name + (" must be a " + std::string(kind_name(kernel))) + " tensor, but is " +
             describe(tensor);
    });
  }
  for (const auto& [name, tensor, dtype] : arguments) {
    require(tensor.numel() == 1 && !tensor.is_sparse(), [&] {
      return name + std::string(" must be a 1-element tensor, but is ") + describe(tensor);
    });
  }
  for (const auto& [name, tensor, dtype] : arguments) {
    require(tensor.dtype() == dtype, [&] {
      return name + std::string(dtype == Dtype::kInt32 ? " must be an int" : " must be a float") +
             " tensor, but is " + describe(tensor);
    });
  }
}

void check_update(const UpdateScaleTensors& tensors, DeviceKind kernel) {
  const std::array<ScalarArgument, 3> scalars = {
      {{"growth_tracker", tensors.growth_tracker, Dtype::kInt32},
       {"current_scale", tensors.scale, Dtype::kFloat32},
       {"found_inf", tensors.found_inf, Dtype::kFloat32}}};
  check_scalars(scalars, kernel);
}

bool are_strided_on(Device device, std::span<const Tensor> tensors) {
  return std::ranges::all_of(tensors, [&](const Tensor& tensor) {
    const TensorBody* const body = tensor.body().get();
    return body != nullptr && body->device == device && body->sparse == nullptr;
  });
}

void check_unscale(const UnscaleTensors& tensors, DeviceKind kernel) {
  const std::array<ScalarArgument, 2> scalars = {
      {{"inv_scale", tensors.inv_scale, Dtype::kFloat32},
       {"found_inf", tensors.found_inf, Dtype::kFloat32}}};
  check_scalars(scalars, kernel);
}

void check_gradients(std::span<const Tensor> grads, DeviceKind kernel) {
  for (const Tensor& grad : grads) check_gradient(grad, grads.front(), kernel);
}

void check_gradient_dtype(const Tensor& grad, DeviceKind kernel, std::string_view operation) {
  require(has_unscale_kernel(grad.dtype(), kernel), ErrorKind::kNotImplemented, [&] {
    const char* const device = kernel == DeviceKind::kCuda ? "cuda" : "cpu";
    return '"' + std::string(operation) + device + "\" not implemented for '" +
           std::string(facts(grad.dtype()).cpp_name) + "'";
  });
}

bool shares_elements(const TensorBody& grad) {
  if (grad.is_dense || grad.numel == 0) return false;
  for (std::size_t d = 0; d < grad.sizes.size(); ++d) {
    if (grad.sizes[d] >= 2 && grad.strides[d] == 0) return true;
  }
  return false;
}

void refuse_shared_elements(const Tensor& grad) {
  require(!shares_elements(*grad.body()), [&] {
    return "several elements of a tensor to be written refer to a single memory location: " +
           describe(grad) + "; clone() it before the operation";
  });
}

void refuse_argument(const Parameter& parameter, std::string_view wanted, std::string_view got) {
  throw Error(ErrorKind::kType, std::string(parameter.op) + "(): argument '" +
                                    std::string(parameter.name) + "' (position " +
                                    std::to_string(parameter.position) + ") must be " +
                                    std::string(wanted) + ", not " + std::string(got));
}

double bind_double(const Bindable& argument, const Parameter& parameter) {
  if (const auto* real = std::get_if<double>(&argument)) return *real;
  if (const auto* integer = std::get_if<std::int64_t>(&argument))
    return static_cast<double>(*integer);
  if (const auto* truth = std::get_if<bool>(&argument)) return *truth ? 1.0 : 0.0;
  if (const Tensor* tensor = number_tensor(argument)) return read_number(*tensor);
  refuse_argument(parameter, "float", kind_of(argument));
}

std::int64_t bind_int(const Bindable& argument, const Parameter& parameter) {
  if (const auto* integer = std::get_if<std::int64_t>(&argument)) return *integer;
  const Tensor* tensor = number_tensor(argument);
  if (tensor != nullptr && facts(tensor->dtype()).is_integral) {
    return from_element(read_elements(*tensor).data(), tensor->dtype()).as<std::int64_t>();
  }
  refuse_argument(parameter, "int", kind_of(argument));
}

Tensor bind_tensor(const Bindable& argument, const Parameter& parameter) {
  if (const auto* tensor = std::get_if<Tensor>(&argument)) return *tensor;
  refuse_argument(parameter, "Tensor", kind_of(argument));
}

}  // namespace assay::cuda
