// Implements the weight cache.
#include "cuda_impl/autocast/weight_cache.hpp"

#include <algorithm>
#include <bit>
#include <set>
#include <unordered_map>
#include <utility>

#include "cuda_impl/autocast/state.hpp"

namespace assay::cuda::autocast {
namespace {

constinit std::atomic<std::int64_t> conversions = 0;
constinit std::atomic<std::int64_t> clears = 0;

void count(std::atomic<std::int64_t>& counter) { counter.fetch_add(1, std::memory_order_relaxed); }

void add_to(CacheCounts& sum, const CacheCounts& counts) {
  sum.hits += counts.hits;
  sum.inserts += counts.inserts;
  sum.locks += counts.locks;
}

WeightCache& process_cache() {
  static WeightCache cache;
  return cache;
}

/// All threads' caches, and the totals of threads that have ended.
struct ThreadCaches {
  std::mutex mutex;
  std::set<WeightCache*> all;
  CacheCounts ended;
};
/// Never destroyed, because threads may end after static objects.
ThreadCaches& thread_caches() {
  static ThreadCaches& caches = *new ThreadCaches;  // NOLINT
  return caches;
}

/// A thread's cache. After a reset, the thread empties it at its next use.
struct ThreadCache {
  ThreadCache() {
    const std::lock_guard lock(thread_caches().mutex);
    thread_caches().all.insert(&cache);
  }
  ~ThreadCache() {
    const std::lock_guard lock(thread_caches().mutex);
    thread_caches().all.erase(&cache);
    add_to(thread_caches().ended, cache.counts());
  }
  ThreadCache(const ThreadCache&) = delete;
  ThreadCache& operator=(const ThreadCache&) = delete;

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
  std::unordered_map<const TensorBody*, Watched<TensorBody>> tensors;
};
StaticOutputs& static_outputs() {
  static StaticOutputs all;
  return all;
}

}  // namespace

CastStats cast_stats() {
  CacheCounts sum = process_cache().counts();
  ThreadCaches& caches = thread_caches();
  const std::lock_guard lock(caches.mutex);
  add_to(sum, caches.ended);
  for (WeightCache* cache : caches.all) add_to(sum, cache->counts());
  return {conversions, sum.hits, sum.inserts, clears, sum.locks};
}

void count_conversion() { count(conversions); }

WeightCache::Entry& WeightCache::Entries::find_or_make(const Tensor& source) {
  if (2 * size_ >= places_.size()) grow();
  Entry& entry = places_[place_of(source.body().identity())];
  if (entry.source.identity() == nullptr) ++size_;
  return entry;
}

void WeightCache::Entries::grow() {
  constexpr std::size_t kFirst = 8;
  std::vector<Entry> larger(std::max(kFirst, 2 * places_.size()));
  std::swap(places_, larger);
  shift_ = 64U - static_cast<unsigned>(std::countr_zero(places_.size()));
  for (Entry& entry : larger) {
    if (entry.source.identity() == nullptr) continue;
    places_[place_of(entry.source.identity())] = std::move(entry);
  }
}

Tensor WeightCache::insert(const Tensor& source, const Tensor& copy) {
  const std::lock_guard lock(lock_);
  ++counts_.locks;
  Entry& entry = entries_.find_or_make(source);
  if (entry.copy.defined()) return entry.copy;
  ++counts_.inserts;
  entry = Entry{source.body(), copy};
  return copy;
}

void WeightCache::clear() {
  Entries dropped;
  const std::lock_guard lock(lock_);
  std::swap(dropped, entries_);
}

std::size_t WeightCache::size() {
  const std::lock_guard lock(lock_);
  return entries_.size();
}

CacheCounts WeightCache::counts() {
  const std::lock_guard lock(lock_);
  return counts_;
}

void WeightCache::forget_counts() {
  const std::lock_guard lock(lock_);
  counts_ = {};
}

WeightCache& detail::find_cache() {
  if (contract().release == Release::k1_13) return thread_cache();
  shared_cache.store(&process_cache(), std::memory_order_release);
  return process_cache();
}

void clear_weight_cache() {
  weight_cache().clear();
  count(clears);
}

void reset_weight_caches() {
  detail::shared_cache.store(nullptr, std::memory_order_release);
  process_cache().clear();
  process_cache().forget_counts();
  conversions = 0;
  clears = 0;
  {
    ThreadCaches& caches = thread_caches();
    const std::lock_guard lock(caches.mutex);
    caches.ended = {};
    for (WeightCache* cache : caches.all) cache->forget_counts();
  }
  StaticOutputs& outputs = static_outputs();
  const std::lock_guard lock(outputs.mutex);
  outputs.tensors.clear();
  detail::static_output_count = 0;
}

void set_static_output(const Tensor& tensor, bool is_one) {
  StaticOutputs& outputs = static_outputs();
  const std::lock_guard lock(outputs.mutex);
  if (is_one) outputs.tensors[tensor.body().get()] = tensor.body();
  if (!is_one) outputs.tensors.erase(tensor.body().get());
  detail::static_output_count = outputs.tensors.size();
}

bool detail::is_among_static_outputs(const Tensor& tensor) {
  StaticOutputs& outputs = static_outputs();
  const std::lock_guard lock(outputs.mutex);
  const auto found = outputs.tensors.find(tensor.body().get());
  return found != outputs.tensors.end() && found->second.is_of(tensor.body());
}

}  // namespace assay::cuda::autocast
