// Implements softmax, layer norm and losses.
#include "cuda_impl/operators/losses.hpp"

#include <array>
#include <limits>

#include "cuda_impl/core/cuda_check.hpp"
#include "cuda_impl/operators/copy/copy.hpp"
#include "cuda_impl/operators/elementwise.hpp"
#include "cuda_impl/operators/host/on_host.hpp"
#include "cuda_impl/operators/promotion.hpp"
#include "cuda_impl/operators/reduce.hpp"
#include "cuda_impl/operators/views.hpp"
#include "cuda_impl/operators/walk.hpp"

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

void require_parameter(const Tensor& parameter, const Shape& shape, std::string_view name) {
  if (!parameter.defined()) return;
  require(parameter.sizes() == shape, [&] {
    return "Expected " + std::string(name) + " to be of same shape as normalized_shape, but got " +
           std::string(name) + " of shape " + to_text(parameter.sizes()) +
           " and normalized_shape = " + to_text(shape);
  });
}

/// The dtype of weight and bias: the input's, or on a CPU float32 beside a half type.
Dtype parameter_type(const Tensor& input, const LayerNormOptions& options) {
  const Tensor& first = options.weight.defined() ? options.weight : options.bias;
  if (!first.defined()) return input.dtype();
  const bool may_be_wide = is_half(input.dtype()) && !input.is_cuda();
  const bool is_taken =
      first.dtype() == input.dtype() || (may_be_wide && first.dtype() == Dtype::kFloat32);
  const Tensor& last = options.bias.defined() ? options.bias : first;
  require(is_taken && last.dtype() == first.dtype(), [&] {
    return "layer_norm of mixed dtype: expected scalar type " +
           std::string(facts(input.dtype()).cpp_name) + " but found " +
           std::string(facts((is_taken ? last : first).dtype()).cpp_name);
  });
  return first.dtype();
}

void require_layer_norm(const Tensor& tensor, const Shape& shape, const LayerNormOptions& options) {
  common_device(std::array{tensor, options.weight, options.bias});
  require_floating(tensor, "layer_norm");
  require_normalized_shape(tensor, shape);
  require_parameter(options.weight, shape, "weight");
  require_parameter(options.bias, shape, "bias");
  parameter_type(tensor, options);
}

/// Returns a contiguous parameter with the dtype of the rows.
Tensor as_parameter(const Tensor& parameter, Dtype dtype) {
  return parameter.defined() ? contiguous(to(parameter, dtype)) : parameter;
}

void run_layer_norm(const LayerNormTask& task, Device device) {
  if (!device.is_cuda()) return on_host::layer_norm(task);
  const DeviceScope scope(device.index);
  launch_layer_norm(task);
}

/// Normalizes rows of at least one element; `made` has statistics if they are wanted, of the type
/// that is computed in.
void normalize(const Tensor& tensor, const Shape& shape, const LayerNormOptions& options,
               LayerNormed& made) {
  const Dtype dtype = parameter_type(tensor, options);
  const Tensor in = contiguous(to(tensor, dtype));
  if (dtype != tensor.dtype()) made.result = empty(tensor.sizes(), dtype, tensor.device());
  const Tensor weight = as_parameter(options.weight, dtype);
  const Tensor bias = as_parameter(options.bias, dtype);
  run_layer_norm({rows_task(in, made.result, numel_of(shape)), weight.data(), bias.data(),
                  options.eps, made.mean.data(), made.inverse_deviation.data()},
                 tensor.device());
  made.result = to(made.result, tensor.dtype());
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
  require_layer_norm(tensor, shape, options);
  LayerNormed made{empty(tensor.sizes(), tensor.dtype(), tensor.device()), {}, {}};
  if (made.result.numel() != 0 && !tensor.is_meta()) normalize(tensor, shape, options, made);
  return made.result;
}

