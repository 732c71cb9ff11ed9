// The built-in fallbacks of a dispatcher.
#pragma once

namespace assay::reference {

class Dispatcher;

/// DSP-511, DSP-512: fallthrough for ADInplaceOrView, BackendSelect and all Autocast and Autograd
/// keys; in compat mode, the fallbacks of the release's PyTorch.
void add_default_fallbacks(Dispatcher& dispatcher);

}  // namespace assay::reference
