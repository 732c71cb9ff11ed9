// What ends a command early with exit code 2: the user has asked for something that is not there.
#pragma once

#include <stdexcept>

namespace assay::cli {

/// `what()` says what was wrong and what would be right.
class UsageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace assay::cli
