// Boxed calls: the arguments are on a stack (DSP-604 to DSP-606). What boxed and typed calls share:
// the slow path of threads whose mode is not kPlain (registry/grace.hpp), and the observers of a
// call.
#pragma once

#include <vector>

#include "cuda_impl/dispatch/call/argument_keys.hpp"
#include "cuda_impl/dispatch/registry/dispatcher.hpp"
#include "cuda_impl/dispatch/registry/grace.hpp"

namespace assay::cuda::dispatch {

/// Registers the thread if necessary and runs pending reclamation.
void start_slow_path();

/// The observers selected for one call. They stay alive while the thread is `ReadScope`.
class Audience {
 public:
  Audience() = default;
  /// Samples each observer. Raises `internal` if PyTorch would need a schema (DSP-808).
  explicit Audience(const Table& table);

  bool is_empty() const { return members_.empty(); }
  bool wants_inputs() const { return wants_inputs_; }
  bool wants_outputs() const { return wants_outputs_; }
  const std::vector<const Observer*>& members() const { return members_; }

 private:
  std::vector<const Observer*> members_;
  bool wants_inputs_ = false;
  bool wants_outputs_ = false;
};

/// Reports the start of a call in its constructor and the end in its destructor, also on errors.
class Observation {
 public:
  Observation(Audience audience, const Entry& entry, KeySet keys, std::vector<Boxed> inputs);
  ~Observation();
  Observation(const Observation&) = delete;
  Observation& operator=(const Observation&) = delete;

  bool wants_outputs() const { return audience_.wants_outputs(); }
  void succeeded(std::vector<Boxed> outputs) { outputs_ = std::move(outputs); }

 private:
  ObservedCall as_shown_to(const Observer& observer) const;

  const Audience audience_;
  const Table& table_;
  const std::int64_t sequence_;
  const std::vector<Boxed> inputs_;
  std::vector<Boxed> outputs_;
};

/// Dispatches by the arguments and the thread's keys. Observed.
void call_boxed(const Operator& op, Stack& stack);
/// Dispatches by the given keys only.
void redispatch_boxed(const Operator& op, KeySet keys, Stack& stack);
/// Calls the newest kernel of exactly this key, or its fallback. Raises `internal` for neither.
void call_boxed_for_key(const Operator& op, Key key, Stack& stack);

/// For a running kernel: dispatches its operator to the keys below its own, in the table that the
/// kernel was selected from, whatever has been registered since.
void redispatch_below(const Entry& entry, KeySet keys, Stack& stack);

}  // namespace assay::cuda::dispatch
