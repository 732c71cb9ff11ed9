// The operator calls of each kind of module.
#include "cuda_impl/module/forward.hpp"

#include "cuda_impl/autocast/state.hpp"
#include "cuda_impl/autograd/functions.hpp"
#include "cuda_impl/autograd/views.hpp"
#include "cuda_impl/dispatch/call/typed_handle.hpp"

namespace assay::cuda {
namespace {

template <typename F>
dispatch::TypedHandle<F> handle(dispatch::Dispatcher& dispatcher, const char* name) {
  return dispatch::TypedHandle<F>(
      dispatcher.find_schema(dispatch::parse_name(name, dispatcher.contract())));
}

using Unary = Tensor(const Tensor&);
using Addmm = Tensor(const Tensor&, const Tensor&, const Tensor&, const Scalar&, const Scalar&);
using Linear = Tensor(const Tensor&, const Tensor&, const std::optional<Tensor>&);
using Loss = Tensor(const Tensor&, const Tensor&, std::int64_t);

/// A matrix with a bias needs only one operator. Autocast has its rule, and its cache of weights,
/// at aten::linear.
Tensor linear(dispatch::Dispatcher& dispatcher, const Module& module, const Tensor& input) {
  const Tensor& weight = module.parameter("weight");
  require(weight.defined(), ErrorKind::kType, [] { return "a Linear has a weight, not None"; });
  const Tensor& bias = module.parameter("bias");
  if (input.dim() == 2 && bias.defined() && !autocast::is_any_enabled()) {
    return handle<Addmm>(dispatcher, "aten::addmm")
        .call(bias, input, autograd::transposed(weight), Scalar(1), Scalar(1));
  }
  const std::optional<Tensor> given = bias.defined() ? std::optional(bias) : std::nullopt;
  return handle<Linear>(dispatcher, "aten::linear").call(input, weight, given);
}

Tensor mean_squared_error(dispatch::Dispatcher& dispatcher, const Tensor& input,
                          const Tensor& target) {
  const auto operands = autograd::mse_operands(input, target);
  return handle<Loss>(dispatcher, "aten::mse_loss").call(operands.input, operands.target, 1);
}

Tensor in_sequence(dispatch::Dispatcher& dispatcher, const Module& module, Tensor value) {
  const ModuleDepth deeper;
  for (const auto& [name, child] : module.named_children()) {
    require(child != nullptr, ErrorKind::kType,
            [&] { return "'" + name + "' is None, which cannot be called"; });
    value = forward(dispatcher, *child, {value});
  }
  return value;
}

}  // namespace

Tensor forward(dispatch::Dispatcher& dispatcher, const Module& module,
               const std::vector<Tensor>& inputs) {
  require(module.kind() != ModuleKind::kPlain, ErrorKind::kNotImplemented,
          [] { return "Module [Module] is missing the required \"forward\" function"; });
  const std::size_t wanted = module.kind() == ModuleKind::kMseLoss ? 2 : 1;
  require(inputs.size() == wanted, ErrorKind::kType, [&] {
    return std::string(name_of(module.kind())) + ".forward() takes " + std::to_string(wanted) +
           " inputs, but got " + std::to_string(inputs.size());
  });
  switch (module.kind()) {
    case ModuleKind::kLinear:
      return linear(dispatcher, module, inputs[0]);
    case ModuleKind::kRelu:
      return handle<Unary>(dispatcher, "aten::relu").call(inputs[0]);
    case ModuleKind::kMseLoss:
      return mean_squared_error(dispatcher, inputs[0], inputs[1]);
    case ModuleKind::kSequential:
    case ModuleKind::kPlain:
      break;
  }
  return in_sequence(dispatcher, module, inputs[0]);
}

}  // namespace assay::cuda
