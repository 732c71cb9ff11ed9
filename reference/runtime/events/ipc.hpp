// Events of other processes, from 64-byte handles (EVT-029).
#pragma once

#include <optional>
#include <string>

#include "reference/runtime/events/cuda.hpp"

namespace assay::reference {

/// Raises `error` for a wrong length and for a device that is not a CUDA device.
CudaEvent event_from_ipc(Runtime& runtime, Device device, const std::string& handle);

std::string to_digits(const std::string& bytes);
/// Empty unless the text consists of pairs of hexadecimal digits.
std::optional<std::string> from_digits(const std::string& digits);

}  // namespace assay::reference
