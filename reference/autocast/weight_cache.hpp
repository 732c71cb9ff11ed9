// The weight cache: low-precision copies of float32 leaf tensors (CAST-501 to CAST-520).
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <utility>

#include "reference/core/runtime.hpp"
#include "reference/core/tensor/tensor.hpp"

namespace assay::reference {

/// Statistics of casts and caches over all threads since the last reset.
struct CastStats {
  std::atomic<std::int64_t> conversions = 0;
  std::atomic<std::int64_t> cache_hits = 0;
  std::atomic<std::int64_t> cache_inserts = 0;
  std::atomic<std::int64_t> cache_clears = 0;
  std::atomic<std::int64_t> locks = 0;
};

/// Keyed by the identity of the source; ignores its dtype, values and version (CAST-502, CAST-504).
/// The weak reference prevents the address from being reused (CAST-512).
class WeightCache {
 public:
  /// Returns the undefined tensor on a cache miss.
  Tensor find(const Tensor& source, CastStats& stats);
  /// Returns the cached tensor: `copy`, or the copy that another thread inserted first.
  Tensor insert(const Tensor& source, const Tensor& copy, CastStats& stats);
  void clear(CastStats& stats);
  std::size_t size();

 private:
  std::mutex mutex_;
  std::map<const TensorImpl*, std::pair<std::weak_ptr<TensorImpl>, Tensor>> entries_;
};

/// One cache for all threads; in 1.13 one for each thread (CAST-110).
WeightCache& weight_cache(Runtime& runtime);
CastStats& cast_stats(Runtime& runtime);

/// CAST-514.
void clear_weight_cache(Runtime& runtime);

/// Outputs of CUDA graphs, which are not cached (CAST-516). Queries take no lock until one has been
/// registered.
class StaticOutputs {
 public:
  void set(const Tensor& tensor, bool value);
  bool contains(const Tensor& tensor);

 private:
  std::atomic<bool> is_on_ = false;
  std::mutex mutex_;
  std::set<const TensorImpl*> outputs_;
};
StaticOutputs& static_outputs(Runtime& runtime);

}  // namespace assay::reference
