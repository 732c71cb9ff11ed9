// Implements reductions, with the accumulators of CORE-22 and in element order.
#include "reference/core/math/reduce.hpp"

#include <algorithm>
#include <cmath>

#include "reference/core/math/elementwise.hpp"
#include "reference/core/math/operand.hpp"
#include "reference/core/tensor/factory.hpp"
#include "reference/core/tensor/view.hpp"
#include "reference/core/types/element.hpp"

namespace assay::reference {
namespace {

/// The geometry of a reduction: `outer` * `inner` rows of `length` elements with stride `inner`.
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
  const std::int64_t dim = wrap_dim(*options.dim, std::max<std::int64_t>(tensor.dim(), 1));
  if (tensor.dim() == 0) return {};
  Shape sizes = tensor.sizes();
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

/// Like `launch_compute`, for operators that accept floating types only.
template <typename Compute>
void launch_floating(Runtime& runtime, Device device, const char* name, ScalarType dtype,
                     Compute compute) {
  launch(runtime, device, name, [dtype, compute = std::move(compute)] {
    if (dtype == ScalarType::kDouble) return compute(double{});
    compute(float{});
  });
}

}  // namespace

Tensor sum(Runtime& runtime, const Tensor& tensor, ReduceOptions options) {
  const ScalarType dtype = is_integral(tensor.dtype(), true) ? ScalarType::kLong : tensor.dtype();
  Tensor result = result_like(runtime, tensor, reduced_sizes(tensor, options), dtype);
  if (result.data() == nullptr) return result;
  const auto kernel = [from = borrowed(tensor), to = borrowed(result), options]<typename T>(T) {
    store_elements(to, sums_of<T>(from, rows_of(from, options.dim)));
  };
  launch_compute(runtime, tensor.device(), "sum", tensor.dtype(), kernel);
  return result;
}

Tensor mean(Runtime& runtime, const Tensor& tensor, ReduceOptions options) {
  check_floating(tensor, "mean");
  Tensor result = result_like(runtime, tensor, reduced_sizes(tensor, options), tensor.dtype());
  if (result.data() == nullptr) return result;
  const auto kernel = [from = borrowed(tensor), to = borrowed(result), options]<typename T>(T) {
    const Rows rows = rows_of(from, options.dim);
    std::vector<T> means = sums_of<T>(from, rows);
    for (T& value : means) value /= static_cast<T>(rows.length);
    store_elements(to, means);
  };
  launch_floating(runtime, tensor.device(), "mean", tensor.dtype(), kernel);
  return result;
}

Tensor norm(Runtime& runtime, const Tensor& tensor) {
  check_floating(tensor, "norm");
  Tensor result = result_like(runtime, tensor, {}, tensor.dtype());
  if (result.data() == nullptr) return result;
  const auto kernel = [from = borrowed(tensor), to = borrowed(result)]<typename T>(T) {
    T squares = 0;
    for (const T value : elements_of<T>(from)) squares += value * value;
    store_elements(to, std::vector<T>{std::sqrt(squares)});
  };
  launch_floating(runtime, tensor.device(), "norm", tensor.dtype(), kernel);
  return result;
}

namespace {

/// Returns the index of the largest element; NaN counts as largest.
std::int64_t largest_of(const Tensor& tensor) {
  std::int64_t best = 0;
  for (std::int64_t i = 0; i < tensor.numel(); ++i) {
    const bool is_whole = !is_floating(tensor.dtype());
    const double value = real_at(tensor, i);
    const bool is_larger =
        is_whole ? integer_at(tensor, i) > integer_at(tensor, best) : value > real_at(tensor, best);
    if (is_larger) best = i;
    if (std::isnan(value)) return i;
  }
  return best;
}

bool has_nonzero(const Tensor& tensor) {
  for (std::int64_t i = 0; i < tensor.numel(); ++i) {
    if (real_at(tensor, i) != 0) return true;
  }
  return false;
}

}  // namespace

Tensor max(Runtime& runtime, const Tensor& tensor) {
  check(tensor.numel() > 0,
        [] { return "max(): expected a tensor with at least one element, got none"; });
  Tensor result = result_like(runtime, tensor, {}, tensor.dtype());
  if (result.data() == nullptr) return result;
  launch(runtime, tensor.device(), "max", [from = borrowed(tensor), to = borrowed(result)] {
    set_bits_at(to, 0, bits_at(from, largest_of(from)));
  });
  return result;
}

Tensor any(Runtime& runtime, const Tensor& tensor) {
  const ScalarType dtype =
      tensor.dtype() == ScalarType::kByte ? ScalarType::kByte : ScalarType::kBool;  // CORE-22
  Tensor result = result_like(runtime, tensor, {}, dtype);
  if (result.data() == nullptr) return result;
  launch(runtime, tensor.device(), "any", [from = borrowed(tensor), to = borrowed(result)] {
    set_bits_at(to, 0, has_nonzero(from) ? 1 : 0);
  });
  return result;
}

Tensor softmax(Runtime& runtime, const Tensor& tensor, std::int64_t dim) {
  check_floating(tensor, "softmax");
  const Rows rows = rows_of(tensor, dim);
  Tensor result = result_like(runtime, tensor, tensor.sizes(), tensor.dtype());
  if (result.data() == nullptr) return result;
  const auto kernel = [from = borrowed(tensor), to = borrowed(result), rows]<typename T>(T) {
    std::vector<T> elements = elements_of<T>(from);
    for (std::size_t row = 0; row < rows.count(); ++row) softmax_row(elements, rows, row);
    store_elements(to, elements);
  };
  launch_floating(runtime, tensor.device(), "softmax", tensor.dtype(), kernel);
  return result;
}

void warn_of_target_size(Runtime& runtime, const Tensor& input, const Tensor& target) {
  runtime.warn("UserWarning", "Using a target size " + to_text(target.sizes()) +
                                  " that is different to the input size " + to_text(input.sizes()) +
                                  ". This will likely lead to incorrect results due to "
                                  "broadcasting.");
}

Tensor mse_loss(Runtime& runtime, const Tensor& input, const Tensor& target, Reduction reduction) {
  common_device({input, target}, "mse_loss");
  const ScalarType dtype = result_type({input, target}, runtime.contract());
  const Shape sizes = broadcast_shapes(input.sizes(), target.sizes());
  const bool is_single = reduction != Reduction::kNone;
  Tensor result = result_like(runtime, input, is_single ? Shape{} : sizes, dtype);
  if (result.data() == nullptr) return result;
  const auto kernel = [left = borrowed(expand(input, sizes)), to = borrowed(result), reduction,
                       right = borrowed(expand(target, sizes)), is_single]<typename T>(T) {
    std::vector<T> losses = elements_of<T>(left);
    const std::vector<T> targets = elements_of<T>(right);
    T sum = 0;
    for (std::size_t i = 0; i < losses.size(); ++i) {
      losses[i] = (losses[i] - targets[i]) * (losses[i] - targets[i]);
      sum += losses[i];
    }
    if (reduction == Reduction::kMean) sum /= static_cast<T>(losses.size());
    store_elements(to, is_single ? std::vector<T>{sum} : losses);
  };
  launch_floating(runtime, result.device(), "mse_loss", dtype, kernel);
  return result;
}

}  // namespace assay::reference
