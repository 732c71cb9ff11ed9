// Implements the consistency checks.
#include "reference/dispatch/registry/registration_checks.hpp"

#include "reference/core/types/error.hpp"
#include "reference/dispatch/schema/signature_schema.hpp"

namespace assay::reference {
namespace {

constexpr std::size_t kMostArguments = 64;

std::string key_text(std::optional<DispatchKey> key) { return key ? name_of(*key) : "(catch all)"; }

std::string where_defined(const OperatorState& op) {
  if (!op.has_schema()) return "no debug info";
  return to_text(op.definition->schema) + ", " + op.definition->debug;
}

[[noreturn]] void wrong_signature(const OperatorState& op, const std::string& correct,
                                  const CppSignature& signature) {
  throw Error("Tried to access or call an operator with a wrong signature.\n  operator: " +
              to_text(op.name) + "\n    " + where_defined(op) + "\n  correct signature: " +
              correct + "\n  accessed/called as: " + to_text(signature));
}

}  // namespace

std::optional<FunctionSchema> inferred(const Kernel& kernel) {
  if (!kernel.is_typed()) return std::nullopt;
  return schema_of(*kernel.signature());
}

void expect_undefined(const OperatorState& op, const std::string& debug) {
  if (!op.has_schema()) return;
  throw Error(op.lost_definition ? ErrorKind::kInternal : ErrorKind::kError,
              "Tried to register an operator (" + to_text(op.definition->schema) +
                  ") with the same name and overload name multiple times. "
                  "First registered at " +
                  op.definition->debug + ", again at " + debug);
}

void expect_few_arguments(const FunctionSchema& schema) {
  const std::size_t count = schema.arguments.size();
  check(count <= kMostArguments, [&] {
    return "The function schema of " + to_text(schema.name) + " has " + std::to_string(count) +
           " arguments but this dispatcher only supports " + std::to_string(kMostArguments);
  });
}

void expect_schema(const OperatorState& op, const FunctionSchema& schema, const std::string& debug,
                   const Registered& kernel) {
  if (!kernel.inferred) return;
  const auto reason = schema_difference(schema, *kernel.inferred);
  check(!reason, [&] {
    return "Inferred operator schema for a C++ kernel function doesn't match the expected function "
           "schema.\n  operator: " +
           to_text(op.name) + "\n  expected schema: " + to_text(schema) + "\n    " + debug +
           "\n  inferred schema: " + to_text(*kernel.inferred) + "\n    " + kernel.debug +
           "\n  reason: " + *reason;
  });
}

void expect_signature(const OperatorState& op, const Registered& kernel,
                      std::optional<DispatchKey> key) {
  const CppSignature* signature = kernel.kernel.signature();
  if (signature == nullptr || !op.signature || op.signature->signature == *signature) return;
  throw Error("Mismatch in kernel C++ signatures\n  operator: " + to_text(op.name) + "\n    " +
              where_defined(op) + "\n  kernel 1: " + to_text(op.signature->signature) +
              "\n    dispatch key: " + key_text(op.signature->key) + "\n    " +
              op.signature->debug + "\n  kernel 2: " + to_text(*signature) +
              "\n    dispatch key: " + key_text(key) + "\n    " + kernel.debug);
}

void expect_called_as(const OperatorState& op, const CppSignature& signature) {
  if (!op.signature || op.signature->signature == signature) return;
  wrong_signature(op, to_text(op.signature->signature) + "\n    " + op.signature->debug, signature);
}

void expect_schema_called_as(const OperatorState& op, const CppSignature& signature) {
  const auto reason = schema_difference(op.definition->schema, schema_of(signature));
  if (reason) wrong_signature(op, "one of the schema: " + *reason, signature);
}

std::string override_warning(const OperatorState& op, std::optional<DispatchKey> key,
                             const std::string& previous, const std::string& added) {
  return "Overriding a previously registered kernel for the same operator and the same dispatch "
         "key\n  operator: " +
         to_text(op.name) + "\n    " + where_defined(op) + "\n  dispatch key: " + key_text(key) +
         "\n  previous kernel: " + previous + "\n       new kernel: " + added;
}

}  // namespace assay::reference
