// Converts C++ types to schema types and back; compares a declared schema with the one inferred
// from a kernel's C++ type.
#include "reference/dispatch/schema/signature_schema.hpp"

#include <array>
#include <utility>

#include "reference/core/types/error.hpp"

namespace assay::reference {
namespace {

using enum TypeKind;

/// The first entry of a kind is its canonical name.
constexpr std::array<std::pair<std::string_view, TypeKind>, 18> kWords{{
    {"Tensor", kTensor},
    {"Scalar", kScalar},
    {"int64_t", kInt},
    {"double", kFloat},
    {"bool", kBool},
    {"string", kStr},
    {"string_view", kStr},
    {"Dimname", kStr},
    {"complex", kComplex},
    {"SymInt", kSymInt},
    {"Device", kDevice},
    {"Generator", kGenerator},
    {"ScalarType", kScalarType},
    {"Layout", kLayout},
    {"MemoryFormat", kMemoryFormat},
    {"QScheme", kQScheme},
    {"Storage", kStorage},
    {"Stream", kStream},
}};

/// Types that do not compile in C++: lists and dicts of Scalar, packed bools, and most dict keys
/// (DSP-313).
bool is_banned(const CppType& type) {
  if (type.of.empty()) return false;
  const CppType& element = type.of.back();
  if (type.is("vector") && element.is("bool")) return true;
  if (!type.is("Dict")) return !type.is("optional") && element.is("Scalar");
  const CppType& key = type.of.front();
  const bool may_be_key =
      key.is("int64_t") || key.is("double") || key.is("bool") || key.is("string");
  return element.is("Scalar") || !may_be_key;
}

SchemaType type_of(const CppType& type) {
  check(!is_banned(type), [&] { return "no kernel takes the C++ type " + to_text(type); });
  if (type.is("Generator")) return optional_of({kGenerator, {}, {}});  // DSP-313
  for (const auto& [word, kind] : kWords) {
    if (type.is(word)) return {kind, {}, {}};
  }
  if (type.is("optional")) {
    const SchemaType inner = type_of(type.of.front());
    return inner.kind == kOptional ? inner : optional_of(inner);
  }
  if (type.is("Dict")) return {kDict, {type_of(type.of.front()), type_of(type.of.back())}, {}};
  const bool is_list =
      type.is("ArrayRef") || type.is("List") || type.is("vector") || type.is("array");
  check(is_list, [&] { return "no schema has a type for the C++ type " + to_text(type); });
  return list_of(type_of(type.of.front()));
}

std::vector<SchemaArgument> arguments_of(const std::vector<CppType>& types) {
  std::vector<SchemaArgument> made;
  for (const CppType& type : types) {
    SchemaArgument argument;
    argument.name = "_" + std::to_string(made.size() + 0);
    argument.type = type_of(type);
    made.push_back(std::move(argument));
  }
  return made;
}

CppType plain_cpp(const SchemaType& type) {
  if (type.kind == kOptional) return {"optional", {plain_cpp(type.items.front())}};
  if (type.kind == kDict) {
    return {"Dict", {plain_cpp(type.items.front()), plain_cpp(type.items.back())}};
  }
  if (type.kind == kList) {
    const CppType item = plain_cpp(type.items.front());
    return {item.is("optional") ? "List" : "ArrayRef", {item}};
  }
  for (const auto& [word, kind] : kWords) {
    if (kind == type.kind) return {std::string(word), {}};
  }
  throw Error("no C++ type stands for " + to_text(type));
}

CppType cpp_of(const SchemaArgument& argument) {
  CppType type = plain_cpp(argument.type);
  const bool is_tensor = type.is("Tensor");
  if (is_tensor && argument.is_written()) type.pass = CppType::Pass::kReference;
  if ((is_tensor || type.is("Scalar")) && !type.is_reference()) {
    type.pass = CppType::Pass::kConstReference;
  }
  return type;
}

}  // namespace

FunctionSchema schema_of(const CppSignature& signature) {
  FunctionSchema schema;
  schema.arguments = arguments_of(signature.parameters);
  schema.returns = arguments_of(signature.returns);
  return schema;
}

CppSignature signature_for(const FunctionSchema& schema) {
  CppSignature made;
  for (const SchemaArgument& argument : schema.arguments) {
    made.parameters.push_back(cpp_of(argument));
  }
  for (const SchemaArgument& result : schema.returns) {
    CppType type = plain_cpp(result.type);
    if (type.is("Tensor") && result.is_written()) type.pass = CppType::Pass::kReference;
    made.returns.push_back(std::move(type));
  }
  made.returns_tuple = made.returns.size() > 1;
  return made;
}

// DSP-314: reports the first difference in this order.

namespace {

std::optional<std::string> count_difference(const char* what, std::size_t declared,
                                            std::size_t inferred) {
  if (declared == inferred) return std::nullopt;
  return std::string("The number of ") + what + " is different. " + std::to_string(declared) +
         " vs " + std::to_string(inferred);
}

std::optional<std::string> type_difference(const char* what,
                                           const std::vector<SchemaArgument>& declared,
                                           const std::vector<SchemaArgument>& inferred) {
  for (std::size_t i = 0; i < declared.size(); ++i) {
    const SchemaType& wanted = declared[i].type;
    const SchemaType& got = inferred[i].type;
    if (wanted == got) continue;
    return std::string("Type mismatch in ") + what + " " + std::to_string(i + 1) + ": " +
           to_text(wanted) + " vs " + to_text(got);
  }
  return std::nullopt;
}

}  // namespace

// DSP-314: reports the first difference in this order.
std::optional<std::string> schema_difference(const FunctionSchema& declared,
                                             const FunctionSchema& inferred) {
  auto found = count_difference("arguments", declared.arguments.size(), inferred.arguments.size());
  if (!found) found = count_difference("returns", declared.returns.size(), inferred.returns.size());
  if (!found) found = type_difference("argument", declared.arguments, inferred.arguments);
  if (!found) found = type_difference("return", declared.returns, inferred.returns);
  return found;
}

std::optional<std::string> worded_difference(const FunctionSchema& declared,
                                             const FunctionSchema& inferred, Release release) {
  auto reason = schema_difference(declared, inferred);
  const bool is_of_arguments = declared.arguments.size() != inferred.arguments.size();
  const bool ends = is_of_arguments || release != Release::k1_13;
  if (reason && ends) reason->push_back('.');
  return reason;
}

std::string_view name_of(AliasKind kind) {
  switch (kind) {
    case AliasKind::kFromSchema:
      return "FROM_SCHEMA";
    case AliasKind::kConservative:
      return "CONSERVATIVE";
    default:
      return "PURE_FUNCTION";
  }
}

}  // namespace assay::reference
