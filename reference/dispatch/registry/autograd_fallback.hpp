// What operators without an autograd kernel do at autograd keys.
#pragma once

#include <cstdint>

#include "reference/core/types/contract.hpp"

namespace assay::reference {

class Dispatcher;

/// `kWarn` says, when somebody differentiates, that the operator has no autograd kernel (DSP-512).
enum class AutogradFallback : std::uint8_t { kNothing, kWarn };

/// Before anybody chose: nothing; in compat what the release's PyTorch does.
AutogradFallback default_autograd_fallback(const Contract& contract);

/// Has the release's PyTorch a mode to choose at all?
bool has_autograd_fallback_mode(const Contract& contract);

/// At all autograd keys, in compat at those that PyTorch has one at. `kNothing` is a fallthrough,
/// in compat since 2.x a boxed kernel that goes on below.
void put_autograd_fallback(Dispatcher& dispatcher, AutogradFallback mode);

}  // namespace assay::reference
