// Errors that end a command early with exit code 2: the request of the user cannot be met.
#pragma once

#include <stdexcept>

namespace assay {

/// `what()` states the error and what would be valid.
class UsageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A subject needs an absent device. `is_allowed`: the user has given --allow-absent.
class DeviceAbsent : public UsageError {
 public:
  DeviceAbsent(const std::string& what, bool is_allowed)
      : UsageError(what), is_allowed_(is_allowed) {}

  bool is_allowed() const { return is_allowed_; }

 private:
  bool is_allowed_;
};

}  // namespace assay
