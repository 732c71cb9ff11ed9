// The data that the blocks of a scaler's unscale share: ticket, flag and scale.
#pragma once

#include <cstdint>

#include "cuda_impl/kernels/scaler/unscale_by_scale.hpp"

namespace assay::cuda {

/// The bit of a ticket that says whether any block saw inf or NaN. The other bits count the blocks
/// of the last launch, which are fewer than 2^31.
inline constexpr std::uint32_t kAnyBad = 1u << 31;

/// SCL-202: the inverse is the float quotient, which equals the double one rounded.
__device__ inline float factor_of(const UnscaleByScale& work) {
  return work.scale == nullptr ? 1.0f : __frcp_rn(*work.scale);
}

/// Called by one thread of each block. Blocks only ever write the ticket, and one of them the flag,
/// so no order among other writes is needed.
__device__ inline void end_block(const UnscaleByScale& work, bool is_bad) {
  if (is_bad) atomicOr(work.ticket, kAnyBad);
  if (work.found_inf == nullptr) return;
  const std::uint32_t before = atomicAdd(work.ticket, 1u);
  if ((before & ~kAnyBad) != gridDim.x * gridDim.y - 1) return;
  *work.found_inf = (before & kAnyBad) != 0 ? 1.0f : 0.0f;
  atomicExch(work.ticket, 0u);  // a plain write would race with the atomic ones of other blocks
}

}  // namespace assay::cuda
