// Devices as text and as numbers: the grammar, the values of the types, the names of their keys.
#pragma once

#include <cstdint>
#include <string_view>

#include "reference/core/types/device.hpp"

namespace assay::reference {

/// `letters` or `letters:number` (CORE-10). Raises `error` for an empty text, a bad shape, an
/// unknown type, and an index that does not fit; in compat mode such an index wraps.
Device device_from_text(std::string_view text, const Contract& contract);

/// Raises `internal` for an index below -1, and for a CPU with an index above 0, which compat mode
/// lets pass (CORE-09).
Device make_device(DeviceType type, std::int64_t index, const Contract& contract);

/// The value of the enumerator in that release (CORE-08).
int number_of(DeviceType type, Release release);

/// Name of the type's dispatch key. Raises `internal` for legacy types, which have none (CORE-08).
std::string_view dispatch_key_of(DeviceType type, Release release);

}  // namespace assay::reference
