// Checks mov, whose forms the table cannot express: addresses, packing, unpacking.
#include "cuda_impl/on_cpu/ptx/translator/check_move.hpp"

#include "cuda_impl/on_cpu/ptx/translator/check_operand.hpp"
#include "cuda_impl/on_cpu/ptx/translator/refusal.hpp"

namespace assay::cuda::on_cpu::ptx {
namespace {

const Type& type_of(const Instruction& instruction) {
  const auto& modifiers = instruction.modifiers;
  const auto* type = modifiers.size() == 1 ? find_type(modifiers[0]) : nullptr;
  const bool may_move = type != nullptr &&
                        (type->bytes > 1 || type->kind == TypeKind::kPredicate) &&
                        type->kind != TypeKind::kHalf && type->kind != TypeKind::kBfloat16;
  if (!may_move) {
    throw Refusal(instruction.line, "mov", "expected one type of 16 to 64 bits, or .pred");
  }
  return *type;
}

class MoveChecker {
 public:
  MoveChecker(const Instruction& instruction, const Scope& scope)
      : type_(type_of(instruction)), check_(instruction.line, scope), scope_(scope) {}

  Call run(const Operand& to, const Operand& from) const {
    if (to.kind == OperandKind::kVector) return unpack(to, from);
    if (from.kind == OperandKind::kVector) return pack(to, from);
    Call call{.callee = "copy", .results = {{check_.target(to, type_), false}}};
    call.arguments = {is_variable(from) ? address(from) : check_.value(from, type_)};
    return call;
  }

 private:
  bool is_variable(const Operand& operand) const {
    const auto* found = scope_.find(operand.name);
    return operand.kind == OperandKind::kName && found != nullptr &&
           found->kind == SymbolKind::kVariable;
  }

  /// An address in shared memory has 32 bits or 64, all others have 64.
  std::string address(const Operand& operand) const {
    const bool is_shared = scope_.find(operand.name)->variable->space == Space::kShared;
    const bool is_float = type_.kind == TypeKind::kFloat;
    if (is_float || (type_.bytes != 8 && !(is_shared && type_.bytes == 4))) {
      check_.refuse(operand, "an address for ." + std::string(type_.name));
    }
    if (type_.bytes == 8) return check_.address(operand);
    return "static_cast<u32>(" + check_.address(operand) + ")";
  }

  /// The type of the parts of a vector.
  const Type& part_type(const Operand& vector) const {
    const auto count = static_cast<std::uint32_t>(vector.parts.size());
    const bool is_divided = (count == 2 || count == 4) && type_.bytes / count >= 2;
    if (!is_divided || type_.kind != TypeKind::kBits) {
      check_.refuse(vector, "." + std::string(type_.name) + " cannot be made of " +
                                std::to_string(count) + " parts");
    }
    return *find_type("b" + std::to_string(8 * type_.bytes / count));
  }

  Call unpack(const Operand& to, const Operand& from) const {
    const auto& part = part_type(to);
    Call call{.callee = "unpack",
              .template_arguments = {std::string(part.name)},
              .arguments = {check_.value(from, type_)}};
    for (const auto& operand : to.parts) {
      call.results.push_back({check_.target(operand, part), false});
    }
    return call;
  }

  Call pack(const Operand& to, const Operand& from) const {
    const auto& part = part_type(from);
    Call call{.callee = "pack",
              .template_arguments = {std::string(type_.name)},
              .results = {{check_.target(to, type_), false}}};
    for (const auto& operand : from.parts) call.arguments.push_back(check_.value(operand, part));
    return call;
  }

  const Type& type_;
  OperandChecker check_;
  const Scope& scope_;
};

}  // namespace

Call check_move(const Instruction& instruction, const Scope& scope) {
  const auto& operands = instruction.operands;
  if (operands.size() != 2) throw Refusal(instruction.line, "mov", "expected two operands");
  return MoveChecker(instruction, scope).run(operands[0], operands[1]);
}

}  // namespace assay::cuda::on_cpu::ptx
