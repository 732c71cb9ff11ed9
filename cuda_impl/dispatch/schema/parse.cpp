// Parses operator declarations.
#include <algorithm>
#include <utility>

#include "cuda_impl/core/error.hpp"
#include "cuda_impl/dispatch/schema/grammar.hpp"

namespace assay::cuda::dispatch {
namespace {

using NameOrSchema = std::variant<OperatorName, Schema>;

class DeclarationReader {
 public:
  DeclarationReader(std::string_view text, const Contract& contract)
      : reading_{Lexer(text), contract}, lexer_(reading_.lexer) {}

  /// Parses one declaration up to the end of the text (DSP-301).
  NameOrSchema read();

 private:
  OperatorName name();
  std::string overload();
  Schema schema(OperatorName name);

  void arguments(Schema::Parts& parts);
  void argument(Schema::Parts& parts, bool kwarg_only);
  void dots(bool& is_there, const char* of);
  void returns(Schema::Parts& parts);
  Argument one_return();
  void returns_in_parentheses(Schema::Parts& parts);

  Argument typed();
  void check_name(const Schema::Parts& parts, const Token& name) const;
  void check_order(const Schema::Parts& parts, const Token& name) const;

  bool is_strict() const { return reading_.contract.is_strict; }

  Reading reading_;
  Lexer& lexer_;
};

bool has_default(const Argument& argument) { return argument.default_value.has_value(); }

/// Returns the first argument without a default after one with a default (DSP-310).
const Argument* lacking_default(const std::vector<Argument>& arguments) {
  const auto first = std::ranges::find_if(arguments, has_default);
  const auto found = std::find_if(first, arguments.end(), [](const Argument& argument) {
    return !has_default(argument) && !argument.kwarg_only && !argument.type.is_list();
  });
  return found == arguments.end() ? nullptr : &*found;
}

std::string out_of_order(const OperatorName& op, std::string_view argument) {
  return "the parameter " + std::string(argument) + " of " + op.text() +
         " has no default value and follows default argument";
}

/// DSP-302
std::string DeclarationReader::overload() {
  std::string overload(lexer_.expect("ident").text);
  require(overload != "default" && !overload.starts_with("__"),
          [&] { return overload + " is not a legal overload name"; });
  return overload;
}

OperatorName DeclarationReader::name() {
  OperatorName read{std::string(lexer_.expect("ident").text), ""};
  if (lexer_.is(":") && lexer_.is_next(":")) {
    lexer_.take();
    lexer_.take();
    read.name += "::" + std::string(lexer_.expect("ident").text);
  }
  if (lexer_.accept(".")) read.overload = overload();
  return read;
}

Argument DeclarationReader::typed() {
  AnnotatedType read = read_argument_type(reading_);
  Argument argument;
  argument.type = std::move(read.type);
  argument.alias = std::move(read.alias);
  argument.size = read.size;
  return argument;
}

void DeclarationReader::check_name(const Schema::Parts& parts, const Token& name) const {
  const bool is_taken = std::ranges::any_of(
      parts.arguments, [&](const Argument& argument) { return argument.name == name.text; });
  if (is_strict() && is_taken) {
    lexer_.fail(name, "there are two arguments " + quoted(name.text));
  }
}

/// PyTorch checks the order only when it constructs the schema.
void DeclarationReader::check_order(const Schema::Parts& parts, const Token& name) const {
  const bool is_first = lacking_default(parts.arguments) != nullptr;
  if (is_strict() && is_first) lexer_.fail(name, out_of_order(parts.name, name.text));
}

void DeclarationReader::argument(Schema::Parts& parts, bool kwarg_only) {
  Argument read = typed();
  const Token name = lexer_.expect("ident");
  check_name(parts, name);
  read.name = std::string(name.text);
  read.kwarg_only = kwarg_only;
  if (lexer_.accept("=")) read.default_value = read_default(reading_, read);
  parts.arguments.push_back(std::move(read));
  check_order(parts, name);
}

void DeclarationReader::dots(bool& is_there, const char* of) {
  const Token token = lexer_.take();
  if (!lexer_.is(")")) {
    lexer_.fail(token, "... must be the last element of the " + std::string(of) + " list");
  }
  is_there = true;
}

/// DSP-305
void DeclarationReader::arguments(Schema::Parts& parts) {
  lexer_.expect("(");
  bool kwarg_only = false;
  if (!lexer_.is(")")) {
    do {
      if (lexer_.is("dots")) {
        dots(parts.is_vararg, "argument");
      } else if (lexer_.accept("*")) {
        kwarg_only = true;
      } else {
        argument(parts, kwarg_only);
      }
    } while (lexer_.accept(","));
  }
  const Token end = lexer_.expect(")");
  if (parts.is_vararg && std::ranges::any_of(parts.arguments, has_default)) {
    lexer_.fail(end, "schemas with vararg (...) can't have default value args");
  }
}

Argument DeclarationReader::one_return() {
  Argument read = typed();
  if (lexer_.is("ident")) read.name = lexer_.take().text;
  return read;
}

void DeclarationReader::returns_in_parentheses(Schema::Parts& parts) {
  lexer_.expect("(");
  if (!lexer_.is(")")) {
    do {
      if (lexer_.is("dots")) {
        dots(parts.is_varret, "return");
      } else {
        parts.returns.push_back(one_return());
      }
    } while (lexer_.accept(","));
  }
  lexer_.expect(")");
}

/// DSP-306. After a single return, the next line is not taken for its name.
void DeclarationReader::returns(Schema::Parts& parts) {
  lexer_.expect("arrow");
  if (lexer_.is("(")) return returns_in_parentheses(parts);
  if (lexer_.accept("dots")) {
    parts.is_varret = true;
    return;
  }
  Argument read = typed();
  if (lexer_.is("ident") && !lexer_.current().begins_line) read.name = lexer_.take().text;
  parts.returns.push_back(std::move(read));
}

Schema DeclarationReader::schema(OperatorName name) {
  Schema::Parts parts;
  parts.name = std::move(name);
  arguments(parts);
  returns(parts);
  const Argument* const lacking = lacking_default(parts.arguments);
  require(lacking == nullptr, ErrorKind::kInternal,
          [&] { return out_of_order(parts.name, lacking->name); });
  return Schema(std::move(parts));
}

NameOrSchema DeclarationReader::read() {
  OperatorName read_name = name();
  NameOrSchema read = read_name;
  if (lexer_.is("(")) read = schema(std::move(read_name));
  lexer_.expect("eof");
  return read;
}

}  // namespace

NameOrSchema parse_schema_or_name(std::string_view text, const Contract& contract) {
  return DeclarationReader(text, contract).read();
}

Schema parse_schema(std::string_view text, const Contract& contract) {
  auto read = parse_schema_or_name(text, contract);
  require(std::holds_alternative<Schema>(read), [&] {
    return "expected a function schema, but only the operator name was given: " + std::string(text);
  });
  return std::get<Schema>(std::move(read));
}

OperatorName parse_name(std::string_view text, const Contract& contract) {
  auto read = parse_schema_or_name(text, contract);
  require(std::holds_alternative<OperatorName>(read), [&] {
    return "expected the name of an operator, but a function schema was given: " +
           std::string(text);
  });
  return std::get<OperatorName>(std::move(read));
}

}  // namespace assay::cuda::dispatch
