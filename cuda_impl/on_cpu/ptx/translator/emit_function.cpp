// Translates a PTX function to a C++ function.
#include "cuda_impl/on_cpu/ptx/translator/emit_function.hpp"

#include "cuda_impl/on_cpu/ptx/translator/check.hpp"
#include "cuda_impl/on_cpu/ptx/translator/check_operand.hpp"
#include "cuda_impl/on_cpu/ptx/translator/emit_branch.hpp"
#include "cuda_impl/on_cpu/ptx/translator/refusal.hpp"

namespace assay::cuda::on_cpu::ptx {
namespace {

std::string joined(const std::vector<std::string>& parts) {
  std::string text;
  for (const auto& part : parts) text += (text.empty() ? "" : ", ") + part;
  return text;
}

std::string call_of(const Call& call) {
  const auto templates =
      call.template_arguments.empty() ? "" : "<" + joined(call.template_arguments) + ">";
  return call.callee + templates + "(" + joined(call.arguments) + ")";
}

std::string assignment(const Result& result, const std::string& value) {
  if (result.cpp.empty()) return "static_cast<void>(" + value + ");";
  return (result.may_be_wider ? "set_wide(" : "set(") + result.cpp + ", " + value + ");";
}

std::string statement_of(const Call& call) {
  if (call.results.empty()) return call_of(call) + ";";
  if (call.results.size() == 1 && call.callee != "unpack") {
    return assignment(call.results[0], call_of(call));
  }
  std::string text = "{ const auto results = " + call_of(call) + ";";
  for (std::size_t i = 0; i < call.results.size(); ++i) {
    text += " " + assignment(call.results[i], "std::get<" + std::to_string(i) + ">(results)");
  }
  return text + " }";
}

class FunctionEmitter {
 public:
  FunctionEmitter(const Function& function, const ModuleNames& names,
                  const std::map<const Variable*, std::uint64_t>& shared_offsets)
      : function_(function),
        names_(names),
        shared_offsets_(shared_offsets),
        lines_(names.lines),
        branches_(function, names.functions) {}

  std::string run() {
    Scope scope(names_.scope);
    declare_parameters(scope);
    emit_block_in(*function_.body, scope);
    return "void " + cpp_name_of(function_) + signature_of(function_) + " {\n" + prologue() +
           body_ + "\n}\n";
  }

 private:
  void declare_parameters(Scope& scope) {
    std::size_t number = 0;
    const auto declare = [&](const Variable& variable) {
      scope.declare(variable.line, variable.name,
                    {SymbolKind::kVariable, parameter_name(number++), nullptr, &variable});
    };
    for (const auto& result : function_.results) declare(result);
    for (const auto& parameter : function_.parameters) declare(parameter);
  }

  static std::string parameter_name(std::size_t number) { return "a" + std::to_string(number); }

  /// Emits only what the body needs, so that other kernels have no cost.
  std::string prologue() const {
    std::string text;
    if (uses("here.") || uses("here)"))
      text += "[[maybe_unused]] const ThreadPlace here = place();\n";
    if (uses("shared + ") || uses("shared)")) {
      text += "[[maybe_unused]] const u64 shared = address_of(shared_memory());\n";
    }
    if (uses("carry)")) text += "[[maybe_unused]] bool carry = false;\n";
    if (!function_.is_entry) return text;
    for (std::size_t i = 0; i < function_.parameters.size(); ++i) {
      text += "[[maybe_unused]] const u64 " + parameter_name(i) + " = address_of(parameters[" +
              std::to_string(i) + "]);\n";
    }
    return text;
  }

  bool uses(const char* text) const { return body_.find(text) != std::string::npos; }

  void emit_block(const Block& block, Scope& outer) {
    Scope scope(outer);
    write("{");
    emit_block_in(block, scope);
    write("}");
  }

  void emit_block_in(const Block& block, Scope& scope) {
    declare_all(block, scope);
    for (const auto& statement : block.statements) emit_declaration(statement, scope);
    for (const auto& statement : block.statements) {
      std::visit([&](const auto& what) { emit(what, scope); }, statement);
    }
  }

