// What tests of several areas use: counts of heap allocations and of the instructions of a call,
// and CUDA streams whose lifetime is that of a test object.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>
#include <functional>
#include <optional>

#include "cuda_impl/core/cuda_check.hpp"

namespace assay::cuda {

/// Returns the number of `operator new` calls of this thread since it started.
std::int64_t allocations_so_far();

/// Returns the average number of allocations of a run, after a warm-up run. The simulated runtime's
/// queues grow now and then, so two averages may differ by less than 0.5.
template <typename Work>
double allocations_of(const Work& work) {
  constexpr int kRuns = 10;
  work();
  const std::int64_t before = allocations_so_far();
  for (int run = 0; run < kRuns; ++run) work();
  return static_cast<double>(allocations_so_far() - before) / kRuns;
}

/// Excludes the work inside the CUDA runtime.
struct Executed {
  std::int64_t instructions = 0;
  std::int64_t locked = 0;       ///< instructions that lock memory
  std::int64_t allocations = 0;  ///< calls of `operator new`
  std::int64_t launches = 0;
  std::int64_t runtime_calls = 0;  ///< with the launches
};

/// Runs `work` in a child process that is stepped through, so the caller sees none of its effects.
/// Empty where that cannot be done: on other processors than x86-64, with a real CUDA runtime,
/// under sanitizers, and where processes may not trace others.
std::optional<Executed> executed_by(const std::function<void()>& work);

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
