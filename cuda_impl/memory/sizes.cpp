// Rounds sizes and formats them.
#include "cuda_impl/memory/sizes.hpp"

#include <array>
#include <bit>
#include <cstdio>

namespace assay::cuda::memory {
namespace {

std::size_t up_to(std::size_t size, std::size_t unit) { return (size + unit - 1) / unit * unit; }

/// Rounds up to the next of `divisions` equal steps between two powers of two.
std::size_t next_step(std::size_t size, std::size_t divisions) {
  const std::size_t power = std::bit_floor(size);
  const std::size_t step = power / divisions;
  return step == 0 ? 2 * power : up_to(size, step);
}

}  // namespace

std::size_t rounded(std::size_t size_bytes, const Settings& settings) {
  if (size_bytes < kUnit) return kUnit;
  const std::size_t divisions = settings.divisions_for(size_bytes);
  if (divisions > 1 && size_bytes > kUnit * divisions) return next_step(size_bytes, divisions);
  return up_to(size_bytes, kUnit);
}

std::size_t segment_bytes(std::size_t block_bytes) {
  constexpr std::size_t kOwnSegment = 10 * kMiB;
  if (is_small(block_bytes)) return kSmallSegment;
  return block_bytes < kOwnSegment ? kLargeSegment : up_to(block_bytes, kSmallSegment);
}

std::string size_text(std::size_t bytes) {
  if (bytes <= kKiB) return std::to_string(bytes) + " bytes";
  const bool is_kib = bytes <= kMiB;
  const bool is_mib = bytes <= kKiB * kMiB;
  const std::size_t unit = is_kib ? kKiB : is_mib ? kMiB : kKiB * kMiB;
  std::array<char, 40> text{};
  std::snprintf(text.data(), text.size(), "%.2f %s",
                static_cast<double>(bytes) / static_cast<double>(unit),
                is_kib   ? "KiB"
                : is_mib ? "MiB"
                         : "GiB");
  return text.data();
}

}  // namespace assay::cuda::memory
