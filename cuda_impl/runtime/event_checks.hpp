// What events ask before they do anything, and what they say then.
#pragma once

#include <string>

#include "cuda_impl/core/device/device.hpp"

namespace assay::cuda {

/// `CUDA`, `HIP`: as messages spell types.
std::string upper_name(DeviceKind type);
/// EVT-005: as a number; as PyTorch prints it, as a character, which ends the text where it is 0.
std::string shown_index(int index);
/// EVT-020: strict only. Raises `value` for events of two devices.
void require_one_device(int from, int to);

inline constexpr const char* kBothTimed =
    "Both events must be created with argument 'enable_timing=True'.";
inline constexpr const char* kBothRecorded =
    "Both events must be recorded before calculating elapsed time.";
inline constexpr const char* kBothComplete =
    "Both events must be completed before calculating elapsed time.";

}  // namespace assay::cuda
