// What the allocator's options say (MEM-001, MEM-017 to MEM-019).
#pragma once

#include <array>
#include <cstddef>
#include <limits>
#include <string_view>

#include "cuda_impl/core/contract.hpp"

namespace assay::cuda::memory {

struct Settings {
  static constexpr std::size_t kUnlimited = std::numeric_limits<std::size_t>::max();

  std::size_t max_split_bytes = kUnlimited;             ///< larger blocks are never split
  std::size_t max_waste_bytes = std::size_t{20} << 20;  ///< of a block that is not split
  double garbage_threshold = 0;                         ///< of the limit; 0: nothing is collected
  bool is_expandable = false;  ///< blocks are split as those of expandable segments are
  bool is_async = false;       ///< memory comes and goes in the order of streams (MEM-024)
  std::array<std::size_t, 16> divisions{};  ///< from 1 MiB on, each for sizes up to twice as large

  std::size_t divisions_for(std::size_t size_bytes) const;
};

/// `settings` with the options of a text such as `max_split_size_mb:32`. Raises `value` for what
/// cannot be configured, naming it.
Settings configured(Settings settings, std::string_view options, Release release);

}  // namespace assay::cuda::memory
