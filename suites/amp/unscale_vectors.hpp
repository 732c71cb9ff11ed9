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
  Dtype dtype;
  std::uint64_t grad;
  std::uint32_t inv_scale;           ///< bits of a float32
  std::uint64_t after;               ///< the type's quiet NaN stands for any NaN
  int flag;                          ///< starting at 0
  std::optional<int> cpu_flag = {};  ///< if it differs: AMP-209
};

// clang-format off
inline constexpr auto kUnscaleRows = std::to_array<UnscaleRow>({
    {"G01", Dtype::kFloat32, 0x40800000, 0x3e800000, 0x3f800000, 0},  // 4 * 0.25
    {"G02", Dtype::kFloat32, 0x7f800000, 0x3e800000, 0x7f800000, 1},  // inf
    {"G03", Dtype::kFloat32, 0xff800000, 0x3e800000, 0xff800000, 1},  // -inf
    {"G04", Dtype::kFloat32, 0x7fc00000, 0x3e800000, 0x7fc00000, 1},  // NaN
    {"G05", Dtype::kFloat32, 0x7f800000, 0x00000000, 0x7fc00000, 1},  // inf * 0
    {"G06", Dtype::kFloat32, 0xc0800000, 0x00000000, 0x80000000, 0},  // scale was inf: silently -0
    {"G07", Dtype::kFloat32, 0x00000000, 0x7f800000, 0x7fc00000, 0},  // scale was 0: NaN, not flagged
    {"G08", Dtype::kFloat32, 0x40800000, 0x7f800000, 0x7f800000, 0},  // scale was 0: inf, not flagged
    {"G09", Dtype::kFloat32, 0x40800000, 0x7fc00000, 0x7fc00000, 0},  // scale was NaN, not flagged
    {"G10", Dtype::kFloat32, 0x7f7fffff, 0x40000000, 0x7f800000, 0},  // product overflows, not flagged
    {"G11", Dtype::kFloat32, 0x7f7fffff, 0x3f800000, 0x7f7fffff, 0},  // identity
    {"G12", Dtype::kFloat32, 0x7f800000, 0x3f800000, 0x7f800000, 1},  // identity keeps inf, flags
    {"G13", Dtype::kFloat32, 0x00000001, 0x3f000000, 0x00000000, 0},  // denormal tie to 0
    {"G14", Dtype::kFloat32, 0x00000003, 0x3f000000, 0x00000002, 0},  // denormal tie to even
    {"G15", Dtype::kFloat32, 0x00800000, 0x3f000000, 0x00400000, 0},  // no flush to zero
    {"G16", Dtype::kFloat32, 0x80000000, 0x3e800000, 0x80000000, 0},  // -0 kept
    {"G17", Dtype::kFloat32, 0x40a00000, 0x3eaaaaab, 0x3fd55556, 0},  // 5/3: division gives 3fd55555
    {"G18", Dtype::kFloat32, 0x41100000, 0x3dcccccd, 0x3f666667, 0},  // 9/10: division gives 3f666666
    {"G19", Dtype::kFloat32, 0x41880000, 0x3abb3ee7, 0x3cc6f2d5, 0},  // 17/700: division gives 3cc6f2d6
    {"G20", Dtype::kFloat32, 0xbf800000, 0xbe000000, 0x3e000000, 0},  // negative scale -8
    {"G21", Dtype::kFloat16, 0x4400, 0x3e800000, 0x3c00, 0},  // 4 * 0.25
    {"G22", Dtype::kFloat16, 0x7bff, 0x3e800000, 0x73ff, 0},  // 65504 * 0.25
    {"G23", Dtype::kFloat16, 0x7c00, 0x3e800000, 0x7c00, 1},  // inf
    {"G24", Dtype::kFloat16, 0x7e00, 0x3e800000, 0x7e00, 1},  // NaN
    {"G25", Dtype::kFloat16, 0x7bff, 0x40000000, 0x7c00, 0},  // product overflows half, not flagged
    {"G26", Dtype::kFloat16, 0x7bff, 0x3f800000, 0x7bff, 0},  // identity
    {"G27", Dtype::kFloat16, 0x0001, 0x3f000000, 0x0000, 0},  // tie to 0
    {"G28", Dtype::kFloat16, 0x0003, 0x3f000000, 0x0002, 0},  // tie to even
    {"G29", Dtype::kFloat16, 0x3c00, 0x37800000, 0x0100, 0},  // 1 / 65536
    {"G30", Dtype::kFloat16, 0x3c00, 0x33000000, 0x0000, 0},  // 2^-25 ties to 0
    {"G31", Dtype::kFloat16, 0x3c00, 0x33000001, 0x0001, 0},  // just above
    {"G32", Dtype::kFloat16, 0x0005, 0x3dcccccd, 0x0000, 0},  // exact product would give 0001
    {"G33", Dtype::kFloat16, 0x0096, 0x3c23d70a, 0x0002, 0},  // exact product would give 0001
    {"G34", Dtype::kFloat16, 0x0e59, 0x3a83126f, 0x0007, 0},  // division by 1000 gives 0006
    {"G35", Dtype::kFloat16, 0xfc00, 0x3f800000, 0xfc00, 1},  // identity keeps -inf, flags
    {"G36", Dtype::kBfloat16, 0x4080, 0x3e800000, 0x3f80, 0},  // CPU (CUDA <= 2.11 rejects bf16)
    {"G37", Dtype::kBfloat16, 0x7f80, 0x3e800000, 0x7f80, 1},  // inf
    {"G38", Dtype::kBfloat16, 0x7fc0, 0x3e800000, 0x7fc0, 1},  // any NaN bits
    {"G39", Dtype::kBfloat16, 0x7f7f, 0x40000000, 0x7f80, 0},  // overflow, not flagged
    {"G40", Dtype::kBfloat16, 0x0001, 0x3f000000, 0x0000, 0},  // tie to 0
    {"G41", Dtype::kBfloat16, 0x00c2, 0x3eaaaaab, 0x0041, 0},  // exact product would give 0040
    {"G42", Dtype::kBfloat16, 0x030d, 0x3a83126f, 0x0005, 0},  // exact product would give 0004
    {"G43", Dtype::kFloat64, 0x4008000000000000, 0x3eaaaaab, 0x3ff0000008000000, 0},  // float inverse widened
    {"G44", Dtype::kFloat64, 0x7e37e43c8800759c, 0x3e800000, 0x7e17e43c8800759c, 1, 0},
    {"G45", Dtype::kFloat64, 0x47effffff0000000, 0x3e800000, 0x47cffffff0000000, 1, 0},  // 2^128-2^103: rounds to float inf
    {"G46", Dtype::kFloat64, 0x47efffffefffffff, 0x3e800000, 0x47cfffffefffffff, 0},  // one ulp below
    {"G47", Dtype::kFloat64, 0xc8078287f49c4a1d, 0x3e800000, 0xc7e78287f49c4a1d, 1, 0},
    {"G48", Dtype::kFloat64, 0x7ff0000000000000, 0x3e800000, 0x7ff0000000000000, 1},
    {"G49", Dtype::kFloat64, 0x01a56e1fc2f8f359, 0x3e800000, 0x01856e1fc2f8f359, 0},  // float(v) = 0 is finite
});
// clang-format on

}  // namespace assay::suites
