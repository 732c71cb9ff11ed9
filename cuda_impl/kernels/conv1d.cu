// Convolution with one thread for each output element.
#include "cuda_impl/core/grid.cuh"
#include "cuda_impl/core/launch.cuh"
#include "cuda_impl/kernels/conv1d_element.cuh"
#include "cuda_impl/kernels/visit.cuh"

namespace assay::cuda {
template <typename T>
__global__ void __launch_bounds__(kBlock)
    conv1d_kernel(const __grid_constant__ Conv1dTask task, std::int64_t count) {
  for (auto i = first_index(); i < count; i += index_stride()) {
    static_cast<T*>(task.out)[i] = convolved<T>(task, i);
  }
}

void launch_conv1d(const Conv1dTask& task) {
  const std::int64_t count = task.batches * task.out_channels * task.out_length;
  visit_floating(task.dtype, [&](auto tag) {
    launch(conv1d_kernel<Tagged<decltype(tag)>>, {blocks_for(count)}, task, count);
  });
}

}  // namespace assay::cuda
