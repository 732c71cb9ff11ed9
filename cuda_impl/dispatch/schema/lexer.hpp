// The words of a schema's text, one after the other, and errors that show where they stand.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace assay::cuda::dispatch {

struct Token {
  /// `ident`, `number`, `string_literal`, `arrow`, `dots`, `eof`; a reserved word or a sign is its
  /// own kind.
  std::string_view kind;
  std::string_view text;
  std::size_t at = 0;        ///< in the whole text
  bool begins_line = false;  ///< no token comes before it on its line
};

/// Raises `schema` for what begins no token. The text must outlive it.
class Lexer {
 public:
  explicit Lexer(std::string_view text) : text_(text) { current_ = read(); }

  const Token& current() const { return current_; }
  bool is(std::string_view kind) const { return current_.kind == kind; }
  /// Does this kind come behind the current token?
  bool is_next(std::string_view kind) const;
  /// The current token, which is passed.
  Token take();
  /// Passes the current token where it is of that kind.
  bool accept(std::string_view kind);
  /// Raises `schema`: what was expected, and what was found instead (DSP-312).
  Token expect(std::string_view kind);
  /// Raises `schema` with `words`, the token's line, and a mark below it.
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
