// What PTX leaves open, and what compute capability 9.0 does there, as seen on an H100 with CUDA
// 13.0. The translation does the same where one result is known.
#pragma once

#include "cuda_impl/on_cpu/ptx/snippets/numbers.hpp"
#include "cuda_impl/on_cpu/ptx/snippets/snippet.hpp"

namespace assay::cuda::on_cpu::ptx::snippets {

/// div and rem by 0. PTX: a machine-specific value. 9.0: all ones, for both.
inline constexpr Wide kByZero = -1;

/// What bfe and bfi take for a position or a length. PTX: its range is 0 to 255. 9.0: above that,
/// the low eight bits of it for a type of 32 bits, all of it for one of 64.
std::uint64_t field_number(std::uint64_t operand, const std::string& type);

/// The result of abs and neg, which is `changed` but for a NaN. PTX: an unspecified NaN of f32, f16
/// and bf16. 9.0: the canonical one.
std::uint64_t sign_changed(std::uint64_t operand, std::uint64_t changed, const std::string& type);

/// cvt of a NaN of f64 to f32, f16 or bf16. PTX: nothing. 9.0: its sign, the upper bits of its
/// payload, and quiet.
std::uint64_t narrowed_nan(std::uint64_t bits, const std::string& to);

/// Whether a result is what was expected, or any NaN for another. PTX: f64 has the payload of one
/// of the operands, cvt.f32.bf16 an unspecified one. 9.0: not asked.
bool is_same_result(const Snippet& snippet, std::uint64_t seen, std::uint64_t expected);

/// %nwarpid. PTX: as many as the machine has.
inline constexpr std::uint32_t kWarpIdentifiers = 64;

/// %warpid. PTX: may change at any time. 9.0: any; the translation counts the warps of the block.
bool is_warp_identifier(std::uint64_t seen, std::uint32_t lane);

/// activemask. PTX: the lanes that run together. 9.0: any with the lane itself; in the translation
/// each lane runs alone.
bool is_mask_with(std::uint64_t seen, std::uint32_t lane);

}  // namespace assay::cuda::on_cpu::ptx::snippets
