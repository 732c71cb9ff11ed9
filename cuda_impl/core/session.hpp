// The state of one client session: its contract, and each thread's counters and warnings.
#pragma once

#include <cstdint>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "cuda_impl/core/contract.hpp"
#include "cuda_impl/core/device/device.hpp"

namespace assay::cuda {

struct Counters {
  std::int64_t launches = 0;
  std::int64_t unscale_calls = 0;
  std::int64_t unscale_tensors = 0;
  std::int64_t copies = 0;
  std::int64_t host_reads = 0;  ///< times that the host waited for a device value
  std::int64_t allocations = 0;
};

/// The calling thread's counters. Every launch, copy and allocation is counted here.
Counters& counters();

struct Warning {
  std::string category;
  std::string text;
};
/// The calling thread's warnings, in order.
std::vector<Warning>& warnings();
void warn(std::string category, std::string text);

class Session {
 public:
  const Contract& contract() const { return contract_; }
  void set_contract(Contract contract) { contract_ = contract; }
  Release release() const { return contract_.release; }

  /// Returns the number of CUDA devices; 0 if there are none, with a warning if an error is the
  /// reason (GRD-028). The result is cached.
  static int cuda_devices();
  /// Discards the cached device count.
  static void forget_cuda_devices();
  /// Returns `cuda:0`, the default device of tensors.
  static Device home() { return cuda_device(0); }
  /// Gives `cuda` the current device's index (CORE-20). Raises `device` for an unknown index.
  static Device resolve(Device device);
  /// Warns only the first time in a session.
  void warn_once(const std::string& category, const std::string& text);
  /// Restores the initial state, except the contract.
  void reset();

 private:
  Contract contract_;
  std::mutex mutex_;
  std::set<std::string> warned_;
};

}  // namespace assay::cuda
