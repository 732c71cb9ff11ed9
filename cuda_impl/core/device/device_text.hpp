// Devices as PyTorch's own value type has them: made from text or numbers, numbered, keyed.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "cuda_impl/core/device/device.hpp"

namespace assay::cuda {

/// CORE-10. Raises `error` for what is no device.
Device device_from_text(std::string_view text, const Contract& contract);
/// CORE-09. Raises `internal` for an index that the kind cannot have.
Device make_device(DeviceKind kind, std::int64_t index, const Contract& contract);
/// CORE-08
std::int64_t number_of(DeviceKind kind, Release release);
/// The dispatch key of tensors there. Raises `internal` for kinds that never had one.
std::string_view dispatch_key_of(DeviceKind kind, Release release);

}  // namespace assay::cuda
