// Area core: gradients.
#include "cuda_impl/autograd/engine.hpp"
#include "cuda_impl/subject/autograd/dispatched_derivatives.hpp"
#include "cuda_impl/subject/command_table.hpp"

namespace assay::cuda {

void core_backward(Call& call) {
  const DispatchedDerivativesScope scope(call);
  backward(call.tensor("tensor"));
}

}  // namespace assay::cuda
