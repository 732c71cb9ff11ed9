// Checks of events, and their error messages.
#pragma once

#include <string>

#include "cuda_impl/core/device/device.hpp"

namespace assay::cuda {

/// `CUDA`, `HIP`: the spelling in messages.
std::string upper_name(DeviceKind type);
/// EVT-005: as a number; in PyTorch, as a character, so that 0 terminates the message.
std::string shown_index(int index);
/// EVT-020: strict contract only. Raises `value` for events of different devices.
void require_one_device(int from, int to);

inline constexpr const char* kBothTimed =
    "Both events must be created with argument 'enable_timing=True'.";
inline constexpr const char* kBothRecorded =
    "Both events must be recorded before calculating elapsed time.";
inline constexpr const char* kBothComplete =
    "Both events must be completed before calculating elapsed time.";

}  // namespace assay::cuda
