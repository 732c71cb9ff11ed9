// Checks single operands and translates them to C++.
#pragma once

#include <string>

#include "cuda_impl/on_cpu/ptx/translator/scope.hpp"

namespace assay::cuda::on_cpu::ptx {

/// Reads and checks the operands of one instruction.
class OperandChecker {
 public:
  OperandChecker(int line, const Scope& scope) : line_(line), scope_(scope) {}

  /// An expression of exactly `type`. If `is_wide`, a register may be wider.
  std::string value(const Operand& operand, const Type& type, bool is_wide = false) const;

  /// The destination register for a `type`; empty for _.
  std::string target(const Operand& operand, const Type& type, bool is_wide = false) const;

  std::string predicate(const Operand& operand) const;
  std::string predicate(const Guard& guard) const;

  /// A 64-bit address or the address of a variable, as u64.
  std::string address(const Operand& operand) const;

  /// The address of [operand] in the process. `bytes`: size of the access, checked for parameters.
  std::string memory(const Operand& operand, const std::string& space, std::uint64_t bytes) const;

  /// The number, which must fit `type` as signed or unsigned.
  std::uint64_t constant(const Operand& operand, const Type& type) const;

  [[noreturn]] void refuse(const Operand& operand, const std::string& reason) const;

 private:
  const Symbol& symbol(const Operand& operand, const std::string& name) const;
  const Symbol& checked_register(const Operand& operand, const Type& type, bool is_wide) const;
  void check_variable(const Operand& operand, const Variable& variable, const std::string& space,
                      std::uint64_t bytes) const;

  int line_;
  const Scope& scope_;
};

}  // namespace assay::cuda::on_cpu::ptx
