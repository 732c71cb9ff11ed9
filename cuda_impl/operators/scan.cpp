// Implements running sums and products.
#include "cuda_impl/operators/scan.hpp"

#include "cuda_impl/core/cuda_check.hpp"
#include "cuda_impl/operators/copy/copy.hpp"
#include "cuda_impl/operators/host/on_host.hpp"
#include "cuda_impl/operators/views.hpp"

namespace assay::cuda {
namespace {

bool is_whole(Dtype dtype) { return facts(dtype).is_integral || dtype == Dtype::kBool; }

/// The dtype of the running total.
Dtype total_type(Dtype dtype) {
  if (is_whole(dtype)) return Dtype::kInt64;
  return dtype == Dtype::kFloat64 ? dtype : Dtype::kFloat32;
}

}  // namespace

Tensor scan(Scan what, const Tensor& tensor, std::int64_t dim, std::optional<Dtype> dtype) {
  const Dtype own = is_whole(tensor.dtype()) ? Dtype::kInt64 : tensor.dtype();
  const Dtype wanted = dtype.value_or(own);
  const auto at = static_cast<std::size_t>(wrapped_dim(dim, tensor.dim()));
  const Dtype total = total_type(wanted);
  const Tensor in = contiguous(to(to(tensor, wanted), total));
  const Tensor result = empty(in.sizes(), total, in.device());
  if (result.numel() > 0 && !result.is_meta()) {
    ScanTask task{.dtype = total,
                  .multiplies = what == Scan::kProduct,
                  .in = in.data(),
                  .out = result.data()};
    for (std::size_t i = 0; i < in.sizes().size(); ++i) {
      (i < at ? task.outer : i == at ? task.length : task.inner) *= in.sizes()[i];
    }
    if (in.is_cuda()) {
      const DeviceScope scope(in.device().index);
      task.rounds_to = wanted;
      launch_scan(task);
    } else {
      on_host::scan(task);
    }
  }
  return to(result, wanted);
}

}  // namespace assay::cuda
