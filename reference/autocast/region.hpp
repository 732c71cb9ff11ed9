// Regions: autocast for as long as something runs (CAST-6xx).
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "reference/autocast/state.hpp"

namespace assay::reference {

struct RegionOptions {
  std::string device;
  std::optional<ScalarType> dtype = {};
  bool enabled = true;
  std::optional<bool> cache_enabled = {};
  /// What the machine has, where the caller knows better than the runtime.
  std::optional<bool> cuda_available = {};
  bool bf16_supported = true;
};

/// Settles everything when it is made, and changes nothing before it is entered (CAST-601). Warns,
/// and is disabled, where the device or its dtype is not supported (CAST-611, CAST-612).
class AutocastRegion {
 public:
  /// Raises `error` for a device that has no autocast (CAST-610), or no bfloat16 (CAST-611).
  AutocastRegion(Runtime& runtime, const RegionOptions& options);
  AutocastRegion(const AutocastRegion&) = delete;
  AutocastRegion& operator=(const AutocastRegion&) = delete;

  /// On the thread that it is to hold for (CAST-602). Entering it a second time forgets what was
  /// before the first, as PyTorch does; in strict mode it raises `value` (CAST-608).
  void enter();
  /// Clears the cache if this was the outermost region of the thread (CAST-603, CAST-604).
  void exit();

  CastDevice device() const { return device_; }
  ScalarType dtype() const { return dtype_; }
  bool enabled() const { return enabled_; }

 private:
  struct Before {
    bool enabled = false;
    ScalarType dtype = ScalarType::kUndefined;
    bool cache_enabled = true;
  };

  void settle_cuda(const RegionOptions& options);
  void settle_dtype(bool asked_enabled);
  void disable(const std::string& why);
  void refuse_unentered() const;

  Runtime& runtime_;
  CastDevice device_;
  ScalarType dtype_;
  bool enabled_;
  bool cache_enabled_;
  bool is_entered_ = false;
  bool was_entered_ = false;
  Before before_;
};

/// Enters a region for as long as it lives.
class RegionGuard {
 public:
  explicit RegionGuard(AutocastRegion& region) : region_(region) { region_.enter(); }
  ~RegionGuard() { region_.exit(); }
  RegionGuard(const RegionGuard&) = delete;
  RegionGuard& operator=(const RegionGuard&) = delete;

 private:
  AutocastRegion& region_;
};

}  // namespace assay::reference
