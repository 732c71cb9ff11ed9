// Between typed calls and boxed kernels, and back: what is boxed, unboxed, moved and returned.
#pragma once

#include <string>

#include "reference/core/types/contract.hpp"
#include "reference/dispatch/registry/kernel.hpp"

namespace assay::reference {

/// Raises what reading the value as a parameter or return of that type raises (DSP-610): nothing is
/// converted, nothing is filled in.
void expect_fits(const CppType& type, const IValue& value);

/// A kernel about to run, and what it gets besides its arguments.
struct KernelCall {
  const Kernel& kernel;
  const OperatorHandle& op;
  const std::string& op_name;
  KeySet keys;
};

/// A typed kernel with the arguments on top of the stack: they make room for its results. If it
/// raises they stay, but those that it took by value are None where they can be moved (DSP-611).
/// Raises `error` when the stack is too short (DSP-610).
void run_unboxed(const KernelCall& call, Stack& stack);

/// A boxed kernel called with that signature: what is returned follows DSP-608, what the kernel
/// pushed is checked by DSP-609 unless `deviations` is compat.
Stack run_with_boxing(const KernelCall& call, const CppSignature& signature,
                      const TypedArguments& arguments, Deviations deviations);

/// Raises `internal` naming both numbers (DSP-609).
void expect_results(const std::string& op_name, std::size_t expected, std::size_t got);

/// Raises `error` naming both depths (DSP-610).
void expect_depth(const std::string& op_name, std::size_t expected, const Stack& stack);

}  // namespace assay::reference
