// Operators: where the state of one is kept, and the handle that refers to it.
#pragma once

#include <memory>
#include <mutex>
#include <utility>

#include "reference/dispatch/registry/operator_state.hpp"

namespace assay::reference {

class Dispatcher;

/// Holds the newest state. A call takes it once and works with it to its end, so that it sees all
/// of a registration or nothing of it, and its kernels live as long as it runs (DSP-803).
class OperatorEntry {
 public:
  OperatorEntry(Dispatcher& dispatcher, OperatorStatePtr state)
      : dispatcher_(dispatcher), state_(std::move(state)) {}

  Dispatcher& dispatcher() const { return dispatcher_; }

  OperatorStatePtr state() const {
    const std::scoped_lock lock(mutex_);
    return state_;
  }
  /// Returns the state before.
  OperatorStatePtr replace(OperatorStatePtr state) {
    const std::scoped_lock lock(mutex_);
    return std::exchange(state_, std::move(state));
  }

 private:
  Dispatcher& dispatcher_;
  mutable std::mutex mutex_;
  OperatorStatePtr state_;
};

/// Refers to an operator, and still does when that is gone: calling it then is an error (DSP-419).
/// The dispatcher must live. Equal means the same operator (DSP-616).
class OperatorHandle {
 public:
  explicit OperatorHandle(std::shared_ptr<OperatorEntry> entry) : entry_(std::move(entry)) {}

  Dispatcher& dispatcher() const { return entry_->dispatcher(); }
  OperatorStatePtr state() const { return entry_->state(); }
  /// Raises `error` naming the operator when it is gone.
  OperatorStatePtr live_state() const;
  std::string name() const { return to_text(state()->name); }
  bool has_schema() const { return state()->has_schema(); }
  /// Raises `internal` when there is none (DSP-408).
  FunctionSchema schema() const;
  bool operator==(const OperatorHandle&) const = default;

 private:
  std::shared_ptr<OperatorEntry> entry_;
};

}  // namespace assay::reference
