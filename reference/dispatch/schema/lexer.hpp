// The lexer for schemas.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace assay::reference {

struct SchemaToken {
  /// `ident`, `number`, `string_literal`, `arrow`, `dots` or `eof`; a reserved word or another
  /// character is its own kind.
  std::string kind;
  std::string text;
  std::size_t begin = 0;
  bool begins_line = false;  ///< whether a line break precedes it
};

/// Tokenizes on demand. Skips white space and `#` comments (DSP-301).
class SchemaLexer {
 public:
  /// `source` must outlive the lexer. Raises `schema` for a character that cannot begin a token.
  explicit SchemaLexer(std::string_view source);

  const SchemaToken& now() const { return tokens_[at_]; }
  const SchemaToken& next() const { return tokens_[std::min(at_ + 1, tokens_.size() - 1)]; }
  bool is(std::string_view kind) const { return now().kind == kind; }
  /// Consumes and returns the current token.
  SchemaToken take();
  bool take_if(std::string_view kind);
  SchemaToken expect(std::string_view kind);

  /// Raises `schema` with the reason, the line, and a caret below the token (DSP-312).
  [[noreturn]] void refuse(const std::string& reason, const SchemaToken& where) const;
  [[noreturn]] void refuse_unexpected(std::string_view wanted) const;

 private:
  void read_all();
  SchemaToken read_word(std::size_t& at) const;

  std::string_view source_;
  std::vector<SchemaToken> tokens_;
  std::size_t at_ = 0;
};

}  // namespace assay::reference
