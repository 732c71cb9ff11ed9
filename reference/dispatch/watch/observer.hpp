// Observers: they see calls begin and end, as profilers do (DSP-807 to DSP-809).
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "reference/core/runtime.hpp"
#include "reference/dispatch/registry/operator_entry.hpp"
#include "reference/dispatch/registry/registration.hpp"

namespace assay::reference {

struct ObservedCall {
  std::string op;
  bool has_schema = false;
  std::int64_t sequence = -1;  ///< -1 unless a gradient may be recorded
  /// Only for an observer that wants them; outputs only at the end, and none when it failed.
  std::vector<IValue> inputs = {};
  std::vector<IValue> outputs = {};
};

struct Observer {
  bool wants_inputs = false;
  bool wants_outputs = false;
  double probability = 1;
  std::function<void(const ObservedCall&)> start;
  std::function<void(const ObservedCall&)> end;
};

/// All observers of a dispatcher. Any thread may use it.
class Observers : public std::enable_shared_from_this<Observers> {
 public:
  explicit Observers(Runtime& runtime) : runtime_(runtime) {}

  using List = std::vector<std::shared_ptr<const Observer>>;

  /// Raises `error` unless the probability lies in [0, 1].
  Registration add(Observer observer);

  /// Those that see this call: none when the thread is suspended.
  List picked() const;
  /// For calls that autograd may record: larger than any before on this thread.
  std::int64_t next_sequence();

 private:
  void remove(const std::shared_ptr<const Observer>& observer);

  Runtime& runtime_;
  mutable std::mutex mutex_;
  List all_;
};

/// Suspends the calling thread by 1, or ends one suspension of it by -1.
void suspend_observers(Runtime& runtime, int by);

/// Operators that are called too often to be observed (DSP-808).
bool is_observed(const OperatorName& name);

/// One call: told of its start, and of its end however it ends.
class Observation {
 public:
  Observation(Observers::List observers, ObservedCall call);
  ~Observation();
  Observation(const Observation&) = delete;
  Observation& operator=(const Observation&) = delete;

  bool wants_outputs() const;
  void succeeded(std::vector<IValue> outputs) { call_.outputs = std::move(outputs); }

 private:
  Observers::List observers_;
  ObservedCall call_;
};

}  // namespace assay::reference
