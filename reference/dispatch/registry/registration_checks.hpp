// Consistency checks of definitions and kernels, with their messages.
#pragma once

#include <optional>
#include <string>

#include "reference/dispatch/registry/operator_entry.hpp"

namespace assay::reference {

/// The schema of a typed kernel's signature (DSP-313); empty for other kernels.
std::optional<FunctionSchema> inferred(const Kernel& kernel);

/// DSP-406.
void expect_undefined(const OperatorState& op, const std::string& debug);
/// DSP-207.
void expect_few_arguments(const FunctionSchema& schema);
/// DSP-315: the kernel must match the schema, which was defined at `debug`.
void expect_schema(const OperatorState& op, const FunctionSchema& schema, const std::string& debug,
                   const Registered& kernel);
/// DSP-409: all typed kernels of an operator must have the same signature.
void expect_signature(const OperatorState& op, const Registered& kernel,
                      std::optional<DispatchKey> key);
/// DSP-704: checks whether the operator may be called by this signature. Any signature is accepted
/// if no typed kernel contradicts it.
void expect_called_as(const OperatorState& op, const CppSignature& signature);
/// The same check against the schema, which PyTorch omits. The operator must have a schema.
void expect_schema_called_as(const OperatorState& op, const CppSignature& signature);
/// DSP-412. `key` is the requested one.
std::string override_warning(const OperatorState& op, std::optional<DispatchKey> key,
                             const std::string& previous, const std::string& added);

}  // namespace assay::reference
