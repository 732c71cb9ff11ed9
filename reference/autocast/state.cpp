// The autocast state of each thread; captures and restores it.
#include "reference/autocast/state.hpp"

#include <algorithm>
#include <array>

#include "reference/autocast/weight_cache.hpp"
#include "reference/dispatch/keys/thread_keys.hpp"

namespace assay::reference {
namespace {

using enum DeviceType;

struct Known {
  CastDevice device;
  Functionality key;
  Release since;
};

// CAST-101
constexpr std::array kKnown{
    Known{kCpu, Functionality::kAutocastCPU, Release::k1_13},
    Known{kCuda, Functionality::kAutocastCUDA, Release::k1_13},
    Known{kXpu, Functionality::kAutocastXPU, Release::k1_13},
    Known{kIpu, Functionality::kAutocastIPU, Release::k2_4},
    Known{kHpu, Functionality::kAutocastHPU, Release::k2_4},
    Known{kXla, Functionality::kAutocastXLA, Release::k2_4},
    Known{kPrivateUse1, Functionality::kAutocastPrivateUse1, Release::k2_4},
    Known{kMps, Functionality::kAutocastMPS, Release::k2_11},
    Known{kMtia, Functionality::kAutocastMTIA, Release::k2_11},
    Known{kOrt, Functionality::kAutocastMAIA, Release::k2_11},
};

const Known* known(CastDevice device, Release release) {
  const auto found = std::ranges::find(kKnown, device, &Known::device);
  return found == kKnown.end() || release < found->since ? nullptr : &*found;
}

/// CAST-105. HIP has a dtype but no key.
ScalarType default_dtype(CastDevice device, Release release) {
  if (known(device, release) == nullptr && (device != kHip || release == Release::k1_13))
    return ScalarType::kUndefined;
  switch (device) {
    case kCpu:
    case kXla:
    case kHpu:
    case kOrt:
      return ScalarType::kBFloat16;
    case kXpu:
      return release == Release::k1_13 ? ScalarType::kBFloat16 : ScalarType::kHalf;
    default:
      return ScalarType::kHalf;
  }
}

/// Each thread has its own (CAST-110).
std::map<CastDevice, ScalarType>& dtypes_of(const Runtime& runtime) {
  auto& own = runtime.local<AutocastState>();
  return own.dtypes;
}

}  // namespace

bool is_autocast_available(CastDevice device, Release release) {
  return known(device, release) != nullptr;
}

DispatchKey autocast_key(CastDevice device, Release release) {
  const Known* found = known(device, release);
  check(found != nullptr, [&] {
    return "unknown device type for autocast in get_autocast_dispatch_key_from_device_type: " +
           std::string(name_of(device, release));
  });
  return found->key;
}

bool is_autocast_enabled(Runtime& runtime, CastDevice device) {
  return !is_excluded(runtime, autocast_key(device, runtime.contract().release));
}

void set_autocast_enabled(Runtime& runtime, CastDevice device, bool value) {
  const DispatchKey key = autocast_key(device, runtime.contract().release);
  set_excluded(runtime, key, !value);
}

/// CAST-116
bool is_any_autocast_enabled(Runtime& runtime) {
  constexpr std::array kAsked{kCpu, kCuda, kXpu, kIpu, kXla, kHpu, kPrivateUse1};
  const auto is_on = [&](CastDevice device) {
    return is_autocast_available(device, runtime.contract().release) &&
           is_autocast_enabled(runtime, device);
  };
  const bool asks_mtia = !runtime.contract().before(Release::k2_13);
  return std::ranges::any_of(kAsked, is_on) || (asks_mtia && is_on(kMtia));
}

ScalarType autocast_dtype(const Runtime& runtime, CastDevice device) {
  const auto& set = dtypes_of(runtime);
  const auto found = set.find(device);
  return found != set.end() ? found->second : default_dtype(device, runtime.contract().release);
}

void set_autocast_dtype(Runtime& runtime, CastDevice device, ScalarType dtype) {
  const bool is_old_cpu = device == kCpu && runtime.contract().release == Release::k1_13;
  check(!is_old_cpu || dtype == ScalarType::kBFloat16, [&] {
    return "currently, AutocastCPU only supports Bfloat16 as the autocast_cpu_dtype, not " +
           std::string(name_of(dtype));
  });
  dtypes_of(runtime)[device] = dtype;
}

ScalarType low_dtype(const Runtime& runtime, CastDevice device) {
  check(is_autocast_available(device, runtime.contract().release), [&] {
    return "unknown device type for autocast in get_lower_precision_fp_from_device_type: " +
           std::string(name_of(device));
  });
  return autocast_dtype(runtime, device);
}

int change_nesting(Runtime& runtime, int by) {
  int& nesting = runtime.local<AutocastState>().nesting;
  return nesting += by;
}

bool is_cache_enabled(const Runtime& runtime) {
  return runtime.local<AutocastState>().cache_enabled;
}
void set_cache_enabled(Runtime& runtime, bool value) {
  runtime.local<AutocastState>().cache_enabled = value;
}

AutocastSnapshot autocast_snapshot(const Runtime& runtime) {
  // Before 2.5 the dtypes were not transferred.
  if (runtime.contract().before(Release::k2_11)) return std::nullopt;
  return runtime.local<AutocastState>().dtypes;
}

AutocastSnapshotGuard::AutocastSnapshotGuard(Runtime& runtime, const AutocastSnapshot& snapshot)
    : runtime_(runtime), before_(runtime.local<AutocastState>().dtypes) {
  if (snapshot) runtime.local<AutocastState>().dtypes = *snapshot;
}

AutocastSnapshotGuard::~AutocastSnapshotGuard() {
  runtime_.local<AutocastState>().dtypes = before_;
}

// Another thread continues a thread's work.

ThreadState thread_state(Runtime& runtime) {
  return {thread_keys(runtime), runtime.local<GradModes>(), autocast_snapshot(runtime)};
}

ThreadStateGuard::ThreadStateGuard(Runtime& runtime, const ThreadState& state)
    : runtime_(runtime),
      modes_before_(runtime.local<GradModes>()),
      keys_(runtime, state.keys),
      dtypes_(runtime, state.dtypes) {
  runtime.local<GradModes>() = state.modes;
}

ThreadStateGuard::~ThreadStateGuard() { runtime_.local<GradModes>() = modes_before_; }

}  // namespace assay::reference
