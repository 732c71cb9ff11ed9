// Parses C++ signatures in text form; compares declared and inferred schemas.
#include "cuda_impl/dispatch/schema/signature.hpp"

#include <array>
#include <cctype>

#include "cuda_impl/core/error.hpp"

namespace assay::cuda::dispatch {
namespace {

struct CppType {
  std::string_view name;
  TypeKind kind;
};

/// DSP-313
constexpr std::array kPlain = {
    CppType{"Tensor", TypeKind::kTensor},   CppType{"Scalar", TypeKind::kScalar},
    CppType{"int64_t", TypeKind::kInt},     CppType{"double", TypeKind::kFloat},
    CppType{"bool", TypeKind::kBool},       CppType{"string", TypeKind::kStr},
    CppType{"string_view", TypeKind::kStr}, CppType{"SymInt", TypeKind::kSymInt},
    CppType{"Device", TypeKind::kDevice},   CppType{"ScalarType", TypeKind::kScalarType},
    CppType{"Layout", TypeKind::kLayout},   CppType{"MemoryFormat", TypeKind::kMemoryFormat},
    CppType{"QScheme", TypeKind::kQScheme}, CppType{"Stream", TypeKind::kStream},
    CppType{"Storage", TypeKind::kStorage},
};
constexpr std::array kLists = {
    CppType{"TensorList", TypeKind::kTensor},
    CppType{"IntList", TypeKind::kInt},
    CppType{"FloatList", TypeKind::kFloat},
};

template <typename Types>
std::optional<TypeKind> kind_named(const Types& types, std::string_view name) {
  for (const CppType& type : types) {
    if (type.name == name) return type.kind;
  }
  return std::nullopt;
}

class SignatureReader {
 public:
  SignatureReader(std::string_view text, Release release)
      : text_(text), has_named_dimensions_(release <= Release::k2_12) {}

  Schema read();

 private:
  std::vector<Type> returns();
  std::vector<Type> arguments();
  /// Accepts `const` and `&`, which do not appear in schemas.
  Type parameter();
  Type type();
  Type named(std::string_view name);
  Type list_of(std::string_view name);
  Type dict();
  Type complex();

  void skip_space();
  std::string_view word();
  bool accept(std::string_view sign);
  void expect(std::string_view sign);
  [[noreturn]] void fail(const std::string& words) const;

  std::string_view text_;
  const bool has_named_dimensions_;
  std::size_t at_ = 0;
};

void SignatureReader::fail(const std::string& words) const {
  throw Error(words + " at character " + std::to_string(at_ + 1) + " of the signature '" +
              std::string(text_) + "'");
}

void SignatureReader::skip_space() {
  while (at_ < text_.size() && text_[at_] == ' ') ++at_;
}

std::string_view SignatureReader::word() {
  skip_space();
  const std::size_t begin = at_;
  const auto in_word = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
  };
  while (at_ < text_.size() && in_word(text_[at_])) ++at_;
  if (at_ == begin) fail("expected a type");
  return text_.substr(begin, at_ - begin);
}

bool SignatureReader::accept(std::string_view sign) {
  skip_space();
  if (!text_.substr(at_).starts_with(sign)) return false;
  at_ += sign.size();
  return true;
}

void SignatureReader::expect(std::string_view sign) {
  if (!accept(sign)) fail("expected '" + std::string(sign) + "'");
}

/// There is no list of Scalars and no vector of bools.
Type SignatureReader::list_of(std::string_view name) {
  expect("<");
  Type element = type();
  if (name == "array") {
    expect(",");
    word();
  }
  expect(">");
  const bool is_bits = name == "vector" && element.is(TypeKind::kBool);
  if (is_bits || element.is(TypeKind::kScalar)) fail("no kernel takes such a list");
  return Type::list(std::move(element));
}

Type SignatureReader::dict() {
  expect("<");
  Type key = type();
  expect(",");
  Type value = type();
  expect(">");
  const bool has_key = key.is(TypeKind::kInt) || key.is(TypeKind::kFloat) ||
                       key.is(TypeKind::kBool) || key.is(TypeKind::kStr);
  if (!has_key || value.is(TypeKind::kScalar)) fail("no kernel takes such a dict");
  return Type(TypeKind::kDict, {std::move(key), std::move(value)});
}

Type SignatureReader::complex() {
  expect("<");
  if (word() != "double") fail("expected double");
  expect(">");
  return Type(TypeKind::kComplex);
}

Type SignatureReader::named(std::string_view name) {
  if (const auto kind = kind_named(kPlain, name)) return Type(*kind);
  if (const auto kind = kind_named(kLists, name)) return Type::list(Type(*kind));
  if (name == "Dimname" && has_named_dimensions_) return Type(TypeKind::kStr);
  if (name == "Generator") return Type::optional(Type(TypeKind::kGenerator));
  if (name == "Dict") return dict();
  if (name == "complex") return complex();
  if (name == "List" || name == "ArrayRef" || name == "vector" || name == "array") {
    return list_of(name);
  }
  fail("no kernel takes the C++ type " + std::string(name));
}

Type SignatureReader::type() {
  const std::string_view name = word();
  if (name != "optional") return named(name);
  expect("<");
  Type inner = type();
  expect(">");
  return Type::optional(std::move(inner));
}

Type SignatureReader::parameter() {
  const std::size_t begin = at_;
  if (word() != "const") at_ = begin;
  Type read = type();
  accept("&");
  return read;
}

std::vector<Type> SignatureReader::returns() {
  const std::size_t begin = at_;
  const std::string_view first = word();
  if (first == "void") return {};
  if (first != "tuple") {
    at_ = begin;
    return {parameter()};
  }
  std::vector<Type> types;
  expect("<");
  if (accept(">")) return types;
  do {
    types.push_back(parameter());
  } while (accept(","));
  expect(">");
  return types;
}

std::vector<Type> SignatureReader::arguments() {
  std::vector<Type> types;
  expect("(");
  if (accept(")")) return types;
  const std::size_t begin = at_;
  const bool has_keys = word() == "DispatchKeySet";
  if (!has_keys) at_ = begin;
  if (has_keys && accept(")")) return types;
  if (has_keys) expect(",");
  do {
    types.push_back(parameter());
  } while (accept(","));
  expect(")");
  return types;
}

Schema SignatureReader::read() {
  std::vector<Type> given_back = returns();
  std::vector<Type> taken = arguments();
  skip_space();
  if (at_ != text_.size()) fail("expected the end");
  return schema_of_types(std::move(taken), std::move(given_back));
}

std::vector<Argument> numbered(std::vector<Type> types) {
  std::vector<Argument> arguments;
  for (Type& type : types) {
    Argument& added = arguments.emplace_back();
    added.name = "_" + std::to_string(arguments.size() - 1);
    added.type = std::move(type);
  }
  return arguments;
}

}  // namespace

