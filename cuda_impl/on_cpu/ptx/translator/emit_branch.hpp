// Emits branches, calls and returns.
#pragma once

#include <map>
#include <string>

#include "cuda_impl/on_cpu/ptx/translator/scope.hpp"

namespace assay::cuda::on_cpu::ptx {

class BranchEmitter {
 public:
  BranchEmitter(const Function& function, const std::map<std::string, const Function*>& functions)
      : function_(function), functions_(functions) {}

  bool knows(const std::string& opcode) const;

  /// Throws Refusal.
  std::string statement_of(const Instruction& instruction, const Scope& scope) const;

 private:
  std::string call(const Instruction& instruction, const Scope& scope) const;

  const Function& function_;
  const std::map<std::string, const Function*>& functions_;
};

}  // namespace assay::cuda::on_cpu::ptx
