// Callbacks at the start and at the end of calls, as profilers use them (DSP-807 to DSP-809).
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

/// A call as one observer is shown it. What it points to is gone when the callback has returned.
struct ObservedCall {
  std::string_view op;
  bool has_schema = false;
  std::int64_t sequence = -1;           ///< of calls that autograd may record; -1 for all others
  std::span<const Boxed> inputs = {};   ///< empty where the observer does not want them
  std::span<const Boxed> outputs = {};  ///< the same, and empty at the start and after an error
};

struct Observer {
  bool wants_inputs = false;
  bool wants_outputs = false;
  double probability = 1;  ///< that a call is shown to it; decided for each call anew
  std::function<void(const ObservedCall&)> start = {};
  std::function<void(const ObservedCall&)> end = {};
};

/// The observers of one dispatcher. A change publishes a new list; calls read it without a lock,
/// and an old list is freed when the calls that may read it have ended (grace.hpp).
class Observers {
 public:
  using List = std::vector<std::shared_ptr<const Observer>>;

  Observers() = default;
  ~Observers();
  Observers(const Observers&) = delete;
  Observers& operator=(const Observers&) = delete;

  /// Gives back what `remove` takes. The probability must be in [0, 1]: `error`.
  const Observer* add(Observer observer);
  /// Nothing happens for one that was removed before.
  void remove(const Observer* observer);
  /// For as long as the calling thread is `Inside`.
  const List& current() const { return *published_.load(std::memory_order_acquire); }

 private:
  void publish(std::shared_ptr<const List> list);

  std::mutex mutex_;
  std::shared_ptr<const List> held_ = std::make_shared<const List>();
  std::atomic<const List*> published_ = held_.get();
};

/// What observers keep for each thread.
struct ObservedThread {
  int suspended = 0;  ///< above 0, no call of the thread is shown to anybody
  std::int64_t next_sequence = 0;
};
inline thread_local constinit ObservedThread observed_thread;

}  // namespace assay::cuda::dispatch
