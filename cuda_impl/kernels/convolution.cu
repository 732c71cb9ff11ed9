// Convolution with one thread for each output element.
#include "cuda_impl/core/grid.cuh"
#include "cuda_impl/core/launch.cuh"
#include "cuda_impl/kernels/convolution_element.cuh"
#include "cuda_impl/kernels/visit.cuh"

namespace assay::cuda {
template <typename T>
__global__ void __launch_bounds__(kBlock)
    convolution_kernel(const __grid_constant__ ConvolutionTask task) {
  for (auto i = first_index(); i < task.count(); i += index_stride()) {
    static_cast<T*>(task.out)[i] = convolved<T>(task, i);
  }
}

void launch_convolution(const ConvolutionTask& task) {
  visit_floating(task.dtype, [&](auto tag) {
    launch(convolution_kernel<Tagged<decltype(tag)>>, {blocks_for(task.count())}, task);
  });
}

}  // namespace assay::cuda
