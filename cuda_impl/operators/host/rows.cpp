// CPU softmax and layer norm.
#include <algorithm>
#include <cmath>

#include "cuda_impl/kernels/element.cuh"
#include "cuda_impl/kernels/functions.cuh"
#include "cuda_impl/operators/host/on_host.hpp"

namespace assay::cuda::on_host {
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
