// The functions of entries without a kernel: they raise and list the available kernels.
#pragma once

#include "cuda_impl/dispatch/registry/kernel.hpp"

namespace assay::cuda::dispatch {

/// DSP-702, DSP-703
void raise_missing(const Entry& entry, KeySet keys, Stack& stack);
/// DSP-504
void raise_ambiguous(const Entry& entry, KeySet keys, Stack& stack);
/// DSP-516
void raise_fallthrough(const Entry& entry, KeySet keys, Stack& stack);
/// DSP-708
void raise_named(const Entry& entry, KeySet keys, Stack& stack);
/// DSP-419
void raise_dead(const Entry& entry, KeySet keys, Stack& stack);

}  // namespace assay::cuda::dispatch
