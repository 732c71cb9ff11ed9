// Calls operators for modules (DSP-811).
#include "reference/module/forward.hpp"

#include "reference/core/tensor/copy.hpp"
#include "reference/dispatch/dispatcher.hpp"
#include "reference/operators/call.hpp"

namespace assay::reference {
namespace {

void check_count(const Module& module, const std::vector<Tensor>& inputs, std::size_t wanted) {
  check(inputs.size() == wanted, ErrorKind::kType, [&] {
    return std::string(name_of(module.kind())) + ".forward takes " + std::to_string(wanted) +
           " inputs, got " + std::to_string(inputs.size());
  });
}

Tensor linear(Runtime& runtime, const Module& module, const Tensor& input) {
  check(module.parameter("weight").defined(), ErrorKind::kType,
        [] { return "linear(): argument 'weight' (position 2) must be Tensor, not NoneType"; });
  Tensor bias = module.parameter("bias");
  return call_tensor(dispatcher_of(runtime), "aten::linear",
                     {IValue(input), IValue(module.parameter("weight")), boxed_or_none(bias)});
}

Tensor in_sequence(Runtime& runtime, const Module& module, Tensor value) {
  const Descent descent;
  for (const auto& [name, child] : module.named_children()) {
    check(child != nullptr, ErrorKind::kType,
          [&] { return "Sequential: '" + name + "' is empty and cannot be called"; });
    value = forward(runtime, *child, {value});
  }
  return value;
}

/// The target is not moved to the input's device.
Tensor mean_squared_error(Dispatcher& dispatcher, const Tensor& input, const Tensor& target) {
  Stack operands{IValue(input), IValue(target)};
  broadcast_loss(dispatcher, operands[0], operands[1]);
  return call_tensor(dispatcher, "aten::mse_loss", std::move(operands));
}

}  // namespace

Tensor forward(Runtime& runtime, const Module& module, const std::vector<Tensor>& inputs) {
  check(module.kind() != ModuleKind::kPlain, ErrorKind::kNotImplemented,
        [] { return "a plain Module has no forward"; });
  check_count(module, inputs, module.kind() == ModuleKind::kMseLoss ? 2 : 1);
  switch (module.kind()) {
    case ModuleKind::kLinear:
      return linear(runtime, module, inputs[0]);
    case ModuleKind::kRelu:
      return call_tensor(dispatcher_of(runtime), "aten::relu", {IValue(inputs[0])});
    case ModuleKind::kMseLoss:
      return mean_squared_error(dispatcher_of(runtime), inputs[0], inputs[1]);
    case ModuleKind::kSequential:
      return in_sequence(runtime, module, inputs[0]);
    case ModuleKind::kPlain:
      break;
  }
  throw Error(ErrorKind::kInternal, "no forward of this kind of module");
}

}  // namespace assay::reference
