// cuDNN's recurrent networks: weights that lie in one flat buffer (CAST-419).
#pragma once

#include "reference/autocast/state.hpp"
#include "reference/dispatch/registry/kernel.hpp"

namespace assay::reference {

/// The arguments of `_cudnn_rnn` with input and states in the low dtype, and all weights as views
/// of one new buffer of that dtype where they are eligible and have another. Raises `error` unless
/// the weights share one dtype.
Stack reflattened(Runtime& runtime, CastDevice device, const Stack& args);

}  // namespace assay::reference
