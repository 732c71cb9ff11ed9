// Mistakes that a second build can make on purpose, to prove that the suites notice.
#pragma once

#include <cstdint>
#include <string_view>

namespace assay::cuda {

/// One bit each. `suites/faults/cuda.toml` says what each one does.
enum class Planted : std::uint32_t {
  kTailLeftOut = 1u << 0,
  kFlagByPlainStore = 1u << 1,
  kLastBlockTooEarly = 1u << 2,
  kTensor111Dropped = 1u << 3,
  kHeadMisaligned = 1u << 4,
  kLastElementUnchecked = 1u << 5,
  kUpdateBeforeAllBlocks = 1u << 6,
  kSecondChunkTwice = 1u << 7,
  kInverseRemembered = 1u << 8,
};

/// Switches one fault on for the rest of the process, before its first launch. Raises `error` for a
/// name that no fault has, and in a build that has no faults.
void plant_fault(std::string_view name);

namespace detail {
/// False in a build that has no faults. Defined beside the kernels.
bool set_planted_faults(std::uint32_t faults);
}  // namespace detail

}  // namespace assay::cuda
