// Transfers by the CUDA runtime.
#include "cuda_impl/operators/copy/transfer.hpp"

#include <cuda_runtime_api.h>

#include "cuda_impl/core/cuda_check.hpp"
#include "cuda_impl/core/error.hpp"
#include "cuda_impl/core/graph.hpp"

namespace assay::cuda {
namespace {

/// A point in the work of the current stream of the current device.
class Mark {
 public:
  Mark() {
    cuda_check(cudaEventCreateWithFlags(&event_, cudaEventDisableTiming));
    cuda_check(cudaEventRecord(event_, current_stream()));
  }
  ~Mark() { cuda_warn(cudaEventDestroy(event_)); }
  Mark(const Mark&) = delete;
  Mark& operator=(const Mark&) = delete;

  /// What the current stream does from now on comes after it.
  void come_after() const { cuda_check(cudaStreamWaitEvent(current_stream(), event_, 0)); }

 private:
  cudaEvent_t event_ = nullptr;
};

cudaMemcpyKind kind_of(const Tensor& target, const Tensor& source) {
  if (!target.is_cuda()) return cudaMemcpyDeviceToHost;
  return source.is_cuda() ? cudaMemcpyDeviceToDevice : cudaMemcpyHostToDevice;
}

/// The source's stream copies; it has to wait for the target's memory, and the target for it.
void transfer_between_devices(const Tensor& target, const Tensor& source) {
  const DeviceScope on_target(target.device().index);
  const Mark is_free;
  {
    const DeviceScope on_source(source.device().index);
    is_free.come_after();
    cuda_check(cudaMemcpyPeerAsync(target.data(), target.device().index, source.data(),
                                   source.device().index, source.size_bytes(), current_stream()));
    const Mark has_arrived;
    const DeviceScope back(target.device().index);
    has_arrived.come_after();
  }
}

}  // namespace

bool has_same_layout(const Tensor& a, const Tensor& b) {
  if (a.dtype() != b.dtype() || a.sizes() != b.sizes()) return false;
  if (a.is_contiguous() && b.is_contiguous()) return true;
  return a.is_dense() && a.strides() == b.strides();
}

void transfer(const Tensor& target, const Tensor& source) {
  if (source.numel() == 0) return;
  if (target.is_cuda() && source.is_cuda() && target.device() != source.device()) {
    return transfer_between_devices(target, source);
  }
  const Device device = target.is_cuda() ? target.device() : source.device();
  const DeviceScope scope(device.index);
  cuda_check(cudaMemcpyAsync(target.data(), source.data(), source.size_bytes(),
                             kind_of(target, source), current_stream()));
}

void refuse_in_capture(const Tensor& target, const Tensor& source, Release release) {
  const bool crosses = (target.is_cuda() && source.device().is_cpu()) ||
                       (source.is_cuda() && target.device().is_cpu());
  if (!crosses || release != Release::k2_11) return;
  const DeviceScope scope(target.is_cuda() ? target.device().index : source.device().index);
  require(!is_capturing(), [] {
    return "Cannot copy between CPU and CUDA tensors during CUDA graph capture unless the CPU "
           "tensor is pinned";
  });
}

void wait_for(const Tensor& on_device) {
  const DeviceScope scope(on_device.device().index);
  cuda_check(cudaStreamSynchronize(current_stream()));
}

}  // namespace assay::cuda
