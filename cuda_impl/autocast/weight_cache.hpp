// The weight cache: conversions of parameters that are kept until the outermost region ends.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <unordered_map>

#include "cuda_impl/core/tensor.hpp"

namespace assay::cuda::autocast {

/// Since the last reset, of all threads together.
struct CastStats {
  std::int64_t conversions = 0;
  std::int64_t cache_hits = 0;
  std::int64_t cache_inserts = 0;
  std::int64_t cache_clears = 0;
  std::int64_t locks = 0;  ///< how often a cache was locked to cast something
};
CastStats cast_stats();
void count_conversion();

/// What a cache has been asked for since the last reset.
struct CacheCounts {
  std::int64_t hits = 0;
  std::int64_t inserts = 0;
  std::int64_t locks = 0;
};

/// From a tensor to its copy in a low type. The key is the tensor itself: neither the type that was
/// asked for nor a later change of the elements is looked at (CAST-504, CAST-505). Several threads
/// may use one. A look costs a lock and a hash.
class WeightCache {
 public:
  /// Undefined where there is none.
  Tensor find(const Tensor& source);
  /// The copy that is kept now: `copy`, or the one of a thread that came first (CAST-515).
  Tensor insert(const Tensor& source, const Tensor& copy);
  /// Copies are freed outside of the lock: what goes with them may come back here.
  void clear();
  std::size_t size();
  CacheCounts counts();
  void forget_counts();

 private:
  struct Entry {
    Watched<TensorBody> source;  ///< so that its address is no other tensor's (CAST-512)
    Tensor copy;
  };
  using Entries = std::unordered_map<const TensorBody*, Entry>;

  std::mutex mutex_;
  Entries entries_;
  CacheCounts counts_;
};

/// One for the whole process; in 1.13 each thread had its own (CAST-110).
WeightCache& weight_cache();
/// Empties it and counts that (CAST-514).
void clear_weight_cache();
/// All threads' caches are empty, and nothing is counted.
void reset_weight_caches();

/// The tensors that captured graphs write to, which are never cached (CAST-516). A look where none
/// is registered takes no lock.
void set_static_output(const Tensor& tensor, bool is_one);
bool is_static_output(const Tensor& tensor);

}  // namespace assay::cuda::autocast
