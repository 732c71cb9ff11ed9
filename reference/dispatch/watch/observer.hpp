// Observers of the start and end of calls, for profilers (DSP-807 to DSP-809).
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "reference/core/runtime.hpp"
#include "reference/dispatch/registry/operator_entry.hpp"
#include "reference/dispatch/registry/registration.hpp"

namespace assay::reference {

struct ObservedCall {
  std::string op;
  bool has_schema = false;
  std::int64_t sequence = -1;  ///< -1 unless autograd may record the call
  /// Only if the observer wants them. Outputs are present only at the end of a successful call.
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

/// The observers of a dispatcher. Thread-safe.
class Observers : public std::enable_shared_from_this<Observers> {
 public:
  explicit Observers(Runtime& runtime) : runtime_(runtime) {}

  using List = std::vector<std::shared_ptr<const Observer>>;

  /// Raises `error` unless the probability is in [0, 1].
  Registration add(Observer observer);

  /// The observers for this call; none if the thread is suspended.
  List picked() const;
  /// A number for a call that autograd may record; increases on each thread.
  std::int64_t next_sequence();

 private:
  void remove(const std::shared_ptr<const Observer>& observer);

  Runtime& runtime_;
  mutable std::mutex mutex_;
  List all_;
};

/// Suspends observation of the calling thread (1), or ends one suspension (-1).
void suspend_observers(Runtime& runtime, int by);

/// Returns false for frequently called operators, which are never observed (DSP-808).
bool is_observed(const OperatorName& name);

/// Reports the start of one call at construction and its end at destruction, even after an error.
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
