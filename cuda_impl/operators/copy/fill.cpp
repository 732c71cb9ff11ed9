// Fills tensors on devices and on the host.
#include "cuda_impl/operators/copy/fill.hpp"

#include "cuda_impl/core/cuda_check.hpp"
#include "cuda_impl/operators/host/on_host.hpp"
#include "cuda_impl/operators/walk.hpp"

namespace assay::cuda {
namespace {

/// CORE-07: PyTorch 2.11 does not check the range when it fills a single half-precision CPU
/// element.
bool is_filled_unchecked(const Tensor& tensor, const Contract& contract) {
  return !contract.is_strict && contract.release >= Release::k2_11 && is_half(tensor.dtype()) &&
         tensor.device().is_cpu() && tensor.numel() == 1;
}

}  // namespace

void fill_elements(const Tensor& tensor, const Element& element) {
  if (tensor.numel() == 0 || tensor.is_meta()) return;
  const FillTask task{element.data(), size_bytes(tensor.dtype()), tensor.data(),
                      walk_of(tensor, nullptr)};
  if (!tensor.is_cuda()) return on_host::fill(task);
  const DeviceScope scope(tensor.device().index);
  launch_fill(task);
}

void fill_(const Tensor& tensor, const Scalar& value, const Contract& contract) {
  const bool is_checked = !is_filled_unchecked(tensor, contract);
  fill_elements(tensor, is_checked ? to_element(value, tensor.dtype(), contract)
                                   : to_element_unchecked(value, tensor.dtype()));
  tensor.bump_version();
}

}  // namespace assay::cuda
