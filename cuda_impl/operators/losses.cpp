// Implements losses.
#include "cuda_impl/operators/losses.hpp"

#include <array>

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
