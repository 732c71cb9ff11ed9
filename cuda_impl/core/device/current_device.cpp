// Sets and restores the current device, creating contexts as late as possible.
#include "cuda_impl/core/device/current_device.hpp"

#include <cuda.h>

#include "cuda_impl/core/cuda_check.hpp"
#include "cuda_impl/core/rules.hpp"

namespace assay::cuda {
namespace {

constexpr int kNone = -1;

/// The deferred device: restored by this thread, but not yet set in the runtime.
int& remembered() {
  thread_local int index = kNone;
  return index;
}

using ContextState = CUresult (*)(CUdevice, unsigned*, int*);

/// Queries the driver, because a runtime query would create a context. Null if the driver lacks the
/// function.
ContextState context_state() {
  static const auto function = [] {
    void* found = nullptr;
    cudaDriverEntryPointQueryResult how = cudaDriverEntryPointSymbolNotFound;
    constexpr unsigned kSince = 7000;
    const cudaError_t result = cudaGetDriverEntryPointByVersion(
        "cuDevicePrimaryCtxGetState", &found, kSince, cudaEnableDefault, &how);
    if (result != cudaSuccess) static_cast<void>(cudaGetLastError());
    const bool is_there = result == cudaSuccess && how == cudaDriverEntryPointSuccess;
    return is_there ? reinterpret_cast<ContextState>(found) : nullptr;
  }();
  return function;
}

bool has_context(int index) {
  const ContextState ask = context_state();
  if (ask == nullptr) return true;
  unsigned flags = 0;
  int is_active = 0;
  return ask(index, &flags, &is_active) != CUDA_SUCCESS || is_active != 0;
}

}  // namespace

int current_device() {
  if (remembered() != kNone) return remembered();
  int device = 0;
  cuda_check(cudaGetDevice(&device));
  return device;
}

void set_current_device(int index) { exchange_current_device(index); }

int exchange_current_device(int index) {
  const int before = current_device();
  if (before == index && remembered() == kNone) return before;
  cuda_check(cudaSetDevice(index));
  remembered() = kNone;
  return before;
}

cudaError_t restore_current_device(int index) noexcept {
  int device = 0;
  if (const cudaError_t result = cudaGetDevice(&device); result != cudaSuccess) return result;
  if (device == index) {
    remembered() = kNone;
    return cudaSuccess;
  }
  if (rules().release != Release::k1_13 && !has_context(index)) {
    remembered() = index;
    return cudaSuccess;
  }
  const cudaError_t result = cudaSetDevice(index);
  if (result == cudaSuccess) remembered() = kNone;
  return result;
}

void forget_remembered_device() { remembered() = kNone; }

}  // namespace assay::cuda
