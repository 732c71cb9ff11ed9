// Implements the common parts of the fused optimizers.
#include "reference/optim/fused.hpp"

#include <string>

#include "reference/core/math/launch.hpp"
#include "reference/core/tensor/copy.hpp"
#include "reference/core/tensor/factory.hpp"
#include "reference/core/tensor/view.hpp"
#include "reference/core/types/element.hpp"

namespace assay::reference {

namespace {

void check_fusable(const Runtime& runtime, const Tensor& param) {
  const bool cpu_is_fine = runtime.contract().release != Release::k1_13;
  const bool device_is_fine = param.device().is_cuda() || (param.device().is_cpu() && cpu_is_fine);
  check(device_is_fine && is_floating(param.dtype()), [&] {
    return "fused=True needs floating point parameters on a device with fused kernels, got " +
           describe(param);
  });
}

bool is_something(const std::optional<ScalerAttribute>& attribute) {
  return attribute && !std::holds_alternative<std::monostate>(*attribute);
}

Tensor lent_tensor(const std::optional<ScalerAttribute>& attribute) {
  if (!is_something(attribute)) return {};
  if (const auto* tensor = std::get_if<Tensor>(&*attribute)) return *tensor;
  const auto* real = std::get_if<double>(&*attribute);
  throw Error(ErrorKind::kAttribute, std::string(real != nullptr ? "'float'" : "'int'") +
                                         " object has no attribute 'device'");
}

/// Adds the flags of several devices on `device`.
Tensor sum_of(Runtime& runtime, const FoundInfMap& flags, Device device) {
  const Tensor sum = scalar_tensor(runtime, 0, ScalarType::kFloat, device);
  Counters counted = runtime.counters();
  std::vector<Tensor> here;
  for (const auto& [where, flag] : flags) {
    here.push_back(to(runtime, flag, {.device = device, .non_blocking = true}));
    if (where != device) ++counted.copies;
  }
  runtime.counters() = counted;
  launch(runtime, device, "sum", [sum = borrowed(sum), here = borrowed(here)] {
    double value = 0;
    for (const Tensor& flag : here) value += real_at(flag, 0);
    set_real_at(sum, 0, value);
  });
  return sum;
}

/// What a fused kernel reads, on its device.
Tensor copied_to(Runtime& runtime, const Tensor& tensor, Device device) {
  if (!tensor.defined()) return tensor;
  check(tensor.dtype() == ScalarType::kFloat, [&] {
    return "expected scalar type Float but found " + std::string(cpp_name_of(tensor.dtype()));
  });
  if (tensor.device() == device) return tensor;
  const Tensor copy = to(runtime, tensor, {.device = device, .non_blocking = true});
  return copy.dim() == 0 ? copy : view_as(copy, {});
}

}  // namespace

void check_all_fusable(const Runtime& runtime, const Optimizer& optimizer) {
  if (!optimizer.supports_amp_scaling()) return;
  for (const ParamGroup& group : optimizer.groups()) {
    for (const Tensor& param : group.params) check_fusable(runtime, param);
  }
}

void reject_scaler_attributes(const Runtime& runtime, const Optimizer& optimizer) {
  const bool is_lent = is_something(optimizer.grad_scale) || is_something(optimizer.found_inf);
  const bool asks = runtime.contract().release != Release::k1_13;
  check(!is_lent || !asks, ErrorKind::kAssertion,
        [] { return "Expected grad_scale and found_inf to be None"; });
}

std::vector<FusedList> fused_lists(const Runtime& runtime, const std::vector<Tensor>& params) {
  std::vector<FusedList> lists;
  for (const Tensor& param : params) {
    if (!param.grad().defined()) continue;
    check_fusable(runtime, param);
    FusedList* wanted = nullptr;
    for (FusedList& list : lists) {
      if (list.device == param.device() && list.dtype == param.dtype()) wanted = &list;
    }
    if (wanted == nullptr) {
      wanted = &lists.emplace_back(FusedList{param.device(), param.dtype(), {}});
    }
    wanted->params.push_back(param);
  }
  return lists;
}

FusedScaling fused_scaling(Runtime& runtime, Optimizer& optimizer, PassedScaler* passed) {
  if (passed != nullptr) {
    const Tensor scale = passed->scale_tensor();
    return {scale, sum_of(runtime, passed->check_inf_per_device(optimizer), scale.device())};
  }
  if (runtime.contract().release == Release::k1_13) return {};
  FusedScaling scaling{lent_tensor(optimizer.grad_scale), lent_tensor(optimizer.found_inf)};
  return scaling;
}

FusedScaling scaling_on(Runtime& runtime, const FusedScaling& scaling, Device device) {
  return {copied_to(runtime, scaling.grad_scale, device),
          copied_to(runtime, scaling.found_inf, device)};
}

bool is_skipped(const FusedScaling& scaling) {
  if (!scaling.found_inf.defined()) return false;
  const double flag = real_at(scaling.found_inf, 0);
  return flag == 1;
}

Elements unscaled_grad(const Tensor& grad, const FusedScaling& scaling) {
  Elements elements = elements_of(grad);
  if (!scaling.grad_scale.defined()) return elements;
  const double scale = real_at(scaling.grad_scale, 0);
  const bool is_double = elements.dtype == ScalarType::kDouble;
  for (double& value : elements.values) {
    double quotient = value / scale;
    value = is_double ? quotient : static_cast<double>(static_cast<float>(quotient));
  }
  write_elements(grad, elements, 0);
  return elements;
}

}  // namespace assay::reference
