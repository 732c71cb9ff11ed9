// What watches calls: observers of their start and end, for profilers (DSP-807 to DSP-809), traces
// of kernel starts on a thread, and prints of calls as they are dispatched, for debugging
// (DSP-709).
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "reference/core/runtime.hpp"
#include "reference/dispatch/keys/key_set.hpp"
#include "reference/dispatch/registry/operator_entry.hpp"
#include "reference/dispatch/schema/schema.hpp"

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

// Traces of kernel starts on a thread.

/// A kernel that is about to run. Valid during the callback.
struct KernelStart {
  const OperatorHandle& op;
  const std::string& label;
  DispatchKey key;  ///< the key that selected it
  KeySet keys;
  bool boxed;  ///< whether the kernel is boxed
  std::vector<const IValue*> arguments;
};

using KernelWatcher = std::function<void(const KernelStart&)>;

/// Receives all kernel starts of the dispatcher on this thread, from construction to `stop`.
class KernelWatch {
 public:
  KernelWatch(const Dispatcher& dispatcher, KernelWatcher watcher);
  ~KernelWatch() { stop(); }
  KernelWatch(const KernelWatch&) = delete;
  KernelWatch& operator=(const KernelWatch&) = delete;

  /// Must be called on the constructing thread.
  void stop();

 private:
  std::shared_ptr<const KernelWatcher> watcher_;
};

/// Notifies the watchers of this thread.
void notify_watchers(const KernelStart& start);
bool is_watched(const Dispatcher& dispatcher);

// Prints of calls.

/// Returns whether RT_SHOW_DISPATCH_TRACE is 1. Any value except 0 and 1 gives one warning on
/// standard error.
bool shows_calls();

/// Prints `[call] op=[ns::f], key=[AutogradCPU]` to standard error, indented by the number of
/// instances alive on this thread. Does nothing unless `shows_calls`.
class ShownCall {
 public:
  ShownCall(const KeyLayout& layout, std::string_view how, const OperatorName& op, KeySet keys);
  ~ShownCall();
  ShownCall(const ShownCall&) = delete;
  ShownCall& operator=(const ShownCall&) = delete;
};

}  // namespace assay::reference
