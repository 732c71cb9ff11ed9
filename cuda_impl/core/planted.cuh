// Mistakes that a second build can make on purpose, to prove that the suites notice: off, and gone
// from the code, in every other build.
#pragma once

#include <cstdint>

namespace assay::cuda {

/// One bit each. `suites/faults/cuda.toml` says what each one does.
enum class Planted : std::uint32_t {
  kTailLeftOut = 1u << 0,       ///< elements after the last whole vector are not unscaled
  kFlagByPlainStore = 1u << 1,  ///< the flag is written without an atomic
  kLastBlockTooEarly = 1u << 2,
  kTensor111Dropped = 1u << 3,
  kHeadMisaligned = 1u << 4,
  kLastElementUnchecked = 1u << 5,
  kUpdateBeforeAllBlocks = 1u << 6,
  kSecondChunkTwice = 1u << 7,
};

#ifdef ASSAY_WITH_PLANTED_FAULTS
/// Set from the host before the first launch.
extern __device__ std::uint32_t planted_faults;
__device__ inline bool planted(Planted fault) {
  return (planted_faults & static_cast<std::uint32_t>(fault)) != 0;
}
#else
__host__ __device__ constexpr bool planted(Planted) { return false; }
#endif

}  // namespace assay::cuda
