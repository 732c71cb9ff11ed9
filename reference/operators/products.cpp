// Matrix and vector products with their derivatives.
#include <algorithm>

#include "reference/core/math/matmul.hpp"
#include "reference/core/tensor/view.hpp"
#include "reference/core/types/error.hpp"
#include "reference/operators/call.hpp"
#include "reference/operators/operator.hpp"
#include "reference/operators/rows.hpp"

namespace assay::reference {
namespace {

template <auto kOp>
IValue product_kernel(Dispatcher& dispatcher, const BoxedArguments& args) {
  return IValue(kOp(dispatcher.runtime(), args.tensor(0), args.tensor(1)));
}

IValue addmm_kernel(Dispatcher& dispatcher, const BoxedArguments& args) {
  return IValue(addmm(dispatcher.runtime(), args.tensor(0), args.tensor(1), args.tensor(2),
                      {args.real(3), args.real(4)}));
}

// Sums of products that are added to `self`, by `addmm` on matrices.

AddmmFactors factors_of(const BoxedArguments& args) { return {args.real(3), args.real(4)}; }

IValue baddbmm_kernel(Dispatcher& dispatcher, const BoxedArguments& args) {
  return IValue(baddbmm(dispatcher.runtime(), args.tensor(0), args.tensor(1), args.tensor(2),
                        factors_of(args)));
}

/// The sum of a batch of products is one product over the batch and the inner dimension.
IValue addbmm_kernel(Dispatcher& dispatcher, const BoxedArguments& args) {
  Runtime& runtime = dispatcher.runtime();
  const Tensor left = args.tensor(1);
  const Tensor right = args.tensor(2);
  const bool fits = left.dim() == 3 && right.dim() == 3 && left.size(0) == right.size(0) &&
                    left.size(2) == right.size(1);
  check(fits, [&] {
    return "addbmm cannot multiply the batches " + describe(left) + " and " + describe(right);
  });
  const Tensor rows = rows_of(runtime, left, {.dims = {0, 2}});
  const Tensor columns = permute(rows_of(runtime, right, {.dims = {0, 1}}), {1, 0});
  return IValue(addmm(runtime, args.tensor(0), rows, columns, factors_of(args)));
}

Tensor as_column(const Tensor& vector) {
  check(vector.dim() == 1, [&] { return "expected a vector, got " + describe(vector); });
  return as_strided(vector, {vector.size(0), 1}, {vector.strides()[0], 1});
}

IValue addmv_kernel(Dispatcher& dispatcher, const BoxedArguments& args) {
  const Tensor matrix = args.tensor(1);
  check(matrix.dim() == 2, [&] { return "addmv: expected a matrix, got " + describe(matrix); });
  const Tensor self = as_column(expand(args.tensor(0), {matrix.size(0)}));
  const Tensor column =
      addmm(dispatcher.runtime(), self, matrix, as_column(args.tensor(2)), factors_of(args));
  return IValue(view_as(column, {matrix.size(0)}));
}

IValue addr_kernel(Dispatcher& dispatcher, const BoxedArguments& args) {
  const Tensor row = permute(as_column(args.tensor(2)), {1, 0});
  return IValue(addmm(dispatcher.runtime(), args.tensor(0), as_column(args.tensor(1)), row,
                      factors_of(args)));
}

Tensor turned(Dispatcher& dispatcher, const Tensor& matrix) {
  return call_tensor(dispatcher, "aten::t", {IValue(matrix)});
}

Tensor product(Dispatcher& dispatcher, const Tensor& left, const Tensor& right) {
  return call_tensor(dispatcher, "aten::mm", {IValue(left), IValue(right)});
}

Tensor in_shape(Dispatcher& dispatcher, const Tensor& tensor, const Shape& sizes) {
  return call_tensor(dispatcher, "aten::reshape", {IValue(tensor), boxed(sizes)});
}

Tensor times(Dispatcher& dispatcher, const Tensor& tensor, const Scalar& factor) {
  if (factor.real() == 1) return tensor;
  return call_tensor(dispatcher, "aten::mul.Scalar", {IValue(tensor), IValue(factor)});
}

/// left @ right as the gradient of matrix `of`: one that was stored by columns gets a gradient by
/// columns, by a product of the transposes. CORE-22
Tensor gradient_product(const DerivativeCall& call, std::size_t of, const Tensor& left,
                        const Tensor& right) {
  Dispatcher& to = call.dispatcher();
  const Shape& strides = call.strides(of);
  const bool is_by_columns = strides[0] == 1 && strides[1] == call.sizes(of)[0];
  if (!is_by_columns) return product(to, left, right);
  return turned(to, product(to, turned(to, right), turned(to, left)));
}

/// CAST-420: ordinary calls, which autocast may cast again.
Gradients mm_derivative(const DerivativeCall& call, const Tensor& grad) {
  Dispatcher& to = call.dispatcher();
  return {call.needs(0) ? gradient_product(call, 0, grad, turned(to, call.argument(1))) : Tensor{},
          call.needs(1) ? gradient_product(call, 1, turned(to, call.argument(0)), grad) : Tensor{}};
}

Gradients addmm_derivative(const DerivativeCall& call, const Tensor& grad) {
  Dispatcher& to = call.dispatcher();
  const Scalar beta = call.plain().scalar(3);
  const Scalar alpha = call.plain().scalar(4);
  Gradients grads(3);
  if (call.needs(0)) grads[0] = times(to, grad, beta);
  if (call.needs(1)) {
    const Tensor turned_right = turned(to, call.argument(2));
    grads[1] = times(to, gradient_product(call, 1, grad, turned_right), alpha);
  }
  if (call.needs(2)) {
    const Tensor turned_left = turned(to, call.argument(1));
    grads[2] = times(to, gradient_product(call, 2, turned_left, grad), alpha);
  }
  return grads;
}

Tensor swapped(Dispatcher& dispatcher, const Tensor& batch) {
  return call_tensor(dispatcher, "aten::transpose.int",
                     {IValue(batch), IValue(std::int64_t{1}), IValue(std::int64_t{2})});
}

Tensor batch_product(Dispatcher& dispatcher, const Tensor& left, const Tensor& right) {
  return call_tensor(dispatcher, "aten::bmm", {IValue(left), IValue(right)});
}

Gradients bmm_derivative(const DerivativeCall& call, const Tensor& grad) {
  Dispatcher& to = call.dispatcher();
  return {call.needs(0) ? batch_product(to, grad, swapped(to, call.argument(1))) : Tensor{},
          call.needs(1) ? batch_product(to, swapped(to, call.argument(0)), grad) : Tensor{}};
}

Gradients mv_derivative(const DerivativeCall& call, const Tensor& grad) {
  Dispatcher& to = call.dispatcher();
  Gradients grads(2);
  if (call.needs(0)) {
    const Tensor column = in_shape(to, grad, {grad.numel(), 1});
    const Tensor row = in_shape(to, call.argument(1), {1, call.argument(1).numel()});
    grads[0] = product(to, column, row);
  }
  if (call.needs(1)) {
    grads[1] = call_tensor(to, "aten::mv", {IValue(turned(to, call.argument(0))), IValue(grad)});
  }
  return grads;
}

Gradients dot_derivative(const DerivativeCall& call, const Tensor& grad) {
  const auto scaled = [&](std::size_t other) {
    return call_tensor(call.dispatcher(), "aten::mul.Tensor",
                       {IValue(grad), IValue(call.argument(other))});
  };
  return {call.needs(0) ? scaled(1) : Tensor{}, call.needs(1) ? scaled(0) : Tensor{}};
}

/// Selects by the dimensions: matrices, matrix and vector, vectors, or batches.
IValue matmul_kernel(Dispatcher& dispatcher, const BoxedArguments& args) {
  const Tensor left = args.tensor(0);
  const Tensor right = args.tensor(1);
  const auto call = [&](const char* name) {
    return IValue(call_tensor(dispatcher, name, {IValue(left), IValue(right)}));
  };
  if (left.dim() == 1 && right.dim() == 1) return call("aten::dot");
  if (left.dim() == 2 && right.dim() == 1) return call("aten::mv");
  if (left.dim() == 2 && right.dim() == 2) return call("aten::mm");
  if (left.dim() == 3 && right.dim() == 3) return call("aten::bmm");
  if (left.dim() <= 2 || right.dim() != 2) {
    throw MissingFeature("there is no matmul of " + describe(left) + " and " + describe(right) +
                         " here");
  }
  Shape sizes = left.sizes();
  const Tensor rows = in_shape(dispatcher, left, {left.numel() / left.size(-1), left.size(-1)});
  sizes.back() = right.size(1);
  return IValue(in_shape(dispatcher, product(dispatcher, rows, right), sizes));
}

/// x @ weightᵀ + bias, by operators with derivatives.
IValue linear_kernel(Dispatcher& dispatcher, const BoxedArguments& args) {
  const Tensor x = args.tensor(0);
  const Tensor weight = args.tensor(1);
  const Tensor bias = args.tensor(2);
  if (weight.dim() == 1 && !bias.defined()) {
    return IValue(call_tensor(dispatcher, "aten::matmul", {IValue(x), IValue(weight)}));
  }
  const bool is_matrix = x.dim() == 2 && weight.dim() == 2;
  if (!is_matrix && (x.dim() < 1 || weight.dim() != 2 || x.size(-1) != weight.size(1))) {
    return IValue(linear(dispatcher.runtime(), x, weight, bias));  // raises the proper error
  }
  const Tensor turned_weight = turned(dispatcher, weight);
  Shape sizes = x.sizes();
  sizes.back() = weight.size(0);
  const std::int64_t rows = x.size(-1) == 0
                                ? numel_of(sizes) / std::max<std::int64_t>(sizes.back(), 1)
                                : x.numel() / x.size(-1);
  const Tensor flat = is_matrix ? x : in_shape(dispatcher, x, {rows, x.size(-1)});
  const Tensor flat_result = bias.defined()
                                 ? call_tensor(dispatcher, "aten::addmm",
                                               {IValue(bias), IValue(flat), IValue(turned_weight)})
                                 : product(dispatcher, flat, turned_weight);
  return IValue(is_matrix ? flat_result : in_shape(dispatcher, flat_result, sizes));
}

}  // namespace

std::vector<OpDefinition> product_operators() {
  const std::vector<SavedArgument> factors{{0, 1}, {1, 0}};
  return {
      {.name = "aten::mm",
       .kernel = product_kernel<mm>,
       .derivative = mm_derivative,
       .keeps = factors},
      {.name = "aten::addmm",
       .kernel = addmm_kernel,
       .derivative = addmm_derivative,
       .keeps = {{1, 2}, {2, 1}}},
      {.name = "aten::bmm",
       .kernel = product_kernel<bmm>,
       .derivative = bmm_derivative,
       .keeps = factors},
      {.name = "aten::mv",
       .kernel = product_kernel<mv>,
       .derivative = mv_derivative,
       .keeps = factors},
      {.name = "aten::dot",
       .kernel = product_kernel<dot>,
       .derivative = dot_derivative,
       .keeps = factors},
      {.name = "aten::baddbmm", .kernel = baddbmm_kernel},
      {.name = "aten::addbmm", .kernel = addbmm_kernel},
      {.name = "aten::addmv", .kernel = addmv_kernel},
      {.name = "aten::addr", .kernel = addr_kernel},
      {.name = "aten::matmul", .place = OpPlace::kComposite, .kernel = matmul_kernel},
      {.name = "aten::linear", .place = OpPlace::kComposite, .kernel = linear_kernel},
  };
}

}  // namespace assay::reference
