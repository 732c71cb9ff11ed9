// How a subject written in C++ reads the arguments of a command: by name, typed, none forgotten.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "harness/protocol/message.hpp"

namespace assay {

/// An argument that is missing or of a wrong tag: the reply is `invalid`.
class InvalidArgument : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Something this subject does not have: the reply is `unsupported`.
class NotSupported : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Reads one command's arguments. Getters throw InvalidArgument; `done` throws NotSupported when
/// the command carries an argument that nobody read, so that a subject never ignores what it does
/// not know.
class Arguments {
 public:
  explicit Arguments(const Command& command);

  /// The argument as it came.
  const Value& value(std::string_view name);
  /// Null when absent.
  const Value* optional(std::string_view name);

  bool boolean(std::string_view name);
  bool boolean(std::string_view name, bool fallback);
  std::int64_t integer(std::string_view name);
  std::int64_t integer(std::string_view name, std::int64_t fallback);
  /// For runtimes whose parameter is an int of 32 bits: one that does not fit is `invalid`.
  int int32(std::string_view name);
  int int32(std::string_view name, int fallback);
  /// A float, or an int that a double holds.
  double real(std::string_view name);
  double real(std::string_view name, double fallback);
  std::string text(std::string_view name);
  std::string text(std::string_view name, std::string fallback);
  Dtype dtype(std::string_view name);
  Device device(std::string_view name);
  std::vector<std::int64_t> integers(std::string_view name);
  /// The items of a list or tuple.
  const std::vector<Value>& items(std::string_view name);
  /// The name inside a reference.
  const std::string& ref(std::string_view name);

  void done() const;

 private:
  [[noreturn]] void wrong(std::string_view name, std::string_view wanted, const Value& got) const;

  const Command& command_;
  std::uint64_t read_ = 0;  ///< one bit an argument, in order
};

}  // namespace assay
