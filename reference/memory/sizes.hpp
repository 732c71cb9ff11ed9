// Sizes of blocks and of segments, and how a size reads in a message.
#pragma once

#include <cstdint>
#include <string>

#include "reference/memory/config.hpp"

namespace assay::reference {

inline constexpr std::uint64_t kMinBlock = 512;
inline constexpr std::uint64_t kMiB = std::uint64_t{1} << 20;
inline constexpr std::uint64_t kSmallLimit = kMiB;  ///< the largest of the small pool
inline constexpr std::uint64_t kSmallSegment = 2 * kMiB;
inline constexpr std::uint64_t kLargeSegment = 20 * kMiB;
inline constexpr std::uint64_t kOwnSegment = 10 * kMiB;  ///< from here on a segment of its own size
inline constexpr std::uint64_t kLargeRounding = 2 * kMiB;

/// The size of the block that a request of `size` bytes, at least 1, asks for (MEM-001).
std::uint64_t rounded_size(std::uint64_t size, const AllocatorConfig& config);
/// The next of `divisions` equal steps between neighbouring powers of two.
std::uint64_t next_step(std::uint64_t size, std::uint64_t divisions);

/// Of a rounded size (MEM-002).
bool is_small(std::uint64_t rounded);
std::uint64_t segment_size(std::uint64_t rounded);

/// `2.00 MiB` (MEM-014).
std::string size_text(std::uint64_t bytes);

}  // namespace assay::reference
