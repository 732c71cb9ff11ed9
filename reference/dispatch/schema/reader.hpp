// The lexer for schemas, and a recursive-descent parser (DSP-301).
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "reference/dispatch/schema/schema.hpp"

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

// The parser.

/// Parses one text; for single use.
class SchemaReader {
 public:
  SchemaReader(std::string_view text, const Contract& contract)
      : words_(text), contract_(contract) {}

  /// Parses a name and, if more text follows, a schema.
  std::variant<OperatorName, FunctionSchema> read();

 private:
  /// A type with its alias annotation.
  struct AnnotatedType {
    SchemaType type;
    std::optional<AliasInfo> alias;
  };

  OperatorName read_name();
  void read_arguments(FunctionSchema& schema);
  void read_returns(FunctionSchema& schema);
  void read_return(FunctionSchema& schema, bool bare);
  SchemaArgument read_argument(bool kwarg_only);
  void check_arguments(const FunctionSchema& schema) const;
  void check_order(const FunctionSchema& schema) const;

  AnnotatedType read_type();
  /// Also accepts the N of `int[N]`, which is allowed only in arguments and returns.
  AnnotatedType read_sized_type(std::optional<std::int64_t>& size);
  AnnotatedType read_base_type();
  SchemaType read_named_type();
  std::optional<SchemaType> read_rare_type(const std::string& word);
  std::vector<SchemaType> read_types(std::size_t count);
  std::optional<AliasInfo> read_alias();
  std::set<std::string> read_alias_set();

  IValue read_default(const SchemaArgument& argument);
  IValue read_optional(const SchemaType& item);
  IValue read_list(const SchemaType& element);
  IValue read_constant(const SchemaType& type);
  IValue read_number(const SchemaType& type);
  IValue read_complex(std::string text, const SchemaToken& where) const;
  bool takes_imaginary_part() const;
  IValue read_named_constant(const SchemaType& type);
  IValue read_device();
  std::string read_string();
  double to_real(const std::string& text, const SchemaToken& where) const;
  std::int64_t to_integer(const std::string& text, const SchemaToken& where) const;
  void check_default(const SchemaArgument& argument, const IValue& value,
                     const SchemaToken& where) const;

  SchemaLexer words_;
  Contract contract_;
  int fresh_sets_ = 0;
  std::vector<SchemaToken> names_;  ///< argument names, for messages
};

}  // namespace assay::reference
