// An operator: its name and its current table.
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <utility>

#include "cuda_impl/dispatch/registry/grace.hpp"
#include "cuda_impl/dispatch/registry/table.hpp"

namespace assay::cuda::dispatch {

class Dispatcher;

/// Lives as long as its dispatcher, so handles never dangle; the table tells whether anything is
/// registered. `next` links all operators of a dispatcher.
class Operator {
 public:
  Operator(Dispatcher& dispatcher, OperatorName name)
      : dispatcher_(dispatcher), name_(std::move(name)), text_(name_.text()) {}
  Operator(const Operator&) = delete;
  Operator& operator=(const Operator&) = delete;

  Dispatcher& dispatcher() const { return dispatcher_; }
  const OperatorName& name() const { return name_; }
  const std::string& text() const { return text_; }

  /// Valid while the calling thread is `ReadScope`.
  const Table& table() const { return *table_.load(std::memory_order_acquire); }
  /// Returns the current registrations.
  StatePtr state() const {
    const ReadScopeAnyMode reading(registered_thread());
    return table().state;
  }
  bool is_alive() const { return state()->is_alive(); }

  /// Requires the registration lock.
  void publish(std::shared_ptr<const Table> table);
  const Table* table_or_none() const { return table_.load(std::memory_order_acquire); }

  Operator* next = nullptr;
  Operator* in_bucket = nullptr;  ///< next operator in the same hash bucket

 private:
  Dispatcher& dispatcher_;
  const OperatorName name_;
  const std::string text_;
  std::atomic<const Table*> table_ = nullptr;
  std::shared_ptr<const Table> held_;
};

/// Keeps an operator's table alive for several queries.
class TableView {
 public:
  explicit TableView(const Operator& op) : reading_(registered_thread()), table_(op.table()) {}
  const Table* operator->() const { return &table_; }
  const Table& operator*() const { return table_; }

 private:
  const ReadScopeAnyMode reading_;
  const Table& table_;
};

}  // namespace assay::cuda::dispatch
