// Planted errors: invalid runtime calls and leaks.
#include <array>

#include "cuda_impl/on_cpu/detectors/device.hpp"

namespace assay::cuda::on_cpu::detectors {
namespace {

constexpr std::size_t kCount = 8;

Result codes(cudaError_t first, cudaError_t second) {
  cudaGetLastError();
  return {static_cast<unsigned>(first), static_cast<unsigned>(second)};
}

Result copies_too_much(bool is_made) {
  const Ints from(kCount);
  Result to(2 * kCount);
  const std::size_t bytes = is_made ? from.bytes() + sizeof(int) : from.bytes();
  return codes(cudaMemcpy(to.data(), from.data(), bytes, cudaMemcpyDeviceToHost), cudaSuccess);
}

Result frees_twice(bool is_made) {
  void* memory = nullptr;
  must(cudaMalloc(&memory, kCount));
  const cudaError_t first = cudaFree(memory);
  return codes(first, is_made ? cudaFree(memory) : cudaSuccess);
}

Result frees_what_is_not_its_own(bool is_made) {
  int own = 0;
  void* memory = nullptr;
  must(cudaMalloc(&memory, kCount));
  const cudaError_t wrong = is_made ? cudaFree(&own) : cudaSuccess;
  return codes(cudaFree(memory), wrong);
}

Result reads_on_host(bool is_made) {
  const Ints memory(kCount);
  int copied = 0;
  must(cudaMemcpy(&copied, memory.data(), sizeof copied, cudaMemcpyDeviceToHost));
  return {static_cast<unsigned>(is_made ? *static_cast<volatile int*>(memory.data()) : copied)};
}

Result leaks_memory(bool is_made) {
  void* memory = nullptr;
  must(cudaMalloc(&memory, kCount * sizeof(int)));
  if (!is_made) must(cudaFree(memory));
  return {};
}

Result leaks_stream(bool is_made) {
  cudaStream_t stream = nullptr;
  must(cudaStreamCreate(&stream));
  if (!is_made) must(cudaStreamDestroy(stream));
  return {};
}

Result leaks_event(bool is_made) {
  cudaEvent_t event = nullptr;
  must(cudaEventCreate(&event));
  if (!is_made) must(cudaEventDestroy(event));
  return {};
}

constexpr std::array kMistakes = {
    Mistake{"copies_too_much", copies_too_much},
    Mistake{"frees_twice", frees_twice},
    Mistake{"frees_what_is_not_its_own", frees_what_is_not_its_own},
    Mistake{"reads_on_host", reads_on_host},
    Mistake{"leaks_memory", leaks_memory},
    Mistake{"leaks_stream", leaks_stream},
    Mistake{"leaks_event", leaks_event},
};

}  // namespace

std::span<const Mistake> call_mistakes() { return kMistakes; }

}  // namespace assay::cuda::on_cpu::detectors
