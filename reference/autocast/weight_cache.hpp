// The weight cache: low copies of float32 leaves (CAST-501 to CAST-520).
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

/// What casts and caches did since the last reset, on all threads.
struct CastStats {
  std::atomic<std::int64_t> conversions = 0;
  std::atomic<std::int64_t> cache_hits = 0;
  std::atomic<std::int64_t> cache_inserts = 0;
  std::atomic<std::int64_t> cache_clears = 0;
  std::atomic<std::int64_t> locks = 0;
};

/// By the identity of the source and nothing else: its dtype, values and version are not looked at
/// (CAST-502, CAST-504). The weak reference keeps the address from being used again (CAST-512).
class WeightCache {
 public:
  /// The undefined tensor on a miss.
  Tensor find(const Tensor& source, CastStats& stats);
  /// Returns what is there now: `copy`, or what another thread has put there meanwhile.
  Tensor insert(const Tensor& source, const Tensor& copy, CastStats& stats);
  void clear(CastStats& stats);
  std::size_t size();

 private:
  std::mutex mutex_;
  std::map<const TensorImpl*, std::pair<std::weak_ptr<TensorImpl>, Tensor>> entries_;
};

/// One for all threads; in 1.13 one for each (CAST-110).
WeightCache& weight_cache(Runtime& runtime);
CastStats& cast_stats(Runtime& runtime);

/// CAST-514.
void clear_weight_cache(Runtime& runtime);

/// Outputs of CUDA graphs, which are never cached (CAST-516). Off, and without a lock, until there
/// has been one.
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
