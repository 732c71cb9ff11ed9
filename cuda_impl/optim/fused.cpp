// The attributes that a scaler lends to fused steps.
#include "cuda_impl/optim/fused.hpp"

#include <algorithm>
#include <string>

#include "cuda_impl/operators/elementwise.hpp"
#include "cuda_impl/optim/step_lists.hpp"

namespace assay::cuda {
namespace {

Tensor tensor_in(const std::optional<ScalerAttribute>& from_scaler) {
  if (!from_scaler || std::holds_alternative<std::monostate>(*from_scaler)) return {};
  if (const auto* tensor = std::get_if<Tensor>(&*from_scaler)) return *tensor;
  const std::string type = std::holds_alternative<double>(*from_scaler) ? "float" : "int";
  throw Error(ErrorKind::kAttribute, "'" + type + "' object has no attribute 'device'");
}

bool is_something(const std::optional<ScalerAttribute>& from_scaler) {
  return from_scaler && !std::holds_alternative<std::monostate>(*from_scaler);
}

void check_lent(const Tensor& tensor, const char* name) {
  if (!tensor.defined()) return;
  require(tensor.dtype() == Dtype::kFloat32 && tensor.numel() > 0, [&] {
    return std::string(name) + ": expected scalar type Float of at least one element, but found " +
           describe(tensor);
  });
}

}  // namespace

void check_fusable(const Tensor& param, Release release) {
  const bool is_there = param.is_cuda() || (param.device().is_cpu() && release != Release::k1_13);
  require(is_there && facts(param.dtype()).is_floating, [&] {
    return "`fused=True` requires all the params to be floating point Tensors of supported "
           "devices (CUDA), but got " +
           describe(param);
  });
}

void check_all_fusable(const Optimizer& optimizer, Release release) {
  if (!optimizer.supports_amp_scaling()) return;
  for (const Tensor& param : optimizer.params()) check_fusable(param, release);
}

ScalerTensors scaler_attributes(const Optimizer& optimizer) {
  return {tensor_in(optimizer.grad_scale), tensor_in(optimizer.found_inf)};
}

ScalerTensors tensors_of_scaler(ScalerInStep& scaler, Optimizer& optimizer) {
  const Tensor scale = scaler.scale_in_step();
  const std::vector<Tensor> flags = scaler.check_inf_in_step(optimizer);
  require(!flags.empty(), ErrorKind::kAssertion,
          [] { return "No inf checks were recorded in _check_inf_per_device."; });
  Tensor sum;
  for (const Tensor& flag : flags) {
    const Tensor here = on_device(flag, scale.device());
    sum = sum.defined() ? add(sum, here) : here;
  }
  return {scale, sum};
}

void reject_scaler_attributes(const Optimizer& optimizer) {
  require(!is_something(optimizer.grad_scale) && !is_something(optimizer.found_inf),
          ErrorKind::kAssertion, [] { return "Expected grad_scale and found_inf to be None"; });
}

ScalerTensorCopies::ScalerTensorCopies(ScalerTensors from_scaler)
    : tensors_(std::move(from_scaler)) {
  check_lent(tensors_.grad_scale, "grad_scale");
  check_lent(tensors_.found_inf, "found_inf");
}

ScalerPointers ScalerTensorCopies::on(Device device) {
  const auto address = [](const Tensor& tensor) {
    return tensor.defined() ? tensor.data_as<float>() : nullptr;
  };
  const auto is_there = [&](const Tensor& tensor) {
    return !tensor.defined() || tensor->device == device;
  };
  if (is_there(tensors_.grad_scale) && is_there(tensors_.found_inf)) {
    return {address(tensors_.grad_scale), address(tensors_.found_inf)};
  }
  auto there = std::find_if(copies_.begin(), copies_.end(),
                            [&](const auto& from_scaler) { return from_scaler.first == device; });
  if (there == copies_.end()) {
    const auto sent = [&](const Tensor& tensor) {
      return tensor.defined() ? on_device(tensor, device) : tensor;
    };
    const ScalerTensors tensors{sent(tensors_.grad_scale), sent(tensors_.found_inf)};
    there = copies_.emplace(copies_.end(), device, tensors);
  }
  return {address(there->second.grad_scale), address(there->second.found_inf)};
}

}  // namespace assay::cuda
