// Views and copies with their derivatives.
#include "reference/autograd/steps.hpp"
#include "reference/core/tensor/copy.hpp"
#include "reference/core/tensor/factory.hpp"
#include "reference/core/tensor/view.hpp"
#include "reference/core/types/element.hpp"
#include "reference/operators/call.hpp"
#include "reference/operators/operator.hpp"

namespace assay::reference {
namespace {

Tensor swapped(const Tensor& tensor, std::int64_t left, std::int64_t right) {
  Shape order;
  for (std::int64_t i = 0; i < tensor.dim(); ++i) order.push_back(i);
  std::swap(order[static_cast<std::size_t>(wrap_dim(left, tensor.dim()))],
            order[static_cast<std::size_t>(wrap_dim(right, tensor.dim()))]);
  return permute(tensor, order);
}

IValue t_kernel(Dispatcher&, const BoxedArguments& args) {
  const Tensor self = args.tensor(0);
  check(self.dim() <= 2,
        [&] { return "t() expects a tensor with <= 2 dimensions, got " + describe(self); });
  return IValue(self.dim() < 2 ? as_strided(self, self.sizes(), self.strides())
                               : swapped(self, 0, 1));
}

IValue transpose_kernel(Dispatcher&, const BoxedArguments& args) {
  return IValue(swapped(args.tensor(0), args.integer(1), args.integer(2)));
}

IValue expand_kernel(Dispatcher&, const BoxedArguments& args) {
  return IValue(expand(args.tensor(0), args.integers(1)));
}

/// Infers the size that is given as -1.
Shape inferred_sizes(const Tensor& tensor, Shape sizes) {
  std::int64_t known = 1;
  for (const std::int64_t size : sizes) known *= size == -1 ? 1 : size;
  for (std::int64_t& size : sizes) {
    if (size == -1) size = known == 0 ? 0 : tensor.numel() / known;
  }
  return sizes;
}

IValue view_kernel(Dispatcher&, const BoxedArguments& args) {
  const Tensor self = args.tensor(0);
  return IValue(view_as(self, inferred_sizes(self, args.integers(1))));
}

IValue reshape_kernel(Dispatcher& dispatcher, const BoxedArguments& args) {
  Tensor self = args.tensor(0);
  if (!self.is_contiguous()) {
    self = call_tensor(dispatcher, "aten::clone", {IValue(self), IValue(std::int64_t{0})});
  }
  return IValue(call_tensor(dispatcher, "aten::view", {IValue(self), args[1]}));
}

/// A memory format is boxed as its number; 0 is contiguous.
IValue clone_kernel(Dispatcher& dispatcher, const BoxedArguments& args) {
  ToOptions options;
  options.copy = true;
  if (!args.is_none(1) && args.integer(1) == 0) options.format = MemoryFormat::kContiguous;
  return IValue(to(dispatcher.runtime(), args.tensor(0), options));
}

IValue detach_kernel(Dispatcher&, const BoxedArguments& args) {
  return IValue(detach(args.tensor(0)));
}

/// cat takes an empty vector for nothing, beside tensors of any rank (CORE-22).
bool is_empty_vector(const Shape& sizes) { return sizes == Shape{0}; }

Shape joined_sizes(const std::vector<Tensor>& tensors, std::int64_t dim) {
  Shape sizes = tensors.front().sizes();
  const auto along = static_cast<std::size_t>(dim);
  for (std::size_t i = 1; i < tensors.size(); ++i) {
    Shape other = tensors[i].sizes();
    const std::int64_t added = along < other.size() ? other[along] : 0;
    if (other.size() == sizes.size()) other[along] = sizes[along];
    check(other == sizes, [&] {
      return "sizes of tensors must match except in dimension " + std::to_string(dim) + ": " +
             describe(tensors.front()) + " and " + describe(tensors[i]);
    });
    sizes[along] += added;
  }
  return sizes;
}

/// Returns `length` elements of `tensor` from `start` on, along one dimension.
Tensor narrowed(const Tensor& tensor, std::int64_t dim, std::int64_t start, std::int64_t length) {
  Shape sizes = tensor.sizes();
  sizes[static_cast<std::size_t>(dim)] = length;
  const std::int64_t stride = tensor.strides()[static_cast<std::size_t>(dim)];
  return as_strided(tensor, sizes, tensor.strides(), tensor.storage_offset() + start * stride);
}

Tensor joined(Runtime& runtime, const std::vector<Tensor>& tensors, std::int64_t dim) {
  check(!tensors.empty(),
        runtime.contract().release < Release::k2_11 ? ErrorKind::kError : ErrorKind::kValue,
        [] { return "expected a non-empty list of tensors"; });
  const Device device = common_device(tensors, "cat");
  const ScalarType dtype =
      result_type(std::vector<Operand>(tensors.begin(), tensors.end()), runtime.contract());
  std::vector<Tensor> parts;
  for (const Tensor& tensor : tensors) {
    if (!is_empty_vector(tensor.sizes())) parts.push_back(tensor);
  }
  if (parts.empty()) return empty(runtime, {0}, dtype, device);
  check(parts.front().dim() > 0,
        [] { return "zero-dimensional tensor (at position 0) cannot be concatenated"; });
  const std::int64_t along = wrap_dim(dim, parts.front().dim());
  const Tensor result = empty(runtime, joined_sizes(parts, along), dtype, device);
  const Counters before = runtime.counters();
  std::int64_t start = 0;
  for (const Tensor& tensor : parts) {
    const std::int64_t length = tensor.size(along);
    if (tensor.numel() > 0) copy_into_new(runtime, narrowed(result, along, start, length), tensor);
    start += length;
  }
  runtime.counters() = before;
  count_launch(runtime, device);
  return result;
}

IValue cat_kernel(Dispatcher& dispatcher, const BoxedArguments& args) {
  return IValue(joined(dispatcher.runtime(), args.tensors(0), args.integer(1)));
}

Gradients cat_derivative(const DerivativeCall& call, const Tensor& grad) {
  Runtime& runtime = call.dispatcher().runtime();
  const bool joins_nothing = is_empty_vector(grad.sizes());
  const std::int64_t along = joins_nothing ? 0 : wrap_dim(call.plain().integer(1), grad.dim());
  Gradients grads;
  std::int64_t start = 0;
  for (std::size_t i = 0; i < call.plain().all_tensors().size(); ++i) {
    if (is_empty_vector(call.sizes(i))) {
      grads.push_back(zeros(runtime, {0}, grad.dtype(), grad.device()));
      continue;
    }
    const std::int64_t length = call.sizes(i)[static_cast<std::size_t>(along)];
    const Tensor part = narrowed(grad, along, start, length);
    start += length;
    grads.push_back(narrowed_history(runtime, grad, part));
  }
  return grads;
}

/// Inserts a dimension of size 1.
Tensor raised(const Tensor& tensor, std::int64_t dim) {
  Shape sizes = tensor.sizes();
  Shape strides = tensor.strides();
  sizes.insert(sizes.begin() + dim, 1);
  strides.insert(strides.begin() + dim, 1);
  return as_strided(tensor, sizes, strides);
}

IValue stack_kernel(Dispatcher& dispatcher, const BoxedArguments& args) {
  const std::vector<Tensor> tensors = args.tensors(0);
  check(!tensors.empty(), [] { return "stack expects a non-empty list of tensors"; });
  const std::int64_t dim = wrap_dim(args.integer(1), tensors.front().dim() + 1);
  std::vector<Tensor> all;
  for (const Tensor& tensor : tensors) {
    check(tensor.sizes() == tensors.front().sizes(), [&] {
      return "stack expects each tensor to be equal size, but got " + describe(tensors.front()) +
             " and " + describe(tensor);
    });
    all.push_back(raised(tensor, dim));
  }
  return IValue(joined(dispatcher.runtime(), all, dim));
}

Gradients stack_derivative(const DerivativeCall& call, const Tensor& grad) {
  const std::int64_t dim = wrap_dim(call.plain().integer(1), grad.dim());
  Gradients grads;
  for (std::int64_t i = 0; i < grad.size(dim); ++i) {
    const Tensor part = narrowed(grad, dim, i, 1);
    narrowed_history(call.dispatcher().runtime(), grad, part);
    grads.push_back(
        call_tensor(call.dispatcher(), "aten::reshape", {IValue(part), boxed(call.sizes(0))}));
  }
  return grads;
}

Gradients swap_back(const DerivativeCall& call, const Tensor& grad) {
  return {call_tensor(call.dispatcher(), "aten::transpose.int",
                      {IValue(grad), call.plain()[1], call.plain()[2]})};
}

Gradients t_derivative(const DerivativeCall& call, const Tensor& grad) {
  return {call_tensor(call.dispatcher(), "aten::t", {IValue(grad)})};
}

Gradients reshape_back(const DerivativeCall& call, const Tensor& grad) {
  return {call_tensor(call.dispatcher(), "aten::reshape", {IValue(grad), boxed(call.sizes(0))})};
}

Gradients pass_on(const DerivativeCall&, const Tensor& grad) { return {grad}; }

OpDefinition view_of(std::string_view name, OpKernel kernel, OpDerivative derivative) {
  return {.name = name,
          .place = OpPlace::kView,
          .kernel = std::move(kernel),
          .derivative = std::move(derivative)};
}

}  // namespace

std::vector<OpDefinition> shape_operators() {
  return {
      view_of("aten::t", t_kernel, t_derivative),
      view_of("aten::transpose.int", transpose_kernel, swap_back),
      view_of("aten::expand", expand_kernel, pass_on),
      view_of("aten::view", view_kernel, reshape_back),
      {.name = "aten::reshape", .place = OpPlace::kComposite, .kernel = reshape_kernel},
      {.name = "aten::detach", .place = OpPlace::kDetached, .kernel = detach_kernel},
      {.name = "aten::clone", .kernel = clone_kernel, .derivative = pass_on},
      {.name = "aten::cat", .kernel = cat_kernel, .derivative = cat_derivative},
      {.name = "aten::stack", .kernel = stack_kernel, .derivative = stack_derivative},
  };
}

}  // namespace assay::reference
