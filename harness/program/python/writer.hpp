// A script while it is being written.
#pragma once

#include <set>
#include <string>

#include "harness/program/python/value.hpp"
#include "harness/protocol/message.hpp"

namespace assay::python {

class Writer {
 public:
  explicit Writer(bool on_cuda) : on_cuda_(on_cuda) {}

  /// With the checks that the reply asks for; without a reply there are none.
  void command(const Command& command, const Reply* reply);
  /// The same, and returns what the last of them makes; for callbacks.
  std::string block(const Block& body, const std::vector<Reply>* replies);

  void line(std::string_view text);
  std::string expression(const Value& value) const { return python::expression(value, on_cuda_); }
  bool on_cuda() const { return on_cuda_; }
  /// A variable of the script's own.
  std::string fresh(std::string_view prefix) { return std::string(prefix) + "_" + number(); }
  /// A check, if the reply has that field and scripts can say its value.
  void check(const Command& command, const Reply* reply, const std::string& field,
             const std::string& what);

  std::string take() { return std::move(text_); }

 private:
  friend class Indented;

  void by_form(const Command& command, const Reply* reply);
  void value(const Command& command, const Reply* reply, const std::string& text);
  void parts(const Command& command, const Reply* reply);
  void scope(const Command& command, const Reply* reply);
  void callback(const Command& command);
  void on_thread(const Command& command, const Reply* reply);
  std::string number() { return std::to_string(++numbers_); }

  bool on_cuda_;
  std::string text_;
  int depth_ = 0;
  int numbers_ = 0;
  std::set<std::string> threads_;
  std::string last_;  ///< what the latest command made
};

/// Lines written while it lives stand one step further in.
class Indented {
 public:
  explicit Indented(Writer& writer) : writer_(writer) { ++writer_.depth_; }
  ~Indented() { --writer_.depth_; }
  Indented(const Indented&) = delete;
  Indented& operator=(const Indented&) = delete;

 private:
  Writer& writer_;
};

/// The class that a kind of error has in Python.
std::string_view class_of(ErrorKind kind);

/// Commands that need more than a line. False for any other.
bool write_special(Writer& writer, const Command& command, const Reply* reply);

}  // namespace assay::python
