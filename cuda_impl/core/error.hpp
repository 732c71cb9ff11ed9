// The exception of the runtime, with a kind that clients can distinguish.
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
  /// The CUDA runtime's error code, if the error came from the runtime.
  std::optional<int> code() const { return code_; }
  const std::string& message() const { return message_; }
  const char* what() const noexcept override { return message_.c_str(); }

 private:
  ErrorKind kind_;
  std::string message_;
  std::optional<int> code_;
};

/// Raises an error unless `holds`. `text` is a callable that makes the message on failure only.
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
