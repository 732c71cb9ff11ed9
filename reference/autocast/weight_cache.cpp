// Lookup, insertion and clearing.
#include "reference/autocast/weight_cache.hpp"

namespace assay::reference {

Tensor WeightCache::find(const Tensor& source, CastStats& stats) {
  ++stats.locks;
  const std::scoped_lock lock(mutex_);
  const auto found = entries_.find(source.impl().get());
  if (found == entries_.end()) return {};
  ++stats.cache_hits;
  return found->second.second;
}

Tensor WeightCache::insert(const Tensor& source, const Tensor& copy, CastStats& stats) {
  ++stats.locks;
  const std::scoped_lock lock(mutex_);
  const auto [where, is_new] =
      entries_.try_emplace(source.impl().get(), std::weak_ptr(source.impl()), copy);
  if (is_new) ++stats.cache_inserts;
  return where->second.second;
}

void WeightCache::clear(CastStats& stats) {
  std::map<const TensorImpl*, std::pair<std::weak_ptr<TensorImpl>, Tensor>> dying;
  ++stats.cache_clears;
  ++stats.locks;
  const std::scoped_lock lock(mutex_);
  dying.swap(entries_);
}

std::size_t WeightCache::size() {
  const std::scoped_lock lock(mutex_);
  return entries_.size();
}

WeightCache& weight_cache(Runtime& runtime) {
  const bool is_own = runtime.contract().release == Release::k1_13;
  if (is_own) return runtime.local<WeightCache>();
  return runtime.shared<WeightCache>();
}

CastStats& cast_stats(Runtime& runtime) { return runtime.shared<CastStats>(); }

void clear_weight_cache(Runtime& runtime) { weight_cache(runtime).clear(cast_stats(runtime)); }

void StaticOutputs::set(const Tensor& tensor, bool value) {
  const std::scoped_lock lock(mutex_);
  is_on_ = true;
  if (value) {
    outputs_.insert(tensor.impl().get());
  } else {
    outputs_.erase(tensor.impl().get());
  }
}

bool StaticOutputs::contains(const Tensor& tensor) {
  if (!is_on_) return false;
  const std::scoped_lock lock(mutex_);
  return outputs_.contains(tensor.impl().get());
}

StaticOutputs& static_outputs(Runtime& runtime) { return runtime.shared<StaticOutputs>(); }

}  // namespace assay::reference
