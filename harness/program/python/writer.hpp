// A script under construction.
#pragma once

#include <map>
#include <string>

#include "harness/check/compare.hpp"
#include "harness/program/python/value.hpp"
#include "harness/protocol/message.hpp"

namespace assay::python {

class Writer {
 public:
  /// kBrief writes no checks, only where a reply differs.
  enum class Style { kChecked, kBrief };
  explicit Writer(bool on_cuda, Style style = Style::kChecked) : on_cuda_(on_cuda), style_(style) {}

  /// Writes the command and checks of its reply; no checks without a reply.
  void command(const Command& command, const Reply* reply);
  /// Writes the command, with a comment at what differs: `s.get_scale()  # 2.0, got 4.0`.
  void differing(const Command& command, const Reply& wanted, const Reply& got,
                 const Difference& difference);
  /// The same for a block; returns the result of the last command. For callbacks.
  std::string block(const Block& body, const std::vector<Reply>* replies);

  void line(std::string_view text);
  std::string expression(const Value& value) const { return python::expression(value, on_cuda_); }
  bool on_cuda() const { return on_cuda_; }
  /// A new variable of the script.
  std::string fresh(std::string_view prefix) { return std::string(prefix) + "_" + number(); }
  /// Writes a check if the reply has the field and its value can be written. False if it wrote
  /// nothing.
  bool check(const Command& command, const Reply* reply, const std::string& field,
             const std::string& what);

  std::string take() { return std::move(text_); }

 private:
  friend class Indented;

  bool is_brief() const { return style_ == Style::kBrief; }
  bool show_difference(const Command& command, const Reply& wanted, const std::string& field,
                       const std::string& what);
  void add_comment(const std::string& comment);
  void by_form(const Command& command, const Reply* reply);
  void value(const Command& command, const Reply* reply, const std::string& text);
  void parts(const Command& command, const Reply* reply);
  void scope(const Command& command, const Reply* reply);
  void callback(const Command& command);
  void on_thread(const Command& command, const Reply* reply);
  std::string number() { return std::to_string(++numbers_); }

  bool on_cuda_;
  Style style_;
  const Reply* got_ = nullptr;  ///< in `differing`: the wrong reply
  std::string text_;
  int depth_ = 0;
  int numbers_ = 0;
  std::map<std::string, std::string> threads_;  ///< the variable of each
  std::string last_;                            ///< the result of the last command
};

/// Indents the lines written during its lifetime.
class Indented {
 public:
  explicit Indented(Writer& writer) : writer_(writer) { ++writer_.depth_; }
  ~Indented() { --writer_.depth_; }
  Indented(const Indented&) = delete;
  Indented& operator=(const Indented&) = delete;

 private:
  Writer& writer_;
};

/// The Python class of a kind of error.
std::string_view class_of(ErrorKind kind);

/// Writes commands that need more than one line. False for other commands.
bool write_special(Writer& writer, const Command& command, const Reply* reply);

}  // namespace assay::python
