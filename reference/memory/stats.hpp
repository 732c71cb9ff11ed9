// The allocator's statistics and their names.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "reference/core/types/contract.hpp"

namespace assay::reference {

struct Stat {
  std::int64_t current = 0;
  std::int64_t peak = 0;
  std::int64_t allocated = 0;  ///< the sum of all additions
  std::int64_t freed = 0;

  void add(std::int64_t amount);
  void remove(std::int64_t amount);
  void reset_peak() { peak = current; }
  void reset_accumulated() { allocated = freed = 0; }
};

/// A value for all blocks, and one for each of the two pools.
struct PooledStat {
  std::array<Stat, 3> of;  ///< all, small, large

  void add(bool is_small, std::int64_t amount);
  void remove(bool is_small, std::int64_t amount);
  /// Adds the amount, or removes it if it is negative.
  void change(bool is_small, std::int64_t amount);
};

/// MEM-021.
struct DeviceStats {
  PooledStat allocation, segment, active, inactive_split;
  PooledStat allocated_bytes, reserved_bytes, active_bytes, inactive_split_bytes, requested_bytes;
  Stat oversize_allocations, oversize_segments;
  std::int64_t num_alloc_retries = 0;
  std::int64_t num_ooms = 0;
  std::int64_t num_sync_all_streams = 0;
  std::int64_t num_device_alloc = 0;
  std::int64_t num_device_free = 0;
  std::int64_t max_split_size = -1;  ///< -1: no limit

  void reset_peak();
  void reset_accumulated();
};

/// The release's entries in alphabetical order, such as `allocated_bytes.all.current`.
std::vector<std::pair<std::string, std::int64_t>> entries_of(const DeviceStats& stats,
                                                             Release release);

}  // namespace assay::reference
