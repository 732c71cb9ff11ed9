// Translates a module's variable to an array of bytes.
#include "cuda_impl/on_cpu/ptx/translator/emit_variable.hpp"

#include <algorithm>

#include "cuda_impl/on_cpu/ptx/translator/check_operand.hpp"
#include "cuda_impl/on_cpu/ptx/translator/refusal.hpp"
#include "cuda_impl/on_cpu/ptx/translator/scope.hpp"

namespace assay::cuda::on_cpu::ptx {
namespace {

std::uint64_t bits_of(const Variable& variable, const Operand& value) {
  if (value.kind == OperandKind::kInteger) {
    const Scope empty;
    return OperandChecker(variable.line, empty).constant(value, *variable.type);
  }
  const auto bytes = value.kind == OperandKind::kFloat32 ? 4U : 8U;
  if (variable.type->bytes != bytes) {
    throw Refusal(variable.line, value.text, "a float for ." + std::string(variable.type->name));
  }
  return value.value;
}

std::string bytes_of(const Variable& variable) {
  std::string text;
  for (const auto& value : variable.initialiser) {
    auto bits = bits_of(variable, value);
    for (std::uint32_t i = 0; i < variable.type->bytes; ++i, bits >>= 8) {
      text += std::to_string(bits & 0xff) + ",";
    }
  }
  return text;
}

}  // namespace

std::string emit_variable(const Variable& variable, const std::string& name) {
  const bool is_kept = variable.space == Space::kGlobal || variable.space == Space::kConst;
  if (!is_kept || variable.is_external || variable.count == 0) {
    throw Refusal(variable.line, variable.name,
                  "expected a variable in .global or .const that is defined here");
  }
  if (variable.initialiser.size() > variable.count) {
    throw Refusal(variable.line, variable.name, "more initial values than elements");
  }
  const auto alignment = std::max<std::uint32_t>(variable.alignment, 16);
  return "alignas(" + std::to_string(alignment) + ") unsigned char " + name + "[" +
         std::to_string(variable.bytes()) + "] = {" + bytes_of(variable) + "};\n";
}

}  // namespace assay::cuda::on_cpu::ptx
