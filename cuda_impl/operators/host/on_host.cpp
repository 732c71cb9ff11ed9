// CPU implementations, with the element functions of the kernels; conversions preserve more bits of
// NaN than a device does.
#include "cuda_impl/operators/host/on_host.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "cuda_impl/core/scalar.hpp"
#include "cuda_impl/kernels/element.cuh"
#include "cuda_impl/kernels/functions.cuh"
#include "cuda_impl/kernels/products.cuh"

namespace assay::cuda::on_host {

// Conversions.

namespace {

/// CAST-905, software case; NaN in a contiguous bfloat16 tensor becomes all ones.
template <typename To>
To narrow_nan(float value, bool is_row) {
  if constexpr (std::is_same_v<To, Half>) {
    return __ushort_as_half(std::signbit(value) ? 0xfe00 : 0x7e00);
  } else {
    return __ushort_as_bfloat16(is_row ? 0xffff : 0x7fc0);
  }
}

/// CAST-906: keeps sign and payload and makes the NaN quiet.
inline float widen_nan(Half value) {
  std::uint16_t narrow;
  std::memcpy(&narrow, &value, sizeof narrow);
  const auto sign = static_cast<std::uint32_t>(narrow & 0x8000u) << 16;
  const std::uint32_t bits = sign | 0x7fc00000u | static_cast<std::uint32_t>(narrow & 0x3ffu) << 13;
  float result;
  std::memcpy(&result, &bits, sizeof result);
  return result;
}

template <typename To, typename From>
To converted(From value, bool is_row) {
  if constexpr (std::is_same_v<From, Half> && !std::is_same_v<To, Half>) {
    const float wide = to_float(value);
    return converted<To>(std::isnan(wide) ? widen_nan(value) : wide, is_row);
  } else if constexpr (std::is_same_v<From, BFloat16> && !std::is_same_v<To, BFloat16>) {
    return converted<To>(to_float(value), is_row);
  } else if constexpr (kIsHalf<To> && std::is_floating_point_v<From>) {
    const auto single = static_cast<float>(value);
    return std::isnan(single) ? narrow_nan<To>(single, is_row) : from_float<To>(single);
  } else {
    return convert<To>(value);
  }
}

template <typename To, typename From>
void cast_as(const CastTask& task) {
  const bool is_row = are_rows(task.geometry);
  auto* to = static_cast<To*>(task.addresses.out);
  const auto* from = static_cast<const From*>(task.addresses.left);
  walk(task.geometry,
       [&](const Offsets<3>& at) { to[at.of[0]] = converted<To>(from[at.of[1]], is_row); });
}

/// Copies elements of equal dtype as bytes.
void copy(void* out, const void* in, std::size_t element, const Geometry<3>& geometry) {
  auto* to = static_cast<std::byte*>(out);
  const auto* from = static_cast<const std::byte*>(in);
  const auto bytes = static_cast<std::int64_t>(element);
  walk(geometry, [&](const Offsets<3>& at) {
    std::memcpy(to + at.of[0] * bytes, from + at.of[1] * bytes, element);
  });
}

}  // namespace

void cast(const CastTask& task) {
  if (task.to == task.from) {
    return copy(task.addresses.out, task.addresses.left, size_bytes(task.to), task.geometry);
  }
  visit_stored(task.to, [&](auto to) {
    visit_stored(task.from,
                 [&](auto from) { cast_as<Tagged<decltype(to)>, Tagged<decltype(from)>>(task); });
  });
}

void fill(const FillTask& task) {
  auto* to = static_cast<std::byte*>(task.out);
  const auto bytes = static_cast<std::int64_t>(task.element_bytes);
  walk(task.geometry, [&](const Offsets<3>& at) {
    std::memcpy(to + at.of[0] * bytes, task.element, task.element_bytes);
  });
}

// Arithmetic.

namespace {

template <typename T>
void compute(const ElementwiseTask& task) {
  const Elementwise<T> function(task);
  auto* out = static_cast<T*>(task.addresses.out);
  const auto* left = static_cast<const T*>(task.addresses.left);
  const auto* right = static_cast<const T*>(task.addresses.right);
  walk(task.geometry, [&](const Offsets<3>& at) {
    out[at.of[0]] = function(left ? left[at.of[1]] : T{}, right ? right[at.of[2]] : T{});
  });
}

}  // namespace

void elementwise(const ElementwiseTask& task) {
  visit_computed(task.dtype, [&](auto tag) { compute<Tagged<decltype(tag)>>(task); });
}

// Losses and scans.

void loss(const LossTask& task) {
  for (std::int64_t i = 0; i < task.count; ++i) {
    if (task.is_double) {
      static_cast<double*>(task.out)[i] = loss_at<double>(task, i);
    } else {
      static_cast<float*>(task.out)[i] = loss_at<float>(task, i);
    }
  }
}

void class_loss(const ClassLossTask& task) {
  for (std::int64_t i = 0; i < task.count(); ++i) {
    if (task.is_double) {
      pick_class<double>(task, i);
    } else {
      pick_class<float>(task, i);
    }
  }
}

void class_slope(const ClassSlopeTask& task) {
  for (std::int64_t i = 0; i < task.count(); ++i) {
    if (task.is_double) {
      spread_class<double>(task, i);
    } else {
      spread_class<float>(task, i);
    }
  }
}

void scan(const ScanTask& task) {
  visit_scanned(task.dtype, [&](auto number) {
    for (std::int64_t line = 0; line < task.outer * task.inner; ++line) {
      scan_line<decltype(number)>(task, line);
    }
  });
}

// Matrix products and convolutions.

namespace {

template <typename T>
WideOf<T> at(const Matrices& matrices, std::int64_t batch, std::int64_t row, std::int64_t column) {
  const auto* data = static_cast<const T*>(matrices.data);
  return convert<WideOf<T>>(
      data[batch * matrices.batch + row * matrices.row + column * matrices.column]);
}

template <typename T>
T product_at(const MatmulTask& task, std::int64_t batch, std::int64_t row, std::int64_t column) {
  using Wide = WideOf<T>;
  Wide sum = 0;
  for (std::int64_t i = 0; i < task.inner; ++i) {
    sum = multiply_add(at<T>(task.left, batch, row, i), at<T>(task.right, batch, i, column), sum);
  }
  sum *= static_cast<Wide>(task.alpha);
  if (task.bias.data != nullptr) {
    sum += static_cast<Wide>(task.beta) * at<T>(task.bias, batch, row, column);
  }
  return convert<T>(sum);
}

/// Calls `store(batch, row, column)` for each element of the result, in its order.
template <typename Store>
void each_of_result(const MatmulTask& task, Store store) {
  for (std::int64_t batch = 0; batch < task.batches; ++batch) {
    for (std::int64_t row = 0; row < task.rows; ++row) {
      for (std::int64_t column = 0; column < task.columns; ++column) store(batch, row, column);
    }
  }
}

template <typename T>
void multiply(const MatmulTask& task) {
  each_of_result(task, [out = static_cast<T*>(task.out), &task](auto... place) mutable {
    *out++ = product_at<T>(task, place...);
  });
}

/// Without a sign, because sums wrap around.
std::uint64_t whole_at(const Matrices& matrices, Dtype dtype, std::int64_t batch, std::int64_t row,
                       std::int64_t column) {
  const std::int64_t at = batch * matrices.batch + row * matrices.row + column * matrices.column;
  const auto* data = static_cast<const std::byte*>(matrices.data);
  const Scalar number =
      from_element(data + at * static_cast<std::int64_t>(size_bytes(dtype)), dtype);
  return static_cast<std::uint64_t>(number.as<std::int64_t>());
}

std::uint64_t whole_product_at(const MatmulTask& task, std::int64_t batch, std::int64_t row,
                               std::int64_t column) {
  std::uint64_t sum = 0;
  for (std::int64_t i = 0; i < task.inner; ++i) {
    sum += whole_at(task.left, task.dtype, batch, row, i) *
           whole_at(task.right, task.dtype, batch, i, column);
  }
  sum *= static_cast<std::uint64_t>(static_cast<std::int64_t>(task.alpha));
  if (task.bias.data == nullptr) return sum;
  return sum + static_cast<std::uint64_t>(static_cast<std::int64_t>(task.beta)) *
                   whole_at(task.bias, task.dtype, batch, row, column);
}

void multiply_integers(const MatmulTask& task) {
  const std::size_t width = size_bytes(task.dtype);
  each_of_result(task, [&, out = static_cast<std::byte*>(task.out)](auto... place) mutable {
    const auto product = static_cast<std::int64_t>(whole_product_at(task, place...));
    const Element element = to_element_unchecked(Scalar(product), task.dtype);
    std::memcpy(out, element.data(), width);
    out += width;
  });
}

template <typename T>
void convolve(const ConvolutionTask& task) {
  auto* out = static_cast<T*>(task.out);
  for (std::int64_t i = 0; i < task.count(); ++i) out[i] = convolved<T>(task, i);
}

}  // namespace

void matmul(const MatmulTask& task) {
  if (facts(task.dtype).is_integral) return multiply_integers(task);
  visit_floating(task.dtype, [&](auto tag) { multiply<Tagged<decltype(tag)>>(task); });
}

void convolution(const ConvolutionTask& task) {
  visit_floating(task.dtype, [&](auto tag) { convolve<Tagged<decltype(tag)>>(task); });
}

// Reductions.

namespace {

template <typename T>
void reduce_rows(const ReductionTask& task) {
  using Wide = WideOf<T>;
  const EachElement<T> each{task.each};
  const auto* elements = static_cast<const T*>(task.elements);
  auto* results = static_cast<Wide*>(task.results);
  for (std::int64_t row = 0; row < task.rows; ++row) {
    const Range range{row * task.count, (row + 1) * task.count};
    results[row] =
        combined<Wide>(range, task.combination, [&](std::int64_t i) { return each(elements[i]); });
  }
}

}  // namespace

void reduce(const ReductionTask& task) {
  visit_computed(task.dtype, [&](auto tag) { reduce_rows<Tagged<decltype(tag)>>(task); });
}

// Softmax and layer norm.

namespace {

template <typename T>
void softmax_row(const T* in, T* out, std::int64_t count, SoftmaxKind kind) {
  using Wide = WideOf<T>;
  const auto value_at = [&](std::int64_t i) { return convert<Wide>(in[i]); };
  const Wide shift =
      detail::shift_of(kind, combined<Wide>({0, count}, Combination::kMax, value_at));
  const auto power_at = [&](std::int64_t i) { return exponential(value_at(i) - shift); };
  const Wide total = combined<Wide>({0, count}, Combination::kSum, power_at);
  const auto log_total = static_cast<Wide>(logarithm(total));
  if (kind == SoftmaxKind::kLogSumExp) {
    *out = convert<T>(log_total + shift);
    return;
  }
  for (std::int64_t i = 0; i < count; ++i) {
    out[i] = convert<T>(kind == SoftmaxKind::kPlain ? power_at(i) / total
                                                    : (value_at(i) - shift) - log_total);
  }
}

template <typename T>
void layer_norm_row(const LayerNormTask& task, std::int64_t row) {
  using Wide = WideOf<T>;
  const std::int64_t count = task.rows.count;
  const T* in = static_cast<const T*>(task.rows.in) + row * count;
  T* out = static_cast<T*>(task.rows.out) + row * count;
  const auto* weight = static_cast<const T*>(task.weight);
  const auto* bias = static_cast<const T*>(task.bias);
  const auto value_at = [&](std::int64_t i) { return convert<Wide>(in[i]); };
  const Wide mean =
      combined<Wide>({0, count}, Combination::kSum, value_at) / static_cast<Wide>(count);
  const auto square_at = [&](std::int64_t i) {
    return (value_at(i) - mean) * (value_at(i) - mean);
  };
  const Wide variance =
      combined<Wide>({0, count}, Combination::kSum, square_at) / static_cast<Wide>(count);
  const Wide scale = Wide{1} / std::sqrt(variance + static_cast<Wide>(task.eps));
  if (task.mean != nullptr) {
    static_cast<Wide*>(task.mean)[row] = mean;
    static_cast<Wide*>(task.scale)[row] = scale;
  }
  for (std::int64_t i = 0; i < count; ++i) {
    Wide value = (value_at(i) - mean) * scale;
    if (weight != nullptr) value *= convert<Wide>(weight[i]);
    if (bias != nullptr) value += convert<Wide>(bias[i]);
    out[i] = convert<T>(value);
  }
}

}  // namespace

void softmax(const RowsTask& task, SoftmaxKind kind) {
  const std::int64_t kept = kind == SoftmaxKind::kLogSumExp ? 1 : task.count;
  visit_floating(task.dtype, [&](auto tag) {
    using T = Tagged<decltype(tag)>;
    for (std::int64_t row = 0; row < task.rows; ++row) {
      softmax_row(static_cast<const T*>(task.in) + row * task.count,
                  static_cast<T*>(task.out) + row * kept, task.count, kind);
    }
  });
}

void layer_norm(const LayerNormTask& task) {
  visit_floating(task.rows.dtype, [&](auto tag) {
    using T = Tagged<decltype(tag)>;
    for (std::int64_t row = 0; row < task.rows.rows; ++row) layer_norm_row<T>(task, row);
  });
}

}  // namespace assay::cuda::on_host
