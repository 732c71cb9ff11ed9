// The process-wide state of the simulated machine: contract, devices and counters; the grad and
// inference modes of a thread.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <typeindex>
#include <unordered_map>
#include <vector>

#include "reference/core/types/contract.hpp"
#include "reference/core/types/device.hpp"

namespace assay::reference {

/// The operations of the runtime, counted separately for each thread.
struct Counters {
  std::int64_t launches = 0;         ///< kernels started on a device
  std::int64_t unscale_calls = 0;    ///< calls of `_amp_foreach_non_finite_check_and_unscale_`
  std::int64_t unscale_tensors = 0;  ///< tensors in the lists of these calls
  std::int64_t copies = 0;           ///< tensor copies, within a device or between devices
  std::int64_t host_reads = 0;       ///< values that the host waited for
  std::int64_t allocations = 0;      ///< storages created
};

struct Warning {
  std::string category;  ///< `UserWarning`, `FutureWarning`, …
  std::string text;
};

/// Passed explicitly to everything that needs it; two instances are independent. Thread-safe: the
/// current device, the counters and the warnings belong to the calling thread.
class Runtime {
 public:
  static constexpr int kCudaDevices = 4;

  explicit Runtime(Contract contract = {}) : contract_(contract) {}

  const Contract& contract() const { return contract_; }
  /// For `hello`, before any other call.
  void set_contract(Contract contract) { contract_ = contract; }

  /// The number of CUDA devices: none under CPU rules.
  int cuda_devices() const { return contract_.cuda() ? kCudaDevices : 0; }
  /// The default device of tensors: `cuda:0` or `cpu`.
  Device home() const { return contract_.cuda() ? cuda_device(0) : kCpuDevice; }
  /// The calling thread's current CUDA device; initially 0.
  int current_device() const;
  /// Raises `device` for an index that does not exist.
  void set_current_device(int index);
  /// Adds the index: `cuda` becomes the current CUDA device; CPU and meta devices have none
  /// (CORE-20). Raises `device` for a device that this machine lacks.
  Device resolve(Device device) const;

  Counters& counters();
  void warn(std::string category, std::string text);
  /// Warns only once for each `text` between resets.
  void warn_once(const std::string& category, const std::string& text);
  /// The number of the calling thread's warnings. `take_warnings` removes those from `from` on.
  std::size_t warnings() const;
  std::vector<Warning> take_warnings(std::size_t from = 0);

  /// The calling thread's instance of T, for the per-thread state of an area. Created at its first
  /// use and kept until the next reset.
  template <typename T>
  T& local() const {
    return *held<T>(thread_state().areas);
  }
  /// The instance of T that all threads share. Created at its first use and kept until the next
  /// reset. T must handle its own synchronization.
  template <typename T>
  T& shared() {
    const std::scoped_lock lock(mutex_);
    return *held<T>(areas_);
  }

  /// Restores the initial state on all threads: current device, counters, warnings and area state.
  void reset();

 private:
  using Areas = std::unordered_map<std::type_index, std::shared_ptr<void>>;
  struct ThreadState {
    int current_device = 0;
    Counters counters;
    std::vector<Warning> warnings;
    Areas areas;
  };
  /// Identifies the time between two resets; threads discard state of an earlier era.
  struct ResetEpoch {};
  struct ThreadStateOf;

  ThreadState& thread_state() const;
  /// Throws unless the device is there.
  void check_device(int index) const;

  template <typename T>
  static T* held(Areas& areas) {
    std::shared_ptr<void>& slot = areas[typeid(T)];
    if (slot == nullptr) slot = std::make_shared<T>();
    return static_cast<T*>(slot.get());
  }

  Contract contract_;
  std::shared_ptr<ResetEpoch> era_ = std::make_shared<ResetEpoch>();
  std::mutex mutex_;
  std::set<std::string> warned_;
  Areas areas_;
};

/// Makes a device current for the lifetime of the guard.
class DeviceGuard {
 public:
  DeviceGuard(Runtime& runtime, int index) : runtime_(runtime), before_(runtime.current_device()) {
    runtime.set_current_device(index);
  }
  ~DeviceGuard() { runtime_.set_current_device(before_); }
  DeviceGuard(const DeviceGuard&) = delete;
  DeviceGuard& operator=(const DeviceGuard&) = delete;

 private:
  Runtime& runtime_;
  int before_;
};

/// Per thread: `runtime.local<GradModes>()`.
struct GradModes {
  bool grad = true;
  bool inference = false;
};

inline bool is_grad_enabled(const Runtime& runtime) { return runtime.local<GradModes>().grad; }
inline bool is_inference_mode(const Runtime& runtime) {
  return runtime.local<GradModes>().inference;
}

/// Sets the grad mode for the lifetime of the guard.
class GradModeGuard {
 public:
  GradModeGuard(Runtime& runtime, bool value)
      : modes_(runtime.local<GradModes>()), before_(modes_) {
    modes_.grad = value;
  }
  ~GradModeGuard() { modes_ = before_; }
  GradModeGuard(const GradModeGuard&) = delete;
  GradModeGuard& operator=(const GradModeGuard&) = delete;

 private:
  GradModes& modes_;
  GradModes before_;
};

}  // namespace assay::reference
