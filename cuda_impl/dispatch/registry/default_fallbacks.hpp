// The fallbacks that a dispatcher begins with (DSP-511, DSP-512).
#pragma once

#include "cuda_impl/dispatch/registry/dispatcher.hpp"

namespace assay::cuda::dispatch {

void add_default_fallbacks(Dispatcher& dispatcher);

enum class AutogradFallback : std::uint8_t { kNothing, kWarn };
/// What stands at autograd keys where an operator has no kernel of its own.
void set_autograd_fallback(Dispatcher& dispatcher, AutogradFallback mode);

}  // namespace assay::cuda::dispatch
