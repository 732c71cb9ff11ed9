// Behaviour that PTX does not define, and what compute capability 9.0 does.
#include "cuda_impl/on_cpu/ptx/tests/snippets/left_open.hpp"

#include <algorithm>

#include "cuda_impl/on_cpu/ptx/tests/snippets/formats.hpp"

namespace assay::cuda::on_cpu::ptx::snippets {
namespace {

int fraction_bits_of(const std::string& type) {
  return type == "f64" ? 52 : type == "f32" ? 23 : type == "f16" ? 10 : 7;
}

}  // namespace

std::uint64_t field_number(std::uint64_t operand, const std::string& type) {
  // Positions above 300 are equivalent to 300: outside every field.
  return width_of(type) == 32 ? operand % 256 : std::min<std::uint64_t>(operand, 300);
}

std::uint64_t nan_of_f64(const std::array<std::uint64_t, 3>& operands, const std::string& ranks) {
  for (const char rank : ranks) {
    const auto operand = operands[static_cast<std::size_t>(rank - 'a')];
    if (is_nan_of(operand, "f64")) return converted_nan(operand, "f64", "f64");
  }
  return 0xfff8000000000000;
}

std::uint64_t sign_changed(std::uint64_t operand, std::uint64_t changed, const std::string& type) {
  if (!is_nan_of(operand, type)) return changed;
  return type == "f64" ? nan_of_f64({operand}, "a") : canonical_nan(type);
}

std::uint64_t converted_nan(std::uint64_t bits, const std::string& to, const std::string& from) {
  // The sign, and the first bits of the fraction: as a fraction of f64, whose first bit says quiet.
  const std::uint64_t half = std::uint64_t{1} << 51;
  const auto sign = bits >> (width_of(from) - 1) & 1;
  auto fraction = (bits << (52 - fraction_bits_of(from))) % (2 * half);
  if (fraction < half && !(from == "bf16" && to == "f32")) fraction += half;
  const auto top = std::uint64_t{1} << (width_of(to) - 1);
  const auto infinity = top - (std::uint64_t{1} << fraction_bits_of(to));
  return sign * top + infinity + (fraction >> (52 - fraction_bits_of(to)));
}

bool is_same_memory(const Snippet& snippet, std::uint64_t seen, std::uint64_t expected) {
  const bool is_sum = snippet.instruction.find(".add.f64") != std::string::npos;
  return seen == expected || (is_sum && is_nan_of(seen, "f64") && is_nan_of(expected, "f64"));
}

bool is_warp_identifier(std::uint64_t seen, std::uint32_t /*lane*/) {
  return seen < kWarpIdentifiers;
}

bool is_mask_with(std::uint64_t seen, std::uint32_t lane) { return (seen >> lane & 1) != 0; }

}  // namespace assay::cuda::on_cpu::ptx::snippets
