// The fallbacks of a new dispatcher (DSP-511, DSP-512).
#pragma once

#include "cuda_impl/dispatch/registry/dispatcher.hpp"

namespace assay::cuda::dispatch {

void add_default_fallbacks(Dispatcher& dispatcher);

enum class AutogradFallback : std::uint8_t { kNothing, kWarn };
/// Sets the fallback of the autograd keys, for operators without an autograd kernel.
void set_autograd_fallback(Dispatcher& dispatcher, AutogradFallback mode);

}  // namespace assay::cuda::dispatch
