// Compares declared and inferred schemas.
#include "cuda_impl/dispatch/schema/difference.hpp"

#include "cuda_impl/core/error.hpp"

namespace assay::cuda::dispatch {
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
