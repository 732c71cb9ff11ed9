// Behaviour that PTX does not define, and what compute capability 9.0 does, observed on an H100
// with CUDA 13.0. The translation does the same if the result is unique.
#pragma once

#include <array>

#include "cuda_impl/on_cpu/ptx/tests/snippets/numbers.hpp"
#include "cuda_impl/on_cpu/ptx/tests/snippets/snippet.hpp"

namespace assay::cuda::on_cpu::ptx::snippets {

/// div and rem by 0. PTX: a machine-specific value. 9.0: all ones, for both.
inline constexpr Wide kByZero = -1;

/// A position or length of bfe and bfi. PTX: its range is 0 to 255. 9.0: above that, the low eight
/// bits for 32-bit types, the full value for 64-bit types.
std::uint64_t field_number(std::uint64_t operand, const std::string& type);

/// The NaN result of f64 arithmetic. PTX: the payload of an operand. 9.0: the NaN operand whose
/// letter of "abc" is first in `ranks`, made quiet; without one, a negative NaN without
/// payload.
std::uint64_t nan_of_f64(const std::array<std::uint64_t, 3>& operands, const std::string& ranks);

/// The result of abs and neg: `changed` unless NaN. PTX: an unspecified NaN for f32, f16 and bf16;
/// the operand for f64. 9.0: the canonical NaN, and for f64 the operand made quiet.
std::uint64_t sign_changed(std::uint64_t operand, std::uint64_t changed, const std::string& type);

/// cvt of a NaN from or to f64, and from bf16. PTX: undefined; from bf16 to f32 an unspecified NaN.
/// 9.0: keeps the sign and the part of the payload that fits; quiet unless from bf16 to f32.
std::uint64_t converted_nan(std::uint64_t bits, const std::string& to, const std::string& from);

/// Whether memory holds the expected value after an instruction, or any NaN instead of a NaN. PTX:
/// NaNs of f64 from atom.add and red.add are undefined. 9.0: one of the operands, unchanged.
bool is_same_memory(const Snippet& snippet, std::uint64_t seen, std::uint64_t expected);

/// %nwarpid. PTX: depends on the machine.
inline constexpr std::uint32_t kWarpIdentifiers = 64;

/// %warpid. PTX: may change at any time. 9.0: any; in the translation the index in the block.
bool is_warp_identifier(std::uint64_t seen, std::uint32_t lane);

/// activemask. PTX: the lanes that run together. 9.0: any set with the lane itself; in the
/// translation only the lane itself.
bool is_mask_with(std::uint64_t seen, std::uint32_t lane);

}  // namespace assay::cuda::on_cpu::ptx::snippets
