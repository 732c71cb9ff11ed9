// The calling thread's autocast state: enabled devices and low-precision dtypes.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "cuda_impl/core/contract.hpp"
#include "cuda_impl/core/device/device.hpp"
#include "cuda_impl/core/dtype.hpp"
#include "cuda_impl/dispatch/keys/thread_keys.hpp"

namespace assay::cuda::autocast {

inline constexpr std::size_t kDeviceKinds = static_cast<std::size_t>(DeviceKind::kPrivateUse1) + 1;

namespace detail {

/// The state of one thread, except its flags, in one cache line.
struct alignas(64) ThreadState {
  std::uint64_t generation = 0;
  int nesting = 0;
  bool is_cache_enabled = true;
  std::array<Dtype, kDeviceKinds> low = {};
};
static_assert(sizeof(ThreadState) == 64);
extern thread_local constinit ThreadState thread_state [[gnu::tls_model("initial-exec")]];

/// The bit of each kind's autocast key in the contract's release; 0 for a kind without a key.
struct KeyBits {
  std::array<std::uint64_t, kDeviceKinds> of = {};
  std::uint64_t counted = 0;   ///< CAST-116
  std::uint64_t restored = 0;  ///< all bits if a guard restores them all (CAST-112)
};

// Written only between client sessions, when no thread reads them.
inline constinit Contract current_contract;
inline constinit KeyBits key_bits;  ///< valid once the state of a thread is current
inline constinit std::atomic<std::uint64_t> resets = 1;

void renew(ThreadState& state);
[[gnu::always_inline]] inline ThreadState& of_thread() {
  if (thread_state.generation != resets.load(std::memory_order_acquire)) [[unlikely]]
    renew(thread_state);
  return thread_state;
}
inline std::uint64_t bit_of(DeviceKind device) {
  static_cast<void>(of_thread());
  return key_bits.of[static_cast<std::size_t>(device)];
}

}  // namespace detail

/// Sets the contract, clears the cache and the counters, and
/// resets the state of all threads, except their flags, which
/// are dispatch keys. Other threads may be running meanwhile.
void reset(const Contract& contract);
/// The contract of the last reset.
inline const Contract& contract() { return detail::current_contract; }
/// The number of resets: thread state from before the latest one is stale.
inline std::uint64_t generation() { return detail::resets.load(std::memory_order_acquire); }

/// Returns whether the device has an autocast key (CAST-101).
bool is_available(DeviceKind device);
/// Raises `error` for a device without an autocast key.
dispatch::Key key_of(DeviceKind device);

// Of the calling thread. The getter and setter of the flag raise `error` for devices without a key.

bool is_enabled(DeviceKind device);
void set_enabled(DeviceKind device, bool is_on);
/// CAST-116
bool is_any_enabled();
/// kUndefined if the device has none (CAST-107).
inline Dtype low_dtype(DeviceKind device) {
  return detail::of_thread().low[static_cast<std::size_t>(device)];
}
/// Accepts any dtype (CAST-106); but in 1.13 a CPU's must be bfloat16, otherwise raises `error`.
void set_low_dtype(DeviceKind device, Dtype dtype);
/// Returns the new nesting depth, which may be negative (CAST-108).
int change_nesting(int by);
/// Returns whether weight casts may be cached (CAST-109).
inline bool is_cache_enabled() { return detail::of_thread().is_cache_enabled; }
void set_cache_enabled(bool is_on);

/// The low-precision dtypes of all device kinds, for transfer to another thread (CAST-111).
struct LowTypes {
  std::array<Dtype, kDeviceKinds> of = {};
};
LowTypes low_types();
void set_low_types(const LowTypes& types);

/// Excludes a device's autocast key for the scope, as a running wrapper does. Since 2.12 its end
/// restores all excluded keys, before only this one (CAST-112).
class OffGuard {
 public:
  explicit OffGuard(DeviceKind device)
      : before_(dispatch::thread_state.excluded), own_(before_ & detail::bit_of(device)) {
    dispatch::thread_state.excluded &= ~own_;
  }
  ~OffGuard() {
    const std::uint64_t restored = own_ | detail::key_bits.restored;
    std::uint64_t& excluded = dispatch::thread_state.excluded;
    excluded = (excluded & ~restored) | (before_ & restored);
  }
  OffGuard(const OffGuard&) = delete;
  OffGuard& operator=(const OffGuard&) = delete;

 private:
  std::uint64_t before_;
  std::uint64_t own_;  ///< the device's bit if autocast was on
};

}  // namespace assay::cuda::autocast
