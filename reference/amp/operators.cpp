// Schemas of the amp operators, calls through the dispatcher, and their kernels for each backend.
#include "reference/amp/operators.hpp"

#include <optional>

#include "reference/amp/arguments.hpp"
#include "reference/core/math/launch.hpp"
#include "reference/core/tensor/factory.hpp"
#include "reference/core/tensor/written.hpp"
#include "reference/core/types/element.hpp"
#include "reference/dispatch/dispatcher.hpp"

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

void amp_unscale_and_update_(Runtime& runtime, const UnscaleAndUpdateTensors& tensors,
                             const ScaleFactors& factors) {
  const UnscaleTensors& unscale = tensors.unscale;
  const UpdateScaleTensors update = {tensors.scale, tensors.growth_tracker, unscale.found_inf};
  amp_unscale_(runtime, unscale);
  amp_update_scale_(runtime, update, factors);
}

namespace {

constexpr const char* kUpdateScale = "aten::_amp_update_scale_";
constexpr const char* kUnscale = "aten::_amp_foreach_non_finite_check_and_unscale_";

/// Makes the device of a CUDA call current for its duration (AMP-501).
class CallGuard {
 public:
  CallGuard(Runtime& runtime, Device device) {
    if (!device.is_cuda()) return;
    guard_.emplace(runtime, device.index);
  }

 private:
  std::optional<DeviceGuard> guard_;
};

std::vector<CheckedArgument> arguments_of(const UpdateScaleTensors& tensors) {
  return {{"self", tensors.scale},
          {"growth_tracker", tensors.growth_tracker},
          {"found_inf", tensors.found_inf}};
}

std::vector<CheckedArgument> arguments_of(const UnscaleTensors& tensors) {
  std::vector<CheckedArgument> arguments;
  for (const Tensor& grad : tensors.grads) arguments.push_back({"self", grad});
  arguments.push_back({"found_inf", tensors.found_inf});
  arguments.push_back({"inv_scale", tensors.inv_scale});
  return arguments;
}

/// Returns a copy; sparse tensors are returned unchanged, because every kernel rejects them.
Tensor fresh(Runtime& runtime, const Tensor& tensor) {
  if (tensor.is_sparse() || tensor.is_meta()) return tensor;
  Tensor copy = empty(runtime, tensor.sizes(), tensor.dtype(), tensor.device());
  launch(runtime, copy.device(), "copy", [to = borrowed(copy), from = borrowed(tensor)] {
    for (std::int64_t i = 0; i < from.numel(); ++i) set_bits_at(to, i, bits_at(from, i));
  });
  ++runtime.counters().copies;
  return copy;
}

void write_back(Runtime& runtime, const Tensor& out, const Tensor& result) {
  check(out.sizes() == result.sizes() && out.dtype() == result.dtype(),
        [&] { return "out must be " + describe(result) + ", got " + describe(out); });
  launch(runtime, out.device(), "copy", [to = borrowed(out), from = borrowed(result)] {
    for (std::int64_t i = 0; i < to.numel(); ++i) set_bits_at(to, i, bits_at(from, i));
  });
  note_write(runtime, out);
  ++runtime.counters().copies;
}

/// By their schemas, the out variants also write the tracker and the flag; PyTorch discards these
/// results (AMP-002).
bool out_writes_its_other_argument(const Runtime& runtime) { return runtime.contract().strict(); }

/// The arguments of a call, removed from the top of the stack, in schema order.
class PoppedArguments {
 public:
  PoppedArguments(Stack& stack, std::size_t count)
      : values_(std::make_move_iterator(stack.end() - static_cast<std::ptrdiff_t>(count)),
                std::make_move_iterator(stack.end())) {
    stack.resize(stack.size() - count);
  }

  Tensor tensor(std::size_t i) const { return values_[i].to_tensor(); }
  std::vector<Tensor> tensors(std::size_t i) const {
    values_[i].expect_kind("List");
    std::vector<Tensor> made;
    for (const IValue& item : *std::get<IValue::ListPtr>(values_[i].payload())) {
      made.push_back(item.to_tensor());
    }
    return made;
  }
  UpdateScaleTensors update_tensors() const { return {tensor(0), tensor(1), tensor(2)}; }
  ScaleFactors factors() const {
    return {values_[3].to_double(), values_[4].to_double(), values_[5].to_int()};
  }
  UnscaleTensors unscale_tensors() const { return {tensors(0), tensor(1), tensor(2)}; }

