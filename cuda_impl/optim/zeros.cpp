// Clears tensors; dense ones without a kernel.
#include "cuda_impl/optim/zeros.hpp"

#include <cuda_runtime_api.h>

#include <cstring>

#include "cuda_impl/core/cuda_check.hpp"
#include "cuda_impl/operators/copy/copy.hpp"

namespace assay::cuda {
namespace {

void clear_memory(const Tensor& tensor) {
  void* data = tensor.data();
  if (data == nullptr) return;
  if (!tensor.is_cuda()) {
    std::memset(data, 0, tensor.size_bytes());
    return;
  }
  const DeviceScope scope(tensor.device().index);
  cuda_check(cudaMemsetAsync(data, 0, tensor.size_bytes(), current_stream()));
}

}  // namespace

void clear_(const Tensor& tensor) {
  if (!tensor.is_dense()) return fill_(tensor, 0);
  clear_memory(tensor);
  tensor.bump_version();
}

Tensor zeros_like(const Tensor& tensor) {
  Tensor made = empty_like(tensor);
  clear_memory(made);
  return made;
}

Tensor zeros(Shape sizes, Dtype dtype, Device device) {
  Tensor made = empty(std::move(sizes), dtype, device);
  clear_memory(made);
  return made;
}

}  // namespace assay::cuda
