// What a def and an impl must agree on, and what is said when they do not.
#pragma once

#include <optional>
#include <string>

#include "reference/dispatch/registry/operator_state.hpp"

namespace assay::reference {

/// The schema that a typed kernel's signature stands for (DSP-313); nothing for another kernel.
std::optional<FunctionSchema> inferred(const Kernel& kernel);

/// DSP-406.
void expect_undefined(const OperatorState& op, const std::string& debug);
/// DSP-207.
void expect_few_arguments(const FunctionSchema& schema);
/// DSP-315: does the kernel fit the schema? `debug` is where that was defined.
void expect_schema(const OperatorState& op, const FunctionSchema& schema, const std::string& debug,
                   const Registered& kernel);
/// DSP-409: do all typed kernels of the operator have one signature?
void expect_signature(const OperatorState& op, const Registered& kernel,
                      std::optional<DispatchKey> key);
/// DSP-704: may the operator be called by that signature? Any will do that no typed kernel
/// gainsays.
void expect_called_as(const OperatorState& op, const CppSignature& signature);
/// The same for its schema, which PyTorch does not ask about. The operator has one.
void expect_schema_called_as(const OperatorState& op, const CppSignature& signature);
/// DSP-412. `key` is the one that was asked for.
std::string override_warning(const OperatorState& op, std::optional<DispatchKey> key,
                             const std::string& previous, const std::string& added);

}  // namespace assay::reference
