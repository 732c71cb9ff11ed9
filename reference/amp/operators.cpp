// The amp operators as callers see them: through the dispatcher to a kernel, or composed of the
// in-place form.
#include "reference/amp/operators.hpp"

#include <optional>

#include "reference/amp/dispatch.hpp"
#include "reference/core/element.hpp"
#include "reference/core/factory.hpp"
#include "reference/core/fault.hpp"

namespace assay::reference {

namespace {

constexpr const char* kUpdateScale = "_amp_update_scale_";
constexpr const char* kUnscale = "_amp_foreach_non_finite_check_and_unscale_";

/// Makes the device of a CUDA call current while the call lasts (AMP-501).
class CallGuard {
 public:
  CallGuard(Runtime& runtime, Device device) {
    if (!device.is_cuda()) return;
    if (fault("amp_leaves_the_device_switched")) {
      runtime.set_current_device(device.index);
    } else {
      guard_.emplace(runtime, device.index);
    }
  }

 private:
  std::optional<DeviceGuard> guard_;
};

std::vector<DispatchArgument> arguments_of(const UpdateScaleTensors& tensors) {
  return {{"self", tensors.scale},
          {"growth_tracker", tensors.growth_tracker},
          {"found_inf", tensors.found_inf}};
}

std::vector<DispatchArgument> arguments_of(const UnscaleTensors& tensors) {
  std::vector<DispatchArgument> arguments;
  for (const Tensor& grad : tensors.grads) arguments.push_back({"self", grad});
  arguments.push_back({"found_inf", tensors.found_inf});
  arguments.push_back({"inv_scale", tensors.inv_scale});
  return arguments;
}

/// A sparse tensor is returned as it is: no kernel will take it.
Tensor fresh(Runtime& runtime, const Tensor& tensor) {
  if (tensor.is_sparse() || tensor.is_meta()) return tensor;
  if (fault("amp_functional_works_in_place")) return tensor;
  Tensor copy = empty(runtime, tensor.sizes(), tensor.dtype(), tensor.device());
  for (std::int64_t i = 0; i < tensor.numel(); ++i) set_bits_at(copy, i, bits_at(tensor, i));
  ++runtime.counters().copies;
  return copy;
}

void write_back(Runtime& runtime, const Tensor& out, const Tensor& result) {
  check(out.sizes() == result.sizes() && out.dtype() == result.dtype(),
        [&] { return "out must be " + describe(result) + ", got " + describe(out); });
  for (std::int64_t i = 0; i < out.numel(); ++i) set_bits_at(out, i, bits_at(result, i));
  out.bump_version();
  ++runtime.counters().copies;
}

/// The schemas of the out variants say that the tracker and the flag are written as well; PyTorch
/// drops those results (AMP-002).
bool out_writes_its_other_argument(const Runtime& runtime) { return runtime.contract().strict(); }

}  // namespace

const std::vector<std::string>& amp_schemas() {
  static const std::vector<std::string> schemas = {
      "aten::_amp_update_scale_(Tensor(a!) self, Tensor(b!) growth_tracker, Tensor found_inf, "
      "float scale_growth_factor, float scale_backoff_factor, int growth_interval) -> Tensor(a!)",
      "aten::_amp_update_scale(Tensor self, Tensor growth_tracker, Tensor found_inf, "
      "float scale_growth_factor, float scale_backoff_factor, int growth_interval) -> "
      "(Tensor, Tensor growth_tracker_out)",
      "aten::_amp_update_scale.out(Tensor self, Tensor(b!) growth_tracker, Tensor found_inf, "
      "float scale_growth_factor, float scale_backoff_factor, int growth_interval, *, "
      "Tensor(a!) out) -> Tensor(a!)",
      "aten::_amp_foreach_non_finite_check_and_unscale_(Tensor(a!)[] self, Tensor(b!) found_inf, "
      "Tensor inv_scale) -> ()",
      "aten::_amp_foreach_non_finite_check_and_unscale(Tensor[] self, Tensor found_inf, "
      "Tensor inv_scale) -> (Tensor[] self_out, Tensor found_inf_out)",
      "aten::_amp_foreach_non_finite_check_and_unscale.out(Tensor[] self, Tensor(b!) found_inf, "
      "Tensor inv_scale, *, Tensor(a!)[] out) -> ()",
  };
  static const std::vector<std::string> wrong = {
      "aten::_amp_update_scale_(Tensor(a!) self, Tensor growth_tracker, Tensor found_inf, "
      "float scale_growth_factor, float scale_backoff_factor, int growth_interval) -> Tensor(a!)"};
  return fault("amp_schemas_lack_variants") ? wrong : schemas;
}

Tensor amp_update_scale_(Runtime& runtime, const UpdateScaleTensors& tensors,
                         const ScaleFactors& factors) {
  const DeviceType kernel = kernel_for(runtime, kUpdateScale, arguments_of(tensors));
  const CallGuard guard(runtime, tensors.scale.device());
  return update_scale_kernel(runtime, kernel, tensors, factors);
}

UpdateScaleResult amp_update_scale(Runtime& runtime, const UpdateScaleTensors& tensors,
                                   const ScaleFactors& factors) {
  const UpdateScaleTensors copies = {fresh(runtime, tensors.scale),
                                     fresh(runtime, tensors.growth_tracker), tensors.found_inf};
  amp_update_scale_(runtime, copies, factors);
  return {copies.scale, copies.growth_tracker};
}

Tensor amp_update_scale_out(Runtime& runtime, const UpdateScaleTensors& tensors,
                            const ScaleFactors& factors, const Tensor& out) {
  const UpdateScaleResult result = amp_update_scale(runtime, tensors, factors);
  write_back(runtime, out, result.scale);
  if (fault("amp_out_writes_the_input")) write_back(runtime, tensors.scale, result.scale);
  if (out_writes_its_other_argument(runtime)) {
    write_back(runtime, tensors.growth_tracker, result.growth_tracker);
  }
  return out;
}

void amp_unscale_(Runtime& runtime, const UnscaleTensors& tensors) {
  const DeviceType kernel = kernel_for(runtime, kUnscale, arguments_of(tensors));
  const CallGuard guard(runtime, tensors.found_inf.device());
  unscale_kernel(runtime, kernel, tensors);
}

UnscaleResult amp_unscale(Runtime& runtime, const UnscaleTensors& tensors) {
  UnscaleTensors copies = {{}, fresh(runtime, tensors.found_inf), tensors.inv_scale};
  for (const Tensor& grad : tensors.grads) copies.grads.push_back(fresh(runtime, grad));
  amp_unscale_(runtime, copies);
  return {copies.grads, copies.found_inf};
}

void amp_unscale_out(Runtime& runtime, const UnscaleTensors& tensors,
                     const std::vector<Tensor>& out) {
  check(out.size() == tensors.grads.size(), [&] {
    return "out must hold " + std::to_string(tensors.grads.size()) + " tensors, got " +
           std::to_string(out.size());
  });
  const UnscaleResult result = amp_unscale(runtime, tensors);
  for (std::size_t i = 0; i < out.size(); ++i) write_back(runtime, out[i], result.grads[i]);
  if (out_writes_its_other_argument(runtime)) {
    write_back(runtime, tensors.found_inf, result.found_inf);
  }
}

}  // namespace assay::reference
