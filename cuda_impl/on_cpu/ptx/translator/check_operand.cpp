// Checks single operands and translates them to C++.
#include "cuda_impl/on_cpu/ptx/translator/check_operand.hpp"

#include "cuda_impl/on_cpu/ptx/translator/refusal.hpp"

namespace assay::cuda::on_cpu::ptx {
namespace {

std::string hex(std::uint64_t bits) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text;
  do {
    text.insert(text.begin(), kDigits[bits % 16]);
  } while ((bits /= 16) != 0);
  return "0x" + text;
}

std::uint64_t low_bits(std::uint64_t value, std::uint32_t bytes) {
  return bytes == 8 ? value : value & ((std::uint64_t{1} << (8 * bytes)) - 1);
}

/// Whether `value` fits an unsigned or a signed integer of that many bytes.
bool fits(std::uint64_t value, std::uint32_t bytes) {
  if (bytes == 8) return true;
  const auto high = value >> (8 * bytes);
  const bool is_negative = (value >> (8 * bytes - 1)) == (~std::uint64_t{0} >> (8 * bytes - 1));
  return high == 0 || is_negative;
}

std::string literal(const Type& type, std::uint64_t bits) {
  return "literal<" + std::string(type.name) + ">(" + hex(low_bits(bits, type.bytes)) + ")";
}

std::string plus(const std::string& base, std::uint64_t offset) {
  return offset == 0 ? base : base + " + " + hex(offset) + "u";
}

std::string_view name_of(Space space) {
  switch (space) {
    case Space::kGlobal:
      return "global";
    case Space::kConst:
      return "const";
    case Space::kShared:
      return "shared";
    case Space::kLocal:
      return "local";
    case Space::kParam:
      return "param";
  }
  return "";
}

/// shared::cta is the same as shared.
std::string_view plain_space(std::string_view space) { return space.substr(0, space.find("::")); }

}  // namespace

void OperandChecker::refuse(const Operand& operand, const std::string& reason) const {
  throw Refusal(line_, operand.text, reason);
}

const Symbol& OperandChecker::symbol(const Operand& operand, const std::string& name) const {
  const auto* found = scope_.find(name);
  if (found == nullptr) refuse(operand, "nothing of that name is declared here");
  return *found;
}

const Symbol& OperandChecker::checked_register(const Operand& operand, const Type& type,
                                               bool is_wide) const {
  const auto& found = symbol(operand, operand.name);
  if (found.kind != SymbolKind::kRegister) refuse(operand, "expected a register");
  if (operand.value != 0) refuse(operand, "a register and a number added");
  if (is_wide ? agrees_widely(*found.type, type) : agrees(*found.type, type)) return found;
  refuse(operand, "expected a register for ." + std::string(type.name) + ", saw one of ." +
                      std::string(found.type->name));
}

std::uint64_t OperandChecker::constant(const Operand& operand, const Type& type) const {
  if (operand.kind != OperandKind::kInteger) refuse(operand, "expected an integer constant");
  if (!fits(operand.value, type.bytes)) {
    refuse(operand, "the constant does not fit ." + std::string(type.name));
  }
  return low_bits(operand.value, type.bytes);
}

std::string OperandChecker::value(const Operand& operand, const Type& type, bool is_wide) const {
  if (type.kind == TypeKind::kPredicate) return predicate(operand);
  if (operand.is_negated) refuse(operand, "only predicates are negated");
  const bool is_integer = type.kind != TypeKind::kFloat && type.kind != TypeKind::kHalf &&
                          type.kind != TypeKind::kBfloat16;
  switch (operand.kind) {
    case OperandKind::kName: {
      const auto& found = checked_register(operand, type, is_wide);
      const bool is_cut = found.type->bytes > type.bytes;
      return (is_cut ? "low<" : "get<") + std::string(type.name) + ">(" + found.cpp + ")";
    }
    case OperandKind::kInteger:
      if (!is_integer) refuse(operand, "an integer constant for ." + std::string(type.name));
      return literal(type, constant(operand, type));
    case OperandKind::kFloat32:
    case OperandKind::kFloat64:
      if ((type.kind != TypeKind::kFloat && type.kind != TypeKind::kBits) ||
          type.bytes != (operand.kind == OperandKind::kFloat32 ? 4 : 8)) {
        refuse(operand, "a float constant for ." + std::string(type.name));
      }
      return literal(type, operand.value);
    default:
      refuse(operand, "expected a register or a constant");
  }
}

std::string OperandChecker::target(const Operand& operand, const Type& type, bool is_wide) const {
  if (operand.kind == OperandKind::kSink) return {};
  if (operand.kind != OperandKind::kName || operand.is_negated) {
    refuse(operand, "expected a register to write");
  }
  const auto& found = checked_register(operand, type, is_wide);
  if (operand.name.starts_with('%') && !found.cpp.starts_with("v_")) {
    refuse(operand, "a special register cannot be written");
  }
  return found.cpp;
}

std::string OperandChecker::predicate(const Operand& operand) const {
  if (operand.kind == OperandKind::kInteger) {
    if (operand.value + 1 > 2) refuse(operand, "a predicate is 0, 1 or -1");
    return operand.value == 0 ? "false" : "true";
  }
  if (operand.kind != OperandKind::kName) refuse(operand, "expected a predicate");
  const auto& found = checked_register(operand, *find_type("pred"), false);
  return operand.is_negated ? "!" + found.cpp : found.cpp;
}

std::string OperandChecker::predicate(const Guard& guard) const {
  return predicate(Operand{.kind = OperandKind::kName,
                           .text = "@" + guard.name,
                           .name = guard.name,
                           .is_negated = guard.is_negated});
}

std::string OperandChecker::address(const Operand& operand) const {
  if (operand.kind != OperandKind::kName) return value(operand, *find_type("u64"));
  const auto& found = symbol(operand, operand.name);
  if (found.kind != SymbolKind::kVariable) return value(operand, *find_type("u64"));
  return plus(found.cpp, operand.value);
}

std::string OperandChecker::memory(const Operand& operand, const std::string& space,
                                   std::uint64_t bytes) const {
  if (operand.kind != OperandKind::kAddress) refuse(operand, "expected an address in brackets");
  if (operand.name.empty()) refuse(operand, "an address that is a number");
  const auto& found = symbol(operand, operand.name);
  std::string base = found.cpp;
  if (found.kind == SymbolKind::kVariable) {
    check_variable(operand, *found.variable, space, bytes);
  } else if (found.kind != SymbolKind::kRegister || found.type->kind == TypeKind::kFloat ||
             found.type->bytes < 4 || found.type->kind == TypeKind::kHalf) {
    refuse(operand, "expected a register of 32 or 64 bits or a variable");
  } else if (found.type->bytes == 4 && plain_space(space) != "shared") {
    refuse(operand, "a 32-bit register for an address that is not in shared memory");
  }
  if (plain_space(space) == "shared") base = "shared + " + base;
  return plus(base, operand.value);
}

void OperandChecker::check_variable(const Operand& operand, const Variable& variable,
                                    const std::string& space, std::uint64_t bytes) const {
  if (plain_space(space) != name_of(variable.space)) {
    refuse(operand, "a variable of ." + std::string(name_of(variable.space)) + " in an access to " +
                        (space.empty() ? "generic memory" : "." + space));
  }
  if (variable.count != 0 && operand.value + bytes > variable.bytes()) {
    refuse(operand, "beyond the " + std::to_string(variable.bytes()) + " bytes of the variable");
  }
}

}  // namespace assay::cuda::on_cpu::ptx
