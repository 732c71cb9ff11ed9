// Process-wide logs, one for each level, the sync debug mode, and the reset of all state of the
// runtime.
#include "cuda_impl/runtime/process.hpp"

#include <cuda_runtime_api.h>

#include <array>
#include <atomic>
#include <mutex>
#include <utility>

#include "cuda_impl/core/device/current_device.hpp"
#include "cuda_impl/core/error.hpp"
#include "cuda_impl/core/session.hpp"
#include "cuda_impl/runtime/backends/backends.hpp"
#include "cuda_impl/runtime/cuda_stream.hpp"

namespace assay::cuda {
namespace {

constexpr std::size_t kMostKept = 100'000;

struct Log {
  std::mutex mutex;
  std::deque<std::string> lines;
};

Log& log_of(LogLevel level) {
  static std::array<Log, 2> logs;
  return logs.at(static_cast<std::size_t>(level));
}

std::atomic<bool>& traced() {
  static std::atomic<bool> is_on = false;
  return is_on;
}

}  // namespace

void write_log(LogLevel level, std::string text) {
  Log& log = log_of(level);
  const std::scoped_lock lock(log.mutex);
  if (log.lines.size() == kMostKept) log.lines.pop_front();
  log.lines.push_back(std::move(text));
}

std::deque<std::string> take_log(LogLevel level) {
  Log& log = log_of(level);
  const std::scoped_lock lock(log.mutex);
  return std::exchange(log.lines, {});
}

bool is_traced() { return traced().load(std::memory_order_relaxed); }
bool set_traced(bool is_on) { return traced().exchange(is_on); }

namespace {

std::atomic<SyncDebugMode>& mode_in_force() {
  static std::atomic<SyncDebugMode> mode{SyncDebugMode::kDefault};
  return mode;
}

constexpr const char* kText = "called a synchronizing CUDA operation";

}  // namespace

void set_sync_debug_mode(SyncDebugMode mode) { mode_in_force() = mode; }

void before_host_waits() {
  const SyncDebugMode mode = mode_in_force().load(std::memory_order_relaxed);
  require(mode != SyncDebugMode::kError, [] { return kText; });
  if (mode == SyncDebugMode::kWarn) warn("UserWarning", kText);
}

std::string why_no_device() {
  int count = 0;
  const cudaError_t result = cudaGetDeviceCount(&count);
  if (result != cudaSuccess) static_cast<void>(cudaGetLastError());
  const bool has_driver = result != cudaErrorInsufficientDriver && result != cudaErrorStubLibrary;
  if (has_driver) return "No CUDA GPUs are available";
  return "Found no NVIDIA driver on your system. Please check that you have an NVIDIA GPU and "
         "installed a driver.";
}

void reset_runtime(bool has_cuda) {
  forget_current_streams();
  forget_remembered_device();
  forget_pools();
  reset_backends(has_cuda);
  set_sync_debug_mode(SyncDebugMode::kDefault);
  take_log(LogLevel::kBackend);
  take_log(LogLevel::kTrace);
  Session::forget_cuda_devices();
}

}  // namespace assay::cuda
