// Flags of generic events and their names (EVT-003).
#pragma once

#include <optional>
#include <string_view>

#include "cuda_impl/core/contract.hpp"

namespace assay::cuda {

/// Enumerators. Releases after 1.13 have only these two and an invalid one.
inline constexpr int kPytorchDefault = 0;
inline constexpr int kBackendDefault = 1;

std::optional<int> event_flag_named(std::string_view name, Release release);
/// Empty for a number without a name.
std::optional<std::string_view> name_of_event_flag(int flag, Release release);

/// Whether events with this flag support timing.
bool takes_time(int flag, Release release);
/// Converts to CUDA event flags. Raises `error` for a flag that CUDA does not support.
unsigned driver_flags_of(int flag, Release release);

}  // namespace assay::cuda
