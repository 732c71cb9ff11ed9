// CUB's device-wide radix sort of pairs, in one launch of one thread.
#pragma once

#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace cub {

/// Two arrays, of which one is current; the other is scratch of a sort, which may exchange the two.
template <typename T>
class DoubleBuffer {
 public:
  DoubleBuffer() = default;
  DoubleBuffer(T* current, T* other) : current_(current), other_(other) {}

  T* Current() const { return current_; }
  T* Alternate() const { return other_; }
  void exchange() { std::swap(current_, other_); }

 private:
  T* current_ = nullptr;
  T* other_ = nullptr;
};

namespace detail {

/// A digit of the keys, and the arrays from which and to which a pass moves the pairs.
template <typename Key, typename Value>
struct RadixPass {
  const Key* keys;
  const Value* values;
  Key* sorted_keys;
  Value* sorted_values;
  std::int64_t count;
  int shift;
  unsigned mask;

  __device__ unsigned digit(std::int64_t i) const {
    return static_cast<unsigned>(keys[i] >> shift) & mask;
  }
};

/// Pairs of equal digits keep their order.
template <typename Key, typename Value>
__global__ void radix_pass_kernel(RadixPass<Key, Value> pass) {
  std::int64_t next[257] = {};
  for (std::int64_t i = 0; i < pass.count; ++i) ++next[pass.digit(i) + 1];
  for (int digit = 0; digit < 256; ++digit) next[digit + 1] += next[digit];
  for (std::int64_t i = 0; i < pass.count; ++i) {
    const std::int64_t to = next[pass.digit(i)]++;
    pass.sorted_keys[to] = pass.keys[i];
    pass.sorted_values[to] = pass.values[i];
  }
}

}  // namespace detail

struct DeviceRadixSort {
  /// Sorts by the bits [first_bit, last_bit) of the keys. Without `scratch`, says in
  /// `scratch_bytes` how much it needs.
  template <std::unsigned_integral Key, typename Value>
  static cudaError_t SortPairs(void* scratch, std::size_t& scratch_bytes, DoubleBuffer<Key>& keys,
                               DoubleBuffer<Value>& values, std::int64_t count, int first_bit,
                               int last_bit, cudaStream_t stream) {
    if (scratch == nullptr) {
      scratch_bytes = 1;
      return cudaSuccess;
    }
    constexpr int kDigitBits = 8;
    for (int bit = first_bit; bit < last_bit; bit += kDigitBits) {
      const int bits = last_bit - bit < kDigitBits ? last_bit - bit : kDigitBits;
      detail::RadixPass<Key, Value> pass{
          keys.Current(),  values.Current(), keys.Alternate(), values.Alternate(), count, bit,
          (1u << bits) - 1};
      void* arguments[] = {&pass};
      const cudaError_t code = cudaLaunchKernel(detail::radix_pass_kernel<Key, Value>, dim3(1),
                                                dim3(1), arguments, 0, stream);
      if (code != cudaSuccess) return code;
      keys.exchange();
      values.exchange();
    }
    return cudaSuccess;
  }
};

}  // namespace cub
