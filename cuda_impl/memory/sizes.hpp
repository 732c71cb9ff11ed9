// Sizes of blocks and segments (MEM-001 to MEM-003), and their text form (MEM-014).
#pragma once

#include <cstddef>
#include <string>

#include "cuda_impl/memory/settings.hpp"

namespace assay::cuda::memory {

inline constexpr std::size_t kKiB = 1024;
inline constexpr std::size_t kMiB = 1024 * kKiB;
inline constexpr std::size_t kUnit = 512;           ///< block sizes are multiples of it
inline constexpr std::size_t kLargestSmall = kMiB;  ///< largest block of the small pool
inline constexpr std::size_t kSmallSegment = 2 * kMiB;
inline constexpr std::size_t kLargeSegment = 20 * kMiB;
inline constexpr std::size_t kTooMuch = std::size_t{1} << 60;  ///< exceeds any memory

/// MEM-001: returns the block size for a request of `size_bytes`.
std::size_t rounded(std::size_t size_bytes, const Settings& settings);
/// MEM-002: returns the segment size for a block.
std::size_t segment_bytes(std::size_t block_bytes);
inline bool is_small(std::size_t block_bytes) { return block_bytes <= kLargestSmall; }

/// Returns `512 bytes`, `2.00 MiB`.
std::string size_text(std::size_t bytes);

}  // namespace assay::cuda::memory
