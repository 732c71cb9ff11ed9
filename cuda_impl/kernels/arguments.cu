// Kernels that differ only in the size of their arguments.
#include "cuda_impl/core/launch.cuh"
#include "cuda_impl/kernels/arguments.hpp"

namespace assay::cuda {

template <int kBytes>
struct ArgumentWords {
  static constexpr int kCount = (kBytes - int{sizeof(std::int32_t*)}) / 4;
  std::int32_t words[kCount];
};

__global__ void empty_kernel() {}

__global__ void count_kernel(std::int32_t* counter) { ++*counter; }

template <int kBytes>
__global__ void count_by_last_word_kernel(ArgumentWords<kBytes> arguments, std::int32_t* counter) {
  *counter += arguments.words[ArgumentWords<kBytes>::kCount - 1];
}

namespace {

constexpr LaunchShape one_thread() { return {.grid = dim3(1), .block = dim3(1)}; }

template <int kBytes>
void launch_counting(std::int32_t* counter) {
  static const ArgumentWords<kBytes> arguments = [] {
    ArgumentWords<kBytes> made{};
    made.words[ArgumentWords<kBytes>::kCount - 1] = 1;
    return made;
  }();
  launch(count_by_last_word_kernel<kBytes>, one_thread(), arguments, counter);
}

}  // namespace

bool launch_with_arguments(int bytes, std::int32_t* counter) {
  switch (bytes) {
    case kArgumentBytes[0]:
      launch(empty_kernel, one_thread());
      return true;
    case kArgumentBytes[1]:
      launch(count_kernel, one_thread(), counter);
      return true;
    case kArgumentBytes[2]:
      launch_counting<kArgumentBytes[2]>(counter);
      return true;
    case kArgumentBytes[3]:
      launch_counting<kArgumentBytes[3]>(counter);
      return true;
    case kArgumentBytes[4]:
      launch_counting<kArgumentBytes[4]>(counter);
      return true;
    default:
      return false;
  }
}

}  // namespace assay::cuda
