// The statistics of an allocator (MEM-021).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "cuda_impl/core/contract.hpp"

namespace assay::cuda::memory {

/// A current value with its history.
struct Stat {
  std::int64_t current = 0;
  std::int64_t peak = 0;
  std::int64_t allocated = 0;  ///< the sum of all increases
  std::int64_t freed = 0;      ///< the sum of all decreases

  void add(std::int64_t amount) {
    current += amount;
    peak = std::max(peak, current);
    allocated += amount;
  }
  void remove(std::int64_t amount) {
    current -= amount;
    freed += amount;
  }
  /// Adds the amount or, if it is negative, removes it.
  void change(std::int64_t amount) { amount < 0 ? remove(-amount) : add(amount); }
};

/// A value for each pool, and their sum.
class StatOfPools {
 public:
  void add(bool is_small, std::size_t amount) {
    change(is_small, static_cast<std::int64_t>(amount));
  }
  void remove(bool is_small, std::size_t amount) {
    change(is_small, -static_cast<std::int64_t>(amount));
  }
  void change(bool is_small, std::int64_t amount) {
    all_.change(amount);
    (is_small ? small_ : large_).change(amount);
  }
  template <typename Action>
  void for_each(const Action& action) {
    action("all", all_);
    action("small_pool", small_);
    action("large_pool", large_);
  }

 private:
  Stat all_;
  Stat small_;
  Stat large_;
};

struct Statistics {
  StatOfPools allocation;
  StatOfPools segment;
  StatOfPools active;
  StatOfPools inactive_split;
  StatOfPools allocated_bytes;
  StatOfPools reserved_bytes;
  StatOfPools active_bytes;
  StatOfPools inactive_split_bytes;
  StatOfPools requested_bytes;
  Stat oversize_allocations;
  Stat oversize_segments;
  std::int64_t num_alloc_retries = 0;
  std::int64_t num_ooms = 0;
  std::int64_t num_sync_all_streams = 0;
  std::int64_t num_device_alloc = 0;
  std::int64_t num_device_free = 0;

  void reset_peak();
  void reset_accumulated();
};

/// Returns the release's values by their Python names, such as `allocated_bytes.all.current`.
std::vector<std::pair<std::string, std::int64_t>> by_name(Statistics statistics,
                                                          std::size_t max_split_bytes,
                                                          Release release);

}  // namespace assay::cuda::memory
