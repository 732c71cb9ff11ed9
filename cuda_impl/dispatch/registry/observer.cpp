// Adds and removes observers.
#include "cuda_impl/dispatch/registry/observer.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "cuda_impl/core/error.hpp"
#include "cuda_impl/dispatch/registry/grace.hpp"

namespace assay::cuda::dispatch {

Observers::~Observers() { count_observers(-static_cast<int>(held_->size())); }

const Observer* Observers::add(Observer observer) {
  const double probability = observer.probability;
  require(0 <= probability && probability <= 1, [&] {
    return "an observer's probability is between 0 and 1, not " + std::to_string(probability);
  });
  auto added = std::make_shared<const Observer>(std::move(observer));
  const std::scoped_lock lock(mutex_);
  auto list = std::make_shared<List>(*held_);
  list->push_back(added);
  publish(std::move(list));
  count_observers(1);
  return added.get();
}

void Observers::remove(const Observer* observer) {
  const std::scoped_lock lock(mutex_);
  auto list = std::make_shared<List>(*held_);
  const auto removed = std::erase_if(*list, [&](const auto& one) { return one.get() == observer; });
  if (removed == 0) return;
  publish(std::move(list));
  count_observers(-1);
}

void Observers::publish(std::shared_ptr<const List> list) {
  published_.store(list.get(), std::memory_order_release);
  retire(std::exchange(held_, std::move(list)));
}

}  // namespace assay::cuda::dispatch
