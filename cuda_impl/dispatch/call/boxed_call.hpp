// Boxed calls: the arguments are on a stack (DSP-604 to DSP-606).
#pragma once

#include "cuda_impl/dispatch/call/argument_keys.hpp"
#include "cuda_impl/dispatch/registry/dispatcher.hpp"

namespace assay::cuda::dispatch {

/// Dispatches by the arguments and the thread's keys. Observed.
void call_boxed(const Operator& op, Stack& stack);
/// Dispatches by the given keys only.
void redispatch_boxed(const Operator& op, KeySet keys, Stack& stack);
/// Calls the newest kernel of exactly this key, or its fallback. Raises `internal` for neither.
void call_boxed_for_key(const Operator& op, Key key, Stack& stack);

/// For a running kernel: dispatches its operator to the keys below its own, in the table that the
/// kernel was selected from, whatever has been registered since.
void redispatch_below(const Entry& entry, KeySet keys, Stack& stack);

}  // namespace assay::cuda::dispatch
