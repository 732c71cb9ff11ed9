// Containers across the waist: what scale() is given, and what it gives back.
#pragma once

#include "cuda_impl/scaler/outputs.hpp"
#include "cuda_impl/subject/call.hpp"

namespace assay::cuda {

/// What a lazy result is behind its name, for `scaler.next`.
struct LazyOutputs {
  Pull next;
};

/// References become the tensors and lazy sequences that they stand for. Tensors by value are made
/// at once: the call that brought them is over when a sequence is gone through.
Outputs outputs_from(Call& call, const Value& value);

/// The field `result`.
void set_outputs_result(Call& call, const Outputs& outputs);

}  // namespace assay::cuda
