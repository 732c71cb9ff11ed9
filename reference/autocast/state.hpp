// Autocast's state: what is on, in which dtype, and how deep (CAST-101 to CAST-117).
#pragma once

#include <map>
#include <optional>

#include "reference/core/runtime.hpp"
#include "reference/core/types/dtype.hpp"
#include "reference/core/types/error.hpp"
#include "reference/dispatch/keys/dispatch_key.hpp"

namespace assay::reference {

/// The kind of device that a rule is for; a device's index does not matter.
using CastDevice = DeviceType;

/// Has the device type an autocast key in this release (CAST-101)?
bool is_autocast_available(CastDevice device, Release release);
/// Raises `error` naming the query and the device type where there is none.
DispatchKey autocast_key(CastDevice device, Release release);

/// On the calling thread (CAST-104). Raise `error` for a device type without a key.
bool is_autocast_enabled(Runtime& runtime, CastDevice device);
void set_autocast_enabled(Runtime& runtime, CastDevice device, bool value);
/// Of the few device types that PyTorch looks at (CAST-116).
bool is_any_autocast_enabled(Runtime& runtime);

/// kUndefined where there is none; never an error (CAST-105, CAST-107).
ScalarType autocast_dtype(const Runtime& runtime, CastDevice device);
/// Any dtype, but for the CPU in 1.13 (CAST-106).
void set_autocast_dtype(Runtime& runtime, CastDevice device, ScalarType dtype);
/// What policies cast to. Raises `error` for a device type without a key (CAST-107).
ScalarType low_dtype(const Runtime& runtime, CastDevice device);

/// Returns the new value; there is no lower bound (CAST-108).
int change_nesting(Runtime& runtime, int by);

bool is_cache_enabled(const Runtime& runtime);
void set_cache_enabled(Runtime& runtime, bool value);

/// What is set on a thread: `runtime.local<AutocastState>()`. Enabled flags are among the thread's
/// excluded keys.
struct AutocastState {
  std::map<CastDevice, ScalarType> dtypes;  ///< only those that somebody has set
  int nesting = 0;
  bool cache_enabled = true;
};

/// What a snapshot of the thread takes along besides the keys (CAST-111).
using AutocastSnapshot = std::optional<std::map<CastDevice, ScalarType>>;
AutocastSnapshot autocast_snapshot(const Runtime& runtime);
/// Until it dies the dtypes of the snapshot hold, if it has any.
class AutocastSnapshotGuard {
 public:
  AutocastSnapshotGuard(Runtime& runtime, const AutocastSnapshot& snapshot);
  ~AutocastSnapshotGuard();
  AutocastSnapshotGuard(const AutocastSnapshotGuard&) = delete;
  AutocastSnapshotGuard& operator=(const AutocastSnapshotGuard&) = delete;

 private:
  Runtime& runtime_;
  std::map<CastDevice, ScalarType> before_;
};

}  // namespace assay::reference
