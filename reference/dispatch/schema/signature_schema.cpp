// Converts C++ types to schema types and back.
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

}  // namespace assay::reference
