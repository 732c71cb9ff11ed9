// The exception for a derivative that PyTorch has and the library has not.
#pragma once

#include "cuda_impl/core/error.hpp"

namespace assay::cuda {

/// The reply is `unsupported`.
class NoDerivative final : public Error {
 public:
  explicit NoDerivative(std::string message)
      : Error(ErrorKind::kNotImplemented, std::move(message)) {}
};

}  // namespace assay::cuda
