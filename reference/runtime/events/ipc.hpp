// Events of other processes, by handles of 64 bytes (EVT-029).
#pragma once

#include <optional>
#include <string>

#include "reference/runtime/events/cuda.hpp"

namespace assay::reference {

/// Raises `error` for bytes of another length, and for a device that is not CUDA's.
CudaEvent event_from_ipc(Runtime& runtime, Device device, const std::string& handle);

std::string to_digits(const std::string& bytes);
/// Nothing for what are no pairs of hexadecimal digits.
std::optional<std::string> from_digits(const std::string& digits);

}  // namespace assay::reference
