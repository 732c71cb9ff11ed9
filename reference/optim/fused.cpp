// What the fused optimizers share.
#include "reference/optim/fused.hpp"

#include <string>

#include "reference/core/copy.hpp"
#include "reference/core/element.hpp"
#include "reference/core/factory.hpp"
#include "reference/core/fault.hpp"
#include "reference/core/launch.hpp"
#include "reference/core/view.hpp"

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

bool is_something(const std::optional<LentAttribute>& attribute) {
  return attribute && !std::holds_alternative<std::monostate>(*attribute);
}

Tensor lent_tensor(Runtime& runtime, const std::optional<LentAttribute>& attribute) {
  if (!is_something(attribute)) return {};
  if (const auto* tensor = std::get_if<Tensor>(&*attribute)) return *tensor;
  const auto* real = std::get_if<double>(&*attribute);
  check(fault("fused_takes_a_number"), ErrorKind::kAttribute, [&] {
    return std::string(real != nullptr ? "'float'" : "'int'") + " object has no attribute 'device'";
  });
  return scalar_tensor(runtime, real == nullptr ? 0 : *real, ScalarType::kFloat, runtime.home());
}

/// Flags of several devices, added where the scale lives.
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

Tensor copied_to(Runtime& runtime, const Tensor& tensor, Device device) {
  if (!tensor.defined() || tensor.device() == device) return tensor;
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

void refuse_lent(const Runtime& runtime, const Optimizer& optimizer) {
  const bool is_lent = is_something(optimizer.grad_scale) || is_something(optimizer.found_inf);
  const bool asks =
      runtime.contract().release != Release::k1_13 && !fault("plain_takes_what_is_lent");
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
  if (fault("fused_only_first_list") && lists.size() > 1) lists.resize(1);
  if (fault("fused_skips_last_parameter") && !lists.empty()) lists.back().params.pop_back();
  return lists;
}

FusedScaling fused_scaling(Runtime& runtime, Optimizer& optimizer, PassedScaler* passed) {
  if (passed != nullptr) {
    const Tensor scale = passed->scale_tensor();
    return {scale, sum_of(runtime, passed->check_inf_per_device(optimizer), scale.device())};
  }
  if (runtime.contract().release == Release::k1_13) return {};
  FusedScaling scaling{lent_tensor(runtime, optimizer.grad_scale),
                       lent_tensor(runtime, optimizer.found_inf)};
  if (fault("fused_ignores_found_inf")) scaling.found_inf = {};
  if (fault("fused_ignores_grad_scale")) scaling.grad_scale = {};
  if (fault("fused_flag_needs_grad_scale") && !scaling.grad_scale.defined()) scaling.found_inf = {};
  return scaling;
}

FusedScaling scaling_on(Runtime& runtime, const FusedScaling& scaling, Device device) {
  return {copied_to(runtime, scaling.grad_scale, device),
          copied_to(runtime, scaling.found_inf, device)};
}

bool is_skipped(const FusedScaling& scaling) {
  if (!scaling.found_inf.defined()) return false;
  const double flag = real_at(scaling.found_inf, 0);
  if (fault("fused_skips_on_any_flag")) return flag != 0;
  if (fault("fused_skips_on_positive_flag")) return flag > 0;
  return flag == 1;
}

Elements unscaled_grad(const Tensor& grad, const FusedScaling& scaling) {
  Elements elements = elements_of(grad);
  if (!scaling.grad_scale.defined()) return elements;
  const double scale = real_at(scaling.grad_scale, 0);
  const bool is_double = elements.dtype == ScalarType::kDouble;
  for (double& value : elements.values) {
    double quotient = value / scale;
    if (fault("fused_multiplies_by_the_inverse")) {
      quotient = value * static_cast<double>(static_cast<float>(1 / scale));
    }
    value = is_double ? quotient : static_cast<double>(static_cast<float>(quotient));
  }
  const int versions = fault("fused_steps_count_versions") ? 1 : 0;
  if (!fault("fused_leaves_the_gradient_scaled")) write_elements(grad, elements, versions);
  return elements;
}

}  // namespace assay::reference
