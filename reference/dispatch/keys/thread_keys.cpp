// The key sets of the calling thread, and their guards.
#include "reference/dispatch/keys/thread_keys.hpp"

#include <map>

namespace assay::reference {
namespace {

using enum Functionality;

/// Stores the difference from the defaults, so that zeros represent the defaults (DSP-210).
struct StoredKeys {
  KeySet included;
  KeySet excluded;
};

/// The bits that setting a key added, which unsetting it removes.
struct AddedByKey {
  std::map<DispatchKey, KeySet> included;
  std::map<DispatchKey, KeySet> excluded;
};

const KeyLayout& layout_of(const Runtime& runtime) {
  return KeyLayout::of(runtime.contract().release);
}

KeySet& part(ThreadKeys& keys, KeyGuard::Which which) {
  return which == KeyGuard::Which::kIncluded ? keys.included : keys.excluded;
}

/// In compat mode, uses the set difference (DSP-111), which keeps backends (DSP-212).
KeySet taken_back(const Runtime& runtime, KeySet from, KeySet keys) {
  if (!runtime.contract().strict()) return minus(layout_of(runtime), from, keys);
  return {from.bits & ~keys.bits};
}

KeySet autocast_keys(const KeyLayout& layout) {
  return set_of(
      layout, {kAutocastCPU, kAutocastMTIA, kAutocastMAIA, kAutocastXPU, kAutocastIPU, kAutocastHPU,
               kAutocastXLA, kAutocastMPS, kAutocastCUDA, kAutocastPrivateUse1});
}

StoredKeys& stored_keys(Runtime& runtime) { return runtime.local<StoredKeys>(); }

}  // namespace

ThreadKeys default_thread_keys(const KeyLayout& layout) {
  return {set_of(layout, {kBackendSelect, kADInplaceOrView}), autocast_keys(layout)};  // DSP-209
}

ThreadKeys thread_keys(Runtime& runtime) {
  const StoredKeys& stored = stored_keys(runtime);
  const ThreadKeys defaults = default_thread_keys(layout_of(runtime));
  return {stored.included ^ defaults.included, stored.excluded ^ defaults.excluded};
}

void set_thread_keys(Runtime& runtime, ThreadKeys keys) {
  const ThreadKeys defaults = default_thread_keys(layout_of(runtime));
  stored_keys(runtime) = {keys.included ^ defaults.included, keys.excluded ^ defaults.excluded};
}

void zero_thread_keys(Runtime& runtime) { stored_keys(runtime) = {}; }

bool is_included(Runtime& runtime, DispatchKey key) {
  return has(layout_of(runtime), thread_keys(runtime).included, key);
}

bool is_excluded(Runtime& runtime, DispatchKey key) {
  return has(layout_of(runtime), thread_keys(runtime).excluded, key);
}

namespace {

void set_key(Runtime& runtime, KeyGuard::Which which, DispatchKey key, bool value) {
  ThreadKeys now = thread_keys(runtime);
  KeySet& set = part(now, which);
  const KeySet bits = set_of(layout_of(runtime), key);
  if (has(layout_of(runtime), set, key) == value) return;
  auto& memory = runtime.local<AddedByKey>();
  auto& added = which == KeyGuard::Which::kIncluded ? memory.included : memory.excluded;
  if (value) {
    added[key] = {bits.bits & ~set.bits};
    set = set | bits;
  } else {
    const auto known = added.find(key);
    set = taken_back(runtime, set, known == added.end() ? bits : known->second);
    added.erase(key);
  }
  set_thread_keys(runtime, now);
}

}  // namespace

void set_included(Runtime& runtime, DispatchKey key, bool value) {
  set_key(runtime, KeyGuard::Which::kIncluded, key, value);
}

void set_excluded(Runtime& runtime, DispatchKey key, bool value) {
  set_key(runtime, KeyGuard::Which::kExcluded, key, value);
}

KeyGuard::KeyGuard(Runtime& runtime, Which which, KeySet keys) : runtime_(runtime), which_(which) {
  ThreadKeys now = thread_keys(runtime);
  KeySet& set = part(now, which);
  before_ = set;
  added_ = {keys.bits & ~set.bits};
  set = set | added_;
  set_thread_keys(runtime, now);
}

KeyGuard::~KeyGuard() {
  ThreadKeys now = thread_keys(runtime_);
  KeySet& set = part(now, which_);
  const bool restores = runtime_.contract().at_least(Release::k2_12);
  set = restores ? before_ : taken_back(runtime_, set, added_);
  set_thread_keys(runtime_, now);
}

ForceKeysGuard::ForceKeysGuard(Runtime& runtime, ThreadKeys keys)
    : runtime_(runtime), before_(thread_keys(runtime)) {
  set_thread_keys(runtime, keys);
}

ForceKeysGuard::~ForceKeysGuard() { set_thread_keys(runtime_, before_); }

KeySet autograd_keys_below(const KeyLayout& layout) {
  return set_of(layout, {kAutogradFunctionality, kAutogradOther, kAutogradNestedTensor});
}

KeySet inplace_keys_below(const KeyLayout& layout) {
  return autograd_keys_below(layout) | set_of(layout, kADInplaceOrView);
}

namespace {

ThreadKeys inference_keys(Runtime& runtime) {
  const KeyLayout& layout = layout_of(runtime);
  ThreadKeys keys = thread_keys(runtime);
  keys.included = remove(layout, keys.included, kADInplaceOrView);
  keys.excluded = keys.excluded | autograd_keys_below(layout);
  return keys;
}

}  // namespace

InferenceModeGuard::InferenceModeGuard(Runtime& runtime)
    : modes_(runtime.local<GradModes>()),
      modes_before_(modes_),
      keys_(runtime, inference_keys(runtime)) {
  modes_ = {.grad = false, .inference = true};
}

InferenceModeGuard::~InferenceModeGuard() { modes_ = modes_before_; }

KeySet with_thread_keys(const KeyLayout& layout, KeySet arguments, ThreadKeys thread) {
  const KeySet all = arguments | thread.included;
  return minus(layout, all, thread.excluded);  // DSP-208
}

}  // namespace assay::reference
