// The keys that a thread includes in or excludes from all calls (DSP-209 to DSP-216).
#pragma once

#include "reference/core/runtime.hpp"
#include "reference/dispatch/keys/key_set.hpp"

namespace assay::reference {

struct ThreadKeys {
  KeySet included;
  KeySet excluded;
  bool operator==(const ThreadKeys&) const = default;
};

/// The initial keys of a thread (DSP-209).
ThreadKeys default_thread_keys(const KeyLayout& layout);

/// The calling thread's keys.
ThreadKeys thread_keys(Runtime& runtime);
void set_thread_keys(Runtime& runtime, ThreadKeys keys);
/// Equivalent to zero-filling the thread-local storage: restores the defaults (DSP-210).
void zero_thread_keys(Runtime& runtime);

bool is_included(Runtime& runtime, DispatchKey key);
bool is_excluded(Runtime& runtime, DispatchKey key);
/// DSP-215. Idempotent.
void set_included(Runtime& runtime, DispatchKey key, bool value);
void set_excluded(Runtime& runtime, DispatchKey key, bool value);

/// Adds keys to one of the thread's sets. Its end restores the set; before 2.12 it removes what was
/// added, in compat mode without the backends (DSP-211, DSP-212).
class KeyGuard {
 public:
  enum class Which : std::uint8_t { kIncluded, kExcluded };

  KeyGuard(Runtime& runtime, Which which, KeySet keys);
  ~KeyGuard();
  KeyGuard(const KeyGuard&) = delete;
  KeyGuard& operator=(const KeyGuard&) = delete;

 private:
  Runtime& runtime_;
  Which which_;
  KeySet before_;
  KeySet added_;
};

class IncludeKeyGuard : public KeyGuard {
 public:
  IncludeKeyGuard(Runtime& runtime, KeySet keys) : KeyGuard(runtime, Which::kIncluded, keys) {}
};

class ExcludeKeyGuard : public KeyGuard {
 public:
  ExcludeKeyGuard(Runtime& runtime, KeySet keys) : KeyGuard(runtime, Which::kExcluded, keys) {}
};

/// Replaces both sets and restores the exact previous bits (DSP-215).
class ForceKeysGuard {
 public:
  ForceKeysGuard(Runtime& runtime, ThreadKeys keys);
  ~ForceKeysGuard();
  ForceKeysGuard(const ForceKeysGuard&) = delete;
  ForceKeysGuard& operator=(const ForceKeysGuard&) = delete;

 private:
  Runtime& runtime_;
  ThreadKeys before_;
};

/// The keys that the guards of these names exclude (DSP-216).
KeySet autograd_keys_below(const KeyLayout& layout);
KeySet inplace_keys_below(const KeyLayout& layout);

/// Excludes autograd and ADInplaceOrView, disables grad mode, and makes new tensors inference
/// tensors (DSP-216).
class InferenceModeGuard {
 public:
  explicit InferenceModeGuard(Runtime& runtime);
  ~InferenceModeGuard();
  InferenceModeGuard(const InferenceModeGuard&) = delete;
  InferenceModeGuard& operator=(const InferenceModeGuard&) = delete;

 private:
  GradModes& modes_;
  GradModes modes_before_;
  ForceKeysGuard keys_;
};

/// Combines the arguments' keys with the thread's (DSP-208). The operator's mask is applied
/// afterwards.
KeySet with_thread_keys(const KeyLayout& layout, KeySet arguments, ThreadKeys thread);

}  // namespace assay::reference
