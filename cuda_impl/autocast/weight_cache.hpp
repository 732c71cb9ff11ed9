// The weight cache: casts of parameters, kept until the outermost region ends.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <vector>

#include "cuda_impl/autocast/short_lock.hpp"
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
/// costs a lock, a hash, and usually one cache line of entries.
class WeightCache {
 public:
  /// Returns an undefined tensor if there is no entry.
  Tensor find(const Tensor& source) {
    const std::lock_guard lock(lock_);
    ++counts_.locks;
    const Entry* found = entries_.find(source);
    if (found == nullptr) return {};
    ++counts_.hits;
    return found->copy;
  }
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
  static_assert(sizeof(Entry) == 16);

  /// Open addressing with linear probing. At least half of the places are free.
  class Entries {
   public:
    const Entry* find(const Tensor& source) const {
      if (places_.empty()) return nullptr;
      const Entry& found = places_[place_of(source.body().identity())];
      return found.source.identity() == nullptr ? nullptr : &found;
    }
    /// Returns the tensor's entry, which is empty if it is new.
    Entry& find_or_make(const Tensor& source);
    std::size_t size() const { return size_; }

   private:
    std::size_t place_of(const void* source) const {
      constexpr std::uint64_t kSpread = 0x9E3779B97F4A7C15;  // Fibonacci hashing
      std::size_t place = (reinterpret_cast<std::uintptr_t>(source) * kSpread) >> shift_;  // NOLINT
      for (;;) {
        const void* there = places_[place].source.identity();
        if (there == source || there == nullptr) [[likely]]
          return place;
        place = (place + 1) & (places_.size() - 1);
      }
    }
    void grow();

    std::vector<Entry> places_;  ///< their number is 0 or a power of two
    unsigned shift_ = 0;         ///< shifts a hash to the index of a place
    std::size_t size_ = 0;
  };

  ShortLock lock_;
  Entries entries_;
  CacheCounts counts_;
};

namespace detail {
/// The cache of the process after its first use; null if each thread has its own.
inline constinit std::atomic<WeightCache*> shared_cache = nullptr;
WeightCache& find_cache();
inline constinit std::atomic<std::size_t> static_output_count = 0;
bool is_among_static_outputs(const Tensor& tensor);
}  // namespace detail

/// Shared by all threads; in 1.13 each thread had its own (CAST-110).
inline WeightCache& weight_cache() {
  WeightCache* shared = detail::shared_cache.load(std::memory_order_acquire);
  return shared != nullptr ? *shared : detail::find_cache();
}
/// Clears the cache and counts the clear (CAST-514).
void clear_weight_cache();
/// Empties the caches of all threads and resets the counters.
void reset_weight_caches();

/// Registers outputs of captured graphs, which are never cached (CAST-516). The query takes no lock
/// if none is registered.
void set_static_output(const Tensor& tensor, bool is_one);
inline bool is_static_output(const Tensor& tensor) {
  return detail::static_output_count.load(std::memory_order_acquire) != 0 &&
         detail::is_among_static_outputs(tensor);
}

}  // namespace assay::cuda::autocast
