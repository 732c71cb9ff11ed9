// Parses types and alias annotations.
#include <array>
#include <charconv>
#include <utility>

#include "cuda_impl/core/error.hpp"
#include "cuda_impl/dispatch/schema/grammar.hpp"

namespace assay::cuda::dispatch {
namespace {

struct NamedType {
  std::string_view name;
  TypeKind kind;
  Release since = Release::k1_13;
  Release until = kNewestRelease;
};

/// DSP-303
constexpr std::array kTypes = {
    NamedType{"Tensor", TypeKind::kTensor},
    NamedType{"Scalar", TypeKind::kScalar},
    NamedType{"int", TypeKind::kInt},
    NamedType{"float", TypeKind::kFloat},
    NamedType{"bool", TypeKind::kBool},
    NamedType{"str", TypeKind::kStr},
    NamedType{"Dimname", TypeKind::kStr, Release::k1_13, Release::k2_12},
    NamedType{"complex", TypeKind::kComplex},
    NamedType{"SymInt", TypeKind::kSymInt},
    NamedType{"SymBool", TypeKind::kSymBool, Release::k2_11},
    NamedType{"Device", TypeKind::kDevice},
    NamedType{"DeviceIndex", TypeKind::kInt, Release::k2_4},
    NamedType{"Generator", TypeKind::kGenerator},
    NamedType{"ScalarType", TypeKind::kScalarType},
    NamedType{"Layout", TypeKind::kLayout},
    NamedType{"MemoryFormat", TypeKind::kMemoryFormat},
    NamedType{"QScheme", TypeKind::kQScheme},
    NamedType{"Storage", TypeKind::kStorage},
    NamedType{"Stream", TypeKind::kStream},
    NamedType{"Any", TypeKind::kAny},
    NamedType{"None", TypeKind::kNone},
    NamedType{"NoneType", TypeKind::kNone},
    NamedType{"Quantizer", TypeKind::kQuantizer},
    NamedType{"ConstQuantizerPtr", TypeKind::kInt},
    NamedType{"Capsule", TypeKind::kCapsule},
    NamedType{"AnyClassType", TypeKind::kAnyClass},
    NamedType{"AnyEnumType", TypeKind::kAnyEnum},
};
/// Types with one inner type in parentheses.
constexpr std::array kWrappers = {
    NamedType{"Future", TypeKind::kFuture},
    NamedType{"RRef", TypeKind::kRRef},
    NamedType{"Await", TypeKind::kAwait, Release::k2_4},
};

class TypeReader {
 public:
  explicit TypeReader(Reading& reading) : reading_(reading), lexer_(reading.lexer) {}

  AnnotatedType type();
  void size_of_list(AnnotatedType& type);

 private:
  AnnotatedType base();
  Type tuple();
  Type dict();
  Type plain();
  std::optional<Type> wrapper();
  std::optional<TypeKind> known(std::string_view name) const;
  [[noreturn]] void refuse_class();

  void make_list(AnnotatedType& type);
  std::optional<AliasInfo> annotation();
  AliasInfo fresh_set();
  std::set<std::string> sets();

