// Regions: autocast is on, or off, for a device from entering to leaving.
#pragma once

#include <optional>
#include <string>

#include "cuda_impl/autocast/state.hpp"

namespace assay::cuda::autocast {

struct RegionOptions {
  std::string device;          ///< `cuda`
  std::optional<Dtype> dtype;  ///< the device's low type at construction where absent
  bool enabled = true;
  std::optional<bool> cache_enabled;  ///< the thread's at construction where absent
  bool cuda_available = true;
  bool bf16_supported = true;  ///< by the CUDA device
};

/// Belongs to the thread that enters it. Leaving the outermost one clears the weight cache.
class Region {
 public:
  /// Looks at the device and the type, and may warn; changes nothing. Raises what CAST-610 to
  /// CAST-615 say.
  explicit Region(const RegionOptions& options);
  Region(const Region&) = delete;
  Region& operator=(const Region&) = delete;

  /// Raises `value` where it is entered already. Where PyTorch's deviations hold, it overwrites
  /// what it will restore instead (CAST-608).
  void enter();
  /// Raises `value` where it was never entered; twice restores the same again.
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
  std::optional<Saved> saved_;  ///< since it was first entered
};

/// What `body` returns, which runs inside the region; it is left also where `body` throws.
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
