// Transfers with the CUDA runtime, and fills on devices and on the host.
#include <cuda_runtime_api.h>

#include "cuda_impl/core/cuda_check.hpp"
#include "cuda_impl/core/error.hpp"
#include "cuda_impl/core/event_pool.hpp"
#include "cuda_impl/core/graph.hpp"
#include "cuda_impl/operators/copy/copy.hpp"
#include "cuda_impl/operators/host/on_host.hpp"
#include "cuda_impl/operators/walk.hpp"

namespace assay::cuda {
namespace {

cudaMemcpyKind kind_of(const Tensor& target, const Tensor& source) {
  if (!target.is_cuda()) return cudaMemcpyDeviceToHost;
  return source.is_cuda() ? cudaMemcpyDeviceToDevice : cudaMemcpyHostToDevice;
}

}  // namespace

/// Copies on the source's stream, which first waits for the target's stream; the target's stream
/// then waits for the copy.
void transfer(const PeerCopy& copy) {
  const DeviceScope on_target(copy.target_device);
  const PooledEvent is_free(current_use(copy.target_device));
  {
    const DeviceScope on_source(copy.source_device);
    is_free.hold_back(current_stream());
    cuda_check(cudaMemcpyPeerAsync(copy.target, copy.target_device, copy.source, copy.source_device,
                                   copy.size_bytes, current_stream()));
    const PooledEvent has_arrived(current_use(copy.source_device));
    const DeviceScope back(copy.target_device);
    has_arrived.hold_back(current_stream());
  }
}

bool has_same_layout(const Tensor& a, const Tensor& b) {
  if (a.dtype() != b.dtype() || a.sizes() != b.sizes()) return false;
  if (a.is_contiguous() && b.is_contiguous()) return true;
  return a.is_dense() && a.strides() == b.strides();
}

void transfer(const Tensor& target, const Tensor& source) {
  if (source.numel() == 0) return;
  if (target.is_cuda() && source.is_cuda() && target.device() != source.device()) {
    return transfer(PeerCopy{target.data(), target.device().index, source.data(),
                             source.device().index, source.size_bytes()});
  }
  const Device device = target.is_cuda() ? target.device() : source.device();
  const DeviceScope scope(device.index);
  cuda_check(cudaMemcpyAsync(target.data(), source.data(), source.size_bytes(),
                             kind_of(target, source), current_stream()));
}

void refuse_in_capture(const Tensor& target, const Tensor& source, Release release) {
  const auto is_pageable = [](const Tensor& tensor) {
    return tensor.device().is_cpu() && !is_pinned(tensor);
  };
  const bool crosses =
      (target.is_cuda() && is_pageable(source)) || (source.is_cuda() && is_pageable(target));
  if (!crosses || release < Release::k2_11) return;
  const DeviceScope scope(target.is_cuda() ? target.device().index : source.device().index);
  require(!is_capturing(), [] {
    return "Cannot copy between CPU and CUDA tensors during CUDA graph capture unless the CPU "
           "tensor is pinned";
  });
}

bool is_pinned(const Tensor& tensor) {
  return tensor.defined() && tensor->storage != nullptr && tensor->storage->is_pinned();
}

void note_use_of_pinned(const Tensor& on_host, const Tensor& on_device) {
  if (!is_pinned(on_host)) return;
  const DeviceScope scope(on_device.device().index);
  const auto graph = memory_of_capture();
  if (graph != nullptr && is_capturing()) return graph->keep(on_host->storage);
  on_host->storage->note_use(current_use(on_device.device().index));
}

void wait_for(const Tensor& on_device) {
  const DeviceScope scope(on_device.device().index);
  cuda_check(cudaStreamSynchronize(current_stream()));
}

// Fills.

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
