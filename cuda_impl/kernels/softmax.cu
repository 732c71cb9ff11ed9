// Softmax and its logarithms: one block for each row, in three passes.
#include "cuda_impl/core/launch.cuh"
#include "cuda_impl/kernels/exponential.cuh"
#include "cuda_impl/kernels/in_block.cuh"
#include "cuda_impl/kernels/logarithm.cuh"
#include "cuda_impl/kernels/rows.cuh"
#include "cuda_impl/kernels/visit.cuh"

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

}  // namespace assay::cuda
