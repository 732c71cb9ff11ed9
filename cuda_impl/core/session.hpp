// What one client's session has: its contract, and what each thread has counted and warned of.
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
  std::int64_t host_reads = 0;  ///< the host waited for a value of a device
  std::int64_t allocations = 0;
};

/// The calling thread's own. Whatever launches, copies or allocates counts here.
Counters& counters();

struct Warning {
  std::string category;
  std::string text;
};
/// Of the calling thread, in order.
std::vector<Warning>& warnings();
void warn(std::string category, std::string text);

class Session {
 public:
  const Contract& contract() const { return contract_; }
  void set_contract(Contract contract) { contract_ = contract; }
  Release release() const { return contract_.release; }

  /// Devices that the CUDA runtime has; 0 where there is none, with a warning where that is because
  /// of an error (GRD-028). Asked once.
  static int cuda_devices();
  /// The next one who asks for it counts again.
  static void forget_cuda_devices();
  /// `cuda:0`: where tensors live unless somebody says otherwise.
  static Device home() { return cuda_device(0); }
  /// `cuda` is the thread's current device (CORE-20). Raises `device` for one that is not there.
  static Device resolve(Device device);
  /// Only the first time that a session hears it.
  void warn_once(const std::string& category, const std::string& text);
  /// As new, but for the contract.
  void reset();

 private:
  Contract contract_;
  std::mutex mutex_;
  std::set<std::string> warned_;
};

}  // namespace assay::cuda
