// The vectors G01-G49 of unscale on one element, in the order of the specification.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "harness/suite/tensors.hpp"

namespace assay::suites {

struct UnscaleRow {
  std::string_view id;
  std::string_view note;
  Dtype dtype;
  std::uint64_t grad;
  std::uint32_t inv_scale;           ///< bits of a float32
  std::uint64_t after;               ///< the type's quiet NaN stands for any NaN
  int flag;                          ///< starting at 0
  std::optional<int> cpu_flag = {};  ///< if it differs: AMP-209
};

// clang-format off
inline constexpr auto kUnscaleRows = std::to_array<UnscaleRow>({
    {"G01", "4 * 0.25", Dtype::kFloat32, 0x40800000, 0x3e800000, 0x3f800000, 0},
    {"G02", "inf", Dtype::kFloat32, 0x7f800000, 0x3e800000, 0x7f800000, 1},
    {"G03", "-inf", Dtype::kFloat32, 0xff800000, 0x3e800000, 0xff800000, 1},
    {"G04", "NaN", Dtype::kFloat32, 0x7fc00000, 0x3e800000, 0x7fc00000, 1},
    {"G05", "inf * 0", Dtype::kFloat32, 0x7f800000, 0x00000000, 0x7fc00000, 1},
    {"G06", "scale was inf: silently -0", Dtype::kFloat32, 0xc0800000, 0x00000000, 0x80000000, 0},
    {"G07", "scale was 0: NaN, not flagged", Dtype::kFloat32, 0x00000000, 0x7f800000, 0x7fc00000, 0},
    {"G08", "scale was 0: inf, not flagged", Dtype::kFloat32, 0x40800000, 0x7f800000, 0x7f800000, 0},
    {"G09", "scale was NaN, not flagged", Dtype::kFloat32, 0x40800000, 0x7fc00000, 0x7fc00000, 0},
    {"G10", "product overflows, not flagged", Dtype::kFloat32, 0x7f7fffff, 0x40000000, 0x7f800000, 0},
    {"G11", "identity", Dtype::kFloat32, 0x7f7fffff, 0x3f800000, 0x7f7fffff, 0},
    {"G12", "identity keeps inf, flags", Dtype::kFloat32, 0x7f800000, 0x3f800000, 0x7f800000, 1},
    {"G13", "denormal tie to 0", Dtype::kFloat32, 0x00000001, 0x3f000000, 0x00000000, 0},
    {"G14", "denormal tie to even", Dtype::kFloat32, 0x00000003, 0x3f000000, 0x00000002, 0},
    {"G15", "no flush to zero", Dtype::kFloat32, 0x00800000, 0x3f000000, 0x00400000, 0},
    {"G16", "-0 kept", Dtype::kFloat32, 0x80000000, 0x3e800000, 0x80000000, 0},
    {"G17", "5/3: division gives 3fd55555", Dtype::kFloat32, 0x40a00000, 0x3eaaaaab, 0x3fd55556, 0},
    {"G18", "9/10: division gives 3f666666", Dtype::kFloat32, 0x41100000, 0x3dcccccd, 0x3f666667, 0},
    {"G19", "17/700: division gives 3cc6f2d6", Dtype::kFloat32, 0x41880000, 0x3abb3ee7, 0x3cc6f2d5, 0},
    {"G20", "negative scale -8", Dtype::kFloat32, 0xbf800000, 0xbe000000, 0x3e000000, 0},
    {"G21", "4 * 0.25", Dtype::kFloat16, 0x4400, 0x3e800000, 0x3c00, 0},
    {"G22", "65504 * 0.25", Dtype::kFloat16, 0x7bff, 0x3e800000, 0x73ff, 0},
    {"G23", "inf", Dtype::kFloat16, 0x7c00, 0x3e800000, 0x7c00, 1},
    {"G24", "NaN", Dtype::kFloat16, 0x7e00, 0x3e800000, 0x7e00, 1},
    {"G25", "product overflows half, not flagged", Dtype::kFloat16, 0x7bff, 0x40000000, 0x7c00, 0},
    {"G26", "identity", Dtype::kFloat16, 0x7bff, 0x3f800000, 0x7bff, 0},
    {"G27", "tie to 0", Dtype::kFloat16, 0x0001, 0x3f000000, 0x0000, 0},
    {"G28", "tie to even", Dtype::kFloat16, 0x0003, 0x3f000000, 0x0002, 0},
    {"G29", "1 / 65536", Dtype::kFloat16, 0x3c00, 0x37800000, 0x0100, 0},
    {"G30", "2^-25 ties to 0", Dtype::kFloat16, 0x3c00, 0x33000000, 0x0000, 0},
    {"G31", "just above", Dtype::kFloat16, 0x3c00, 0x33000001, 0x0001, 0},
    {"G32", "exact product would give 0001", Dtype::kFloat16, 0x0005, 0x3dcccccd, 0x0000, 0},
    {"G33", "exact product would give 0001", Dtype::kFloat16, 0x0096, 0x3c23d70a, 0x0002, 0},
    {"G34", "division by 1000 gives 0006", Dtype::kFloat16, 0x0e59, 0x3a83126f, 0x0007, 0},
    {"G35", "identity keeps -inf, flags", Dtype::kFloat16, 0xfc00, 0x3f800000, 0xfc00, 1},
    {"G36", "CPU (CUDA <= 2.11 rejects bf16)", Dtype::kBfloat16, 0x4080, 0x3e800000, 0x3f80, 0},
    {"G37", "inf", Dtype::kBfloat16, 0x7f80, 0x3e800000, 0x7f80, 1},
    {"G38", "any NaN bits", Dtype::kBfloat16, 0x7fc0, 0x3e800000, 0x7fc0, 1},
    {"G39", "overflow, not flagged", Dtype::kBfloat16, 0x7f7f, 0x40000000, 0x7f80, 0},
    {"G40", "tie to 0", Dtype::kBfloat16, 0x0001, 0x3f000000, 0x0000, 0},
    {"G41", "exact product would give 0040", Dtype::kBfloat16, 0x00c2, 0x3eaaaaab, 0x0041, 0},
    {"G42", "exact product would give 0004", Dtype::kBfloat16, 0x030d, 0x3a83126f, 0x0005, 0},
    {"G43", "float inverse widened", Dtype::kFloat64, 0x4008000000000000, 0x3eaaaaab, 0x3ff0000008000000, 0},
    {"G44", "beyond float, finite as double", Dtype::kFloat64, 0x7e37e43c8800759c, 0x3e800000, 0x7e17e43c8800759c, 1, 0},
    {"G45", "2^128-2^103: rounds to float inf", Dtype::kFloat64, 0x47effffff0000000, 0x3e800000, 0x47cffffff0000000, 1, 0},
    {"G46", "one ulp below", Dtype::kFloat64, 0x47efffffefffffff, 0x3e800000, 0x47cfffffefffffff, 0},
    {"G47", "beyond -float, finite as double", Dtype::kFloat64, 0xc8078287f49c4a1d, 0x3e800000, 0xc7e78287f49c4a1d, 1, 0},
    {"G48", "inf", Dtype::kFloat64, 0x7ff0000000000000, 0x3e800000, 0x7ff0000000000000, 1},
    {"G49", "float(v) = 0 is finite", Dtype::kFloat64, 0x01a56e1fc2f8f359, 0x3e800000, 0x01856e1fc2f8f359, 0},
});
// clang-format on

}  // namespace assay::suites
