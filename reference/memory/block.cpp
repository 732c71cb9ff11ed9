// Sizes of blocks and segments (MEM-001, MEM-002, MEM-014).
#include "reference/memory/block.hpp"

#include <bit>
#include <cstdio>

namespace assay::reference {
namespace {

std::uint64_t next_multiple(std::uint64_t size, std::uint64_t of) {
  return (size + of - 1) / of * of;
}

std::string with_unit(std::uint64_t bytes, std::uint64_t unit, const char* name) {
  char text[64];
  const double value = static_cast<double>(bytes) / static_cast<double>(unit);
  std::snprintf(text, sizeof text, "%.2f %s", value, name);
  return text;
}

}  // namespace

std::uint64_t next_step(std::uint64_t size, std::uint64_t divisions) {
  if (std::has_single_bit(size)) return size;
  const std::uint64_t floor = std::bit_floor(size);
  const std::uint64_t step = floor / divisions;
  return step == 0 ? floor * 2 : next_multiple(size, step);
}

std::uint64_t rounded_size(std::uint64_t size, const AllocatorConfig& config) {
  if (size < kMinBlock) return kMinBlock;
  const std::uint64_t divisions = config.divisions_for(size);
  const bool has_steps = divisions > 1 && size > kMinBlock * divisions;
  if (has_steps) return next_step(size, divisions);
  return next_multiple(size, kMinBlock);
}

bool is_small(std::uint64_t rounded) { return rounded <= kSmallLimit; }

std::uint64_t segment_size(std::uint64_t rounded) {
  if (is_small(rounded)) return kSmallSegment;
  if (rounded < kOwnSegment) return kLargeSegment;
  return next_multiple(rounded, kLargeRounding);
}

std::string size_text(std::uint64_t bytes) {
  const auto is_within = [&](std::uint64_t limit) { return bytes <= limit; };
  if (is_within(1024)) return std::to_string(bytes) + " bytes";
  if (is_within(kMiB)) return with_unit(bytes, 1024, "KiB");
  if (is_within(1024 * kMiB)) return with_unit(bytes, kMiB, "MiB");
  return with_unit(bytes, 1024 * kMiB, "GiB");
}

}  // namespace assay::reference
