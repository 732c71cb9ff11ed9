// One value for every element.
#include "cuda_impl/operators/fill.hpp"

#include "cuda_impl/core/cuda_check.hpp"
#include "cuda_impl/operators/on_host.hpp"
#include "cuda_impl/operators/walk.hpp"

namespace assay::cuda {

void fill_elements(const Tensor& tensor, const Element& element) {
  if (tensor.numel() == 0 || tensor.is_meta()) return;
  const FillTask task{element.data(), size_bytes(tensor.dtype()), tensor.data(),
                      walk_of(tensor, nullptr)};
  if (!tensor.is_cuda()) return on_host::fill(task);
  const DeviceScope scope(tensor.device().index);
  launch_fill(task);
}

void fill_(const Tensor& tensor, const Scalar& value, const Contract& contract) {
  fill_elements(tensor, to_element(value, tensor.dtype(), contract));
  tensor.bump_version();
}

}  // namespace assay::cuda
