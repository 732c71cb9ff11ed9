// Backward by way of the client's dispatcher, where that can be seen.
#pragma once

#include <optional>

#include "cuda_impl/aten/derivatives.hpp"
#include "cuda_impl/subject/call.hpp"

namespace assay::cuda {

/// For as long as it lives, derivatives on this thread are operators of the client's dispatcher
/// (CAST-420). Operators are not made for a pass that nobody could tell from one without them.
class WayThrough {
 public:
  explicit WayThrough(Call& call);

 private:
  std::optional<aten::DispatchedDerivatives> way_;
};

}  // namespace assay::cuda
