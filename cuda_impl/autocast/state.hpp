// The calling thread's autocast state: enabled devices and low-precision dtypes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "cuda_impl/core/contract.hpp"
#include "cuda_impl/core/device/device.hpp"
#include "cuda_impl/core/dtype.hpp"
#include "cuda_impl/dispatch/keys/key.hpp"

namespace assay::cuda::autocast {

/// Sets the contract, clears the cache and the counters, and
/// resets the state of all threads, except their flags, which
/// are dispatch keys. Other threads may be running meanwhile.
void reset(const Contract& contract);
/// The contract of the last reset.
const Contract& contract();
/// The number of resets: thread state from before the latest one is stale.
std::uint64_t generation();

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
Dtype low_dtype(DeviceKind device);
/// Accepts any dtype (CAST-106); but in 1.13 a CPU's must be bfloat16, otherwise raises `error`.
void set_low_dtype(DeviceKind device, Dtype dtype);
/// Returns the new nesting depth, which may be negative (CAST-108).
int change_nesting(int by);
/// Returns whether weight casts may be cached (CAST-109).
bool is_cache_enabled();
void set_cache_enabled(bool is_on);

/// The low-precision dtypes of all device kinds, for transfer to another thread (CAST-111).
struct LowTypes {
  std::array<Dtype, static_cast<std::size_t>(DeviceKind::kPrivateUse1) + 1> of = {};
};
LowTypes low_types();
void set_low_types(const LowTypes& types);

/// Excludes a device's autocast key for the scope, as a running wrapper does (CAST-112).
class OffGuard {
 public:
  explicit OffGuard(DeviceKind device);
  ~OffGuard();
  OffGuard(const OffGuard&) = delete;
  OffGuard& operator=(const OffGuard&) = delete;

 private:
  std::uint64_t was_on_;
};

}  // namespace assay::cuda::autocast
