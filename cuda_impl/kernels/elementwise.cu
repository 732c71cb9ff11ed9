// Elementwise arithmetic: kernels for any geometry, and for sums and products of contiguous
// tensors.
#include "cuda_impl/kernels/element.cuh"
#include "cuda_impl/kernels/elementwise.cuh"
#include "cuda_impl/kernels/map.cuh"

namespace assay::cuda {

void launch_strided_floating(const ElementwiseTask& task) {
  visit_floating(task.dtype, [&](auto tag) {
    launch_map(task.addresses, task.geometry, Elementwise<Tagged<decltype(tag)>>(task));
  });
}

void launch_strided_whole(const ElementwiseTask& task) {
  visit_whole(task.dtype, [&](auto tag) {
    launch_map(task.addresses, task.geometry, Elementwise<Tagged<decltype(tag)>>(task));
  });
}

void launch_sum_of_rows(const ElementwiseTask& task) {
  visit_floating(task.dtype, [&](auto tag) {
    using Function = Only<Tagged<decltype(tag)>, Arithmetic::kSum>;
    launch_map(task.addresses, task.geometry, Function(task));
  });
}

void launch_product_of_rows(const ElementwiseTask& task) {
  visit_floating(task.dtype, [&](auto tag) {
    using Function = Only<Tagged<decltype(tag)>, Arithmetic::kProduct>;
    launch_map(task.addresses, task.geometry, Function(task));
  });
}

}  // namespace assay::cuda
