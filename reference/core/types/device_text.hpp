// Devices in text and number form: grammar, enumerator values and key names.
#pragma once

#include <cstdint>
#include <string_view>

#include "reference/core/types/device.hpp"

namespace assay::reference {

/// Parses `letters` or `letters:number` (CORE-10). Raises `error` for an empty or malformed text,
/// an unknown type, and an index that does not fit; in compat mode the index wraps.
Device device_from_text(std::string_view text, const Contract& contract);

/// Raises `internal` for an index below -1, and for a CPU index above 0, which compat mode accepts
/// (CORE-09).
Device make_device(DeviceType type, std::int64_t index, const Contract& contract);

/// The enumerator's value in the release (CORE-08).
int number_of(DeviceType type, Release release);

/// The dispatch key of the type. Raises `internal` for legacy types without one (CORE-08).
std::string_view dispatch_key_of(DeviceType type, Release release);

}  // namespace assay::reference
