// A CUDA thread's local memory, with red zones for the address sanitizer.
#pragma once

#include <cstddef>

#include "cuda_impl/on_cpu/scheduler/fibers/sanitizers.hpp"

namespace assay::cuda::on_cpu::ptx {

#ifdef __SANITIZE_ADDRESS__

/// All local arrays of a function, in nvcc's layout. Detects accesses before the first and after
/// the last array.
template <std::size_t kBytes, std::size_t kAlignment>
class LocalMemory {
 public:
  LocalMemory() {
    poison_memory(before_, sizeof before_);
    poison_memory(bytes_ + kBytes, kBehind);
  }
  ~LocalMemory() { unpoison_memory(before_, sizeof before_ + sizeof bytes_); }
  LocalMemory(const LocalMemory&) = delete;
  LocalMemory& operator=(const LocalMemory&) = delete;

  std::byte* bytes() { return bytes_; }

 private:
  static constexpr std::size_t kZone = 128;
  static constexpr std::size_t kBehind = kZone + (kZone - kBytes % kZone) % kZone;
  static_assert(kZone % kAlignment == 0);

  alignas(kZone) std::byte before_[kZone];
  std::byte bytes_[kBytes + kBehind];
};

#else

template <std::size_t kBytes, std::size_t kAlignment>
class LocalMemory {
 public:
  std::byte* bytes() { return bytes_; }

 private:
  alignas(kAlignment) std::byte bytes_[kBytes];
};

#endif

}  // namespace assay::cuda::on_cpu::ptx
