// Runs a litmus program on its own simulated machine, one action at a time, and finds every outcome
// that it has there, whatever the order in which host threads and streams proceed.
#pragma once

#include <cstddef>
#include <deque>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "cuda_impl/on_cpu/cudart/litmus/program.hpp"
#include "cuda_impl/on_cpu/cudart/machine.hpp"

namespace assay::cuda::on_cpu::litmus {

/// A thread makes its next call, or a stream completes its next operation.
struct Action {
  bool is_call = true;
  std::size_t index = 0;
};

class Run {
 public:
  explicit Run(const Program& program);

  std::vector<Action> possible() const;
  /// A possible action that need not be compared with others: after any other actions it is still
  /// possible, with the same observable effect.
  std::optional<Action> certain() const;
  void take(Action action);

  /// All calls were made and have returned, and all work is complete.
  bool is_over() const;
  const std::vector<std::int64_t>& observed() const { return observed_; }
  /// Equal for runs with the same possible continuations.
  std::string state() const;

 private:
  struct Thread {
    std::size_t made = 0;
    std::vector<Point> awaited = {};
  };

  bool can_call(std::size_t thread) const;
  bool is_certain_call(std::size_t thread) const;
  bool is_certain_completion(std::size_t stream) const;
  bool may_meet(const Step& one, const Step& other) const;
  int device_of(const Step& step) const;
  bool shares_words(const Step& step) const;
  const Step& next_of(std::size_t thread) const {
    return program_.threads[thread][threads_[thread].made];
  }
  template <typename Predicate>
  bool any_call_to_come(std::size_t except, const Predicate& predicate) const;

  void call(std::size_t thread);
  Point submit(const Step& step);
  bool answer(const Step& step) const;
  std::vector<Point> awaited_by(const Step& step) const;
  void access(const Step& step, std::int64_t staged);

  const Program& program_;
  std::unique_ptr<Machine> machine_ = std::make_unique<Machine>();
  std::vector<LinePtr> lines_;
  std::vector<std::deque<const Step*>> pending_;  ///< of each line
  std::vector<std::shared_ptr<Gate>> gates_;
  std::vector<Point> events_;
  std::vector<bool> signals_;
  std::vector<Thread> threads_;
  std::vector<std::int64_t> words_;
  std::vector<int> accesses_;  ///< to each word, still to come
  std::vector<std::int64_t> observed_;
};

struct Outcomes {
  std::set<std::vector<std::int64_t>> observed;
  bool hangs = false;  ///< at least one order deadlocks
  std::size_t states = 0;
};

Outcomes explore(const Program& program);

}  // namespace assay::cuda::on_cpu::litmus
