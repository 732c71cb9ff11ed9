// Losses, and the classes that a loss picks: one thread for each element.
#include "cuda_impl/core/launch.cuh"
#include "cuda_impl/kernels/loss.cuh"

namespace assay::cuda {
template <typename Real>
__global__ void __launch_bounds__(kBlock) loss_kernel(const __grid_constant__ LossTask task) {
  for (auto i = first_index(); i < task.count; i += index_stride()) {
    static_cast<Real*>(task.out)[i] = loss_at<Real>(task, i);
  }
}

template <typename Real>
__global__ void __launch_bounds__(kBlock)
    class_loss_kernel(const __grid_constant__ ClassLossTask task) {
  for (auto i = first_index(); i < task.count(); i += index_stride()) pick_class<Real>(task, i);
}

template <typename Real>
__global__ void __launch_bounds__(kBlock)
    class_slope_kernel(const __grid_constant__ ClassSlopeTask task) {
  for (auto i = first_index(); i < task.count(); i += index_stride()) spread_class<Real>(task, i);
}

void launch_loss(const LossTask& task) {
  auto* const kernel = task.is_double ? loss_kernel<double> : loss_kernel<float>;
  launch(kernel, {blocks_for(task.count)}, task);
}

void launch_class_loss(const ClassLossTask& task) {
  auto* const kernel = task.is_double ? class_loss_kernel<double> : class_loss_kernel<float>;
  launch(kernel, {blocks_for(task.count())}, task);
}

void launch_class_slope(const ClassSlopeTask& task) {
  auto* const kernel = task.is_double ? class_slope_kernel<double> : class_slope_kernel<float>;
  launch(kernel, {blocks_for(task.count())}, task);
}

}  // namespace assay::cuda
