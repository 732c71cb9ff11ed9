// Checks an instruction against the known forms, the names in scope and PTX's rules for operands.
#pragma once

#include <string>
#include <vector>

#include "cuda_impl/on_cpu/ptx/translator/forms.hpp"
#include "cuda_impl/on_cpu/ptx/translator/scope.hpp"

namespace assay::cuda::on_cpu::ptx {

struct Result {
  std::string cpp;    ///< a register's name; empty if the result is unused
  bool may_be_wider;  ///< if wider than the value, it is sign-extended
};

/// An instruction as a call in C++, every operand's type checked.
struct Call {
  std::string callee = {};
  std::vector<std::string> template_arguments = {};
  std::vector<std::string> arguments = {};  ///< expressions of exactly the parameter's type
  std::vector<Result> results = {};         ///< if several, the parts of the returned value
};

/// For all instructions except branches, calls and returns. Throws Refusal.
Call check_instruction(const Instruction& instruction, const Scope& scope);

}  // namespace assay::cuda::on_cpu::ptx
