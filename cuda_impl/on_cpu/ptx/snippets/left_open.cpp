// What PTX leaves open, and what compute capability 9.0 does there.
#include "cuda_impl/on_cpu/ptx/snippets/left_open.hpp"

#include <algorithm>

#include "cuda_impl/on_cpu/ptx/snippets/formats.hpp"

namespace assay::cuda::on_cpu::ptx::snippets {

std::uint64_t field_number(std::uint64_t operand, const std::string& type) {
  // No field goes beyond 300: what is larger is as far outside.
  return width_of(type) == 32 ? operand % 256 : std::min<std::uint64_t>(operand, 300);
}

std::uint64_t sign_changed(std::uint64_t operand, std::uint64_t changed, const std::string& type) {
  return type != "f64" && is_nan_of(operand, type) ? canonical_nan(type) : changed;
}

std::uint64_t narrowed_nan(std::uint64_t bits, const std::string& to) {
  const int fraction_bits = to == "f32" ? 23 : to == "f16" ? 10 : 7;
  const auto half_of_fraction = std::uint64_t{1} << (fraction_bits - 1);
  const auto sign = std::uint64_t{1} << (width_of(to) - 1);
  const auto payload = bits % (std::uint64_t{1} << 51) >> (52 - fraction_bits);
  const auto infinity = sign - 2 * half_of_fraction;
  return (bits >> 63) * sign + infinity + half_of_fraction + payload;
}

bool is_same_result(const Snippet& snippet, std::uint64_t seen, std::uint64_t expected) {
  const bool is_widened = !snippet.operands.empty() && snippet.operands[0] == "bf16";
  const bool any_passes = snippet.result == "f64" || (snippet.result == "f32" && is_widened);
  if (any_passes && is_nan_of(expected, snippet.result)) return is_nan_of(seen, snippet.result);
  return seen == expected;
}

bool is_warp_identifier(std::uint64_t seen, std::uint32_t /*lane*/) {
  return seen < kWarpIdentifiers;
}

bool is_mask_with(std::uint64_t seen, std::uint32_t lane) { return (seen >> lane & 1) != 0; }

}  // namespace assay::cuda::on_cpu::ptx::snippets
