// Chooses the kernels for a reduction.
#include "cuda_impl/kernels/reduction/reduction.cuh"

#include <cuda_runtime_api.h>

#include "cuda_impl/core/cuda_check.hpp"
#include "cuda_impl/core/storage.hpp"

namespace assay::cuda {
namespace {

/// Elements that one block reduces in the first pass.
constexpr std::int64_t kRowLength = 1 << 14;

Dtype wide_of(Dtype dtype) { return is_half(dtype) ? Dtype::kFloat32 : dtype; }

/// Reduces rows first and then their results. The row length is the same on all devices, so the
/// results have the same bits.
void reduce_in_rows(const ReductionTask& task) {
  const RowsOfElements rows{task.count, kRowLength};
  if (rows.rows() == 1) return launch_row_reduction(task, rows);
  int device = 0;
  cuda_check(cudaGetDevice(&device));
  const Dtype wide = wide_of(task.dtype);
  const Storage partial(cuda_device(device),
                        static_cast<std::size_t>(rows.rows()) * size_bytes(wide));
  ReductionTask first = task;
  first.results = partial.data();
  launch_row_reduction(first, rows);
  launch_row_reduction({wide, partial.data(), rows.rows(), 1, ElementFunction::kIdentity,
                        task.combination, task.results},
                       {rows.rows(), rows.rows()});
}

}  // namespace

void launch_reduction(const ReductionTask& task) {
  if (task.rows != 1) {
    return launch_row_reduction(task, {task.rows * task.count, task.count});
  }
  reduce_in_rows(task);
}

}  // namespace assay::cuda
