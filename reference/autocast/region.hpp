// Autocast regions (CAST-6xx).
#pragma once

#include <optional>
#include <string>

#include "reference/autocast/state.hpp"

namespace assay::reference {

struct RegionOptions {
  std::string device;
  std::optional<ScalarType> dtype = {};
  bool enabled = true;
  std::optional<bool> cache_enabled = {};
  /// Overrides what the runtime reports about the machine.
  std::optional<bool> cuda_available = {};
  bool bf16_supported = true;
};

/// The constructor resolves all options but changes no state (CAST-601). It warns and disables the
/// region if the device or its dtype is not supported (CAST-611, CAST-612).
class AutocastRegion {
 public:
  /// Raises `error` for a device without autocast (CAST-610) or without bfloat16 (CAST-611).
  AutocastRegion(Runtime& runtime, const RegionOptions& options);
  AutocastRegion(const AutocastRegion&) = delete;
  AutocastRegion& operator=(const AutocastRegion&) = delete;

  /// Applies to the calling thread (CAST-602). A second call overwrites the saved state, as in
  /// PyTorch; in strict mode it raises `value` (CAST-608).
  void enter();
  /// Clears the cache when the thread leaves its outermost region (CAST-603, CAST-604).
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

  void resolve_cuda(const RegionOptions& options);
  void resolve_dtype(bool asked_enabled);
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

/// Enters a region for the lifetime of the guard.
class RegionGuard {
 public:
  explicit RegionGuard(AutocastRegion& region) : region_(region) { region_.enter(); }
  // The exit of an entered region raises no error.
  ~RegionGuard() { region_.exit(); }  // NOLINT(bugprone-exception-escape)
  RegionGuard(const RegionGuard&) = delete;
  RegionGuard& operator=(const RegionGuard&) = delete;

 private:
  AutocastRegion& region_;
};

}  // namespace assay::reference
