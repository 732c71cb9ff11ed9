// How the runtime fails: one exception, with a kind that a client can tell apart.
#pragma once

#include <cstdint>
#include <exception>
#include <optional>
#include <string>
#include <utility>

namespace assay::cuda {

/// CORE-19.
enum class ErrorKind : std::uint8_t {
  kError,
  kNotImplemented,
  kInternal,
  kSchema,
  kDevice,
  kOutOfMemory,
  kType,
  kValue,
  kIndex,
  kKey,
  kAttribute,
  kAssertion,
};

class Error : public std::exception {
 public:
  Error(ErrorKind kind, std::string message, std::optional<int> code = std::nullopt)
      : kind_(kind), message_(std::move(message)), code_(code) {}
  explicit Error(std::string message) : Error(ErrorKind::kError, std::move(message)) {}

  ErrorKind kind() const { return kind_; }
  /// The CUDA runtime's, where it was the runtime that failed.
  std::optional<int> code() const { return code_; }
  const std::string& message() const { return message_; }
  const char* what() const noexcept override { return message_.c_str(); }

 private:
  ErrorKind kind_;
  std::string message_;
  std::optional<int> code_;
};

/// `text` is a callable, called only where the condition does not hold: a check costs a branch.
template <typename Text>
void require(bool holds, ErrorKind kind, const Text& text) {
  if (!holds) [[unlikely]]
    throw Error(kind, text());
}
template <typename Text>
void require(bool holds, const Text& text) {
  require(holds, ErrorKind::kError, text);
}

}  // namespace assay::cuda
