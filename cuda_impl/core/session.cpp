// Counters and warnings of threads, the device count, and the process-wide contract.
#include "cuda_impl/core/session.hpp"

#include <cuda_runtime_api.h>

#include <atomic>

#include "cuda_impl/core/contract.hpp"
#include "cuda_impl/core/cuda_check.hpp"
#include "cuda_impl/core/device/current_device.hpp"
#include "cuda_impl/core/error.hpp"

namespace assay::cuda {
namespace {

std::atomic<Contract>& in_force() {
  static std::atomic<Contract> contract{Contract{}};
  return contract;
}

}  // namespace

Contract rules() { return in_force().load(std::memory_order_relaxed); }
void set_rules(Contract contract) { in_force().store(contract, std::memory_order_relaxed); }

namespace {

Device resolved_cuda(int index) {
  const int devices = Session::cuda_devices();
  require(devices > 0, [] { return "No CUDA GPUs are available"; });
  if (index == -1) {
    return cuda_device(current_device());
  }
  if (index < 0 || index >= devices) {
    throw Error(ErrorKind::kDevice,
                "CUDA error: invalid device ordinal: cuda:" + std::to_string(index) + " of " +
                    std::to_string(devices) + " devices",
                static_cast<int>(cudaErrorInvalidDevice));
  }
  return cuda_device(index);
}

constexpr int kNotCounted = -1;

std::atomic<int>& known_devices() {
  static std::atomic<int> devices{kNotCounted};
  return devices;
}

int count_devices() {
  int count = 0;
  const cudaError_t result = cudaGetDeviceCount(&count);
  if (result == cudaSuccess) return count;
  static_cast<void>(cudaGetLastError());
  const bool is_usual = result == cudaErrorNoDevice || result == cudaErrorInsufficientDriver ||
                        result == cudaErrorStubLibrary;
  if (!is_usual) {
    warn("UserWarning", "CUDA initialization: devices cannot be counted: " +
                            std::string(cudaGetErrorString(result)));
  }
  return 0;
}

/// CORE-08: kinds that have a name but no backend.
bool has_no_backend(DeviceKind kind) {
  return kind >= DeviceKind::kMkldnn && kind <= DeviceKind::kIdeep;
}

}  // namespace

Counters& counters() {
  thread_local Counters mine;
  return mine;
}

std::vector<Warning>& warnings() {
  thread_local std::vector<Warning> mine;
  return mine;
}

void warn(std::string category, std::string text) {
  warnings().push_back({std::move(category), std::move(text)});
}

int Session::cuda_devices() {
  int devices = known_devices().load(std::memory_order_acquire);
  if (devices != kNotCounted) return devices;
  static std::mutex mutex;
  const std::scoped_lock lock(mutex);
  if (known_devices() == kNotCounted) known_devices() = count_devices();
  return known_devices();
}

void Session::forget_cuda_devices() { known_devices() = kNotCounted; }

Device Session::resolve(Device device) {
  if (device.is_cpu()) return kCpu;
  if (device.is_meta()) return kMeta;
  if (device.is_cuda()) return resolved_cuda(device.index);
  throw Error(has_no_backend(device.kind) ? ErrorKind::kInternal : ErrorKind::kNotImplemented,
              "a tensor lives on cpu, cuda or meta here, not on " + to_text(device));
}

void Session::warn_once(const std::string& category, const std::string& text) {
  const std::scoped_lock lock(mutex_);
  if (warned_.insert(category + ": " + text).second) warn(category, text);
}

void Session::reset() {
  const std::scoped_lock lock(mutex_);
  warned_.clear();
}

}  // namespace assay::cuda
