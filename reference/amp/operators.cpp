// Calls the amp operators through the dispatcher.
#include "reference/amp/operators.hpp"

#include "reference/amp/registration.hpp"
#include "reference/dispatch/dispatcher_of.hpp"

namespace assay::reference {
namespace {

Stack call(Runtime& runtime, const char* name, Stack arguments) {
  Dispatcher& dispatcher = dispatcher_of(runtime);
  return dispatcher.call(dispatcher.op(name), std::move(arguments));
}

Stack stack_of(const UpdateScaleTensors& tensors, const ScaleFactors& factors) {
  Stack stack;
  stack.emplace_back(tensors.scale);
  stack.emplace_back(tensors.growth_tracker);
  stack.emplace_back(tensors.found_inf);
  stack.emplace_back(factors.growth);
  stack.emplace_back(factors.backoff);
  stack.emplace_back(factors.interval);
  return stack;
}

Stack stack_of(const UnscaleTensors& tensors) {
  Stack stack;
  stack.push_back(list_of(tensors.grads));
  stack.emplace_back(tensors.found_inf);
  stack.emplace_back(tensors.inv_scale);
  return stack;
}

std::vector<Tensor> tensors_of(const IValue& list) {
  std::vector<Tensor> tensors;
  for (const IValue& item : *std::get<IValue::ListPtr>(list.payload())) {
    tensors.push_back(item.to_tensor());
  }
  return tensors;
}

}  // namespace

IValue list_of(const std::vector<Tensor>& tensors) {
  auto list = std::make_shared<IValue::List>();
  for (const Tensor& tensor : tensors) list->emplace_back(tensor);
  return IValue(std::move(list));
}

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
  return schemas;
}

Tensor amp_update_scale_(Runtime& runtime, const UpdateScaleTensors& tensors,
                         const ScaleFactors& factors) {
  return call(runtime, "aten::_amp_update_scale_", stack_of(tensors, factors)).front().to_tensor();
}

UpdateScaleResult amp_update_scale(Runtime& runtime, const UpdateScaleTensors& tensors,
                                   const ScaleFactors& factors) {
  const Stack results = call(runtime, "aten::_amp_update_scale", stack_of(tensors, factors));
  return {results[0].to_tensor(), results[1].to_tensor()};
}

Tensor amp_update_scale_out(Runtime& runtime, const UpdateScaleTensors& tensors,
                            const ScaleFactors& factors, const Tensor& out) {
  Stack arguments = stack_of(tensors, factors);
  arguments.emplace_back(out);
  return call(runtime, "aten::_amp_update_scale.out", std::move(arguments)).front().to_tensor();
}

void amp_unscale_(Runtime& runtime, const UnscaleTensors& tensors) {
  call(runtime, "aten::_amp_foreach_non_finite_check_and_unscale_", stack_of(tensors));
}

UnscaleResult amp_unscale(Runtime& runtime, const UnscaleTensors& tensors) {
  const Stack results =
      call(runtime, "aten::_amp_foreach_non_finite_check_and_unscale", stack_of(tensors));
  return {tensors_of(results[0]), results[1].to_tensor()};
}

void amp_unscale_out(Runtime& runtime, const UnscaleTensors& tensors,
                     const std::vector<Tensor>& out) {
  Stack arguments = stack_of(tensors);
  arguments.push_back(list_of(out));
  call(runtime, "aten::_amp_foreach_non_finite_check_and_unscale.out", std::move(arguments));
}

}  // namespace assay::reference