Schema schema_of_types(std::vector<Type> arguments, std::vector<Type> returns) {
  return Schema({.name = {},
                 .arguments = numbered(std::move(arguments)),
                 .returns = numbered(std::move(returns)),
                 .is_vararg = false,
                 .is_varret = false});
}

Schema schema_of_signature(std::string_view signature, Release release) {
  return SignatureReader(signature, release).read();
}

// Compares declared and inferred schemas.

namespace {

using Arguments = std::span<const Argument>;

std::optional<std::string> count_difference(Arguments declared, Arguments inferred,
                                            const std::string& what) {
  if (declared.size() == inferred.size()) return std::nullopt;
  return "The number of " + what + "s is different. " + std::to_string(declared.size()) + " vs " +
         std::to_string(inferred.size());
}

std::optional<std::string> type_difference(Arguments declared, Arguments inferred,
                                           const std::string& what) {
  for (std::size_t i = 0; i < declared.size(); ++i) {
    if (declared[i].type == inferred[i].type) continue;
    return "Type mismatch in " + what + " " + std::to_string(i + 1) + ": " +
           declared[i].type.text() + " vs " + inferred[i].type.text();
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::string> schema_difference(const Schema& declared, const Schema& inferred,
                                             const Contract& contract) {
  // In 1.13, only the first of these messages ends with a period.
  const bool is_newer = contract.release != Release::k1_13;
  if (auto found = count_difference(declared.arguments(), inferred.arguments(), "argument")) {
    return *found + ".";
  }
  auto found = count_difference(declared.returns(), inferred.returns(), "return");
  if (!found) found = type_difference(declared.arguments(), inferred.arguments(), "argument");
  if (!found) found = type_difference(declared.returns(), inferred.returns(), "return");
  return found && is_newer ? *found + "." : found;
}

void require_fit(const OperatorName& op, const SchemaAt& declared, const SchemaAt& inferred,
                 const Contract& contract) {
  const auto reason = schema_difference(declared.schema, inferred.schema, contract);
  require(!reason, [&] {
    return "the kernel's signature doesn't match the expected function schema.\n  operator: " +
           op.text() + "\n  expected schema: " + declared.schema.text(contract) + "\n    " +
           declared.where + "\n  inferred schema: " + inferred.schema.text(contract) + "\n    " +
           inferred.where + "\n  reason: " + *reason;
  });
}

void require_definable(const Schema& schema, const Contract& contract) {
  const std::string_view space = schema.name().namespace_name();
  const bool is_own = space == "aten" || space == "prim";
  const bool may_have = contract.release == Release::k1_13 || is_own;
  require(may_have || !schema.has_variable(), ErrorKind::kSchema, [&] {
    return "unknown type specifier in a definition, where no type may be a variable: " +
           schema.text(contract);
  });
}

}  // namespace assay::cuda::dispatch
