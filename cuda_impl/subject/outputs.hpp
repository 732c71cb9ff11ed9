// Containers in the protocol: the argument and the result of scale().
#pragma once

#include "cuda_impl/scaler/outputs.hpp"
#include "cuda_impl/subject/call.hpp"

namespace assay::cuda {

/// A named lazy result, for `scaler.next`.
struct LazyOutputs {
  Pull next;
};

/// References are resolved to tensors and lazy sequences. Tensors by value are created immediately,
/// because the call may have ended when a sequence is iterated.
Outputs outputs_from(Call& call, const Value& value);

/// Sets the field `result`.
void set_outputs_result(Call& call, const Outputs& outputs);

}  // namespace assay::cuda
