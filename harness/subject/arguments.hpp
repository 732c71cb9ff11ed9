// Reads the arguments of a command in a C++ subject: by name, typed, and none ignored.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "harness/protocol/message.hpp"

namespace assay {

/// An argument is missing or has the wrong kind: the reply is `invalid`.
class InvalidArgument : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The subject does not support something: the reply is `unsupported`.
class NotSupported : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Reads the arguments of one command. Getters throw InvalidArgument; `done` throws NotSupported if
/// an argument was not read, so that a subject never ignores an unknown
/// argument.
class Arguments {
 public:
  explicit Arguments(const Command& command);

  /// The argument as sent.
  const Value& value(std::string_view name);
  /// Null if absent.
  const Value* optional(std::string_view name);

  bool boolean(std::string_view name);
  bool boolean(std::string_view name, bool fallback);
  std::int64_t integer(std::string_view name);
  std::int64_t integer(std::string_view name, std::int64_t fallback);
  /// For 32-bit parameters of a runtime: a value that does not fit is `invalid`.
  int int32(std::string_view name);
  int int32(std::string_view name, int fallback);
  /// A float, or an int that a double can represent.
  double real(std::string_view name);
  double real(std::string_view name, double fallback);
  std::string text(std::string_view name);
  std::string text(std::string_view name, std::string fallback);
  Dtype dtype(std::string_view name);
  Device device(std::string_view name);
  std::vector<std::int64_t> integers(std::string_view name);
  /// The items of a list or tuple.
  const std::vector<Value>& items(std::string_view name);
  /// The name in a reference.
  const std::string& ref(std::string_view name);

  void done() const;

 private:
  [[noreturn]] void wrong(std::string_view name, std::string_view wanted, const Value& got) const;

  const Command& command_;
  std::uint64_t read_ = 0;  ///< one bit per argument, in order
};

}  // namespace assay
