// Routes the products of a backward pass through the client's dispatcher, if that is observable.
#pragma once

#include <optional>

#include "cuda_impl/aten/derivatives.hpp"
#include "cuda_impl/subject/call.hpp"

namespace assay::cuda {

/// For the scope, derivatives on this thread call operators of the client's dispatcher (CAST-420).
/// Does not create operators for a pass in which nobody could observe the difference.
class DispatchedDerivativesScope {
 public:
  explicit DispatchedDerivativesScope(Call& call);

 private:
  std::optional<aten::DispatchedDerivatives> way_;
};

}  // namespace assay::cuda
