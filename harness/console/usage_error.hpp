// What ends a command early with exit code 2: the user has asked for something that is not there.
#pragma once

#include <stdexcept>

namespace assay {

/// `what()` says what was wrong and what would be right.
class UsageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A subject needs a device that is not there. `is_allowed`: the user has said that this may be.
class DeviceAbsent : public UsageError {
 public:
  DeviceAbsent(const std::string& what, bool is_allowed)
      : UsageError(what), is_allowed_(is_allowed) {}

  bool is_allowed() const { return is_allowed_; }

 private:
  bool is_allowed_;
};

}  // namespace assay
