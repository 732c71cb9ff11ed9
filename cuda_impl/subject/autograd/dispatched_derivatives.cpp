// Selects the matrix products that derivatives use.
#include "cuda_impl/subject/autograd/dispatched_derivatives.hpp"

#include "cuda_impl/autocast/state.hpp"
#include "cuda_impl/dispatch/call/trace.hpp"

namespace assay::cuda {

DispatchedDerivativesScope::DispatchedDerivativesScope(Call& call) {
  if (autocast::is_any_enabled() || dispatch::is_traced() || call.has_operators()) {
    way_.emplace(call.dispatcher_with_operators());
  }
}

}  // namespace assay::cuda
