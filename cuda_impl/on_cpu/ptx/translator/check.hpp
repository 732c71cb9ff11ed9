// Checks an instruction against the forms and the names in scope, by PTX's rules on operands.
#pragma once

#include <string>
#include <vector>

#include "cuda_impl/on_cpu/ptx/translator/forms.hpp"
#include "cuda_impl/on_cpu/ptx/translator/scope.hpp"

namespace assay::cuda::on_cpu::ptx {

struct Result {
  std::string cpp;    ///< a register's name; empty where nobody wants it
  bool may_be_wider;  ///< than the value, which is then extended by its own sign
};

/// An instruction as a call in C++, every operand's type checked.
struct Call {
  std::string callee = {};
  std::vector<std::string> template_arguments = {};
  std::vector<std::string> arguments = {};  ///< expressions of exactly the type meant
  std::vector<Result> results = {};         ///< several are parts of what the callee returns
};

/// Of any instruction that leaves the flow of control alone. Throws Refusal.
Call check_instruction(const Instruction& instruction, const Scope& scope);

}  // namespace assay::cuda::on_cpu::ptx
