// The settings of Adam and AdamW.
#pragma once

#include "cuda_impl/optim/adam.hpp"

namespace assay::cuda {

/// Adds PyTorch's defaults (OPT-003). Raises `value` for a setting out of range (OPT-002) and for a
/// rate that the form does not take (OPT-023), and `type` for a fused AdamW before 2.0.
Settings checked_adam(Settings given, bool is_decoupled, Release release);
Settings adam_settings_of(const AdamOptions& options);

}  // namespace assay::cuda
