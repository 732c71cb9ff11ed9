// The exception of the reference, with a closed list of kinds, and the one for what PyTorch does
// and the reference does not.
#pragma once

#include <cstdint>
#include <exception>
#include <optional>
#include <string>
#include <utility>

namespace assay::reference {

/// CORE-19. Up to `kOutOfMemory` they are subclasses of `kError`; the others stand alone.
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
  explicit Error(std::string message) : Error(ErrorKind::kError, std::move(message)) {}
  Error(ErrorKind kind, std::string message, std::optional<std::int64_t> code = std::nullopt)
      : kind_(kind), message_(std::move(message)), code_(code) {}

  ErrorKind kind() const { return kind_; }
  const std::string& message() const { return message_; }
  /// Present only for device errors.
  std::optional<std::int64_t> code() const { return code_; }
  const char* what() const noexcept override { return message_.c_str(); }

 private:
  ErrorKind kind_;
  std::string message_;
  std::optional<std::int64_t> code_;
};

/// Throws an Error unless `condition` holds. `message` is a callable that is invoked only on
/// failure (CORE-19).
template <typename Message>
void check(bool condition, ErrorKind kind, const Message& message) {
  if (!condition) throw Error(kind, message());
}
template <typename Message>
void check(bool condition, const Message& message) {
  check(condition, ErrorKind::kError, message);
}

/// The reply is `unsupported`.
class MissingFeature final : public Error {
 public:
  explicit MissingFeature(std::string message)
      : Error(ErrorKind::kNotImplemented, std::move(message)) {}
};

}  // namespace assay::reference
