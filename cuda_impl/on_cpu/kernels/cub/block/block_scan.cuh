// CUB's running sums over a block, of integers: their order does not matter.
#pragma once

#include <concepts>

namespace cub {

template <std::integral T, int kThreads>
class BlockScan {
 public:
  struct TempStorage {
    T of_thread[kThreads];
  };

  explicit BlockScan(TempStorage& memory) : memory_(memory) {}

  /// `before` becomes the sum of the values of the threads before the caller, `total` that of all.
  /// Between two uses of the memory, the block needs a barrier.
  void ExclusiveSum(T value, T& before, T& total) {
    memory_.of_thread[threadIdx.x] = value;
    __syncthreads();
    before = sum_of(threadIdx.x);
    total = sum_of(kThreads);
  }
  void ExclusiveSum(T value, T& before) {
    T total;
    ExclusiveSum(value, before, total);
  }

 private:
  T sum_of(unsigned threads) const {
    T sum = 0;
    for (unsigned thread = 0; thread < threads; ++thread) sum += memory_.of_thread[thread];
    return sum;
  }

  TempStorage& memory_;
};

}  // namespace cub
