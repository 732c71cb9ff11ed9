// Converts PyTorch's exceptions to error replies.
#pragma once

#include <exception>
#include <string>

#include "harness/protocol/message.hpp"

namespace assay::libtorch {

/// An error raised by the client: by a kernel, or by a failed callback.
class ClientError : public std::exception {
 public:
  ClientError(ErrorKind kind, std::string message) : kind_(kind), message_(std::move(message)) {}
  ErrorKind kind() const { return kind_; }
  const char* what() const noexcept override { return message_.c_str(); }

 private:
  ErrorKind kind_;
  std::string message_;
};

/// The reply for the current exception.
Reply reply_to_current_exception();

}  // namespace assay::libtorch
