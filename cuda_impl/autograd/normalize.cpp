// Derivatives of softmax and layer norm, computed in float32 (float64 for float64) and rounded
// once.
#include "cuda_impl/autograd/functions.hpp"
#include "cuda_impl/autograd/record.hpp"
#include "cuda_impl/autograd/views.hpp"
#include "cuda_impl/operators/copy/copy.hpp"
#include "cuda_impl/operators/views.hpp"

namespace assay::cuda::autograd {
namespace {

Tensor wide(const Tensor& tensor) {
  if (tensor.dtype() == Dtype::kFloat64) return tensor;
  return made_of(to(tensor, Dtype::kFloat32), tensor);
}

Tensor stored(const Tensor& tensor, Dtype dtype) { return made_of(to(tensor, dtype), tensor); }

Tensor sum_of_row(const Tensor& tensor, const Scalar& dim) {
  if (tensor.dim() == 0) return tensor;
  return autograd::sum(
      tensor, {.dims = {static_cast<std::int64_t>(dim.real())}, .keepdim = true, .dtype = {}});
}

/// (gradient - sum of gradient * result) * result
std::vector<Tensor> of_softmax(const DerivativeArguments& given) {
  const Tensor gradient = wide(given.gradient);
  const Tensor shares = wide(given.kept(0));
  const Tensor total = sum_of_row(autograd::mul(gradient, shares), given.numbers[0]);
  return {stored(autograd::mul(autograd::sub(gradient, total), shares), given.gradient.dtype())};
}

/// gradient - exp(result) * sum of gradient; a softmax of logarithms of shares is their
/// exponential.
std::vector<Tensor> of_log_softmax(const DerivativeArguments& given) {
  const auto dim = static_cast<std::int64_t>(given.numbers[0].real());
  const Tensor gradient = wide(given.gradient);
  const Tensor shares = autograd::softmax(wide(given.kept(0)), dim);
  const Tensor part = autograd::mul(shares, sum_of_row(gradient, given.numbers[0]));
  return {stored(autograd::sub(gradient, part), given.gradient.dtype())};
}

/// Saves input, weight, bias, mean and inverse deviation; uses the number of normalized dimensions.
std::vector<Tensor> of_layer_norm(const DerivativeArguments& given) {
  const Tensor normed =
      cuda::mul(cuda::sub(wide(given.kept(0)), wide(given.kept(3))), wide(given.kept(4)));
  Tensor gradient = wide(given.gradient);
  const auto count = static_cast<std::int64_t>(given.numbers[0].real());
  Reduced row{.dims = {}, .keepdim = true, .dtype = {}};
  for (std::int64_t dim = normed.dim() - count; dim < normed.dim(); ++dim) row.dims.push_back(dim);
  const auto of_parameter = [&](std::size_t i, const Tensor& slope) {
    if (!given.wants(i)) return Tensor();
    return without_second(to(summed_to(slope, given.sizes(i)), given.edges[i].dtype), "layer_norm");
  };
  std::vector<Tensor> gradients{
      {}, of_parameter(1, cuda::mul(gradient, normed)), of_parameter(2, gradient)};
  if (!given.wants(0)) return gradients;
  if (given.kept(1).defined()) gradient = cuda::mul(gradient, wide(given.kept(1)));
  const Tensor along = cuda::mul(normed, cuda::mean(cuda::mul(gradient, normed), row));
  const Tensor across = cuda::sub(cuda::sub(gradient, cuda::mean(gradient, row)), along);
  gradients[0] = without_second(to(cuda::mul(across, wide(given.kept(4))), given.gradient.dtype()),
                                "layer_norm");
  return gradients;
}

Scalar dim_of(const Tensor& tensor, std::int64_t dim) { return wrapped_dim(dim, tensor.dim()); }

/// Autocast's conversion has its own history.
Tensor converted(const Tensor& tensor, std::optional<Dtype> dtype) {
  return dtype ? stored(tensor, *dtype) : tensor;
}

}  // namespace

Tensor softmax(const Tensor& tensor, std::int64_t dim, std::optional<Dtype> dtype) {
  const Tensor input = converted(tensor, dtype);
  return with_history_of_result(
      assay::cuda::softmax(input, dim), input,
      {.kind = "softmax", .derivative = of_softmax, .numbers = {dim_of(input, dim)}});
}

Tensor log_softmax(const Tensor& tensor, std::int64_t dim, std::optional<Dtype> dtype) {
  const Tensor input = converted(tensor, dtype);
  return with_history_of_result(
      assay::cuda::log_softmax(input, dim), input,
      {.kind = "log_softmax", .derivative = of_log_softmax, .numbers = {dim_of(input, dim)}});
}

LayerNormed native_layer_norm(const Tensor& tensor, const Shape& shape,
                              const LayerNormOptions& options) {
  LayerNormed made = assay::cuda::native_layer_norm(tensor, shape, options);
  const std::vector<Tensor> arguments{tensor, options.weight, options.bias};
  if (!is_recorded(arguments)) return made;
  with_history(made.result, arguments,
               {.kind = "native_layer_norm",
                .derivative = of_layer_norm,
                .kept = {tensor, options.weight, options.bias, made.mean, made.inverse_deviation},
                .numbers = {static_cast<std::int64_t>(shape.size())}});
  return made;
}

Tensor layer_norm(const Tensor& tensor, const Shape& shape, const LayerNormOptions& options) {
  if (!is_recorded({tensor, options.weight, options.bias})) {
    return assay::cuda::layer_norm(tensor, shape, options);
  }
  return autograd::native_layer_norm(tensor, shape, options).result;
}

}  // namespace assay::cuda::autograd
