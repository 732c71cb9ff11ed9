// The state that is transferred when another thread continues a thread's work (CAST-111).
#pragma once

#include "reference/autocast/state.hpp"
#include "reference/core/runtime.hpp"
#include "reference/dispatch/keys/thread_keys.hpp"

namespace assay::reference {

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
