// What a thread's state is when another thread goes on with its work (CAST-111).
#pragma once

#include "reference/autocast/state.hpp"
#include "reference/core/types/grad_mode.hpp"
#include "reference/dispatch/keys/thread_keys.hpp"

namespace assay::reference {

/// The keys, and with them what autocast is enabled for; grad and inference mode; autocast's dtypes
/// since 2.5. Neither the cache flag nor the nesting.
struct ThreadState {
  ThreadKeys keys;
  GradModes modes;
  AutocastSnapshot dtypes;
};

/// Of the calling thread.
ThreadState thread_state(Runtime& runtime);

/// Until it dies that state holds on the calling thread.
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
