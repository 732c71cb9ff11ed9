// Calls whose arguments are on a stack (DSP-604 to DSP-606).
#pragma once

#include "cuda_impl/dispatch/call/argument_keys.hpp"
#include "cuda_impl/dispatch/registry/dispatcher.hpp"

namespace assay::cuda::dispatch {

/// Chooses by the arguments and the thread's sets. Observers see it.
void call_boxed(const Operator& op, Stack& stack);
/// Takes the set as it is.
void redispatch_boxed(const Operator& op, KeySet keys, Stack& stack);
/// The newest kernel at that very key, or the key's fallback. Raises `internal` for neither.
void call_boxed_for_key(const Operator& op, Key key, Stack& stack);

/// From inside a kernel: its own operator, below its own key, in the table that it was chosen from
/// itself, whatever has been registered meanwhile.
void redispatch_below(const Entry& entry, KeySet keys, Stack& stack);

}  // namespace assay::cuda::dispatch
