// Shows one call to its observers.
#pragma once

#include <vector>

#include "cuda_impl/dispatch/registry/dispatcher.hpp"

namespace assay::cuda::dispatch {

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

}  // namespace assay::cuda::dispatch
