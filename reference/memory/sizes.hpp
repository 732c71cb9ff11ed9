// Sizes of blocks and segments, and their format in messages.
#pragma once

#include <cstdint>
#include <string>

#include "reference/memory/config.hpp"

namespace assay::reference {

inline constexpr std::uint64_t kMinBlock = 512;
inline constexpr std::uint64_t kMiB = std::uint64_t{1} << 20;
inline constexpr std::uint64_t kSmallLimit = kMiB;  ///< the largest block of the small pool
inline constexpr std::uint64_t kSmallSegment = 2 * kMiB;
inline constexpr std::uint64_t kLargeSegment = 20 * kMiB;
inline constexpr std::uint64_t kOwnSegment = 10 * kMiB;  ///< from here on, one segment per block
inline constexpr std::uint64_t kLargeRounding = 2 * kMiB;

/// The block size for a request of at least 1 byte (MEM-001).
std::uint64_t rounded_size(std::uint64_t size, const AllocatorConfig& config);
/// Rounds up to the next of `divisions` equal steps between adjacent powers of two.
std::uint64_t next_step(std::uint64_t size, std::uint64_t divisions);

/// `rounded` is a block size (MEM-002).
bool is_small(std::uint64_t rounded);
std::uint64_t segment_size(std::uint64_t rounded);

/// Formats as `2.00 MiB` (MEM-014).
std::string size_text(std::uint64_t bytes);

}  // namespace assay::reference
