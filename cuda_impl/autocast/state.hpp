// What autocast is set to on the calling thread: which devices it is on for, and what it casts to.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "cuda_impl/core/contract.hpp"
#include "cuda_impl/core/device/device.hpp"
#include "cuda_impl/core/dtype.hpp"
#include "cuda_impl/dispatch/keys/key.hpp"

namespace assay::cuda::autocast {

/// All state of all threads but their flags, which are keys of the dispatcher, is as new, the cache
/// empty, and nothing counted; what follows is like that contract's PyTorch. Threads may be in the
/// middle of something else.
void reset(const Contract& contract);
/// As of the last reset.
const Contract& contract();
/// How many resets there were: a thread's state that is of an earlier one is as new.
std::uint64_t generation();

/// Does the device have an autocast key (CAST-101)?
bool is_available(DeviceKind device);
/// Raises `error` for a device without one.
dispatch::Key key_of(DeviceKind device);

// Of the calling thread. Getters and setters of the flag raise `error` for devices without a key.

bool is_enabled(DeviceKind device);
void set_enabled(DeviceKind device, bool is_on);
/// CAST-116
bool is_any_enabled();
/// kUndefined where there is none (CAST-107).
Dtype low_dtype(DeviceKind device);
/// Takes any type (CAST-106). In 1.13 a CPU took one, and this raises `error` for others.
void set_low_dtype(DeviceKind device, Dtype dtype);
/// The new number of regions around the caller, which may be negative (CAST-108).
int change_nesting(int by);
/// May conversions of weights be kept (CAST-109)?
bool is_cache_enabled();
void set_cache_enabled(bool is_on);

/// The low types of all kinds of devices, to be taken to another thread (CAST-111).
struct LowTypes {
  std::array<Dtype, static_cast<std::size_t>(DeviceKind::kPrivateUse1) + 1> of = {};
};
LowTypes low_types();
void set_low_types(const LowTypes& types);

/// Excludes a device's key until the end of the scope, as a wrapper does while it runs (CAST-112).
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
