// Sums and their relatives. The accumulators are those of CORE-22; the order is the elements' own.
#include "reference/core/reduce.hpp"

#include <algorithm>
#include <cmath>

#include "reference/core/elements.hpp"
#include "reference/core/elementwise.hpp"
#include "reference/core/factory.hpp"
#include "reference/core/fault.hpp"
#include "reference/core/operand.hpp"
#include "reference/core/view.hpp"

namespace assay::reference {
namespace {

/// Elements along `dim` lie `inner` apart; there are `outer` * `inner` such rows.
struct Rows {
  std::size_t outer = 1;
  std::size_t length = 1;
  std::size_t inner = 1;

  std::size_t count() const { return outer * inner; }
  std::size_t at(std::size_t row, std::size_t index) const {
    return (row / inner * length + index) * inner + row % inner;
  }
};

Rows rows_of(const Tensor& tensor, std::optional<std::int64_t> dim) {
  if (!dim) return {1, static_cast<std::size_t>(tensor.numel()), 1};
  if (tensor.dim() == 0) return {};
  const auto along = static_cast<std::size_t>(wrap_dim(*dim, tensor.dim()));
  Rows rows;
  for (std::size_t i = 0; i < tensor.sizes().size(); ++i) {
    const auto size = static_cast<std::size_t>(tensor.sizes()[i]);
    if (i < along) rows.outer *= size;
    if (i > along) rows.inner *= size;
  }
  rows.length = static_cast<std::size_t>(tensor.sizes()[along]);
  return rows;
}

Shape reduced_sizes(const Tensor& tensor, ReduceOptions options) {
  if (!options.dim) return options.keep_dim ? Shape(tensor.sizes().size(), 1) : Shape{};
  if (tensor.dim() == 0) return {};
  Shape sizes = tensor.sizes();
  const std::int64_t dim = wrap_dim(*options.dim, tensor.dim());
  if (options.keep_dim) {
    sizes[static_cast<std::size_t>(dim)] = 1;
  } else {
    sizes.erase(sizes.begin() + dim);
  }
  return sizes;
}

void check_floating(const Tensor& tensor, const char* name) {
  check(is_floating(tensor.dtype()), [&] {
    return std::string(name) + ": expected a floating point dtype, got " +
           std::string(cpp_name_of(tensor.dtype()));
  });
}

Tensor result_like(Runtime& runtime, const Tensor& like, const Shape& sizes, ScalarType dtype) {
  count_launch(runtime, like.device());
  return empty(runtime, sizes, dtype, like.device());
}

template <typename T>
std::vector<T> sums_of(const Tensor& tensor, const Rows& rows) {
  const std::vector<T> elements = elements_of<T>(tensor);
  std::vector<T> sums(rows.count(), T{0});
  for (std::size_t row = 0; row < sums.size(); ++row) {
    for (std::size_t i = 0; i < rows.length; ++i) {
      sums[row] += elements[rows.at(row, i)];
      if (!fault("sum_accumulates_in_half")) continue;
      sums[row] = element_as<T>(tensor.dtype(), bits_of<T>(tensor.dtype(), sums[row]));
    }
  }
  return sums;
}

template <typename T>
void softmax_row(std::vector<T>& elements, const Rows& rows, std::size_t row) {
  T largest = elements[rows.at(row, 0)];
  for (std::size_t i = 1; i < rows.length; ++i) {
    largest = std::max(largest, elements[rows.at(row, i)]);
  }
  T sum = 0;
  for (std::size_t i = 0; i < rows.length; ++i) {
    T& element = elements[rows.at(row, i)];
    element = std::exp(element - largest);
    sum += element;
  }
  for (std::size_t i = 0; i < rows.length; ++i) elements[rows.at(row, i)] /= sum;
}

template <typename T>
void layer_norm_row(T* elements, std::size_t length, double eps) {
  T sum = 0;
  for (std::size_t i = 0; i < length; ++i) sum += elements[i];
  const T mean = sum / static_cast<T>(length);
  T squares = 0;
  for (std::size_t i = 0; i < length; ++i) {
    squares += (elements[i] - mean) * (elements[i] - mean);
  }
  const T deviation = std::sqrt(squares / static_cast<T>(length) + static_cast<T>(eps));
  for (std::size_t i = 0; i < length; ++i) elements[i] = (elements[i] - mean) / deviation;
}

/// For operators on floating types alone.
template <typename Compute>
void with_floating_type(ScalarType dtype, const Compute& compute) {
  if (dtype == ScalarType::kDouble) return compute(double{});
  compute(float{});
}

}  // namespace

Tensor sum(Runtime& runtime, const Tensor& tensor, ReduceOptions options) {
  const bool is_whole = is_integral(tensor.dtype(), true) && !fault("sum_of_ints_keeps_dtype");
  const ScalarType dtype = is_whole ? ScalarType::kLong : tensor.dtype();
  Tensor result = result_like(runtime, tensor, reduced_sizes(tensor, options), dtype);
  if (result.data() == nullptr) return result;
  with_compute_type(tensor.dtype(), [&]<typename T>(T) {
    store_elements(result, sums_of<T>(tensor, rows_of(tensor, options.dim)));
  });
  return result;
}

Tensor mean(Runtime& runtime, const Tensor& tensor, ReduceOptions options) {
  check_floating(tensor, "mean");
  Tensor result = result_like(runtime, tensor, reduced_sizes(tensor, options), tensor.dtype());
  if (result.data() == nullptr) return result;
  with_floating_type(tensor.dtype(), [&]<typename T>(T) {
    const Rows rows = rows_of(tensor, options.dim);
    std::vector<T> means = sums_of<T>(tensor, rows);
    for (T& value : means) value /= static_cast<T>(rows.length);
    if (fault("mean_of_nothing_is_zero") && rows.length == 0) means.assign(means.size(), T{0});
    store_elements(result, means);
  });
  return result;
}

Tensor norm(Runtime& runtime, const Tensor& tensor) {
  check_floating(tensor, "norm");
  Tensor result = result_like(runtime, tensor, {}, tensor.dtype());
  if (result.data() == nullptr) return result;
  with_floating_type(tensor.dtype(), [&]<typename T>(T) {
    T squares = 0;
    for (const T value : elements_of<T>(tensor)) squares += value * value;
    store_elements(result, std::vector<T>{std::sqrt(squares)});
  });
  return result;
}

Tensor max(Runtime& runtime, const Tensor& tensor) {
  check(tensor.numel() > 0,
        [] { return "max(): expected a tensor with at least one element, got none"; });
  Tensor result = result_like(runtime, tensor, {}, tensor.dtype());
  if (result.data() == nullptr) return result;
  std::int64_t best = 0;
  for (std::int64_t i = 0; i < tensor.numel(); ++i) {
    const bool is_whole = !is_floating(tensor.dtype());
    const double value = real_at(tensor, i);
    const bool is_larger =
        is_whole ? integer_at(tensor, i) > integer_at(tensor, best) : value > real_at(tensor, best);
    if (is_larger) best = i;
    if (!std::isnan(value) || fault("max_ignores_nan")) continue;
    best = i;
    break;
  }
  set_bits_at(result, 0, bits_at(tensor, best));
  return result;
}

Tensor any(Runtime& runtime, const Tensor& tensor) {
  Tensor result = result_like(runtime, tensor, {}, ScalarType::kBool);
  if (result.data() == nullptr) return result;
  bool found = false;
  for (std::int64_t i = 0; i < tensor.numel() && !found; ++i) found = real_at(tensor, i) != 0;
  set_bits_at(result, 0, found ? 1 : 0);
  return result;
}

Tensor softmax(Runtime& runtime, const Tensor& tensor, std::int64_t dim) {
  check_floating(tensor, "softmax");
  const Rows rows = rows_of(tensor, dim);
  Tensor result = result_like(runtime, tensor, tensor.sizes(), tensor.dtype());
  if (result.data() == nullptr) return result;
  with_floating_type(tensor.dtype(), [&]<typename T>(T) {
    std::vector<T> elements = elements_of<T>(tensor);
    for (std::size_t row = 0; row < rows.count(); ++row) softmax_row(elements, rows, row);
    store_elements(result, elements);
  });
  return result;
}

Tensor layer_norm(Runtime& runtime, const Tensor& tensor, const LayerNormOptions& options) {
  check_floating(tensor, "layer_norm");
  common_device({tensor, options.weight, options.bias}, "layer_norm");
  const Shape& inner = options.normalized_shape;
  const bool fits = !inner.empty() && inner.size() <= tensor.sizes().size() &&
                    std::equal(inner.rbegin(), inner.rend(), tensor.sizes().rbegin());
  check(fits, [&] {
    return "layer_norm: the shape " + to_text(inner) + " is not the end of " +
           to_text(tensor.sizes());
  });
  Tensor result = result_like(runtime, tensor, tensor.sizes(), tensor.dtype());
  if (result.data() == nullptr) return result;
  with_floating_type(tensor.dtype(), [&]<typename T>(T) {
    std::vector<T> elements = elements_of<T>(tensor);
    const std::vector<T> weight = elements_of<T>(options.weight);
    const std::vector<T> bias = elements_of<T>(options.bias);
    const auto length = static_cast<std::size_t>(numel_of(inner));
    for (std::size_t row = 0; row < elements.size(); row += length) {
      layer_norm_row(elements.data() + row, length, options.eps);
    }
    for (std::size_t i = 0; i < elements.size(); ++i) {
      if (!weight.empty()) elements[i] *= weight[i % length];
      if (!bias.empty()) elements[i] += bias[i % length];
    }
    store_elements(result, elements);
  });
  return result;
}

Tensor mse_loss(Runtime& runtime, const Tensor& input, const Tensor& target, Reduction reduction) {
  common_device({input, target}, "mse_loss");
  const ScalarType dtype = result_type({input, target}, runtime.contract());
  const Shape sizes = broadcast_shapes(input.sizes(), target.sizes());
  const bool is_single = reduction != Reduction::kNone;
  Tensor result = result_like(runtime, input, is_single ? Shape{} : sizes, dtype);
  if (result.data() == nullptr) return result;
  with_floating_type(dtype, [&]<typename T>(T) {
    std::vector<T> losses = elements_of<T>(expand(input, sizes));
    const std::vector<T> targets = elements_of<T>(expand(target, sizes));
    T sum = 0;
    for (std::size_t i = 0; i < losses.size(); ++i) {
      losses[i] = (losses[i] - targets[i]) * (losses[i] - targets[i]);
      sum += losses[i];
    }
    if (reduction == Reduction::kMean) sum /= static_cast<T>(losses.size());
    store_elements(result, is_single ? std::vector<T>{sum} : losses);
  });
  return result;
}

}  // namespace assay::reference
