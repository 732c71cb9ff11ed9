// The flag of a generic event, and its names (EVT-003).
#pragma once

#include <optional>
#include <string_view>

#include "cuda_impl/core/contract.hpp"

namespace assay::cuda {

/// Numbers of the enumeration; other releases than 1.13 have the first two, and one that is none.
inline constexpr int kPytorchDefault = 0;
inline constexpr int kBackendDefault = 1;

std::optional<int> event_flag_named(std::string_view name, Release release);
/// Nothing for a number without a name.
std::optional<std::string_view> name_of_event_flag(int flag, Release release);

/// Was it made for taking the time?
bool takes_time(int flag, Release release);
/// The driver's flags. Raises `error` for a flag that CUDA does not know.
unsigned driver_flags_of(int flag, Release release);

}  // namespace assay::cuda
