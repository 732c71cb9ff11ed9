// Implements softmax, layer norm and mean squared error.
#include "cuda_impl/operators/normalize.hpp"

#include <array>
#include <limits>

#include "cuda_impl/core/cuda_check.hpp"
#include "cuda_impl/operators/converted_operand.hpp"
#include "cuda_impl/operators/copy/copy.hpp"
#include "cuda_impl/operators/elementwise.hpp"
#include "cuda_impl/operators/host/on_host.hpp"
#include "cuda_impl/operators/promotion.hpp"
#include "cuda_impl/operators/reduce.hpp"
#include "cuda_impl/operators/views.hpp"

namespace assay::cuda {
namespace {

void require_floating(const Tensor& tensor, std::string_view name) {
  require(facts(tensor.dtype()).is_floating && has_kernels(tensor.dtype()), [&] {
    return "\"" + std::string(name) + "\" not implemented for '" +
           std::string(facts(tensor.dtype()).cpp_name) + "'";
  });
}

/// A row consists of the last dimensions, with `count` elements in total.
RowsTask rows_task(const Tensor& in, const Tensor& out, std::int64_t count) {
  return {in.dtype(), in.numel() / count, count, in.data(), out.data()};
}

/// Returns a contiguous tensor with dimension `dim` last.
Tensor with_last(const Tensor& tensor, std::int64_t dim) {
  return contiguous(transpose(tensor, dim, -1));
}

void run_softmax(const Tensor& in, const Tensor& out, SoftmaxKind kind) {
  const std::int64_t count = in.dim() == 0 ? 1 : in.sizes().back();
  const RowsTask task = rows_task(in, out, count);
  if (!in.is_cuda()) return on_host::softmax(task, kind);
  const DeviceScope scope(in.device().index);
  launch_softmax(task, kind);
}

Tensor softmax_of_kind(const Tensor& input, std::int64_t dim, SoftmaxKind kind) {
  const std::int64_t at = wrapped_dim(dim, input.dim());
  if (input.numel() == 0 || input.is_meta()) {
    return empty(input.sizes(), input.dtype(), input.device());
  }
  const Tensor rows = with_last(input, at);
  const Tensor result = empty(rows.sizes(), rows.dtype(), rows.device());
  run_softmax(rows, result, kind);
  return with_last(result, at);
}

void require_normalized_shape(const Tensor& tensor, const Shape& shape) {
  const Shape& sizes = tensor.sizes();
  require(!shape.empty(), [] {
    return "Expected normalized_shape to be at least 1-dimensional, i.e., containing at least one "
           "element, but got normalized_shape = []";
  });
  const bool fits =
      shape.size() <= sizes.size() && std::equal(shape.rbegin(), shape.rend(), sizes.rbegin());
  require(fits, [&] {
    return "Given normalized_shape=" + to_text(shape) + ", expected input with shape [*, " +
           to_text(shape).substr(1) + ", but got input of size" + to_text(sizes);
  });
}

void require_parameter(const Tensor& parameter, const Tensor& input, const Shape& shape,
                       std::string_view name) {
  if (!parameter.defined()) return;
  require(parameter.sizes() == shape, [&] {
    return "Expected " + std::string(name) + " to be of same shape as normalized_shape, but got " +
           std::string(name) + " of shape " + to_text(parameter.sizes()) +
           " and normalized_shape = " + to_text(shape);
  });
  require(parameter.dtype() == input.dtype() || parameter.dtype() == Dtype::kFloat32, [&] {
    return "expected " + std::string(name) + " of the input's type or float32, but got " +
           std::string(facts(parameter.dtype()).cpp_name);
  });
}

/// Returns a contiguous parameter with the dtype of the rows.
Tensor as_parameter(const Tensor& parameter, Dtype dtype) {
  return parameter.defined() ? contiguous(to(parameter, dtype)) : parameter;
}

void run_layer_norm(const Tensor& in, const Tensor& out, std::int64_t count,
                    const LayerNormOptions& options) {
  const LayerNormTask task{rows_task(in, out, count), options.weight.data(), options.bias.data(),
                           options.eps};
  if (!in.is_cuda()) return on_host::layer_norm(task);
  const DeviceScope scope(in.device().index);
  launch_layer_norm(task);
}

/// Half types are squared and summed as float32.
Tensor widened(const Tensor& tensor) {
  return is_half(tensor.dtype()) ? to(tensor, Dtype::kFloat32) : tensor;
}

}  // namespace

Tensor softmax(const Tensor& tensor, std::int64_t dim, std::optional<Dtype> dtype) {
  const Tensor input = dtype ? to(tensor, *dtype) : tensor;
  require_floating(input, "softmax");
  return softmax_of_kind(input, dim, SoftmaxKind::kPlain);
}

Tensor log_softmax(const Tensor& tensor, std::int64_t dim, std::optional<Dtype> dtype) {
  const Tensor input = dtype ? to(tensor, *dtype) : tensor;
  require_floating(input, "log_softmax");
  return softmax_of_kind(input, dim, SoftmaxKind::kLogarithm);
}

Tensor log_sum_exp(const Tensor& rows) {
  require_floating(rows, "logsumexp");
  const Shape sizes(rows.sizes().begin(), rows.sizes().end() - 1);
  if (numel_of(sizes) > 0 && rows.numel() == 0) {
    return full(sizes, -std::numeric_limits<double>::infinity(), rows.dtype(), rows.device());
  }
  const Tensor result = empty(sizes, rows.dtype(), rows.device());
  if (result.numel() == 0 || result.is_meta()) return result;
  run_softmax(contiguous(rows), result, SoftmaxKind::kLogSumExp);
  return result;
}

Tensor layer_norm(const Tensor& tensor, const Shape& shape, const LayerNormOptions& options) {
  common_device(std::array{tensor, options.weight, options.bias});
  require_floating(tensor, "layer_norm");
  require_normalized_shape(tensor, shape);
  require_parameter(options.weight, tensor, shape, "weight");
  require_parameter(options.bias, tensor, shape, "bias");
  const Tensor result = empty(tensor.sizes(), tensor.dtype(), tensor.device());
  if (result.numel() == 0 || result.is_meta()) return result;
  const bool is_mixed = (options.weight.defined() && options.weight.dtype() != tensor.dtype()) ||
                        (options.bias.defined() && options.bias.dtype() != tensor.dtype());
  const Dtype dtype = is_mixed ? Dtype::kFloat32 : tensor.dtype();
  const Tensor in = contiguous(to(tensor, dtype));
  const Tensor out = is_mixed ? empty(tensor.sizes(), dtype, tensor.device()) : result;
  run_layer_norm(
      in, out, numel_of(shape),
      {as_parameter(options.weight, dtype), as_parameter(options.bias, dtype), options.eps});
  return to(out, tensor.dtype());
}

Tensor mse_loss(const Tensor& input, const Tensor& target, Reduction reduction) {
  const std::array<Operand, 2> operands{input, target};
  const Dtype dtype = result_type(operands);
  if (reduction == Reduction::kNone) return squared_difference(input, target);
  require(facts(dtype).is_floating, [&] {
    return "\"mse_loss\" not implemented for '" + std::string(facts(dtype).cpp_name) + "'";
  });
  const Tensor squares = squared_difference(widened(to(input, dtype)), widened(to(target, dtype)));
  return to(reduction == Reduction::kSum ? sum(squares) : mean(squares), dtype);
}

}  // namespace assay::cuda
