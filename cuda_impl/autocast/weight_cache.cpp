// Keeps low copies of weights.
#include "cuda_impl/autocast/weight_cache.hpp"

#include <atomic>
#include <utility>

#include "cuda_impl/autocast/state.hpp"

namespace assay::cuda::autocast {
namespace {

struct AtomicStats {
  std::atomic<std::int64_t> conversions = 0;
  std::atomic<std::int64_t> hits = 0;
  std::atomic<std::int64_t> inserts = 0;
  std::atomic<std::int64_t> clears = 0;
  std::atomic<std::int64_t> locks = 0;
};
AtomicStats& stats() {
  static AtomicStats all;
  return all;
}

void count(std::atomic<std::int64_t>& counter) { counter.fetch_add(1, std::memory_order_relaxed); }

WeightCache& process_cache() {
  static WeightCache cache;
  return cache;
}

/// A thread's own, which a reset empties when the thread comes back.
struct ThreadCache {
  std::uint64_t generation = 0;
  WeightCache cache;
};
WeightCache& thread_cache() {
  thread_local ThreadCache own;
  if (own.generation != generation()) own.cache.clear();
  own.generation = generation();
  return own.cache;
}

struct StaticOutputs {
  std::mutex mutex;
  std::unordered_map<const TensorBody*, std::weak_ptr<TensorBody>> tensors;
  std::atomic<std::size_t> count = 0;
};
StaticOutputs& static_outputs() {
  static StaticOutputs all;
  return all;
}

bool is_of(const std::weak_ptr<TensorBody>& known, const Tensor& tensor) {
  return !known.owner_before(tensor.body()) && !tensor.body().owner_before(known);
}

}  // namespace

CastStats cast_stats() {
  const AtomicStats& all = stats();
  return {all.conversions, all.hits, all.inserts, all.clears, all.locks};
}

void count_conversion() { count(stats().conversions); }

Tensor WeightCache::find(const Tensor& source) {
  count(stats().locks);
  const std::lock_guard lock(mutex_);
  const auto found = entries_.find(source.body().get());
  if (found == entries_.end() || !is_of(found->second.source, source)) return {};
  count(stats().hits);
  return found->second.copy;
}

Tensor WeightCache::insert(const Tensor& source, const Tensor& copy) {
  count(stats().locks);
  Entry replaced;
  const std::lock_guard lock(mutex_);
  Entry& entry = entries_[source.body().get()];
  if (is_of(entry.source, source)) return entry.copy;
  count(stats().inserts);
  replaced = std::exchange(entry, Entry{source.body(), copy});
  return copy;
}

void WeightCache::clear() {
  Entries dropped;
  const std::lock_guard lock(mutex_);
  std::swap(dropped, entries_);
}

std::size_t WeightCache::size() {
  const std::lock_guard lock(mutex_);
  return entries_.size();
}

WeightCache& weight_cache() {
  return contract().release == Release::k1_13 ? thread_cache() : process_cache();
}

void clear_weight_cache() {
  weight_cache().clear();
  count(stats().clears);
}

void reset_weight_caches() {
  process_cache().clear();
  for (auto* counter :
       {&stats().conversions, &stats().hits, &stats().inserts, &stats().clears, &stats().locks}) {
    counter->store(0);
  }
  StaticOutputs& outputs = static_outputs();
  const std::lock_guard lock(outputs.mutex);
  outputs.tensors.clear();
  outputs.count = 0;
}

void set_static_output(const Tensor& tensor, bool is_one) {
  StaticOutputs& outputs = static_outputs();
  const std::lock_guard lock(outputs.mutex);
  if (is_one) outputs.tensors[tensor.body().get()] = tensor.body();
  if (!is_one) outputs.tensors.erase(tensor.body().get());
  outputs.count = outputs.tensors.size();
}

bool is_static_output(const Tensor& tensor) {
  StaticOutputs& outputs = static_outputs();
  if (outputs.count.load(std::memory_order_acquire) == 0) return false;
  const std::lock_guard lock(outputs.mutex);
  const auto found = outputs.tensors.find(tensor.body().get());
  return found != outputs.tensors.end() && is_of(found->second, tensor);
}

}  // namespace assay::cuda::autocast
