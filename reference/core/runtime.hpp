// What a process of the simulated machine holds: its contract, its devices, and what is counted.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <typeindex>
#include <unordered_map>
#include <utility>
#include <vector>

#include "reference/core/types/contract.hpp"
#include "reference/core/types/device.hpp"

namespace assay::reference {

/// What the runtime did, counted on each thread for itself.
struct Counters {
  std::int64_t launches = 0;         ///< kernels started on a device
  std::int64_t unscale_calls = 0;    ///< calls of the unscale operator
  std::int64_t unscale_tensors = 0;  ///< tensors in their lists
  std::int64_t copies = 0;           ///< tensor to tensor, within a device or across
  std::int64_t host_reads = 0;       ///< values that the host had to wait for
  std::int64_t allocations = 0;      ///< storages made
};

struct Warning {
  std::string category;  ///< `UserWarning`, `FutureWarning`, …
  std::string text;
};

/// Passed to whatever needs it; two of them never meet. Any thread may use it: the current device,
/// the counters and the warnings are the calling thread's own.
class Runtime {
 public:
  static constexpr int kCudaDevices = 4;

  explicit Runtime(Contract contract = {}) : contract_(contract) {}

  const Contract& contract() const { return contract_; }
  /// For `hello`, before anything else.
  void set_contract(Contract contract) { contract_ = contract; }

  /// CUDA devices of this machine: none under CPU rules.
  int cuda_devices() const { return contract_.cuda() ? kCudaDevices : 0; }
  /// Where tensors live unless somebody says otherwise: `cuda:0` or `cpu`.
  Device home() const { return contract_.cuda() ? cuda_device(0) : kCpuDevice; }
  /// Index of the calling thread's current CUDA device; a thread begins with 0.
  int current_device() const;
  /// Raises `device` when there is no such device.
  void set_current_device(int index);
  /// With the index that the device means here and now: `cuda` is the current CUDA device, the CPU
  /// and meta have none (CORE-20). Raises `device` for a device that this machine lacks.
  Device resolve(Device device) const;

  Counters& counters();
  void warn(std::string category, std::string text);
  /// Only the first time that `text` is given since the last reset.
  void warn_once(const std::string& category, const std::string& text);
  /// Warnings that the calling thread has got; `take_warnings` takes those from number `from` on.
  std::size_t warnings() const;
  std::vector<Warning> take_warnings(std::size_t from = 0);

  /// The calling thread's own T, made at its first use and kept until the next reset: whatever an
  /// area has to remember for each thread.
  template <typename T>
  T& local() const {
    return *held<T>(here().areas);
  }
  /// The one T of all threads, made at its first use and kept until the next reset. What it does
  /// when several threads use it is its own business.
  template <typename T>
  T& shared() {
    const std::scoped_lock lock(mutex_);
    return *held<T>(areas_);
  }

  /// The first state, on every thread: current device, counters, warnings, and what areas keep.
  void reset();

 private:
  using Areas = std::unordered_map<std::type_index, std::shared_ptr<void>>;
  struct Here {
    int current_device = 0;
    Counters counters;
    std::vector<Warning> warnings;
    Areas areas;
  };
  /// Threads keep their state as long as this lives; a new one makes them start afresh.
  struct Era {};
  struct HereOf;

  Here& here() const;

  template <typename T>
  static T* held(Areas& areas) {
    std::shared_ptr<void>& slot = areas[typeid(T)];
    if (slot == nullptr) slot = std::make_shared<T>();
    return static_cast<T*>(slot.get());
  }

  Contract contract_;
  std::shared_ptr<Era> era_ = std::make_shared<Era>();
  std::mutex mutex_;
  std::set<std::string> warned_;
  Areas areas_;
};

/// Makes a device current for as long as the guard lives.
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

}  // namespace assay::reference
