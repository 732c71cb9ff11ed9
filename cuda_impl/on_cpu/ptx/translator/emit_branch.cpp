// Emits branches, calls and returns.
#include "cuda_impl/on_cpu/ptx/translator/emit_branch.hpp"

#include "cuda_impl/on_cpu/ptx/translator/check_operand.hpp"
#include "cuda_impl/on_cpu/ptx/translator/emit_function.hpp"
#include "cuda_impl/on_cpu/ptx/translator/refusal.hpp"

namespace assay::cuda::on_cpu::ptx {
namespace {

[[noreturn]] void refuse(const Instruction& instruction, const std::string& reason) {
  throw Refusal(instruction.line, instruction.opcode, reason);
}

void expect_operands(const Instruction& instruction, std::size_t count) {
  if (instruction.operands.size() != count) {
    refuse(instruction, "expected " + std::to_string(count) + " operands, saw " +
                            std::to_string(instruction.operands.size()));
  }
}

std::string jump_to(const Instruction& instruction, const std::string& label, const Scope& scope) {
  const auto* found = scope.find(label);
  if (found == nullptr || found->kind != SymbolKind::kLabel) {
    refuse(instruction, "no label " + label + " here");
  }
  return "goto " + found->cpp + ";";
}

std::string branch(const Instruction& instruction, const Scope& scope) {
  expect_operands(instruction, 1);
  return jump_to(instruction, instruction.operands[0].name, scope);
}

/// brx.idx: an index outside the list is undefined, so it raises a fault.
std::string branch_by_index(const Instruction& instruction, const Scope& scope) {
  expect_operands(instruction, 2);
  const auto* found = scope.find(instruction.operands[1].name);
  if (found == nullptr || found->kind != SymbolKind::kTargets) {
    refuse(instruction, "no .branchtargets " + instruction.operands[1].name + " here");
  }
  const OperandChecker check(instruction.line, scope);
  auto text = "switch (" + check.value(instruction.operands[0], *find_type("u32")) + ") {";
  int number = 0;
  for (const auto& label : found->targets->labels) {
    text += " case " + std::to_string(number++) + ": " + jump_to(instruction, label, scope);
  }
  return text + " default: branch_out_of_range(); }";
}

/// The addresses of a call's arguments, which must be variables of the parameters' sizes.
std::string addresses_of(const Instruction& instruction, const Operand& list,
                         const std::vector<Variable>& expected, const Scope& scope) {
  if (list.kind != OperandKind::kList || list.parts.size() != expected.size()) {
    refuse(instruction, "expected a list of " + std::to_string(expected.size()) + " parameters");
  }
  std::string text;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const auto* found = scope.find(list.parts[i].name);
    const bool is_parameter = found != nullptr && found->kind == SymbolKind::kVariable &&
                              found->variable->space == Space::kParam &&
                              found->variable->bytes() == expected[i].bytes();
    if (!is_parameter) {
      refuse(instruction, list.parts[i].text + " is no .param variable of " +
                              std::to_string(expected[i].bytes()) + " bytes");
    }
    text += (i == 0 ? "" : ", ") + found->cpp;
  }
  return text;
}

void check_modifiers(const Instruction& instruction) {
  const auto& modifiers = instruction.modifiers;
  if (instruction.opcode == "brx") {
    const bool is_known =
        !modifiers.empty() && modifiers[0] == "idx" &&
        (modifiers.size() == 1 || (modifiers.size() == 2 && modifiers[1] == "uni"));
    if (!is_known) refuse(instruction, "expected brx.idx or brx.idx.uni");
  } else if (!modifiers.empty() &&
             (modifiers != std::vector<std::string>{"uni"} || instruction.opcode == "exit")) {
    refuse(instruction, "unknown modifier ." + modifiers[0]);
  }
}

}  // namespace

bool BranchEmitter::knows(const std::string& opcode) const {
  return opcode == "bra" || opcode == "brx" || opcode == "ret" || opcode == "exit" ||
         opcode == "call";
}

std::string BranchEmitter::statement_of(const Instruction& instruction, const Scope& scope) const {
  check_modifiers(instruction);
  if (instruction.opcode == "bra") return branch(instruction, scope);
  if (instruction.opcode == "brx") return branch_by_index(instruction, scope);
  if (instruction.opcode == "call") return call(instruction, scope);
  expect_operands(instruction, 0);
  if (instruction.opcode == "exit" && !function_.is_entry) {
    refuse(instruction, "ends the thread from inside a function");
  }
  return "return;";
}

/// call (results), function, (parameters): the lists may be missing.
std::string BranchEmitter::call(const Instruction& instruction, const Scope& scope) const {
  auto operands = instruction.operands;
  const Operand empty{.kind = OperandKind::kList};
  if (operands.empty() || operands[0].kind != OperandKind::kList) {
    operands.insert(operands.begin(), empty);
  }
  if (operands.size() == 2) operands.push_back(empty);
  if (operands.size() != 3) refuse(instruction, "a call through a pointer");
  const auto callee = functions_.find(operands[1].name);
  if (callee == functions_.end()) {
    refuse(instruction, operands[1].text + " is not a function of this file");
  }
  const auto& function = *callee->second;
  const auto results = addresses_of(instruction, operands[0], function.results, scope);
  const auto parameters = addresses_of(instruction, operands[2], function.parameters, scope);
  const auto* comma = results.empty() || parameters.empty() ? "" : ", ";
  return cpp_name_of(function) + "(" + results + comma + parameters + ");";
}

}  // namespace assay::cuda::on_cpu::ptx
