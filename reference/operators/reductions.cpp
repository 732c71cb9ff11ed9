// Reductions with their derivatives.
#include <algorithm>
#include <cmath>

#include "reference/core/math/elementwise.hpp"
#include "reference/core/math/reduce.hpp"
#include "reference/core/tensor/factory.hpp"
#include "reference/core/tensor/geometry.hpp"
#include "reference/core/tensor/view.hpp"
#include "reference/core/types/element.hpp"
#include "reference/core/types/error.hpp"
#include "reference/operators/call.hpp"
#include "reference/operators/operator.hpp"
#include "reference/operators/rows.hpp"

namespace assay::reference {
namespace {

using Reduce = Tensor (*)(Runtime& runtime, const Tensor& tensor, ReduceOptions options);

/// sum and mean, with an optional dtype to which the input is converted first.
Tensor reduced(Runtime& runtime, Reduce reduce, const Tensor& self, const Dims& over,
               std::optional<ScalarType> dtype) {
  const Tensor input = dtype ? as_dtype(runtime, self, *dtype) : self;
  const auto settled = [&](const Tensor& made) {
    return dtype ? as_dtype(runtime, made, *dtype) : made;
  };
  if (over.dims.empty()) return settled(reduce(runtime, input, {{}, over.keep}));
  if (over.dims.size() == 1) return settled(reduce(runtime, input, {over.dims.front(), over.keep}));
  const Tensor flat = reduce(runtime, rows_of(runtime, input, over), {.dim = 1});
  return settled(view_as(flat, reduced_sizes(input, over)));
}

template <auto kReduce>
IValue reduce_all_kernel(Dispatcher& dispatcher, const BoxedArguments& args) {
  return IValue(reduced(dispatcher.runtime(), kReduce, args.tensor(0), {}, args.dtype(1)));
}

template <auto kReduce>
IValue reduce_dims_kernel(Dispatcher& dispatcher, const BoxedArguments& args) {
  return IValue(reduced(dispatcher.runtime(), kReduce, args.tensor(0),
                        {args.integers(1), args.boolean(2)}, args.dtype(3)));
}

template <auto kOp>
IValue plain_kernel(Dispatcher& dispatcher, const BoxedArguments& args) {
  return IValue(kOp(dispatcher.runtime(), args.tensor(0)));
}

IValue mse_loss_kernel(Dispatcher& dispatcher, const BoxedArguments& args) {
  const auto reduction = static_cast<Reduction>(args.integer(2));
  return IValue(mse_loss(dispatcher.runtime(), args.tensor(0), args.tensor(1), reduction));
}

void check_norm_types(const Tensor& self, std::optional<ScalarType> dtype) {
  check(!dtype || is_floating(*dtype) || is_complex(*dtype), [&] {
    return "norm: the desired output dtype should be either floating point or complex, got " +
           std::string(cpp_name_of(*dtype));
  });
  check(is_floating(self.dtype()) || is_complex(self.dtype()), [&] {
    return "norm: expected the input dtype to be either floating point or complex, got " +
           std::string(cpp_name_of(self.dtype()));
  });
  check(!dtype || promote_types(self.dtype(), *dtype, {}) == *dtype, [&] {
    return "norm: the dtype " + std::string(cpp_name_of(*dtype)) +
           " is narrower than that of the input, " + std::string(cpp_name_of(self.dtype()));
  });
}

/// NaN is the largest and the smallest of all.
template <typename T>
T extreme(std::span<const T> row, bool is_largest) {
  if (row.empty()) return 0;
  T found = std::fabs(row.front());
  for (const T element : row) {
    const T size = std::fabs(element);
    if (std::isnan(size) || (is_largest ? size > found : size < found)) found = size;
    if (std::isnan(found)) break;
  }
  return found;
}

/// (sum of |x|^p)^(1/p), the number of elements that are not 0 for p = 0, the largest or smallest
/// for an infinite p.
template <typename T>
T norm_of(std::span<const T> row, double p) {
  if (std::isinf(p)) return extreme(row, p > 0);
  if (row.size() == 1 && p != 0) return std::fabs(row[0]);  // its power may be out of range
  T sum = 0;
  for (const T element : row) {
    if (p == 2) {
      sum += element * element;
    } else {
      sum += p == 0 ? T(element != 0) : static_cast<T>(std::pow(std::fabs(element), p));
    }
  }
  if (p == 2) return std::sqrt(sum);
  return p == 0 || p == 1 ? sum : static_cast<T>(std::pow(sum, 1 / p));
}

Tensor norm_over(Runtime& runtime, const Tensor& self, const Scalar& order, const Dims& over,
                 std::optional<ScalarType> dtype, bool may_be_empty) {
  check_norm_types(self, dtype);
  const double p = order.real();
  const Tensor input = as_dtype(runtime, self, dtype.value_or(self.dtype()));
  const bool has_empty_rows = input.numel() == 0 && numel_of(reduced_sizes(input, over)) > 0;
  check(!has_empty_rows || may_be_empty || (p >= 0 && !std::isinf(p)), [&] {
    return "linalg.vector_norm cannot compute the " + std::to_string(p) +
           " norm on an empty tensor because the operation does not have an identity";
  });
  return reduce_rows(runtime, "norm", input, over, [p]<typename T>(std::span<const T> row) -> T {
    if constexpr (std::is_floating_point_v<T>) return norm_of(row, p);
    return T{};
  });
}

/// Before 2.x, norms outside linalg are 0 for no elements.
bool is_old(Runtime& runtime) { return runtime.contract().before(Release::k2_4); }

Scalar order_of(const BoxedArguments& args) {
  return args.is_none(1) ? Scalar(std::int64_t{2}) : args.scalar(1);
}

IValue norm_kernel(Dispatcher& dispatcher, const BoxedArguments& args) {
  Runtime& runtime = dispatcher.runtime();
  const auto dtype = args.size() > 2 ? args.dtype(2) : std::nullopt;
  return IValue(norm_over(runtime, args.tensor(0), order_of(args), {}, dtype, is_old(runtime)));
}

template <bool kIsLinalg>
IValue norm_dims_kernel(Dispatcher& dispatcher, const BoxedArguments& args) {
  Runtime& runtime = dispatcher.runtime();
  const auto dtype = args.size() > 4 ? args.dtype(4) : std::nullopt;
  return IValue(norm_over(runtime, args.tensor(0), order_of(args),
                          {args.integers(2), args.boolean(3)}, dtype,
                          !kIsLinalg && is_old(runtime)));
}

/// The norm of the difference.
IValue dist_kernel(Dispatcher& dispatcher, const BoxedArguments& args) {
  Runtime& runtime = dispatcher.runtime();
  const Tensor difference = binary(runtime, Binary::kSub, args.tensor(0), args.tensor(1));
  return IValue(norm_over(runtime, difference, args.scalar(2), {}, {}, is_old(runtime)));
}

Tensor call_with(const DerivativeCall& call, const char* name, const Tensor& left, IValue right) {
  return call_tensor(call.dispatcher(), name, {IValue(left), std::move(right)});
}

/// Reshapes the result's gradient so that it broadcasts against the input.
Tensor beside_input(const DerivativeCall& call, const Tensor& grad, const Dims& over) {
  if (over.keep || call.sizes(0).empty()) return grad;
  return call_with(call, "aten::reshape", grad,
                   boxed(broadcastable_sizes(call.sizes(0), over.dims)));
}

Tensor spread(const DerivativeCall& call, const Tensor& grad, const Dims& over) {
  return call_tensor(call.dispatcher(), "aten::expand",
                     {IValue(beside_input(call, grad, over)), boxed(call.sizes(0))});
}

template <bool kIsMean>
Gradients spread_derivative(const DerivativeCall& call, const Tensor& grad) {
  Dims over;
  if (call.plain().size() > 2) over = {call.plain().integers(1), call.plain().boolean(2)};
  const Tensor spread_out = spread(call, grad, over);
  if (!kIsMean) return {spread_out};
  const std::int64_t per_result = numel_of(call.sizes(0)) / std::max<std::int64_t>(grad.numel(), 1);
  return {call_with(call, "aten::div.Scalar", spread_out, IValue(per_result))};
}

/// 1 / norm, or 0 where the norm is 0.
Tensor safe_inverse(Runtime& runtime, const Tensor& norm) {
  Tensor inverse = empty(runtime, norm.sizes(), norm.dtype(), norm.device());
  const auto kernel = [from = borrowed(norm), to = borrowed(inverse)]<typename T>(T) {
    std::vector<T> elements = elements_of<T>(from);
    for (T& element : elements) element = element == 0 ? 0 : 1 / element;
    store_elements(to, elements);
  };
  launch_compute(runtime, norm.device(), "reciprocal", norm.dtype(), kernel);
  return inverse;
}

/// The host reads it to select the operators.
bool has_zero(Runtime& runtime, const Tensor& tensor) {
  wait_for_stream(runtime, tensor.device());
  for (std::int64_t i = 0; tensor.data() != nullptr && i < tensor.numel(); ++i) {
    if (real_at(tensor, i) == 0) return true;
  }
  return false;
}

/// self * (grad / norm), or 0 where the norm is 0.
Gradients norm_derivative(const DerivativeCall& call, const Tensor& grad) {
  const BoxedArguments& args = call.plain();
  if (order_of(args).real() != 2)
    throw MissingFeature("there is no derivative of such a norm here");
  Dims over;
  if (args.size() > 3) over = {args.integers(2), args.boolean(3)};
  const Tensor result = beside_input(call, call.result(), over);
  const Tensor wide = beside_input(call, grad, over);
  const Tensor factor = has_zero(call.dispatcher().runtime(), result)
                            ? call_with(call, "aten::mul.Tensor", wide,
                                        IValue(safe_inverse(call.dispatcher().runtime(), result)))
                            : call_with(call, "aten::div.Tensor", wide, IValue(result));
  return {call_with(call, "aten::mul.Tensor", call.argument(0), IValue(factor))};
}

/// 2 * (input - target) * grad, divided by the number of elements for the mean.
Gradients mse_loss_derivative(const DerivativeCall& call, const Tensor& grad) {
  const Tensor difference =
      call_with(call, "aten::sub.Tensor", call.argument(0), IValue(call.argument(1)));
  const bool is_mean = static_cast<Reduction>(call.plain().integer(2)) == Reduction::kMean;
  const double factor = is_mean ? 2.0 / static_cast<double>(difference.numel()) : 2.0;
  const Tensor scaled = call_with(call, "aten::mul.Scalar", difference, IValue(factor));
  const Tensor to_input = call_with(call, "aten::mul.Tensor", scaled, IValue(grad));
  Gradients grads{to_input, {}};
  if (call.needs(1)) grads[1] = call_tensor(call.dispatcher(), "aten::neg", {IValue(to_input)});
  return grads;
}

OpDefinition norm_definition(std::string_view name, OpKernel kernel) {
  return {.name = name,
          .kernel = std::move(kernel),
          .derivative = norm_derivative,
          .keeps = {{0, 0}},
          .keeps_result = true};
}

}  // namespace

std::vector<OpDefinition> reduction_operators() {
  return {
      {.name = "aten::sum",
       .kernel = reduce_all_kernel<static_cast<Reduce>(sum)>,
       .derivative = spread_derivative<false>},
      {.name = "aten::sum.dim_IntList",
       .kernel = reduce_dims_kernel<static_cast<Reduce>(sum)>,
       .derivative = spread_derivative<false>},
      {.name = "aten::mean",
       .kernel = reduce_all_kernel<static_cast<Reduce>(mean)>,
       .derivative = spread_derivative<true>},
      {.name = "aten::mean.dim",
       .kernel = reduce_dims_kernel<static_cast<Reduce>(mean)>,
       .derivative = spread_derivative<true>},
      norm_definition("aten::norm.Scalar", norm_kernel),
      norm_definition("aten::norm.ScalarOpt_dtype", norm_kernel),
      norm_definition("aten::norm.ScalarOpt_dim", norm_dims_kernel<false>),
      norm_definition("aten::norm.ScalarOpt_dim_dtype", norm_dims_kernel<false>),
      norm_definition("aten::linalg_vector_norm", norm_dims_kernel<true>),
      {.name = "aten::dist", .kernel = dist_kernel},
      {.name = "aten::max",
       .kernel = plain_kernel<static_cast<Tensor (*)(Runtime&, const Tensor&)>(max)>},
      {.name = "aten::any", .kernel = plain_kernel<any>},
      {.name = "aten::mse_loss",
       .kernel = mse_loss_kernel,
       .derivative = mse_loss_derivative,
       .keeps = {{0, 0}, {1, 0}, {0, 1}, {1, 1}}},
  };
}

}  // namespace assay::reference
