// The keys that a thread adds to every call and takes from it (DSP-209 to DSP-216).
#pragma once

#include "reference/core/runtime.hpp"
#include "reference/core/types/grad_mode.hpp"
#include "reference/dispatch/keys/key_set.hpp"

namespace assay::reference {

struct ThreadKeys {
  KeySet included;
  KeySet excluded;
  bool operator==(const ThreadKeys&) const = default;
};

/// What a thread starts with (DSP-209).
ThreadKeys default_thread_keys(const KeyLayout& layout);

/// Of the calling thread.
ThreadKeys thread_keys(Runtime& runtime);
void set_thread_keys(Runtime& runtime, ThreadKeys keys);
/// As if the storage of both were filled with zeros, which brings the defaults back (DSP-210).
void zero_thread_keys(Runtime& runtime);

bool is_included(Runtime& runtime, DispatchKey key);
bool is_excluded(Runtime& runtime, DispatchKey key);
/// DSP-215. Doing it twice is doing it once.
void set_included(Runtime& runtime, DispatchKey key, bool value);
void set_excluded(Runtime& runtime, DispatchKey key, bool value);

/// Adds keys to one of the thread's two sets, and removes those that it has added (DSP-211). In
/// compat mode backends that it has added stay behind (DSP-212).
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

/// Replaces both sets, and puts the former ones back bit for bit (DSP-215).
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

/// The keys that the named guards exclude (DSP-216).
KeySet autograd_keys_below(const KeyLayout& layout);
KeySet inplace_keys_below(const KeyLayout& layout);

/// Excludes autograd, includes no ADInplaceOrView, writes no history, and makes new tensors
/// inference tensors (DSP-216).
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

/// What effective sets are made of: the arguments' keys, and the thread's (DSP-208). The mask of an
/// operator comes on top.
KeySet with_thread_keys(const KeyLayout& layout, KeySet arguments, ThreadKeys thread);

}  // namespace assay::reference
