// Element-wise operators with their derivatives.
#include "reference/autograd/closure_node.hpp"
#include "reference/core/math/elementwise.hpp"
#include "reference/core/tensor/factory.hpp"
#include "reference/core/types/element.hpp"
#include "reference/operators/call.hpp"
#include "reference/operators/operator.hpp"

namespace assay::reference {
namespace {

bool is_tensor(const BoxedArguments& args, std::size_t at) { return args[at].kind() == "Tensor"; }

Operand operand(const BoxedArguments& args, std::size_t at) {
  if (is_tensor(args, at)) return args.tensor(at);
  return args.scalar(at);
}

/// Checks alpha against the result's dtype (CORE-22).
void check_alpha(const Scalar& alpha, ScalarType common) {
  check(alpha.type() != ScalarType::kBool || common == ScalarType::kBool,
        [] { return "Boolean alpha only supported for Boolean results."; });
  const bool is_whole = is_integral(common, true) && !is_integral(alpha.type(), true);
  check(!is_whole, [] {
    return "For integral input tensors, argument alpha must not be a floating point number.";
  });
}

/// Rounds a number to the dtype; raises if it is out of range.
Scalar held_as(const Scalar& number, ScalarType dtype, const Contract& contract) {
  const std::uint64_t bits = number.bits_as(dtype, contract);
  if (dtype == ScalarType::kBool) return Scalar(bits != 0);
  if (is_integral(dtype, false))
    return Scalar(static_cast<std::int64_t>(real_of_bits(dtype, bits)));
  return Scalar(real_of_bits(dtype, bits));
}

Scalar product(const Scalar& left, const Scalar& right, ScalarType dtype) {
  if (dtype == ScalarType::kBool) return Scalar(left.real() != 0 && right.real() != 0);
  if (!is_integral(dtype, false)) return Scalar(left.real() * right.real());
  return Scalar(static_cast<std::int64_t>(left.real()) * static_cast<std::int64_t>(right.real()));
}

/// Returns `other` times alpha in the dtype of the result, for add and sub.
Operand scaled(Runtime& runtime, const BoxedArguments& args) {
  const Operand other = operand(args, 1);
  if (args.size() < 3) return other;
  const Contract& contract = runtime.contract();
  const ScalarType common = result_type({args.tensor(0), other}, contract);
  check_alpha(args.scalar(2), common);
  const Scalar alpha = held_as(args.scalar(2), common, contract);
  if (alpha.real() == 1) return other;
  if (const Tensor* tensor = tensor_in(other)) return mul(runtime, *tensor, alpha);
  return product(std::get<Scalar>(other), alpha, common);
}

template <Binary kOp>
IValue binary_kernel(Dispatcher& dispatcher, const BoxedArguments& args) {
  Runtime& runtime = dispatcher.runtime();
  return IValue(binary(runtime, kOp, args.tensor(0), scaled(runtime, args)));
}

template <auto kOp>
IValue unary_kernel(Dispatcher& dispatcher, const BoxedArguments& args) {
  return IValue(kOp(dispatcher.runtime(), args.tensor(0)));
}

IValue other_of(const DerivativeCall& call, std::size_t at) {
  if (!is_tensor(call.plain(), at)) call.argument(at);  // raises if it was released
  return is_tensor(call.plain(), at) ? IValue(call.argument(at)) : call.plain()[at];
}

const char* overload_for(std::string_view base, const IValue& other) {
  const bool is_tensor = other.kind() == "Tensor";
  if (base == "mul") return is_tensor ? "aten::mul.Tensor" : "aten::mul.Scalar";
  return is_tensor ? "aten::div.Tensor" : "aten::div.Scalar";
}

Tensor times(const DerivativeCall& call, const Tensor& left, const IValue& right) {
  return call_tensor(call.dispatcher(), overload_for("mul", right), {IValue(left), right});
}

Tensor over(const DerivativeCall& call, const Tensor& left, const IValue& right) {
  return call_tensor(call.dispatcher(), overload_for("div", right), {IValue(left), right});
}

Tensor negated(const DerivativeCall& call, const Tensor& tensor) {
  return call_tensor(call.dispatcher(), "aten::neg", {IValue(tensor)});
}

/// Multiplies the gradient by the sign of `other` in the sum and by alpha.
Tensor with_alpha(const DerivativeCall& call, const Tensor& grad, bool is_sub) {
  const Scalar alpha = call.plain().scalar(2);
  const Tensor scaled = alpha.real() == 1 ? grad : times(call, grad, IValue(alpha));
  return is_sub ? negated(call, scaled) : scaled;
}

template <bool kIsSub>
Gradients sum_derivative(const DerivativeCall& call, const Tensor& grad) {
  if (!is_tensor(call.plain(), 1)) return {grad};
  return {grad, call.needs(1) ? with_alpha(call, grad, kIsSub) : Tensor{}};
}

Gradients mul_derivative(const DerivativeCall& call, const Tensor& grad) {
  Gradients grads{call.needs(0) ? times(call, grad, other_of(call, 1)) : Tensor{}};
  if (!is_tensor(call.plain(), 1)) return grads;
  grads.push_back(call.needs(1) ? times(call, grad, IValue(call.argument(0))) : Tensor{});
  return grads;
}

Gradients div_derivative(const DerivativeCall& call, const Tensor& grad) {
  Gradients grads{call.needs(0) ? over(call, grad, other_of(call, 1)) : Tensor{}};
  if (!is_tensor(call.plain(), 1)) return grads;
  if (!call.needs(1)) return {grads[0], Tensor{}};
  const IValue other = other_of(call, 1);
  const Tensor quotient = over(call, over(call, call.argument(0), other), other);
  grads.push_back(times(call, negated(call, grad), IValue(quotient)));
  return grads;
}

/// The gradient where the result is positive, 0 elsewhere.
Tensor above_zero(Runtime& runtime, const Tensor& grad, const Tensor& result) {
  Tensor kept = empty_strided(runtime, grad.sizes(), contiguous_strides(grad.sizes()), grad.dtype(),
                              grad.device());
  count_launch(runtime, grad.device());
  const auto kernel = [from = borrowed(grad), to = borrowed(kept),
                       by = borrowed(result)]<typename T>(T) {
    std::vector<T> elements = elements_of<T>(from);
    const std::vector<double> limits = elements_of<double>(by);
    for (std::size_t i = 0; i < elements.size(); ++i) {
      if (limits[i] <= 0) elements[i] = 0;
    }
    store_elements(to, elements);
  };
  launch_compute(runtime, grad.device(), "threshold_backward", grad.dtype(), kernel);
  record(runtime, "threshold_backward", {grad}, kept, [result](Runtime& later, const Tensor& g) {
    return Gradients{above_zero(later, g, result)};
  });
  return kept;
}

Gradients relu_derivative(const DerivativeCall& call, const Tensor& grad) {
  return {above_zero(call.dispatcher().runtime(), grad, call.result())};
}

}  // namespace

std::vector<OpDefinition> arithmetic_operators() {
  const std::vector<SavedArgument> factors{{0, 1}, {1, 0}};
  const std::vector<SavedArgument> divided{{0, 1}, {1, 0}, {1, 1}};
  return {
      {.name = "aten::add.Tensor",
       .kernel = binary_kernel<Binary::kAdd>,
       .derivative = sum_derivative<false>},
      {.name = "aten::add.Scalar",
       .kernel = binary_kernel<Binary::kAdd>,
       .derivative = sum_derivative<false>},
      {.name = "aten::sub.Tensor",
       .kernel = binary_kernel<Binary::kSub>,
       .derivative = sum_derivative<true>},
      {.name = "aten::sub.Scalar",
       .kernel = binary_kernel<Binary::kSub>,
       .derivative = sum_derivative<true>},
      {.name = "aten::mul.Tensor",
       .kernel = binary_kernel<Binary::kMul>,
       .derivative = mul_derivative,
       .keeps = factors},
      {.name = "aten::mul.Scalar",
       .kernel = binary_kernel<Binary::kMul>,
       .derivative = mul_derivative,
       .keeps_number = true},
      {.name = "aten::div.Tensor",
       .kernel = binary_kernel<Binary::kDiv>,
       .derivative = div_derivative,
       .keeps = divided},
      {.name = "aten::div.Scalar",
       .kernel = binary_kernel<Binary::kDiv>,
       .derivative = div_derivative,
       .keeps_number = true},
      {.name = "aten::neg",
       .kernel = unary_kernel<neg>,
       .derivative = [](const DerivativeCall& call,
                        const Tensor& grad) { return Gradients{negated(call, grad)}; }},
      {.name = "aten::relu",
       .kernel = unary_kernel<relu>,
       .derivative = relu_derivative,
       .keeps_result = true},
  };
}

}  // namespace assay::reference
