// RAII helpers for the programs with mistakes: memory, streams and events.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdio>
#include <cstdlib>

#include "cuda_impl/on_cpu/detectors/mistakes.hpp"

namespace assay::cuda::on_cpu::detectors {

/// For calls that must succeed.
inline void must(cudaError_t code) {
  if (code == cudaSuccess) return;
  std::fprintf(stderr, "a call of CUDA failed: %s\n", cudaGetErrorString(code));
  std::exit(4);
}

/// An array of ints in device memory, initially 0.
class Ints {
 public:
  explicit Ints(std::size_t count) : count_(count) {
    must(cudaMalloc(&data_, bytes()));
    must(cudaMemset(data_, 0, bytes()));
    must(cudaDeviceSynchronize());
  }
  ~Ints() { cudaFree(data_); }
  Ints(const Ints&) = delete;
  Ints& operator=(const Ints&) = delete;

  int* data() const { return static_cast<int*>(data_); }
  std::size_t bytes() const { return count_ * sizeof(int); }
  /// Waits for the device. Returns nothing if the device is lost.
  Result read() const {
    Result values(count_);
    const bool is_fine =
        cudaDeviceSynchronize() == cudaSuccess &&
        cudaMemcpy(values.data(), data_, bytes(), cudaMemcpyDefault) == cudaSuccess;
    return is_fine ? values : Result{};
  }

 private:
  std::size_t count_;
  void* data_ = nullptr;
};

/// A pinned host int for asynchronous copies.
class PinnedInt {
 public:
  PinnedInt() { must(cudaMallocHost(&data_, sizeof(int))); }
  ~PinnedInt() { cudaFreeHost(data_); }
  PinnedInt(const PinnedInt&) = delete;
  PinnedInt& operator=(const PinnedInt&) = delete;

  int* data() const { return static_cast<int*>(data_); }

 private:
  void* data_ = nullptr;
};

class Stream {
 public:
  explicit Stream(unsigned flags = cudaStreamNonBlocking) {
    must(cudaStreamCreateWithFlags(&handle_, flags));
  }
  ~Stream() { cudaStreamDestroy(handle_); }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;

  operator cudaStream_t() const { return handle_; }

 private:
  cudaStream_t handle_ = nullptr;
};

class Event {
 public:
  Event() { must(cudaEventCreateWithFlags(&handle_, cudaEventDisableTiming)); }
  ~Event() { cudaEventDestroy(handle_); }
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;

  operator cudaEvent_t() const { return handle_; }

 private:
  cudaEvent_t handle_ = nullptr;
};

}  // namespace assay::cuda::on_cpu::detectors
