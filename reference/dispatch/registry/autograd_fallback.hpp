// The fallback of autograd keys for operators without an autograd kernel.
#pragma once

#include <cstdint>

#include "reference/core/types/contract.hpp"

namespace assay::reference {

class Dispatcher;

/// `kWarn` warns at differentiation that the operator has no autograd kernel (DSP-512).
enum class AutogradFallback : std::uint8_t { kNothing, kWarn };

/// The initial mode: kNothing, or in compat mode that of the release's PyTorch.
AutogradFallback default_autograd_fallback(const Contract& contract);

/// Returns whether the release's PyTorch lets users choose the mode.
bool has_autograd_fallback_mode(const Contract& contract);

/// Registered for all autograd keys; in compat mode for those for which PyTorch has one. `kNothing`
/// is a fallthrough, or in compat mode since 2.x a boxed kernel that redispatches.
void put_autograd_fallback(Dispatcher& dispatcher, AutogradFallback mode);

}  // namespace assay::reference
