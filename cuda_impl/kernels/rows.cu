// Softmax and its logarithms, in three passes, and layer norm: one block computes a row.
#include "cuda_impl/core/launch.cuh"
#include "cuda_impl/kernels/element.cuh"
#include "cuda_impl/kernels/functions.cuh"
#include "cuda_impl/kernels/in_block.cuh"
#include "cuda_impl/kernels/rows.cuh"

namespace assay::cuda {

template <typename T>
__global__ void __launch_bounds__(kBlock)
    softmax_kernel(const T* in, T* out, std::int64_t rows, std::int64_t count, SoftmaxKind kind) {
  using Wide = WideOf<T>;
  auto& block = shared_variable<InBlock<Wide>>();
  for (std::int64_t row = blockIdx.x; row < rows; row += gridDim.x) {
    const T* from = in + row * count;
    const auto value_at = [&](std::int64_t i) { return convert<Wide>(from[i]); };
    const Wide shift = detail::shift_of(kind, block.reduced(count, Combination::kMax, value_at));
    const auto power_at = [&](std::int64_t i) { return exponential(value_at(i) - shift); };
    const Wide total = block.reduced(count, Combination::kSum, power_at);
    if (kind == SoftmaxKind::kPlain) {
      for (std::int64_t i = threadIdx.x; i < count; i += kBlock) {
        out[row * count + i] = convert<T>(power_at(i) / total);
      }
      continue;
    }
    const auto log_total = static_cast<Wide>(logarithm(total));
    if (kind == SoftmaxKind::kLogSumExp) {
      if (threadIdx.x == 0) out[row] = convert<T>(log_total + shift);
      continue;
    }
    for (std::int64_t i = threadIdx.x; i < count; i += kBlock) {
      out[row * count + i] = convert<T>((value_at(i) - shift) - log_total);
    }
  }
}

void launch_softmax(const RowsTask& task, SoftmaxKind kind) {
  visit_floating(task.dtype, [&](auto tag) {
    using T = Tagged<decltype(tag)>;
    launch(softmax_kernel<T>, {blocks_for(task.rows * kBlock)}, static_cast<const T*>(task.in),
           static_cast<T*>(task.out), task.rows, task.count, kind);
  });
}

template <typename T>
struct LayerNormRows {
  const T* in;
  const T* weight;
  const T* bias;
  T* out;
  std::int64_t rows;
  std::int64_t count;
  WideOf<T> eps;
  WideOf<T>* mean;
  WideOf<T>* scale;
};

template <typename T>
__global__ void __launch_bounds__(kBlock) layer_norm_kernel(LayerNormRows<T> given) {
  using Wide = WideOf<T>;
  auto& block = shared_variable<InBlock<Wide>>();
  const std::int64_t count = given.count;
  for (std::int64_t row = blockIdx.x; row < given.rows; row += gridDim.x) {
    const T* from = given.in + row * count;
    const auto value_at = [&](std::int64_t i) { return convert<Wide>(from[i]); };
    const Wide mean = block.reduced(count, Combination::kSum, value_at) / static_cast<Wide>(count);
    const auto square_at = [&](std::int64_t i) {
      const Wide difference = value_at(i) - mean;
      return difference * difference;
    };
    const Wide variance =
        block.reduced(count, Combination::kSum, square_at) / static_cast<Wide>(count);
    const Wide scale = Wide{1} / std::sqrt(variance + given.eps);
    if (given.mean != nullptr && threadIdx.x == 0) {
      given.mean[row] = mean;
      given.scale[row] = scale;
    }
    for (std::int64_t i = threadIdx.x; i < count; i += kBlock) {
      Wide value = (value_at(i) - mean) * scale;
      if (given.weight != nullptr) value *= convert<Wide>(given.weight[i]);
      if (given.bias != nullptr) value += convert<Wide>(given.bias[i]);
      given.out[row * count + i] = convert<T>(value);
    }
  }
}

void launch_layer_norm(const LayerNormTask& task) {
  visit_floating(task.rows.dtype, [&](auto tag) {
    using T = Tagged<decltype(tag)>;
    const LayerNormRows<T> given{static_cast<const T*>(task.rows.in),
                                 static_cast<const T*>(task.weight),
                                 static_cast<const T*>(task.bias),
                                 static_cast<T*>(task.rows.out),
                                 task.rows.rows,
                                 task.rows.count,
                                 static_cast<WideOf<T>>(task.eps),
                                 static_cast<WideOf<T>*>(task.mean),
                                 static_cast<WideOf<T>*>(task.scale)};
    launch(layer_norm_kernel<T>, {blocks_for(task.rows.rows * kBlock)}, given);
  });
}

}  // namespace assay::cuda
