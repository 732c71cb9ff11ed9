// From what PyTorch throws to error replies.
#pragma once

#include <exception>
#include <string>

#include "harness/protocol/message.hpp"

namespace assay::libtorch {

/// An error of the client's own: a kernel that raises, a callback that failed.
class Raised : public std::exception {
 public:
  Raised(ErrorKind kind, std::string message) : kind_(kind), message_(std::move(message)) {}
  ErrorKind kind() const { return kind_; }
  const char* what() const noexcept override { return message_.c_str(); }

 private:
  ErrorKind kind_;
  std::string message_;
};

/// The reply for the exception that is being handled.
Reply reply_to_current_exception();

}  // namespace assay::libtorch
