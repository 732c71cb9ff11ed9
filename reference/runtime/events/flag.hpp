// The flags of generic events.
#pragma once

#include <optional>
#include <string_view>

#include "reference/core/types/contract.hpp"

namespace assay::reference {

/// The numbers of a release (EVT-003).
struct EventFlag {
  static constexpr int kPytorchDefault = 0;  ///< no timing
  static constexpr int kBackendDefault = 1;  ///< timing enabled
  static int invalid(Release release) { return release == Release::k1_13 ? 6 : 2; }
};

/// Parses `pytorch_default`, `backend_default` or `invalid`.
std::optional<int> event_flag_named(std::string_view name, Release release);
/// Empty for an unknown flag.
std::optional<std::string_view> name_of_event_flag(int flag, Release release);

/// Converts to driver flags. Raises `error` for an unknown flag.
unsigned cuda_event_flags(int flag, Release release);

}  // namespace assay::reference
