// Conversions of devices from text and numbers, and their numbers and dispatch keys.
#pragma once

#include <cstdint>
#include <string_view>

#include "cuda_impl/core/device/device.hpp"
#include "cuda_impl/core/error.hpp"

namespace assay::cuda {

/// CORE-10: parses a device string. Raises `error` if it is invalid.
Device device_from_text(std::string_view text, const Contract& contract);
/// CORE-09. Raises `internal` for an index that is invalid for the kind.
Device make_device(DeviceKind kind, std::int64_t index, const Contract& contract);
/// CORE-08: the kind's number in the given release.
std::int64_t number_of(DeviceKind kind, Release release);
/// The kind of error that asking for the dispatch key of a kind without one raises.
ErrorKind error_without_key(DeviceKind kind, Release release);
/// Returns the dispatch key of the kind's tensors. Raises `error_without_key` for kinds without
/// one.
std::string_view dispatch_key_of(DeviceKind kind, Release release);

}  // namespace assay::cuda
