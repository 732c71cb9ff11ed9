// CUDA streams whose lifetime is that of a test object.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

#include "cuda_impl/core/cuda_check.hpp"

namespace assay::cuda {

/// Functions of the simulated runtime; null with the real one.
extern "C" {
[[gnu::weak]] void* assay_cudart_gate(void* stream, std::int64_t timeout_ms);
[[gnu::weak]] void assay_cudart_open(void* gate);
[[gnu::weak]] void assay_cudart_forget_gate(void* gate);
}

class OwnStream {
 public:
  OwnStream() { cuda_check(cudaStreamCreateWithFlags(&handle_, cudaStreamNonBlocking)); }
  ~OwnStream() { cuda_warn(cudaStreamDestroy(handle_)); }
  OwnStream(const OwnStream&) = delete;
  OwnStream& operator=(const OwnStream&) = delete;
  cudaStream_t get() const { return handle_; }

 private:
  cudaStream_t handle_ = nullptr;
};

/// A stream whose work waits until the host calls `open`; simulated runtime only.
class HeldStream : public OwnStream {
 public:
  static bool is_possible() { return assay_cudart_gate != nullptr; }
  HeldStream() : gate_(assay_cudart_gate(get(), 600'000)) {}

  void open() {
    assay_cudart_open(gate_);
    assay_cudart_forget_gate(gate_);
    cuda_check(cudaStreamSynchronize(get()));
  }

 private:
  void* gate_;
};

}  // namespace assay::cuda
