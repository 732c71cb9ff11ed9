// How a generic event is to be made.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "reference/core/types/contract.hpp"

namespace assay::reference {

/// The numbers of a release (EVT-003).
struct EventFlag {
  static constexpr int kPytorchDefault = 0;  ///< without timing
  static constexpr int kBackendDefault = 1;  ///< with it
  static int invalid(Release release) { return release == Release::k1_13 ? 6 : 2; }
};

/// `pytorch_default`, `backend_default`, `invalid`
std::optional<int> event_flag_named(std::string_view name, Release release);
/// Nothing for a flag of another name.
std::optional<std::string_view> name_of_event_flag(int flag, Release release);

/// What CUDA's driver is given. Raises `error` for a flag that it does not know.
unsigned cuda_event_flags(int flag, Release release);

}  // namespace assay::reference
