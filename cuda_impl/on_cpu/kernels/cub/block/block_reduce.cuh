// CUB's reduction over a block. Floating sums have CUB's bits: it combines the values of a warp as
// a tree of neighbours, then those of the warps from the first to the last.
#pragma once

namespace cub {

template <typename T, int kThreads>
class BlockReduce {
 public:
  struct TempStorage {
    T of_thread[kThreads];
  };

  explicit BlockReduce(TempStorage& memory) : memory_(memory) {}

  /// Only the first thread's result is valid. Between two uses of the memory, the block needs a
  /// barrier.
  template <typename Operation>
  T Reduce(T value, const Operation& operation) {
    memory_.of_thread[threadIdx.x] = value;
    __syncthreads();
    if (threadIdx.x != 0) return value;
    T result = of_warp(0, operation);
    for (int warp = kWarp; warp < kThreads; warp += kWarp) {
      result = operation(result, of_warp(warp, operation));
    }
    return result;
  }
  T Sum(T value) {
    return Reduce(value, [](T a, T b) { return a + b; });
  }

 private:
  static constexpr int kWarp = 32;
  static_assert(kThreads % kWarp == 0);

  template <typename Operation>
  T of_warp(int first, const Operation& operation) const {
    T lanes[kWarp];
    for (int lane = 0; lane < kWarp; ++lane) lanes[lane] = memory_.of_thread[first + lane];
    for (int apart = 1; apart < kWarp; apart *= 2) {
      for (int lane = 0; lane < kWarp; lane += 2 * apart) {
        lanes[lane] = operation(lanes[lane], lanes[lane + apart]);
      }
    }
    return lanes[0];
  }

  TempStorage& memory_;
};

}  // namespace cub