LayerNormed native_layer_norm(const Tensor& tensor, const Shape& shape,
                              const LayerNormOptions& options) {
  require_layer_norm(tensor, shape, options);
  Shape each = tensor.sizes();
  std::fill(each.end() - std::ssize(shape), each.end(), 1);
  const Dtype computed = is_half(tensor.dtype()) ? Dtype::kFloat32 : tensor.dtype();
  LayerNormed made{empty(tensor.sizes(), tensor.dtype(), tensor.device()),
                   empty(each, computed, tensor.device()), empty(each, computed, tensor.device())};
  if (made.result.numel() != 0 && !tensor.is_meta()) {
    normalize(tensor, shape, options, made);
  } else {  // the mean of no elements is 0, and their deviation NaN
    made.mean = full(each, 0, computed, tensor.device());
    made.inverse_deviation =
        full(each, std::numeric_limits<double>::quiet_NaN(), computed, tensor.device());
  }
  if (tensor.is_cuda()) return made;
  const Dtype kept = parameter_type(tensor, options);
  return {made.result, to(made.mean, kept), to(made.inverse_deviation, kept)};
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

// Other losses.

namespace {

Dtype wide_of(Dtype dtype) { return dtype == Dtype::kFloat64 ? dtype : Dtype::kFloat32; }

Tensor spread(const Tensor& tensor, const Shape& sizes, Dtype dtype) {
  return tensor.defined() ? contiguous(to(expand(tensor, sizes), dtype)) : tensor;
}

void require_fitting(const ClassLoss& given) {
  const Shape& sizes = given.logarithms.sizes();
  require(!sizes.empty(), [] { return "nll_loss takes an input of one dimension at least"; });
  const auto classes = sizes.begin() + (sizes.size() > 1 ? 1 : 0);
  Shape wanted(sizes.begin(), classes);
  wanted.insert(wanted.end(), classes + 1, sizes.end());
  require(given.target.sizes() == wanted, [&] {
    return "size mismatch (got input: " + to_text(sizes) +
           ", target: " + to_text(given.target.sizes()) + ")";
  });
  const Dtype dtype = given.target.dtype();
  require(dtype == Dtype::kInt64 || dtype == Dtype::kUInt8,
          [&] { return "targets are int64, not " + std::string(facts(dtype).name); });
  require(!given.weight.defined() || (given.weight.sizes() == Shape{*classes} &&
                                      given.weight.dtype() == given.logarithms.dtype()),
          [&] {
            return "weight tensor should be defined either for all " + std::to_string(*classes) +
                   " classes or no classes, in the type of the input, but got " +
                   describe(given.weight);
          });
}

/// A device would stop with an assertion.
void require_classes(const ClassLossTask& task) {
  for (std::int64_t i = 0; i < task.count(); ++i) {
    const std::int64_t target = task.targets[i];
    require(target == task.ignored || (target >= 0 && target < task.classes), ErrorKind::kIndex,
            [&] { return "Target " + std::to_string(target) + " is out of bounds."; });
  }
}

/// The weight must have the dtype of the result and is kept alive by the caller.
ClassPicks picks_of(const ClassLoss& given, const Shape& sizes, const Tensor& targets,
                    const Tensor& weights, Dtype wide) {
  const std::int64_t batches = sizes.size() > 1 ? sizes[0] : 1;
  return {wide == Dtype::kFloat64,
          batches,
          sizes[sizes.size() > 1 ? 1 : 0],
          targets.numel() / batches,
          given.ignored,
          static_cast<const std::int64_t*>(targets.data()),
          weights.data()};
}

Tensor as_weights(const Tensor& weight, Dtype wide) {
  return weight.defined() ? contiguous(to(weight, wide)) : weight;
}

void run(const ClassLossTask& task, Device device) {
  if (!device.is_cuda()) {
    require_classes(task);
    return on_host::class_loss(task);
  }
  const DeviceScope scope(device.index);
  launch_class_loss(task);
}

}  // namespace

Tensor losses_of(LossKind kind, const LossOperands& operands, double limit) {
  const std::array<Operand, 2> two{operands.first, operands.second};
  Shape sizes = broadcast_sizes(two);
  if (operands.third.defined()) sizes = broadcast(sizes, operands.third.sizes());
  const Device device = elementwise_device(two);
  const Dtype wide = wide_of(result_type(two));
  const Tensor result = empty(sizes, wide, device);
  if (result.numel() == 0 || result.is_meta()) return result;
  const Tensor first = spread(operands.first, sizes, wide);
  const Tensor second = spread(operands.second, sizes, wide);
  const Tensor third = spread(operands.third, sizes, wide);
  const LossTask task{kind,           wide == Dtype::kFloat64,
                      result.numel(), first.data(),
                      second.data(),  third.data(),
                      limit,          result.data()};
  if (!device.is_cuda()) {
    on_host::loss(task);
  } else {
    const DeviceScope scope(device.index);
    launch_loss(task);
  }
  return result;
}

Tensor reduced_loss(const Tensor& losses, Reduction reduction, Dtype dtype) {
  if (reduction == Reduction::kNone) return to(losses, dtype);
  return to(reduction == Reduction::kSum ? sum(losses) : mean(losses), dtype);
}

ClassLossed class_loss(const ClassLoss& given, Reduction reduction) {
  common_device(std::array{given.logarithms, given.target, given.weight});
  require_fitting(given);
  const Dtype dtype = given.logarithms.dtype();
  require(facts(dtype).is_floating, ErrorKind::kNotImplemented, [&] {
    return "\"nll_loss\" not implemented for '" + std::string(facts(dtype).cpp_name) + "'";
  });
  const Dtype wide = wide_of(dtype);
  const Shape& sizes = given.logarithms.sizes();
  const Tensor losses = empty(given.target.sizes(), wide, given.logarithms.device());
  const Tensor shares = empty(given.target.sizes(), wide, given.logarithms.device());
  if (losses.numel() > 0 && !losses.is_meta()) {
    const Tensor logarithms = contiguous(to(given.logarithms, wide));
    const Tensor targets = contiguous(to(given.target, Dtype::kInt64));
    const Tensor weights = as_weights(given.weight, wide);
    run({picks_of(given, sizes, targets, weights, wide), logarithms.data(), losses.data(),
         shares.data()},
        losses.device());
  }
  const Tensor total = sum(shares);
  const Tensor loss = reduction == Reduction::kMean ? to(div(sum(losses), total), dtype)
                                                    : reduced_loss(losses, reduction, dtype);
  return {loss, to(total, dtype)};
}

Tensor class_slope(const ClassLoss& given, const Shape& sizes, const Tensor& gradient) {
  const Dtype wide = wide_of(gradient.dtype());
  const Tensor slopes = full(sizes, 0, wide, gradient.device());
  if (slopes.numel() > 0 && !slopes.is_meta()) {
    const Tensor gradients = contiguous(to(expand(gradient, given.target.sizes()), wide));
    const Tensor targets = contiguous(to(given.target, Dtype::kInt64));
    const Tensor weights = as_weights(given.weight, wide);
    const ClassSlopeTask task{picks_of(given, sizes, targets, weights, wide), gradients.data(),
                              slopes.data()};
    if (slopes.is_cuda()) {
      const DeviceScope scope(slopes.device().index);
      launch_class_slope(task);
    } else {
      on_host::class_slope(task);
    }
  }
  return to(slopes, gradient.dtype());
}

}  // namespace assay::cuda
