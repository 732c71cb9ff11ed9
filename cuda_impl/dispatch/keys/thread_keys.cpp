// The thread-local key sets and their guards.
#include "cuda_impl/dispatch/keys/thread_keys.hpp"

#include <array>
#include <map>
#include <utility>

#include "cuda_impl/core/tensor.hpp"

namespace assay::cuda::dispatch {

thread_local constinit ThreadState thread_state;

namespace {

using enum Functionality;

KeySet autocast_keys(const Layout& layout) {
  KeySet all;
  for (const Functionality one : layout.functionalities()) {
    if (facts(one).name.starts_with("Autocast")) all |= layout.set_of(one);
  }
  return all;
}

KeySet& part(ThreadKeys& keys, Which which) {
  return which == Which::kIncluded ? keys.included : keys.excluded;
}

KeySet set_now(const Contract& contract, Which which) {
  ThreadKeys now = thread_keys(Layout::of(contract.release));
  return part(now, which);
}

/// DSP-212
KeySet taken_back(const Contract& contract, KeySet set, KeySet keys) {
  if (contract.is_strict) return set.without(keys);
  return Layout::of(contract.release).minus(set, keys);
}

/// The keys that `set_key` added for each key, which switching it off removes again.
using Added = std::map<Key, KeySet>;
std::array<Added, 2>& added_by_key() {
  thread_local std::array<Added, 2> all;
  return all;
}

}  // namespace

ThreadKeys default_keys(const Layout& layout) {
  static const std::array<ThreadKeys, kReleases.size()> all = [] {
    std::array<ThreadKeys, kReleases.size()> made;
    for (const Release release : kReleases) {
      const Layout& of = Layout::of(release);
      made[static_cast<std::size_t>(release)] = {of.set_of({kBackendSelect, kADInplaceOrView}),
                                                 autocast_keys(of)};
    }
    return made;
  }();
  return all[static_cast<std::size_t>(layout.release())];
}

ThreadKeys thread_keys(const Layout& layout) {
  const ThreadKeys defaults = default_keys(layout);
  return {defaults.included ^ KeySet{thread_state.included},
          defaults.excluded ^ KeySet{thread_state.excluded}};
}

void set_thread_keys(const Layout& layout, ThreadKeys keys) {
  const ThreadKeys defaults = default_keys(layout);
  thread_state.included = (keys.included ^ defaults.included).bits;
  thread_state.excluded = (keys.excluded ^ defaults.excluded).bits;
}

void reset_thread_keys() {
  thread_state.included = 0;
  thread_state.excluded = 0;
  added_by_key() = {};
}

void set_key(const Contract& contract, Which which, Key key, bool value) {
  const Layout& layout = Layout::of(contract.release);
  ThreadKeys now = thread_keys(layout);
  KeySet& set = part(now, which);
  const KeySet own = layout.set_of(key);
  if (layout.has(set, key) == value) return;
  Added& added = added_by_key()[static_cast<std::size_t>(which)];
  if (value) {
    added[key] = own.without(set);
    set |= own;
  } else {
    const auto known = added.extract(key);
    set = taken_back(contract, set, known.empty() ? own : known.mapped());
  }
  set_thread_keys(layout, now);
}

KeyGuard::KeyGuard(const Contract& contract, Which which, KeySet keys)
    : contract_(contract), which_(which), before_(set_now(contract, which)) {
  const Layout& layout = Layout::of(contract.release);
  ThreadKeys now = thread_keys(layout);
  KeySet& set = part(now, which);
  added_ = keys.without(set);
  set |= added_;
  set_thread_keys(layout, now);
}

KeyGuard::~KeyGuard() {
  const Layout& layout = Layout::of(contract_.release);
  ThreadKeys now = thread_keys(layout);
  KeySet& set = part(now, which_);
  set = contract_.release < Release::k2_12 ? taken_back(contract_, set, added_) : before_;
  set_thread_keys(layout, now);
}

ForceKeysGuard::ForceKeysGuard(const Contract& contract, ThreadKeys keys)
    : included_(thread_state.included), excluded_(thread_state.excluded) {
  set_thread_keys(Layout::of(contract.release), keys);
}

ForceKeysGuard::~ForceKeysGuard() {
  thread_state.included = included_;
  thread_state.excluded = excluded_;
}

KeySet keys_below_autograd(const Layout& layout) {
  return layout.set_of({kAutograd, kAutogradOther, kAutogradNestedTensor});
}

KeySet keys_below_views(const Layout& layout) {
  return keys_below_autograd(layout) | layout.set_of(kADInplaceOrView);
}

namespace {

/// DSP-216
ThreadKeys inference_keys(const Layout& layout, bool value) {
  ThreadKeys keys = thread_keys(layout);
  const KeySet in_place = layout.set_of(kADInplaceOrView);
  const KeySet below = keys_below_autograd(layout);
  if (value) return {layout.minus(keys.included, in_place), keys.excluded | below};
  return {keys.included | in_place, layout.minus(keys.excluded, below)};
}

}  // namespace

InferenceModeGuard::InferenceModeGuard(const Contract& contract, bool value)
    : before_(std::exchange(inference_mode(), value)),
      grad_mode_(!value),
      keys_(contract, inference_keys(Layout::of(contract.release), value)) {}

InferenceModeGuard::~InferenceModeGuard() { inference_mode() = before_; }

ThreadSnapshot thread_snapshot(const Layout& layout) {
  return {thread_keys(layout), inference_mode()};
}

ThreadSnapshotGuard::ThreadSnapshotGuard(const Contract& contract, const ThreadSnapshot& snapshot)
    : before_(std::exchange(inference_mode(), snapshot.is_inference)),
      keys_(contract, snapshot.keys) {}

ThreadSnapshotGuard::~ThreadSnapshotGuard() { inference_mode() = before_; }

}  // namespace assay::cuda::dispatch
