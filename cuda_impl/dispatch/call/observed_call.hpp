// What observers are told of a call.
#pragma once

#include "cuda_impl/dispatch/registry/dispatcher.hpp"

namespace assay::cuda::dispatch {

/// Those that see a call of this operator. Raises `internal` where PyTorch needs a schema to be
/// able to tell (DSP-808).
std::vector<ObserverPtr> observers_of(const Table& table);
bool want_inputs(const std::vector<ObserverPtr>& observers);
bool want_outputs(const std::vector<ObserverPtr>& observers);
ObservedCall observed_call(const Entry& entry, KeySet keys, std::vector<Boxed> inputs);

}  // namespace assay::cuda::dispatch
