// Adapters between typed and boxed calls: boxing, unboxing, moves and returns.
#pragma once

#include <string>

#include "reference/core/types/contract.hpp"
#include "reference/dispatch/registry/kernel.hpp"

namespace assay::reference {

/// Raises the error of unboxing the value as this type (DSP-610). Values are never converted or
/// replaced by defaults.
void expect_fits(const CppType& type, const IValue& value);

/// A kernel that is about to run, with its call parameters.
struct KernelCall {
  const Kernel& kernel;
  const OperatorHandle& op;
  const std::string& op_name;
  KeySet keys;
};

/// Runs a typed kernel on a stack and replaces the arguments by the results. If it raises, the
/// arguments stay on the stack, but movable ones that were passed by value are None (DSP-611).
/// Raises `error` if the stack is too short (DSP-610).
void run_unboxed(const KernelCall& call, Stack& stack);

/// Calls a boxed kernel by a C++ signature. DSP-608 determines the returned values; in strict mode,
/// DSP-609 checks what the kernel pushed.
Stack run_with_boxing(const KernelCall& call, const CppSignature& signature,
                      const TypedArguments& arguments, Deviations deviations);

/// Raises `internal`, with both numbers, if they differ (DSP-609).
void expect_results(const std::string& op_name, std::size_t expected, std::size_t got);

/// Raises `error`, with both depths, if the stack is too short (DSP-610).
void expect_depth(const std::string& op_name, std::size_t expected, const Stack& stack);

}  // namespace assay::reference
