// The exception for what PyTorch does and the reference does not.
#pragma once

#include "reference/core/types/error.hpp"

namespace assay::reference {

/// The reply is `unsupported`.
class MissingFeature final : public Error {
 public:
  explicit MissingFeature(std::string message)
      : Error(ErrorKind::kNotImplemented, std::move(message)) {}
};

}  // namespace assay::reference
