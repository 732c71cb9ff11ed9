// The state of a running litmus program: machine, position of each thread, and observations.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "reference/runtime/device/explore.hpp"
#include "reference/runtime/device/litmus_program.hpp"
#include "reference/runtime/device/machine.hpp"

namespace assay::reference {

/// A value type: copies are independent.
class LitmusState {
 public:
  explicit LitmusState(const LitmusProgram& program);

  std::size_t threads() const { return threads_.size(); }
  /// The number of calls that the thread has made.
  std::size_t made(std::size_t thread) const { return threads_[thread].next; }
  const Machine& machine() const { return machine_; }
  const LitmusOutcome& seen() const { return seen_; }

  /// Has the thread's last call returned, and was the signal given that `step` waits for?
  bool can_call(std::size_t thread, const LitmusStep& step) const;
  /// `step` must be the thread's next one.
  void call(std::size_t thread, const LitmusStep& step);
  /// The present result of a query.
  bool answer(const LitmusStep& step) const;
  /// Completes the item of `step`.
  void complete(const LitmusStep& step);

  /// Equal for states with the same continuations.
  std::string key() const;

 private:
  struct Position {
    std::size_t next = 0;
    std::vector<ItemId> awaited = {};  ///< what its last call waits for before it returns
  };

  void submit(Position& position, const LitmusStep& step);
  std::vector<ItemId> awaited_by(const LitmusStep& step) const;
  std::int64_t& place(int number) { return places_[static_cast<std::size_t>(number)]; }
  void see(const LitmusStep& step, std::int64_t value);

  Machine machine_;
  std::vector<Position> threads_;
  std::vector<std::int64_t> places_;
  std::vector<std::int64_t> staged_;  ///< by item: the value that a staged copy read at its call
  LitmusOutcome seen_;
  std::uint64_t signals_ = 0;
};

}  // namespace assay::reference