  Reading& reading_;
  Lexer& lexer_;
};

template <typename Types>
const NamedType* find_named(const Types& types, std::string_view name, Release release) {
  for (const NamedType& type : types) {
    if (type.name == name && type.since <= release && release <= type.until) return &type;
  }
  return nullptr;
}

std::set<std::string> TypeReader::sets() {
  if (lexer_.accept("*")) return {"*"};
  std::set<std::string> names;
  do {
    names.emplace(lexer_.expect("ident").text);
  } while (lexer_.accept("|"));
  return names;
}

AliasInfo TypeReader::fresh_set() {
  const std::string name = "$" + std::to_string(reading_.fresh_sets++);
  AliasInfo alias{.is_write = true, .before = {name}, .after = {}, .contained = {}};
  if (reading_.contract.is_strict) alias.after = alias.before;
  return alias;
}

/// DSP-307
std::optional<AliasInfo> TypeReader::annotation() {
  if (lexer_.accept("!")) return fresh_set();
  if (!lexer_.accept("(")) return std::nullopt;
  AliasInfo alias;
  alias.before = sets();
  alias.is_write = lexer_.accept("!");
  alias.after = lexer_.accept("arrow") ? sets() : alias.before;
  lexer_.expect(")");
  return alias;
}

Type TypeReader::tuple() {
  std::vector<Type> elements;
  lexer_.expect("(");
  if (!lexer_.is(")")) {
    do {
      elements.push_back(type().type);
    } while (lexer_.accept(","));
  }
  lexer_.expect(")");
  return Type(TypeKind::kTuple, std::move(elements));
}

Type TypeReader::dict() {
  lexer_.take();
  lexer_.expect("(");
  Type key = type().type;
  lexer_.expect(",");
  Type value = type().type;
  lexer_.expect(")");
  return Type(TypeKind::kDict, {std::move(key), std::move(value)});
}

std::optional<Type> TypeReader::wrapper() {
  const NamedType* const found =
      find_named(kWrappers, lexer_.current().text, reading_.contract.release);
  if (found == nullptr) return std::nullopt;
  lexer_.take();
  lexer_.expect("(");
  Type inner = type().type;
  lexer_.expect(")");
  return Type(found->kind, {std::move(inner)});
}

std::optional<TypeKind> TypeReader::known(std::string_view name) const {
  const NamedType* const found = find_named(kTypes, name, reading_.contract.release);
  return found == nullptr ? std::nullopt : std::optional(found->kind);
}

/// This runtime has no custom classes, so every class is unknown.
void TypeReader::refuse_class() {
  std::string path(lexer_.take().text);
  while (lexer_.accept(".")) path += "." + std::string(lexer_.expect("ident").text);
  throw Error("unknown custom class type " + path);
}

Type TypeReader::plain() {
  const Token word = lexer_.current();
  if (!lexer_.is("None") && !lexer_.is("NoneType") && !lexer_.is("ident")) lexer_.expect("ident");
  if (word.text == "__torch__") refuse_class();
  const auto kind = known(word.text);
  const bool is_variable = word.text[0] >= 'a' && word.text[0] <= 'z';
  if (!kind && (reading_.contract.is_strict || !is_variable)) {
    lexer_.fail(word, "unknown type specifier " + quoted(word.text));
  }
  lexer_.take();
  return kind ? Type(*kind) : Type::variable(std::string(word.text));
}

AnnotatedType TypeReader::base() {
  if (lexer_.is("(")) return {.type = tuple(), .alias = {}, .size = {}};
  if (auto wrapped = wrapper()) return {.type = std::move(*wrapped), .alias = {}, .size = {}};
  AnnotatedType read{
      .type = lexer_.current().text == "Dict" ? dict() : plain(), .alias = {}, .size = {}};
  read.alias = annotation();
  return read;
}

/// The annotation so far belongs to the elements; the list may have its own.
void TypeReader::make_list(AnnotatedType& type) {
  type.type = Type::list(std::move(type.type));
  auto own = annotation();
  if (type.alias) {
    if (!own) {
      own.emplace();
      own->is_write = type.alias->is_write;
    }
    own->contained.push_back(std::move(*type.alias));
  }
  type.alias = std::move(own);
}

AnnotatedType TypeReader::type() {
  AnnotatedType read = base();
  for (;;) {
    if (lexer_.is("[") && lexer_.is_next("]")) {
      lexer_.take();
      lexer_.take();
      make_list(read);
    } else if (lexer_.accept("?")) {
      read.type = Type::optional(std::move(read.type));
    } else {
      return read;
    }
  }
}

void TypeReader::size_of_list(AnnotatedType& type) {
  if (!lexer_.accept("[")) return;
  const Token number = lexer_.expect("number");
  std::int64_t size = 0;
  const char* const end = number.text.data() + number.text.size();
  const auto [stop, problem] = std::from_chars(number.text.data(), end, size);
  if (problem != std::errc() || stop != end) lexer_.fail(number, "a size must be a whole number");
  lexer_.expect("]");
  type.size = size;
  make_list(type);
  if (lexer_.accept("?")) type.type = Type::optional(std::move(type.type));
}

}  // namespace

AnnotatedType read_argument_type(Reading& reading) {
  TypeReader reader(reading);
  AnnotatedType read = reader.type();
  reader.size_of_list(read);
  return read;
}

}  // namespace assay::cuda::dispatch
