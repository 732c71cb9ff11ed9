// The options of the allocator (MEM-001, MEM-017 to MEM-019).
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
  std::size_t max_waste_bytes = std::size_t{20} << 20;  ///< in a block that cannot be split
  double garbage_threshold = 0;                         ///< share of the limit; 0: no collection
  bool is_expandable = false;                           ///< split blocks as in expandable segments
  bool is_async = false;      ///< use the stream-ordered backend (MEM-024)
  double first_fraction = 1;  ///< of a device's memory, as its limit from the first use on
  std::array<std::size_t, 16> divisions{};  ///< by power of two, from 1 MiB on

  std::size_t divisions_for(std::size_t size_bytes) const;
};

/// Changes `settings` by a text such as `max_split_size_mb:32`. Raises `value` for invalid options,
/// naming them; those before it are then set.
void set_options(Settings& settings, std::string_view options, Release release);
/// The settings as a call finds them before it sets its options (MEM-029).
Settings kept_by_a_call(const Settings& settings);

}  // namespace assay::cuda::memory
