// What is timed, as C functions of a shared library, so that one process can call it and PyTorch by
// turns.
#include <cuda_runtime_api.h>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <span>
#include <string>
#include <vector>

#include "cuda_impl/core/cuda_check.hpp"
#include "cuda_impl/core/session.hpp"
#include "cuda_impl/kernels/cast/cast.cuh"
#include "cuda_impl/kernels/optim/adam.hpp"
#include "cuda_impl/kernels/scaler/unscale.hpp"
#include "cuda_impl/kernels/scaler/update_scale.hpp"

namespace assay::cuda::speed {
namespace {

thread_local std::string failure;
thread_local cudaStream_t stream = nullptr;

/// 0, or 1 with the reason kept for assay_speed_failure: no exception leaves the library.
template <typename Work>
int guarded(const Work& work) {
  try {
    const StreamScope scope(stream);
    work();
    return 0;
  } catch (const std::exception& error) {
    failure = error.what();
    return 1;
  }
}

std::vector<TensorRow<1>> rows_of(void* const* data, const std::int64_t* counts, int tensors) {
  std::vector<TensorRow<1>> rows;
  for (int i = 0; i < tensors; ++i) rows.push_back({{data[i]}, counts[i]});
  return rows;
}

/// PyTorch's defaults.
ScaleUpdate update_of(float* scale, int* tracker, const float* found_inf) {
  return {{scale, tracker, found_inf}, {2.0, 0.5, 2000, false}};
}

/// AdamW with a weight decay, as a step of training has it.
AdamSettings adam_settings() {
  AdamSettings settings;
  settings.lr = 1e-3;
  settings.beta1 = 0.9;
  settings.beta2 = 0.999;
  settings.eps = 1e-8;
  settings.weight_decay = 1e-2;
  settings.decoupled = true;
  settings.arithmetic = StepArithmetic::kFused;
  return settings;
}

}  // namespace
}  // namespace assay::cuda::speed

namespace speed = assay::cuda::speed;

extern "C" {

/// Why the last call of this thread failed.
const char* assay_speed_failure() { return speed::failure.c_str(); }

/// Launches of the calling thread until now.
std::int64_t assay_speed_launches() { return assay::cuda::counters().launches; }

/// All further calls of this thread work on the stream; null is the default stream.
void assay_speed_use_stream(void* stream) { speed::stream = static_cast<cudaStream_t>(stream); }

/// A line: name, multiprocessors, bytes of L2, version of the driver and of the runtime.
int assay_speed_device(char* text, int size) {
  return speed::guarded([&] {
    cudaDeviceProp device{};
    int driver = 0;
    int runtime = 0;
    assay::cuda::cuda_check(cudaGetDeviceProperties(&device, 0));
    assay::cuda::cuda_check(cudaDriverGetVersion(&driver));
    assay::cuda::cuda_check(cudaRuntimeGetVersion(&runtime));
    std::snprintf(text, static_cast<std::size_t>(size), "%s|%d|%d|%d|%d", device.name,
                  device.multiProcessorCount, device.l2CacheSize, driver, runtime);
  });
}

int assay_speed_allocate(void** memory, std::size_t bytes) {
  return speed::guarded([&] {
    assay::cuda::cuda_check(cudaMalloc(memory, bytes));
    assay::cuda::cuda_check(cudaMemset(*memory, 0, bytes));
  });
}
int assay_speed_free(void* memory) {
  return speed::guarded([&] { assay::cuda::cuda_check(cudaFree(memory)); });
}
int assay_speed_upload(void* to, const void* from, std::size_t bytes) {
  return speed::guarded(
      [&] { assay::cuda::cuda_check(cudaMemcpy(to, from, bytes, cudaMemcpyHostToDevice)); });
}

int assay_speed_event(void** event) {
  return speed::guarded([&] {
    cudaEvent_t made = nullptr;
    assay::cuda::cuda_check(cudaEventCreate(&made));
    *event = made;
  });
}
int assay_speed_record(void* event) {
  return speed::guarded([&] {
    assay::cuda::cuda_check(cudaEventRecord(static_cast<cudaEvent_t>(event), speed::stream));
  });
}
/// Waits for the second.
int assay_speed_elapsed(void* first, void* second, float* milliseconds) {
  return speed::guarded([&] {
    const auto end = static_cast<cudaEvent_t>(second);
    assay::cuda::cuda_check(cudaEventSynchronize(end));
    assay::cuda::cuda_check(
        cudaEventElapsedTime(milliseconds, static_cast<cudaEvent_t>(first), end));
  });
}

int assay_speed_copy(void* to, const void* from, std::size_t bytes) {
  return speed::guarded([&] {
    assay::cuda::cuda_check(
        cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, speed::stream));
  });
}

/// By a kernel that does nothing else.
int assay_speed_copy_kernel(void* to, const void* from, std::size_t bytes) {
  return speed::guarded([&] {
    assay::cuda::CastTask task{
        assay::cuda::Dtype::kUInt8, assay::cuda::Dtype::kUInt8, {to, from}, {}};
    task.geometry.dims = 1;
    task.geometry.count = static_cast<std::int64_t>(bytes);
    task.geometry.sizes[0] = task.geometry.count;
    task.geometry.strides[0][0] = 1;
    task.geometry.strides[1][0] = 1;
    assay::cuda::launch_copy(task);
  });
}

/// `dtype` is PyTorch's number of it.
int assay_speed_unscale(int dtype, void* const* data, const std::int64_t* counts, int tensors,
                        const float* inv_scale, float* found_inf) {
  return speed::guarded([&] {
    assay::cuda::launch_unscale(static_cast<assay::cuda::Dtype>(dtype),
                                speed::rows_of(data, counts, tensors), {inv_scale, found_inf});
  });
}

int assay_speed_update(float* scale, int* tracker, const float* found_inf) {
  return speed::guarded([&] {
    const auto update = speed::update_of(scale, tracker, found_inf);
    assay::cuda::launch_update_scale(update.state, update.factors);
  });
}

int assay_speed_unscale_and_update(int dtype, void* const* data, const std::int64_t* counts,
                                   int tensors, const float* inv_scale, float* found_inf,
                                   float* scale, int* tracker) {
  return speed::guarded([&] {
    assay::cuda::launch_unscale(static_cast<assay::cuda::Dtype>(dtype),
                                speed::rows_of(data, counts, tensors), {inv_scale, found_inf},
                                speed::update_of(scale, tracker, found_inf));
  });
}

/// Six pointers for each tensor: param, grad, both moments, null, the counter of steps. `ticket` is
/// a word of the device that is 0.
int assay_speed_adam(int dtype, void* const* data, const std::int64_t* counts, int tensors,
                     const float* found_inf, void* ticket) {
  return speed::guarded([&] {
    std::vector<assay::cuda::AdamRow> rows;
    for (int i = 0; i < tensors; ++i) {
      auto& row = rows.emplace_back();
      std::copy_n(data + std::ptrdiff_t{6} * i, 6, row.data.begin());
      row.count = counts[i];
    }
    assay::cuda::step_adam(
        rows, speed::adam_settings(), {nullptr, found_inf},
        {static_cast<assay::cuda::Dtype>(dtype), true, static_cast<std::uint32_t*>(ticket)});
  });
}

}  // extern "C"
