// The autocast state: enabled devices, dtypes and nesting depth (CAST-101 to CAST-117), and what of
// it is transferred when another thread continues a thread's work (CAST-111).
#pragma once

#include <map>
#include <optional>

#include "reference/core/runtime.hpp"
#include "reference/core/types/dtype.hpp"
#include "reference/core/types/error.hpp"
#include "reference/dispatch/keys/dispatch_key.hpp"
#include "reference/dispatch/keys/thread_keys.hpp"

namespace assay::reference {

/// The device type that a rule applies to; the index is irrelevant.
using CastDevice = DeviceType;

/// Returns whether the device type has an autocast key in this release (CAST-101).
bool is_autocast_available(CastDevice device, Release release);
/// Raises `error`, naming the query and the device type, if there is no key.
DispatchKey autocast_key(CastDevice device, Release release);

/// For the calling thread (CAST-104). Raise `error` for a device type without a key.
bool is_autocast_enabled(Runtime& runtime, CastDevice device);
void set_autocast_enabled(Runtime& runtime, CastDevice device, bool value);
/// Considers only the device types that PyTorch considers (CAST-116).
bool is_any_autocast_enabled(Runtime& runtime);

/// kUndefined if the device type has none; never raises (CAST-105, CAST-107).
ScalarType autocast_dtype(const Runtime& runtime, CastDevice device);
/// Accepts any dtype, except for the CPU in 1.13 (CAST-106).
void set_autocast_dtype(Runtime& runtime, CastDevice device, ScalarType dtype);
/// The target dtype of the policies. Raises `error` for a device type without a key (CAST-107).
ScalarType low_dtype(const Runtime& runtime, CastDevice device);

/// Returns the new depth, which has no lower bound (CAST-108).
int change_nesting(Runtime& runtime, int by);

bool is_cache_enabled(const Runtime& runtime);
void set_cache_enabled(Runtime& runtime, bool value);

/// The state of a thread: `runtime.local<AutocastState>()`. The enabled flags are stored in the
/// thread's excluded keys.
struct AutocastState {
  std::map<CastDevice, ScalarType> dtypes;  ///< contains only dtypes that were set explicitly
  int nesting = 0;
  bool cache_enabled = true;
};

/// The part of a thread's snapshot besides the keys (CAST-111).
using AutocastSnapshot = std::optional<std::map<CastDevice, ScalarType>>;
AutocastSnapshot autocast_snapshot(const Runtime& runtime);
/// Applies the snapshot's dtypes, if it has any, for the lifetime of the guard.
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

/// Keys (which include autocast's enabled flags), grad and inference mode, and, since 2.5,
/// autocast's dtypes. Does not include the cache flag and the nesting depth.
struct ThreadState {
  ThreadKeys keys;
  GradModes modes;
  AutocastSnapshot dtypes;
};

/// The state of the calling thread.
ThreadState thread_state(Runtime& runtime);

/// Applies the state to the calling thread for the lifetime of the guard.
class ThreadStateGuard {
 public:
  ThreadStateGuard(Runtime& runtime, const ThreadState& state);
  ~ThreadStateGuard();
  ThreadStateGuard(const ThreadStateGuard&) = delete;
  ThreadStateGuard& operator=(const ThreadStateGuard&) = delete;

 private:
  Runtime& runtime_;
  GradModes modes_before_;
  ForceKeysGuard keys_;
  AutocastSnapshotGuard dtypes_;
};

}  // namespace assay::reference
