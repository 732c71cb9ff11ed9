// Observers: callbacks at the start and end of calls, for profilers (DSP-807 to DSP-809).
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <string_view>
#include <vector>

#include "cuda_impl/core/boxed.hpp"

namespace assay::cuda::dispatch {

/// A call as shown to one observer. Its pointers are valid only during the callback.
struct ObservedCall {
  std::string_view op;
  bool has_schema = false;
  std::int64_t sequence = -1;           ///< number of a call that autograd may record, or -1
  std::span<const Boxed> inputs = {};   ///< empty if the observer does not want them
  std::span<const Boxed> outputs = {};  ///< likewise; also empty at the start and after an error
};

struct Observer {
  bool wants_inputs = false;
  bool wants_outputs = false;
  double probability = 1;  ///< of being shown a call; drawn for each call
  std::function<void(const ObservedCall&)> start = {};
  std::function<void(const ObservedCall&)> end = {};
};

/// The observers of a dispatcher. Each change publishes a new list, which calls read without a
/// lock; an old list is freed when the calls that may read it have ended (grace.hpp).
class Observers {
 public:
  using List = std::vector<std::shared_ptr<const Observer>>;

  Observers() = default;
  ~Observers();
  Observers(const Observers&) = delete;
  Observers& operator=(const Observers&) = delete;

  /// Returns the argument for `remove`. Raises `error` unless the probability is in [0, 1].
  const Observer* add(Observer observer);
  /// Does nothing if it was removed before.
  void remove(const Observer* observer);
  /// Valid while the calling thread is `ReadScope`.
  const List& current() const { return *published_.load(std::memory_order_acquire); }

 private:
  void publish(std::shared_ptr<const List> list);

  std::mutex mutex_;
  std::shared_ptr<const List> held_ = std::make_shared<const List>();
  std::atomic<const List*> published_ = held_.get();
};

/// Per-thread state of observers.
struct ObservedThread {
  int suspended = 0;  ///< if above 0, no call of the thread is observed
  std::int64_t next_sequence = 0;
};
inline thread_local constinit ObservedThread observed_thread;

}  // namespace assay::cuda::dispatch
