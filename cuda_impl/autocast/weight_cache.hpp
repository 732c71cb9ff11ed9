// The weight cache: casts of parameters, kept until the outermost region ends.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <unordered_map>

#include "cuda_impl/core/tensor.hpp"

namespace assay::cuda::autocast {

/// Totals of all threads since the last reset.
struct CastStats {
  std::int64_t conversions = 0;
  std::int64_t cache_hits = 0;
  std::int64_t cache_inserts = 0;
  std::int64_t cache_clears = 0;
  std::int64_t locks = 0;  ///< locks taken on a cache by casts
};
CastStats cast_stats();
void count_conversion();

/// The use of one cache since the last reset.
struct CacheCounts {
  std::int64_t hits = 0;
  std::int64_t inserts = 0;
  std::int64_t locks = 0;
};

/// Maps a tensor to its low-precision copy. The key is the tensor's identity only, so neither the
/// requested dtype nor later writes are considered (CAST-504, CAST-505). Thread-safe. A lookup
/// costs a lock and a hash.
class WeightCache {
 public:
  /// Returns an undefined tensor if there is no entry.
  Tensor find(const Tensor& source);
  /// Returns the cached copy: `copy`, or that of a thread that was faster (CAST-515).
  Tensor insert(const Tensor& source, const Tensor& copy);
  /// Destroys the copies outside the lock, because that may call into the cache.
  void clear();
  std::size_t size();
  CacheCounts counts();
  void forget_counts();

 private:
  struct Entry {
    Watched<TensorBody> source;  ///< keeps its address from being reused (CAST-512)
    Tensor copy;
  };
  using Entries = std::unordered_map<const TensorBody*, Entry>;

  std::mutex mutex_;
  Entries entries_;
  CacheCounts counts_;
};

/// Shared by all threads; in 1.13 each thread had its own (CAST-110).
WeightCache& weight_cache();
/// Clears the cache and counts the clear (CAST-514).
void clear_weight_cache();
/// Empties the caches of all threads and resets the counters.
void reset_weight_caches();

/// Registers outputs of captured graphs, which are never cached (CAST-516). The query takes no lock
/// if none is registered.
void set_static_output(const Tensor& tensor, bool is_one);
bool is_static_output(const Tensor& tensor);

}  // namespace assay::cuda::autocast
