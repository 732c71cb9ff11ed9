// The exception for what PyTorch does and the reference does not.
#pragma once

#include "reference/core/types/error.hpp"

namespace assay::reference {

/// The reply is `unsupported`.
class Lacking final : public Error {
 public:
  explicit Lacking(std::string message) : Error(ErrorKind::kNotImplemented, std::move(message)) {}
};

}  // namespace assay::reference
