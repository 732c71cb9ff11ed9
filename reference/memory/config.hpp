// The options of the allocator and their text form.
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
  static constexpr std::size_t kIntervals = 16;  ///< from 1 MiB on, each twice as large as the last

  std::uint64_t max_split_size = kNoLimit;
  std::uint64_t max_non_split_rounding = std::uint64_t{20} << 20;
  double garbage_collection_threshold = 0;  ///< 0: disabled
  std::array<std::uint64_t, kIntervals> power2_divisions = {};
  bool expandable_segments = false;
  bool frees_captured_uses_early = false;
  AllocatorBackend backend = AllocatorBackend::kNative;
  double memory_fraction = 1;  ///< of each device, from its first use; 1: no limit

  /// Before each call (MEM-029): the options that it leaves out have their defaults again.
  void forget_options_of_a_call();
  /// The divisions of the interval of `size`; the first and the last interval are unbounded.
  std::uint64_t divisions_for(std::uint64_t size) const;
};

/// Parses `key:value,key:[…]` into `config`; options before an error remain set. Raises `value`
/// (`error` before 2.11) for invalid options, naming them (MEM-019).
void parse_options(AllocatorConfig& config, const std::string& text, Release release);

std::optional<AllocatorBackend> allocator_backend_named(const std::string& name);

}  // namespace assay::reference
