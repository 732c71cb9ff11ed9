// Lists of callbacks. Calls use copies, since callbacks may allocate and register others.
#include "cuda_impl/memory/hooks.hpp"

#include <atomic>
#include <mutex>
#include <utility>
#include <vector>

namespace assay::cuda::memory {
namespace {

struct Hooks {
  std::mutex mutex;
  std::atomic<int> callback_count = 0;
  std::vector<std::function<void(int)>> observers;
  std::vector<std::function<bool()>> callbacks;
};

Hooks& hooks() {
  static auto* const made = new Hooks();
  return *made;
}

}  // namespace

void add_observer(std::function<void(int device)> observer) {
  const std::scoped_lock lock(hooks().mutex);
  hooks().observers.push_back(std::move(observer));
}

void add_free_callback(std::function<bool()> callback) {
  const std::scoped_lock lock(hooks().mutex);
  hooks().callbacks.push_back(std::move(callback));
  ++hooks().callback_count;
}

bool has_free_callbacks() { return hooks().callback_count.load(std::memory_order_relaxed) != 0; }

bool run_free_callbacks() {
  std::unique_lock lock(hooks().mutex);
  const auto callbacks = hooks().callbacks;
  lock.unlock();
  bool has_freed = false;
  for (const auto& callback : callbacks) has_freed = callback() || has_freed;
  return has_freed;
}

void notify_observers(int device) {
  std::unique_lock lock(hooks().mutex);
  const auto observers = hooks().observers;
  lock.unlock();
  for (const auto& observer : observers) observer(device);
}

void forget_hooks() {
  const std::scoped_lock lock(hooks().mutex);
  hooks().observers.clear();
  hooks().callbacks.clear();
  hooks().callback_count = 0;
}

}  // namespace assay::cuda::memory
