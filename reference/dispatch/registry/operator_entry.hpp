// The mutable state of an operator, and handles to it.
#pragma once

#include <memory>
#include <mutex>
#include <utility>

#include "reference/dispatch/registry/operator_state.hpp"

namespace assay::reference {

class Dispatcher;

/// Holds the current state. A call reads it once and uses it to its end, so it sees each
/// registration completely or not at all, and its kernels stay alive (DSP-803).
class OperatorEntry {
 public:
  OperatorEntry(Dispatcher& dispatcher, OperatorStatePtr state)
      : dispatcher_(dispatcher), state_(std::move(state)) {}

  Dispatcher& dispatcher() const { return dispatcher_; }

  OperatorStatePtr state() const {
    const std::scoped_lock lock(mutex_);
    return state_;
  }
  /// Returns the previous state.
  OperatorStatePtr replace(OperatorStatePtr state) {
    const std::scoped_lock lock(mutex_);
    return std::exchange(state_, std::move(state));
  }

 private:
  Dispatcher& dispatcher_;
  mutable std::mutex mutex_;
  OperatorStatePtr state_;
};

/// A handle to an operator, which stays valid after the operator is removed; calling it then is an
/// error (DSP-419). Must not outlive the dispatcher. Compares by operator (DSP-616).
class OperatorHandle {
 public:
  explicit OperatorHandle(std::shared_ptr<OperatorEntry> entry) : entry_(std::move(entry)) {}

  Dispatcher& dispatcher() const { return entry_->dispatcher(); }
  OperatorStatePtr state() const { return entry_->state(); }
  /// Raises `error`, naming the operator, if it has been removed.
  OperatorStatePtr live_state() const;
  std::string name() const { return to_text(state()->name); }
  bool has_schema() const { return state()->has_schema(); }
  /// Raises `internal` if there is no schema (DSP-408).
  FunctionSchema schema() const;
  bool operator==(const OperatorHandle&) const = default;

 private:
  std::shared_ptr<OperatorEntry> entry_;
};

}  // namespace assay::reference
