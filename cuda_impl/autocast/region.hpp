// Autocast regions: enable or disable autocast for one device between enter and exit.
#pragma once

#include <optional>
#include <string>

#include "cuda_impl/autocast/state.hpp"

namespace assay::cuda::autocast {

struct RegionOptions {
  std::string device;          ///< `cuda`
  std::optional<Dtype> dtype;  ///< default: the device's low-precision dtype at construction
  bool enabled = true;
  std::optional<bool> cache_enabled;  ///< default: the thread's setting at construction
  bool cuda_available = true;
  bool bf16_supported = true;  ///< by the CUDA device
};

/// To be used on the thread that enters it. Leaving the outermost region clears the weight cache.
class Region {
 public:
  /// Checks the device and dtype and may warn; changes no state. Raises the errors of CAST-610 to
  /// CAST-615.
  explicit Region(const RegionOptions& options);
  Region(const Region&) = delete;
  Region& operator=(const Region&) = delete;

  /// Raises `value` if it is already entered. With PyTorch's deviations, it overwrites the saved
  /// state instead (CAST-608).
  void enter();
  /// Raises `value` if it was never entered. A second call restores the same state again.
  void exit();

 private:
  struct Saved {
    bool is_cache_enabled;
    bool is_enabled;
    Dtype low;
  };

  DeviceKind device_ = DeviceKind::kCpu;
  Dtype dtype_ = Dtype::kUndefined;
  bool is_enabled_ = true;
  bool is_cache_enabled_ = true;
  bool is_entered_ = false;
  std::optional<Saved> saved_;  ///< since the first enter
};

/// Runs `body` inside the region and returns its result. Also leaves the region if `body` throws.
template <typename Body>
auto run_inside(Region& region, const Body& body) {
  region.enter();
  try {
    auto returned = body();
    region.exit();
    return returned;
  } catch (...) {
    region.exit();
    throw;
  }
}

}  // namespace assay::cuda::autocast
