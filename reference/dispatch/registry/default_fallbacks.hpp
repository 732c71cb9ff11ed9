// The fallbacks that are there before anybody registers one.
#pragma once

namespace assay::reference {

class Dispatcher;

/// DSP-511, DSP-512: fallthrough at ADInplaceOrView, BackendSelect, all Autocast and all Autograd
/// keys; in compat what the release's PyTorch has.
void add_default_fallbacks(Dispatcher& dispatcher);

}  // namespace assay::reference
