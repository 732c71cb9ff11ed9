// Sets and restores the current device, creating contexts as late as possible; the thread-local
// table of current streams.
#include "cuda_impl/core/device/current_device.hpp"

#include <cuda.h>

#include <utility>

#include "cuda_impl/core/contract.hpp"
#include "cuda_impl/core/cuda_check.hpp"

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

// Current streams.

namespace {

/// Indexed by device; empty if the legacy default stream is current on all devices.
std::vector<StreamHere>& streams_of_thread() {
  thread_local std::vector<StreamHere> streams;
  return streams;
}

}  // namespace

StreamHere stream_on(int device) {
  const auto& streams = streams_of_thread();
  const auto place = static_cast<std::size_t>(device);
  return place < streams.size() ? streams[place] : StreamHere{};
}

void set_stream_on(int device, StreamHere stream) {
  auto& streams = streams_of_thread();
  const auto place = static_cast<std::size_t>(device);
  if (streams.size() <= place) streams.resize(place + 1);
  streams[place] = stream;
}

void forget_current_streams() { streams_of_thread().clear(); }

cudaStream_t current_stream() {
  if (streams_of_thread().empty()) [[likely]]
    return nullptr;
  return current_stream_on(current_device());
}

cudaStream_t current_stream_on(int device) {
  StreamHere here = stream_on(device);
  if (here.resolve == nullptr) [[likely]]
    return here.handle;
  here.handle = here.resolve(device, here.id);
  here.resolve = nullptr;
  set_stream_on(device, here);
  return here.handle;
}

cudaStream_t handle_of(const DeviceStream& stream) {
  const StreamHere& here = stream.stream;
  return here.resolve == nullptr ? here.handle : here.resolve(stream.device, here.id);
}

std::vector<StreamHere> exchange_current_streams(std::vector<StreamHere> streams) {
  return std::exchange(streams_of_thread(), std::move(streams));
}

StreamScope::StreamScope(cudaStream_t stream)
    : StreamScope(StreamHere{reinterpret_cast<std::intptr_t>(stream), stream}) {}

StreamScope::StreamScope(StreamHere stream)
    : device_(current_device()), before_(stream_on(device_)) {
  set_stream_on(device_, stream);
}

StreamScope::~StreamScope() { set_stream_on(device_, before_); }

}  // namespace assay::cuda
