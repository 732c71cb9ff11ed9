// The lexer for schemas, and separate parsers for parts of their grammar: types with annotations,
// and default values.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "cuda_impl/dispatch/schema/schema.hpp"

namespace assay::cuda::dispatch {

struct Token {
  /// `ident`, `number`, `string_literal`, `arrow`, `dots` or `eof`. Reserved words and punctuation
  /// are their own kind.
  std::string_view kind;
  std::string_view text;
  std::size_t at = 0;        ///< offset in the whole text
  bool begins_line = false;  ///< the first token of its line
};

/// Raises `schema` at a character that cannot begin a token. The text must outlive the lexer.
class Lexer {
 public:
  explicit Lexer(std::string_view text) : text_(text) { current_ = read(); }

  const Token& current() const { return current_; }
  bool is(std::string_view kind) const { return current_.kind == kind; }
  /// Returns whether the token after the current one is of this kind.
  bool is_next(std::string_view kind) const;
  /// Consumes and returns the current token.
  Token take();
  /// Consumes the current token if it is of this kind.
  bool accept(std::string_view kind);
  /// Consumes a token of this kind; otherwise raises `schema`, naming both (DSP-312).
  Token expect(std::string_view kind);
  /// Raises `schema` with `words`, the token's line and a marker below it.
  [[noreturn]] void fail(const Token& token, const std::string& words) const;

 private:
  Token read();
  Token read_at(std::size_t at) const;
  std::size_t beyond_space(std::size_t at) const;
  std::size_t number_size(std::size_t at) const;
  std::size_t literal_size(std::size_t at) const;
  Token word_at(std::size_t at) const;
  [[noreturn]] void fail_expecting(std::string_view wanted, const Token& found) const;

  std::string_view text_;
  std::size_t next_ = 0;
  Token current_;
};

/// The state of one parse.
struct Reading {
  Lexer lexer;
  Contract contract;
  int fresh_sets = 0;  ///< number of annotations that are `!` alone (DSP-307)
};

struct AnnotatedType {
  Type type;
  std::optional<AliasInfo> alias;
  std::optional<std::int64_t> size;
};

/// Parses the type of an argument or return, which is the only place where a list may have a size.
AnnotatedType read_argument_type(Reading& reading);

/// Parses one constant. Only numbers depend on the type: `1` becomes a float for a float type.
Constant read_constant(Reading& reading, const Type& type);
/// Removes the quotes and escapes.
std::string text_of_literal(std::string_view literal);

/// Parses the text after `=` (DSP-308).
Constant read_default(Reading& reading, const Argument& argument);

/// The quoted text, with which the messages about invalid schemas begin.
inline std::string quoted(std::string_view text) { return "'" + std::string(text) + "'"; }

}  // namespace assay::cuda::dispatch
