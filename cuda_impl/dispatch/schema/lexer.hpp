// The lexer for schemas, with error messages that show the position.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

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

}  // namespace assay::cuda::dispatch
