// The calling thread's included and excluded keys, and the guards over them (DSP-209 to DSP-216).
#pragma once

#include <atomic>
#include <cstdint>

#include "cuda_impl/dispatch/keys/layout.hpp"

namespace assay::cuda::dispatch {

/// All that a call reads and writes of its thread, in one cache line. Zeros are a thread's first
/// state, so no initialiser runs (DSP-210).
struct alignas(64) ThreadState {
  std::uint64_t included = 0;  ///< xor the defaults
  std::uint64_t excluded = 0;  ///< xor the defaults
  /// The epoch in which the outermost running call began; 0 outside of calls (registry/grace.hpp).
  std::atomic<std::uint64_t> inside = 0;
  /// `kPlain`, or why calls take the long way (registry/grace.hpp).
  std::atomic<std::uint32_t> mode = 0;
};
extern thread_local constinit ThreadState thread_state [[gnu::tls_model("initial-exec")]];

struct ThreadKeys {
  KeySet included;
  KeySet excluded;

  bool operator==(const ThreadKeys&) const = default;
};

/// What zeros stand for (DSP-209).
ThreadKeys default_keys(const Layout& layout);
ThreadKeys thread_keys(const Layout& layout);
void set_thread_keys(const Layout& layout, ThreadKeys keys);
/// Storage of zeros; what `set_key` remembers is forgotten.
void reset_thread_keys();

enum class Which : std::uint8_t { kIncluded, kExcluded };

/// Without a guard, and twice is once (DSP-215).
void set_key(const Contract& contract, Which which, Key key, bool value);

/// Adds the keys that are not there yet, and takes those back: with the deviations of PyTorch
/// without their backends (DSP-211, DSP-212).
class KeyGuard {
 public:
  KeyGuard(const Contract& contract, Which which, KeySet keys);
  ~KeyGuard();
  KeyGuard(const KeyGuard&) = delete;
  KeyGuard& operator=(const KeyGuard&) = delete;

 private:
  const Contract contract_;
  const Which which_;
  KeySet added_;
};

/// Replaces both sets, and restores what they were.
class ForceKeysGuard {
 public:
  ForceKeysGuard(const Contract& contract, ThreadKeys keys);
  ~ForceKeysGuard();
  ForceKeysGuard(const ForceKeysGuard&) = delete;
  ForceKeysGuard& operator=(const ForceKeysGuard&) = delete;

 private:
  std::uint64_t included_;
  std::uint64_t excluded_;
};

/// DSP-216
KeySet keys_below_autograd(const Layout& layout);
KeySet keys_below_views(const Layout& layout);

/// Tensors that are made meanwhile know no gradients, and no views (CORE-14).
class InferenceModeGuard {
 public:
  explicit InferenceModeGuard(const Contract& contract);
  ~InferenceModeGuard();
  InferenceModeGuard(const InferenceModeGuard&) = delete;
  InferenceModeGuard& operator=(const InferenceModeGuard&) = delete;

 private:
  const bool before_;
  ForceKeysGuard keys_;
};

/// What travels to another thread.
struct ThreadSnapshot {
  ThreadKeys keys;
  bool is_inference = false;
};
ThreadSnapshot thread_snapshot(const Layout& layout);

class ThreadSnapshotGuard {
 public:
  ThreadSnapshotGuard(const Contract& contract, const ThreadSnapshot& snapshot);
  ~ThreadSnapshotGuard();
  ThreadSnapshotGuard(const ThreadSnapshotGuard&) = delete;
  ThreadSnapshotGuard& operator=(const ThreadSnapshotGuard&) = delete;

 private:
  const bool before_;
  ForceKeysGuard keys_;
};

}  // namespace assay::cuda::dispatch
