// The allocator's options, as its configuration text sets them.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>

#include "reference/core/types/contract.hpp"

namespace assay::reference {

enum class AllocatorBackend : std::uint8_t { kNative, kAsync };

struct AllocatorConfig {
  static constexpr std::uint64_t kNoLimit = std::numeric_limits<std::uint64_t>::max();
  static constexpr std::size_t kIntervals = 16;  ///< from 1 MiB on, each twice the one before

  std::uint64_t max_split_size = kNoLimit;
  std::uint64_t max_non_split_rounding = std::uint64_t{20} << 20;
  double garbage_collection_threshold = 0;  ///< 0: none
  std::array<std::uint64_t, kIntervals> power2_divisions = {};
  bool expandable_segments = false;
  bool frees_captured_uses_early = false;
  AllocatorBackend backend = AllocatorBackend::kNative;
  std::optional<double> memory_fraction = {};

  /// Of the interval that `size` is in; sizes beyond the ends belong to the intervals there.
  std::uint64_t divisions_for(std::uint64_t size) const;
};

/// Reads `key:value,key:[…]` on top of what `config` says; what stands before a mistake is set.
/// Raises `value` (`error` before 2.11) for what it does not take, naming it (MEM-019).
void parse_options(AllocatorConfig& config, const std::string& text, Release release);

std::optional<AllocatorBackend> allocator_backend_named(const std::string& name);

}  // namespace assay::reference