  /// Emits all declarations of a block first, since no goto may jump over one.
  void emit_declaration(const Statement& statement, Scope& scope) {
    if (const auto* registers = std::get_if<Registers>(&statement)) {
      declare_registers(*registers, scope);
    } else if (const auto* variable = std::get_if<Variable>(&statement)) {
      declare_variable(*variable, scope);
    }
  }

  void declare_registers(const Registers& registers, const Scope& scope) {
    if (registers.count == 0) return;
    std::string text = "[[maybe_unused]] " + std::string(storage_of(*registers.type));
    for (std::uint32_t i = 0; i < registers.count; ++i) {
      const auto name = registers.is_range ? registers.name + std::to_string(i) : registers.name;
      text += (i == 0 ? " " : ", ") + scope.find(name)->cpp + "{}";
    }
    write(text + ";");
  }

  void declare_variable(const Variable& variable, Scope& scope) {
    std::string cpp;
    if (variable.space == Space::kShared) {
      cpp = "u64{" + std::to_string(shared_offsets_.at(&variable)) + "}";
    } else if (variable.space == Space::kLocal) {
      const auto name = scope.fresh("m_", variable.name);
      write("[[maybe_unused]] LocalMemory<" + std::to_string(variable.bytes()) + ", " +
            std::to_string(variable.alignment) + "> " + name + ";");
      cpp = "address_of(" + name + ".bytes())";
    } else if (variable.space == Space::kParam) {
      const auto name = scope.fresh("m_", variable.name);
      write("alignas(" + std::to_string(variable.alignment) + ") [[maybe_unused]] std::byte " +
            name + "[" + std::to_string(variable.bytes()) + "];");
      cpp = "address_of(" + name + ")";
    } else {
      throw Refusal(variable.line, variable.name, "a variable of this space in a function");
    }
    if (!variable.initialiser.empty() || variable.count == 0) {
      throw Refusal(variable.line, variable.name, "expected a size and no initial value");
    }
    scope.declare(variable.line, variable.name, {SymbolKind::kVariable, cpp, nullptr, &variable});
  }

  void emit(const Registers&, Scope&) {}
  void emit(const Variable&, Scope&) {}
  void emit(const BranchTargets&, Scope&) {}
  void emit(const Block& block, Scope& scope) { emit_block(block, scope); }

  void emit(const Label& label, Scope& scope) {
    write("[[maybe_unused]] " + scope.find(label.name)->cpp + ":;");
  }

  void emit(const Location& location, Scope&) {
    body_ += "\n" + lines_.directive_of(location) + "\n";
    has_location_ = true;
  }

  void emit(const Instruction& instruction, Scope& scope) {
    const auto statement = branches_.knows(instruction.opcode)
                               ? branches_.statement_of(instruction, scope)
                               : statement_of(check_instruction(instruction, scope));
    if (!instruction.guard) return write(statement);
    const OperandChecker check(instruction.line, scope);
    write("if (" + check.predicate(*instruction.guard) + ") { " + statement + " }");
  }

  /// Statements of one source line are one line here, so that later lines keep their numbers.
  void write(const std::string& text) { body_ += text + (has_location_ ? " " : "\n"); }

  const Function& function_;
  const ModuleNames& names_;
  const std::map<const Variable*, std::uint64_t>& shared_offsets_;
  SourceLines lines_;
  BranchEmitter branches_;
  std::string body_;
  bool has_location_ = false;
};

}  // namespace

std::string cpp_name_of(const Function& function) {
  return (function.is_entry ? "kernel_" : "function_") + function.name;
}

std::string signature_of(const Function& function) {
  if (function.is_entry) return "([[maybe_unused]] void* const* parameters)";
  std::vector<std::string> addresses;
  for (std::size_t i = 0; i < function.results.size() + function.parameters.size(); ++i) {
    addresses.push_back("[[maybe_unused]] u64 a" + std::to_string(i));
  }
  return "(" + joined(addresses) + ")";
}

std::string emit_function(const Function& function, const ModuleNames& names,
                          const std::map<const Variable*, std::uint64_t>& shared_offsets) {
  return FunctionEmitter(function, names, shared_offsets).run();
}

}  // namespace assay::cuda::on_cpu::ptx
