// Which thread of a block runs next.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "cuda_impl/on_cpu/scheduler/options.hpp"

namespace assay::cuda::on_cpu {

/// Numbers drawn one after the other; the same start gives the same numbers (splitmix64).
class Draw {
 public:
  explicit Draw(std::uint64_t start) : state_(start) {}

  /// From 0 to `below` - 1.
  std::uint32_t operator()(std::uint32_t below);

 private:
  std::uint64_t state_;
};

/// Threads that have not begun, and those that were woken, which come first: so few stacks are in
/// use at a time, and they stay in the cache.
class ReadyQueue {
 public:
  struct Next {
    std::uint32_t thread;
    bool is_fresh;
  };

  /// All of `threads` are fresh, in the order that `order` says.
  void begin(std::uint32_t threads, Order order, std::uint64_t seed);
  void wake(std::uint32_t thread);
  std::optional<Next> next();
  /// The same, but fresh threads come first: one that lets others run must not keep them waiting.
  std::optional<Next> next_fresh_first();

 private:
  bool has_woken() const { return woken_begin_ != woken_end_; }
  bool has_fresh() const { return fresh_begin_ != threads_; }
  Next take_woken();
  Next take_fresh();
  std::optional<Next> any();

  Order order_ = Order::forward;
  Draw draw_{0};
  std::uint32_t threads_ = 0;
  std::uint32_t fresh_begin_ = 0;
  std::vector<std::uint32_t> permutation_;  ///< of fresh threads, where shuffled
  /// A ring; both ends count up for ever.
  std::vector<std::uint32_t> woken_;
  std::uint32_t mask_ = 0;
  std::uint32_t woken_begin_ = 0;
  std::uint32_t woken_end_ = 0;
};

}  // namespace assay::cuda::on_cpu
