// The orders in which the blocks of a grid start, and in which the threads of a block run.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "cuda_impl/on_cpu/scheduler/options.hpp"
#include "cuda_impl/on_cpu/scheduler/threads.hpp"

namespace assay::cuda::on_cpu {

class BlockOrder {
 public:
  BlockOrder(const Dim3& grid, const Options& options);

  std::uint64_t count() const { return count_; }
  /// Returns the block at this position in the order.
  Dim3 at(std::uint64_t position) const;

 private:
  Dim3 grid_;
  std::uint64_t count_;
  Order order_;
  std::uint64_t first_ = 0;
  std::uint64_t step_ = 1;  ///< coprime to the count, so that every block occurs once
};

/// A pseudo-random sequence; equal seeds give equal sequences (splitmix64).
class Draw {
 public:
  explicit Draw(std::uint64_t start) : state_(start) {}

  /// Returns a number from 0 to `below` - 1.
  std::uint32_t operator()(std::uint32_t below);

 private:
  std::uint64_t state_;
};

/// The threads that have not started, and those that were resumed, which run first: this keeps the
/// number of used stacks small, so that they stay in the cache.
class ReadyQueue {
 public:
  struct Next {
    std::uint32_t thread;
    bool is_fresh;
  };

  /// Starts with `threads` new threads, in the order that `order` specifies.
  void begin(std::uint32_t threads, Order order, std::uint64_t seed);
  void wake(std::uint32_t thread);
  std::optional<Next> next();

 private:
  bool has_woken() const { return woken_begin_ != woken_end_; }
  bool has_fresh() const { return fresh_begin_ != threads_; }
  Next take_woken();
  Next take_fresh();

  Order order_ = Order::forward;
  Draw draw_{0};
  std::uint32_t threads_ = 0;
  std::uint32_t fresh_begin_ = 0;
  std::vector<std::uint32_t> permutation_;  ///< of new threads, if shuffled
  /// A ring buffer; both indices only increase.
  std::vector<std::uint32_t> woken_;
  std::uint32_t mask_ = 0;
  std::uint32_t woken_begin_ = 0;
  std::uint32_t woken_end_ = 0;
};

}  // namespace assay::cuda::on_cpu
