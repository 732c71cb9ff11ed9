// Running sums and products: one thread for each line. Neighbouring threads read adjacent elements
// unless the last dimension is scanned.
#include "cuda_impl/core/grid.cuh"
#include "cuda_impl/core/launch.cuh"
#include "cuda_impl/kernels/scan.cuh"

namespace assay::cuda {
template <typename Number>
__global__ void __launch_bounds__(kBlock) scan_kernel(const __grid_constant__ ScanTask task) {
  for (auto line = first_index(); line < task.outer * task.inner; line += index_stride()) {
    scan_line<Number>(task, line);
  }
}

void launch_scan(const ScanTask& task) {
  visit_scanned(task.dtype, [&](auto number) {
    launch(scan_kernel<decltype(number)>, {blocks_for(task.outer * task.inner)}, task);
  });
}

}  // namespace assay::cuda
