// Softmax and its logarithm with their derivatives.
#include <algorithm>
#include <cmath>

#include "reference/autograd/steps.hpp"
#include "reference/core/math/reduce.hpp"
#include "reference/operators/call.hpp"
#include "reference/operators/operator.hpp"
#include "reference/operators/rows.hpp"

namespace assay::reference {
namespace {

IValue softmax_kernel(Dispatcher& dispatcher, const BoxedArguments& args) {
  const Tensor self = args.tensor(0);
  const ScalarType dtype = args.dtype(2).value_or(self.dtype());
  wrap_dim(args.integer(1), std::max<std::int64_t>(self.dim(), 1));
  Runtime& runtime = dispatcher.runtime();
  return IValue(softmax(runtime, as_dtype(runtime, self, dtype), args.integer(1)));
}

/// Each element minus the logarithm of the sum of exponentials; a row that holds an infinity above
/// all is NaN.
IValue log_softmax_kernel(Dispatcher& dispatcher, const BoxedArguments& args) {
  Runtime& runtime = dispatcher.runtime();
  const Tensor self = args.tensor(0);
  const Tensor input = as_dtype(runtime, self, args.dtype(2).value_or(self.dtype()));
  check(is_floating(input.dtype()), ErrorKind::kNotImplemented, [&] {
    return "\"log_softmax\" not implemented for '" + std::string(cpp_name_of(input.dtype())) + "'";
  });
  return IValue(rewrite_rows(runtime, "log_softmax", input, args.integer(1),
                             []<typename T>(std::span<T> row) {
                               if constexpr (std::is_floating_point_v<T>) {
                                 const T largest = *std::max_element(row.begin(), row.end());
                                 T sum = 0;
                                 for (const T element : row) sum += std::exp(element - largest);
                                 for (T& element : row)
                                   element = (element - largest) - std::log(sum);
                               }
                             }));
}

Tensor with(const DerivativeCall& call, const char* name, const Tensor& left, const Tensor& right) {
  return call_tensor(call.dispatcher(), name, {IValue(left), IValue(right)});
}

Tensor sums_of(const DerivativeCall& call, const Tensor& tensor) {
  if (tensor.dim() == 0) return tensor;
  const std::vector<std::int64_t> dims{call.plain().integer(1)};
  return call_tensor(call.dispatcher(), "aten::sum.dim_IntList",
                     {IValue(tensor), boxed(dims), IValue(true)});
}

/// Computed in float32 or float64: only the resulting gradient is rounded to a half type (CORE-22).
Tensor widened(const DerivativeCall& call, const Tensor& tensor) {
  const bool is_wide = tensor.dtype() == ScalarType::kDouble;
  return cast_to(call.dispatcher().runtime(), tensor,
                 is_wide ? tensor.dtype() : ScalarType::kFloat);
}

/// (grad - sum of grad * result) * result
Gradients softmax_derivative(const DerivativeCall& call, const Tensor& grad) {
  const Tensor wide = widened(call, grad);
  const Tensor result = widened(call, call.result());
  const Tensor sums = sums_of(call, with(call, "aten::mul.Tensor", wide, result));
  const Tensor above = with(call, "aten::sub.Tensor", wide, sums);
  const Tensor slope = with(call, "aten::mul.Tensor", above, result);
  return {cast_to(call.dispatcher().runtime(), slope, grad.dtype())};
}

/// grad - exp(result) * sum of grad
Gradients log_softmax_derivative(const DerivativeCall& call, const Tensor& grad) {
  const Tensor wide = widened(call, grad);
  const Tensor shares =
      call_tensor(call.dispatcher(), "aten::exp", {IValue(widened(call, call.result()))});
  const Tensor product = with(call, "aten::mul.Tensor", shares, sums_of(call, wide));
  const Tensor slope = with(call, "aten::sub.Tensor", wide, product);
  return {cast_to(call.dispatcher().runtime(), slope, grad.dtype())};
}

}  // namespace

std::vector<OpDefinition> softmax_operators() {
  return {
      {.name = "aten::softmax.int",
       .kernel = softmax_kernel,
       .derivative = softmax_derivative,
       .keeps_result = true},
      {.name = "aten::log_softmax.int",
       .kernel = log_softmax_kernel,
       .derivative = log_softmax_derivative,
       .keeps_result = true},
  };
}

}  // namespace assay::reference
