// A litmus program that is under way: its machine, where its threads stand, and what was seen.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "reference/runtime/device/explore.hpp"
#include "reference/runtime/device/litmus_program.hpp"
#include "reference/runtime/device/machine.hpp"

namespace assay::reference {

/// A value: copy it to try something out.
class LitmusState {
 public:
  explicit LitmusState(const LitmusProgram& program);

  std::size_t threads() const { return threads_.size(); }
  /// How many calls the thread has made.
  std::size_t made(std::size_t thread) const { return threads_[thread].next; }
  const Machine& machine() const { return machine_; }
  const LitmusOutcome& seen() const { return seen_; }

  /// Has its last call returned, and has whoever `step` waits for given the signal?
  bool can_call(std::size_t thread, const LitmusStep& step) const;
  /// `step` is the next one of the thread.
  void call(std::size_t thread, const LitmusStep& step);
  /// What a query would say now.
  bool answer(const LitmusStep& step) const;
  /// The item of `step` completes.
  void complete(const LitmusStep& step);

  /// Equal for states that go on in the same way.
  std::string key() const;

 private:
  struct Position {
    std::size_t next = 0;
    std::vector<ItemId> awaited = {};  ///< of its last call: it has not returned before
  };

  void submit(Position& position, const LitmusStep& step);
  std::vector<ItemId> awaited_by(const LitmusStep& step) const;
  std::int64_t& place(int number) { return places_[static_cast<std::size_t>(number)]; }
  void see(const LitmusStep& step, std::int64_t value);

  Machine machine_;
  std::vector<Position> threads_;
  std::vector<std::int64_t> places_;
  std::vector<std::int64_t> staged_;  ///< by item: what a copy read when it was called
  LitmusOutcome seen_;
  std::uint64_t signals_ = 0;
};

}  // namespace assay::reference
