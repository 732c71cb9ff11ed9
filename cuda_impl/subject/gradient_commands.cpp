// Area core: gradients.
#include "cuda_impl/autograd/engine.hpp"
#include "cuda_impl/subject/autograd/dispatched_derivatives.hpp"
#include "cuda_impl/subject/command_table.hpp"

namespace assay::cuda {
namespace {

void backward_from(Call& call) {
  const DispatchedDerivativesScope way(call);
  backward(call.tensor("tensor"));
}

}  // namespace

void add_gradient_commands(CommandTable& table) { table.add("core.backward", backward_from); }

}  // namespace assay::cuda
