// What PTX leaves open, and what compute capability 9.0 does there, as seen on an H100 with CUDA
// 13.0. The translation does the same where one result is known.
#pragma once

#include <array>

#include "cuda_impl/on_cpu/ptx/snippets/numbers.hpp"
#include "cuda_impl/on_cpu/ptx/snippets/snippet.hpp"

namespace assay::cuda::on_cpu::ptx::snippets {

/// div and rem by 0. PTX: a machine-specific value. 9.0: all ones, for both.
inline constexpr Wide kByZero = -1;

/// What bfe and bfi take for a position or a length. PTX: its range is 0 to 255. 9.0: above that,
/// the low eight bits of it for a type of 32 bits, all of it for one of 64.
std::uint64_t field_number(std::uint64_t operand, const std::string& type);

/// f64 arithmetic that gives a NaN. PTX: the payload of an operand. 9.0: of the operands that are
/// NaN the one whose letter of "abc" comes first in `ranks`, quiet; else a negative NaN with no
/// payload.
std::uint64_t nan_of_f64(const std::array<std::uint64_t, 3>& operands, const std::string& ranks);

/// The result of abs and neg, which is `changed` but for a NaN. PTX: an unspecified NaN of f32, f16
/// and bf16, the operand of f64. 9.0: the canonical one, and the operand made quiet.
std::uint64_t sign_changed(std::uint64_t operand, std::uint64_t changed, const std::string& type);

/// cvt of a NaN from or to f64, and from bf16. PTX: nothing, and an unspecified NaN from bf16 to
/// f32. 9.0: its sign, what fits of its payload, and quiet unless from bf16 to f32.
std::uint64_t converted_nan(std::uint64_t bits, const std::string& to, const std::string& from);

/// Whether memory that an instruction changed holds what was expected, or any NaN for another. PTX:
/// nothing of the NaNs of f64 that atom.add and red.add make. 9.0: one of the operands as it was.
bool is_same_memory(const Snippet& snippet, std::uint64_t seen, std::uint64_t expected);

/// %nwarpid. PTX: as many as the machine has.
inline constexpr std::uint32_t kWarpIdentifiers = 64;

/// %warpid. PTX: may change at any time. 9.0: any; the translation counts the warps of the block.
bool is_warp_identifier(std::uint64_t seen, std::uint32_t lane);

/// activemask. PTX: the lanes that run together. 9.0: any with the lane itself; in the translation
/// each lane runs alone.
bool is_mask_with(std::uint64_t seen, std::uint32_t lane);

}  // namespace assay::cuda::on_cpu::ptx::snippets
