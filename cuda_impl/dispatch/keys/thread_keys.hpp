// The calling thread's included and excluded keys, and their guards (DSP-209 to DSP-216).
#pragma once

#include <atomic>
#include <cstdint>

#include "cuda_impl/core/tensor.hpp"
#include "cuda_impl/dispatch/keys/layout.hpp"

namespace assay::cuda::dispatch {

/// All thread state that a call reads or writes, in one cache line. The initial state is all zeros,
/// so that no dynamic initialization is needed (DSP-210).
struct alignas(64) ThreadState {
  std::uint64_t included = 0;  ///< difference (xor) from the defaults
  std::uint64_t excluded = 0;  ///< difference (xor) from the defaults
  /// The epoch at which the outermost running call began; 0 if there is none (registry/grace.hpp).
  std::atomic<std::uint64_t> inside = 0;
  /// `kPlain`, or the reasons for the slow path (registry/grace.hpp).
  std::atomic<std::uint32_t> mode = 0;
};
extern thread_local constinit ThreadState thread_state [[gnu::tls_model("initial-exec")]];

struct ThreadKeys {
  KeySet included;
  KeySet excluded;

  bool operator==(const ThreadKeys&) const = default;
};

/// The keys that a zero state represents (DSP-209).
ThreadKeys default_keys(const Layout& layout);
ThreadKeys thread_keys(const Layout& layout);
void set_thread_keys(const Layout& layout, ThreadKeys keys);
/// Zeroes the state and discards the record of `set_key`.
void reset_thread_keys();

enum class Which : std::uint8_t { kIncluded, kExcluded };

/// Sets a key permanently; a repetition has no effect (DSP-215).
void set_key(const Contract& contract, Which which, Key key, bool value);

/// Adds keys for the scope; the set is then as before, whatever happened inside. Before 2.12, only
/// the added keys are removed, and with PyTorch's deviations not their backends (DSP-211, DSP-212).
class KeyGuard {
 public:
  KeyGuard(const Contract& contract, Which which, KeySet keys);
  ~KeyGuard();
  KeyGuard(const KeyGuard&) = delete;
  KeyGuard& operator=(const KeyGuard&) = delete;

 private:
  const Contract contract_;
  const Which which_;
  const KeySet before_;
  KeySet added_;
};

/// Replaces both sets for the scope.
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

/// Sets inference mode for the scope: new tensors have no autograd or view tracking (CORE-14), and
/// nothing is recorded. `value` false suspends inference mode instead.
class InferenceModeGuard {
 public:
  explicit InferenceModeGuard(const Contract& contract, bool value = true);
  ~InferenceModeGuard();
  InferenceModeGuard(const InferenceModeGuard&) = delete;
  InferenceModeGuard& operator=(const InferenceModeGuard&) = delete;

 private:
  const bool before_;
  GradModeGuard grad_mode_;
  ForceKeysGuard keys_;
};

/// The state that is transferred to another thread.
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
