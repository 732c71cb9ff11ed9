// Compares a declared schema with the one inferred from a kernel's C++ type.
#include "reference/dispatch/schema/difference.hpp"

namespace assay::reference {
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
