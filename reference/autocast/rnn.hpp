// cuDNN's recurrent networks, whose weights are views of one flat buffer (CAST-419).
#pragma once

#include "reference/autocast/state.hpp"
#include "reference/dispatch/registry/kernel.hpp"

namespace assay::reference {

/// Returns the arguments of `_cudnn_rnn` with input and states in the low-precision dtype. If the
/// weights are eligible and have another dtype, they become views of one new buffer. Raises `error`
/// unless all weights have one dtype.
Stack reflattened(Runtime& runtime, CastDevice device, const Stack& args);

}  // namespace assay::reference
