// Who sees calls begin and end: profilers and the like (DSP-807 to DSP-809).
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "cuda_impl/core/boxed.hpp"

namespace assay::cuda::dispatch {

struct ObservedCall {
  std::string op;
  bool has_schema = false;
  std::int64_t sequence = -1;  ///< -1 unless a gradient may be recorded
  /// For an observer that wants them; outputs at the end of a call that succeeded.
  std::vector<Boxed> inputs = {};
  std::vector<Boxed> outputs = {};
};

struct Observer {
  bool wants_inputs = false;
  bool wants_outputs = false;
  double probability = 1;
  std::function<void(const ObservedCall&)> start;
  std::function<void(const ObservedCall&)> end;
};
using ObserverPtr = std::shared_ptr<const Observer>;

/// All of one dispatcher. As long as there is one, calls of all threads ask here.
class Observers {
 public:
  Observers() = default;
  ~Observers();
  Observers(const Observers&) = delete;
  Observers& operator=(const Observers&) = delete;

  /// Raises `error` unless the probability lies in [0, 1].
  ObserverPtr add(Observer observer);
  void remove(const ObserverPtr& observer);
  /// Those that see this call; none on a thread that is suspended.
  std::vector<ObserverPtr> picked();

 private:
  std::mutex mutex_;
  std::vector<ObserverPtr> all_;
};

/// The calling thread by 1 more, or -1: as long as it is above 0, nobody sees its calls.
void suspend_observers(int by);
/// Larger than any before on this thread, since it was last reset.
std::int64_t next_sequence();
void reset_sequence();
/// A few operators are called too often to be observed.
bool is_observed(const std::string& op);

/// One call: told of its start, and of its end however it ends.
class Observation {
 public:
  Observation(std::vector<ObserverPtr> observers, ObservedCall call);
  ~Observation();
  Observation(const Observation&) = delete;
  Observation& operator=(const Observation&) = delete;

  void succeeded(std::vector<Boxed> outputs) { call_.outputs = std::move(outputs); }

 private:
  std::vector<ObserverPtr> observers_;
  ObservedCall call_;
};

}  // namespace assay::cuda::dispatch