 private:
  Stack values_;
};

BoxedFunction update_scale_on(DeviceType kernel) {
  return [kernel](const OperatorHandle& op, KeySet, Stack& stack) {
    Runtime& runtime = op.dispatcher().runtime();
    const PoppedArguments taken(stack, 6);
    const UpdateScaleTensors tensors = taken.update_tensors();
    if (kernel == DeviceType::kCuda) expect_common_device(op.name(), arguments_of(tensors));
    const CallGuard guard(runtime, tensors.scale.device());
    stack.emplace_back(update_scale_kernel(runtime, kernel, tensors, taken.factors()));
  };
}

BoxedFunction unscale_on(DeviceType kernel) {
  return [kernel](const OperatorHandle& op, KeySet, Stack& stack) {
    Runtime& runtime = op.dispatcher().runtime();
    const UnscaleTensors tensors = PoppedArguments(stack, 3).unscale_tensors();
    if (kernel == DeviceType::kCuda) expect_common_device(op.name(), arguments_of(tensors));
    const CallGuard guard(runtime, tensors.found_inf.device());
    unscale_kernel(runtime, kernel, tensors);
  };
}

/// AMP-002: calls the in-place variant on copies.
void update_scale_functional(const OperatorHandle& op, KeySet, Stack& stack) {
  Runtime& runtime = op.dispatcher().runtime();
  const PoppedArguments taken(stack, 6);
  const UpdateScaleTensors tensors = taken.update_tensors();
  const UpdateScaleTensors copies = {fresh(runtime, tensors.scale),
                                     fresh(runtime, tensors.growth_tracker), tensors.found_inf};
  amp_update_scale_(runtime, copies, taken.factors());
  stack.emplace_back(copies.scale);
  stack.emplace_back(copies.growth_tracker);
}

void update_scale_out(const OperatorHandle& op, KeySet, Stack& stack) {
  Runtime& runtime = op.dispatcher().runtime();
  const PoppedArguments taken(stack, 7);
  const UpdateScaleTensors tensors = taken.update_tensors();
  const Tensor out = taken.tensor(6);
  const UpdateScaleResult result = amp_update_scale(runtime, tensors, taken.factors());
  write_back(runtime, out, result.scale);
  if (out_writes_its_other_argument(runtime)) {
    write_back(runtime, tensors.growth_tracker, result.growth_tracker);
  }
  stack.emplace_back(out);
}

void unscale_functional(const OperatorHandle& op, KeySet, Stack& stack) {
  Runtime& runtime = op.dispatcher().runtime();
  const UnscaleTensors tensors = PoppedArguments(stack, 3).unscale_tensors();
  UnscaleTensors copies = {{}, fresh(runtime, tensors.found_inf), tensors.inv_scale};
  for (const Tensor& grad : tensors.grads) copies.grads.push_back(fresh(runtime, grad));
  amp_unscale_(runtime, copies);
  stack.push_back(list_of(copies.grads));
  stack.emplace_back(copies.found_inf);
}

void unscale_out(const OperatorHandle& op, KeySet, Stack& stack) {
  Runtime& runtime = op.dispatcher().runtime();
  const PoppedArguments taken(stack, 4);
  const UnscaleTensors tensors = taken.unscale_tensors();
  const std::vector<Tensor> out = taken.tensors(3);
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

void add(Dispatcher& dispatcher, const char* name, DispatchKey key, BoxedFunction kernel) {
  dispatcher.keep(dispatcher.impl(name, key, Kernel::boxed(std::move(kernel)),
                                  std::string(name) + " on " + name_of(key)));
}

}  // namespace

void add_amp_operators(Dispatcher& dispatcher) {
  for (const std::string& schema : amp_schemas()) dispatcher.keep(dispatcher.define(schema));
  add(dispatcher, kUpdateScale, Backend::kCUDA, update_scale_on(DeviceType::kCuda));
  add(dispatcher, kUnscale, Backend::kCUDA, unscale_on(DeviceType::kCuda));
  // CPU kernels exist since 2.3 (AMP-004).
  if (dispatcher.layout().release() != Release::k1_13) {
    add(dispatcher, kUpdateScale, Backend::kCPU, update_scale_on(DeviceType::kCpu));
    add(dispatcher, kUnscale, Backend::kCPU, unscale_on(DeviceType::kCpu));
  }
  constexpr auto kComposite = Functionality::kCompositeExplicitAutograd;
  add(dispatcher, "aten::_amp_update_scale", kComposite, update_scale_functional);
  add(dispatcher, "aten::_amp_update_scale.out", kComposite, update_scale_out);
  add(dispatcher, "aten::_amp_foreach_non_finite_check_and_unscale", kComposite,
      unscale_functional);
  add(dispatcher, "aten::_amp_foreach_non_finite_check_and_unscale.out", kComposite, unscale_out);
}

}  // namespace assay::reference
