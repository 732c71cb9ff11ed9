// The words of a schema.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace assay::reference {

struct SchemaToken {
  /// `ident`, `number`, `string_literal`, `arrow`, `dots`, `eof`; the word itself for a reserved
  /// one, the character for the rest.
  std::string kind;
  std::string text;
  std::size_t begin = 0;
  bool begins_line = false;  ///< a line break stands between it and the word before
};

/// Reads ahead by as much as it is asked. Space and `#` comments are nothing (DSP-301).
class SchemaLexer {
 public:
  /// `source` must outlive it. Raises `schema` for a character that is no word's.
  explicit SchemaLexer(std::string_view source);

  const SchemaToken& now() const { return tokens_[at_]; }
  const SchemaToken& next() const { return tokens_[std::min(at_ + 1, tokens_.size() - 1)]; }
  bool is(std::string_view kind) const { return now().kind == kind; }
  /// The word that was there.
  SchemaToken take();
  bool take_if(std::string_view kind);
  SchemaToken expect(std::string_view kind);

  /// Raises `schema`: the reason, the line, and a caret under the word (DSP-312).
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
