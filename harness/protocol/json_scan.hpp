// A strict cursor over JSON text. It builds no tree, for the speed of the pipe and the memory of
// long lines.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

#include "harness/protocol/json.hpp"

namespace assay {

/// A message of two characters an item needs thirty times its length as values, so the items of a
/// message are limited: to more than any message has, since large tensors have no items.
inline constexpr std::size_t kMostItems = std::size_t{1} << 22;

/// Every reader throws MalformedMessage with what was expected and where.
class JsonScanner {
 public:
  explicit JsonScanner(std::string_view text) : text_(text) {}

  /// The first character of the next token; `\0` at the end.
  char peek();
  /// Skips `token` if it is next.
  bool accept(char token);
  /// Requires that only white space is left.
  void end();

  /// The contents of a string: a view of the text if it has no escapes, else valid until the next
  /// string is read.
  std::string_view text(std::string_view what);
  bool boolean(std::string_view what);
  std::int64_t integer(std::string_view what);
  std::variant<std::int64_t, double> number();
  void null();

  /// Calls `on_member(name)`, which must read the value. `name` may become invalid then.
  template <typename OnMember>
  void object(std::string_view what, const OnMember& on_member) {
    open('{', what, "an object");
    if (accept('}')) return;
    do {
      count_item();
      const std::string_view name = text("a member's name");
      expect(':');
      on_member(name);
    } while (accept(','));
    expect('}');
  }

  /// Calls `on_item()`, which must read the item.
  template <typename OnItem>
  void array(std::string_view what, const OnItem& on_item) {
    open('[', what, "an array");
    if (accept(']')) return;
    do {
      count_item();
      on_item();
    } while (accept(','));
    expect(']');
  }

  /// Reads an array of two items; `what` is the error message for anything else.
  template <typename First, typename Second>
  void pair(std::string_view what, const First& first, const Second& second) {
    if (!accept('[') || peek() == ']') malformed(what);
    first();
    if (!accept(',')) malformed(what);
    second();
    if (!accept(']')) malformed(what);
  }

  /// Skips the next value, checking only brackets.
  void skip();
  /// The text of the value that `skip` would skip.
  std::string_view skipped();

  /// Throws: `what` must be `wanted`, not the next token.
  [[noreturn]] void wrong(std::string_view what, std::string_view wanted);
  [[noreturn]] static void malformed(std::string_view what);

 private:
  void count_item() {
    if (++items_ > kMostItems) too_many_items();
  }
  [[noreturn]] static void too_many_items();
  void open(char bracket, std::string_view what, std::string_view wanted);
  void expect(char token);
  void literal(std::string_view word);
  [[noreturn]] void broken(std::string_view expected);
  std::string_view number_text(bool& is_integer);
  std::size_t digits();
  void plain_run();
  bool accept_quote();
  std::string_view escaped(std::size_t begin);
  void escape();
  unsigned hex4();
  void append_code_point(unsigned code_point);

  std::string_view text_;
  std::size_t at_ = 0;
  std::size_t items_ = 0;  ///< members and items of lists read so far
  std::string scratch_;
};

}  // namespace assay
